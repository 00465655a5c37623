// Layers as areas: size is time, or bytes; groups as frames. What the predecessor's sunburst and
// treemaps showed, with the sizes true.

import {
  el,
  Figure,
  integer,
  inUnit,
  linkButton,
  percent,
  timeUnit,
  visible,
  type FamilyKey,
  type FigureTable,
  type ViewContext,
} from '../../public/index.ts';
import { ChartBody } from '../../public/chart_body.ts';
import { axisText, familyPaint, type ChartOption } from '../../public/chart.ts';
import { groupRows, kGroupingTitles, type Grouping } from './grouping.ts';

const kMinHeight = 320;
// Of all; the smaller ones of a group become one area.
const kMaxLayers = 2000;

export const kSizes = ['time', 'bytes'] as const;
export type AreaSize = (typeof kSizes)[number];

interface Area {
  readonly name: string;
  readonly value: number;
  readonly row?: number;
  readonly lines?: readonly string[];
  readonly itemStyle?: object;
  readonly label?: object;
  readonly children?: readonly Area[];
}

function sized(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}

// The value of the `most`-th largest row; 0 where there are not more.
function minOf(rows: Int32Array, values: Float64Array, most: number): number {
  if (rows.length <= most) return 0;
  const sorted = Float64Array.from(rows, (row) => sized(values[row])).sort();
  return sorted[sorted.length - most] ?? 0;
}

export class Treemap {
  readonly node: HTMLElement;
  readonly #figure: Figure;
  readonly #context: ViewContext;
  #grouping: Grouping = 'type';
  #room = kMinHeight;

  constructor(context: ViewContext) {
    this.#context = context;
    const body = new ChartBody(context, {
      label: () => `${this.#explain()}. The table of layers has the same numbers.`,
      height: () => this.#room,
      option: () => this.#option(),
      lines: (data) =>
        typeof data === 'object' && data !== null && 'lines' in data && Array.isArray(data.lines)
          ? (data.lines as readonly string[])
          : null,
    });
    this.#figure = new Figure(context, {
      id: 'treemap',
      title: 'Treemap',
      explain: () => this.#explain(),
      body,
      table: () => this.#table(),
      aside: () => [this.#sizeChoice()],
    });
    this.node = el('div', { class: 'treemap-scroll' }, this.#figure.node);
  }

  draw(grouping: Grouping | null): void {
    this.#grouping = grouping ?? 'type';
    this.#room = Math.max(kMinHeight, this.node.clientHeight - 48);
    this.#figure.draw();
  }

  #size(): AreaSize {
    const { engine } = this.#context.store;
    const wanted = this.#context.store.option('layers.size');
    if (!engine.hasTimes) return 'bytes';
    return wanted === 'bytes' && engine.layers.has('footprint_bytes') ? 'bytes' : 'time';
  }

  #values(): Float64Array {
    const { engine, basis } = this.#context.store;
    return this.#size() === 'time' ? engine.times(basis) : engine.layers.numbers('footprint_bytes');
  }

  #explain(): string {
    const { basis, engine } = this.#context.store;
    const size = this.#size() === 'time' ? `time (${basis})` : 'bytes moved';
    return (
      `area = ${size}, color = type, frames = ${kGroupingTitles[this.#grouping]}; ` +
      `${integer(engine.workRows.length)} layers`
    );
  }

  #sizeChoice(): HTMLElement | null {
    const { store } = this.#context;
    const { engine } = store;
    if (!engine.hasTimes || !engine.layers.has('footprint_bytes')) return null;
    const size = this.#size();
    return linkButton(size === 'time' ? 'by bytes moved' : 'by time', null, () =>
      store.setOption('layers.size', size === 'time' ? 'bytes' : null),
    );
  }

  #text(value: number): string {
    if (this.#size() === 'bytes') return `${(value / 1e6).toFixed(1)} MB`;
    const unit = timeUnit(value);
    return `${inUnit(value, unit)} ${unit.unit}`;
  }

  #option(): ChartOption {
    const { store } = this.#context;
    const { engine } = store;
    const palette = this.#context.palette();
    const values = this.#values();
    const all = engine.whole(values);
    const { mask } = store.selection;
    const areaOf = (row: number): Area => {
      const family: FamilyKey = engine.family(row);
      const fill = palette.family(family);
      const ink = family === 'reformat' ? null : palette.inkOn(fill);
      const selected = row === store.state.selected;
      return {
        name: store.layerLabel(row),
        value: sized(values[row]),
        row,
        itemStyle: {
          color: familyPaint(palette, family),
          opacity: mask[row] === 1 ? 1 : 0.25,
          ...(selected
            ? { borderColor: palette.ui('selb'), borderWidth: 2 }
            : family === 'other'
              ? { borderColor: palette.ui('line2'), borderWidth: 1 }
              : {}),
        },
        // On the hatch a name needs an edge; a ground of its own would cover all of the area.
        label:
          ink === null
            ? { color: palette.ui('ink'), textBorderColor: palette.ui('bg'), textBorderWidth: 4 }
            : { color: ink },
      };
    };
    const groups = groupRows(engine, engine.workRows, this.#grouping, values);
    const least = minOf(engine.workRows, values, kMaxLayers);
    const data = groups.flatMap((group): readonly Area[] => {
      const sum = engine.sum(values, group.rows);
      if (!(sum > 0)) return [];
      const shown = [...group.rows]
        .filter((row) => sized(values[row]) > 0)
        .sort((a, b) => sized(values[b]) - sized(values[a]));
      const rest = shown.filter((row) => sized(values[row]) < least);
      const restSum = engine.sum(values, Int32Array.from(rest));
      const name = group.label ?? 'not known';
      const lines = [
        name,
        `${integer(group.rows.length)} layers · ${this.#text(sum)} · ${percent(sum / all)} % of Σ`,
      ];
      return [
        {
          name,
          value: sum,
          lines,
          children: [
            ...shown.slice(0, shown.length - rest.length).map(areaOf),
            ...(rest.length === 0
              ? []
              : [
                  {
                    name: `${integer(rest.length)} smaller`,
                    value: restSum,
                    lines: [
                      `${integer(rest.length)} smaller layers of ${name}`,
                      this.#text(restSum),
                    ],
                    itemStyle: { color: palette.ui('s2') },
                  },
                ]),
          ],
        },
      ];
    });
    const text = axisText(palette);
    return {
      series: [
        {
          type: 'treemap',
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          animation: false,
          upperLabel: {
            show: true,
            height: 18,
            ...text,
            fontSize: 11,
            color: palette.ui('ink2'),
            formatter: (params) => visible(params.name),
          },
          levels: [
            { itemStyle: { borderColor: palette.ui('bg'), borderWidth: 0, gapWidth: 4 } },
            { itemStyle: { borderColor: palette.ui('s2'), borderWidth: 2, gapWidth: 1 } },
            {
              label: { ...text, fontSize: 11, position: 'insideTopLeft', overflow: 'truncate' },
              itemStyle: { borderColor: palette.ui('bg'), borderWidth: 0 },
            },
          ],
          data: data as never,
        },
      ],
    };
  }

  #table(): FigureTable {
    const { engine } = this.#context.store;
    const values = this.#values();
    const all = engine.whole(values);
    const groups = groupRows(engine, engine.workRows, this.#grouping, values);
    const isTime = this.#size() === 'time';
    return {
      columns: [
        { title: kGroupingTitles[this.#grouping], decimals: null },
        { title: 'layers', decimals: 0 },
        { title: isTime ? 'ms' : 'bytes moved', decimals: isTime ? 3 : 0 },
        { title: '% of Σ', decimals: 1 },
      ],
      rows: groups.map((group) => {
        const sum = engine.sum(values, group.rows);
        return [group.label, group.rows.length, sum, all > 0 ? (sum / all) * 100 : null];
      }),
    };
  }

  destroy(): void {
    this.#figure.destroy();
  }
}
