// A result as bars, lines or points. Numbers of different units never share an axis: each unit has a
// panel of its own, over the same x. A mark that stands for a layer is that layer, as everywhere.

import {
  bodyFont,
  cellText,
  columnDecimals,
  exactText,
  figureTable,
  fitName,
  headText,
  integer,
  isNumeric,
  numberOf,
  plural,
  span,
  textWidth,
  visible,
  type DataColumn,
  type FamilyKey,
  type FigureTable,
  type Palette,
  type QueryCell,
  type ViewContext,
} from '../../public/index.ts';
import {
  axisText,
  type BarSeriesOption,
  type ChartOption,
  type LineSeriesOption,
  type ScatterSeriesOption,
} from '../../public/chart.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { numberAxis } from './axis.ts';
import type { ChartChoice } from './choice.ts';
import { pointsOf, type Point, type Points, type Series } from './points.ts';
import { selectLayer, type LayerPlace, type Result } from './result.ts';

// What is drawn, chosen by others.
export interface Drawn {
  readonly result: Result;
  readonly choice: ChartChoice;
  // Rows of the result as the table has them.
  readonly order: ArrayLike<number>;
  readonly layers: readonly (LayerPlace | null)[];
}

// Bars with their names beside them; more stand upright, without.
const kMaxNamed = 60;
const kNameShare = 0.36;
const kNameGap = 10;
const kFlatTop = 6;
const kPanelGap = 30;
const kBarPx = 11;
const kGroupGap = 7;
const kPlot = 190;
const kTop = 22;
const kBottom = 34;
const kLeft = 58;
const kRight = 28;
const kValueRoom = 64;
const kTickEvery = 90;
const kMaxRoomy = 100;

const kFills: readonly FamilyKey[] = [
  'convolution',
  'opaque',
  'pool',
  'norm',
  'plugin',
  'pointwise',
];

interface Panel {
  readonly unit: string | null;
  readonly title: string;
  readonly series: readonly Series[];
}

type AnySeries = BarSeriesOption | LineSeriesOption | ScatterSeriesOption;
type XAxis = Exclude<NonNullable<ChartOption['xAxis']>, readonly unknown[]>;
type YAxis = Exclude<NonNullable<ChartOption['yAxis']>, readonly unknown[]>;

function fillOf(palette: Palette, place: number): string {
  return palette.family(kFills[place] ?? 'pointwise');
}

export class SqlChart implements TabledChart {
  readonly #context: ViewContext;
  #drawn: Drawn;
  #points: Points;

  constructor(context: ViewContext, drawn: Drawn) {
    this.#context = context;
    this.#drawn = drawn;
    this.#points = pointsOf(drawn.result, drawn.choice, drawn.order);
  }

  set drawn(drawn: Drawn) {
    this.#drawn = drawn;
    this.#points = pointsOf(drawn.result, drawn.choice, drawn.order);
  }

  #head(column: number | null): string {
    const head = column === null ? undefined : this.#drawn.result.columns[column];
    return head === undefined ? 'row' : headText(head);
  }

  get #panels(): readonly Panel[] {
    const { columns } = this.#drawn.result;
    const panels = new Map<string, Panel>();
    for (const one of this.#points.series) {
      const unit = columns[one.y]?.unit ?? null;
      // What has no unit is like nothing else.
      const key = unit === null || unit === 'count' ? `column ${String(one.y)}` : unit;
      const known = panels.get(key);
      const title = this.#head(one.y);
      const isNew = !known?.title.split(', ').includes(title);
      panels.set(key, {
        unit,
        title: known === undefined ? title : isNew ? `${known.title}, ${title}` : known.title,
        series: [...(known?.series ?? []), one],
      });
    }
    return [...panels.values()];
  }

  // Bars that lie, with their names beside them.
  get #isFlat(): boolean {
    const { categories } = this.#points;
    const isBar = this.#drawn.choice.kind === 'bar';
    return isBar && categories !== null && categories.length <= kMaxNamed;
  }

  explain(): string {
    const { choice } = this.#drawn;
    const { rowCount, leftOut, enginesLeftOut } = this.#points;
    const over = choice.x === null ? 'the rows in their order' : this.#head(choice.x);
    return [
      `${choice.ys.map((y) => this.#head(y)).join(', ')} over ${over}`,
      leftOut > 0
        ? `the first ${plural(rowCount, 'row')}, ${integer(leftOut)} are not drawn`
        : plural(rowCount, 'row'),
      enginesLeftOut > 0 ? `${plural(enginesLeftOut, 'engine')} not drawn` : null,
    ]
      .filter((part) => part !== null)
      .join('; ');
  }

  label(): string {
    return `${this.#drawn.choice.kind} chart: ${this.explain()}. The table above holds the numbers.`;
  }

  height(): number {
    const panels = this.#panels;
    if (!this.#isFlat) return panels.length * (kTop + kPlot + kBottom);
    const groups = this.#points.categories?.length ?? 0;
    return kFlatTop + groups * this.#groupPx + kBottom;
  }

  // Of a name with its bars.
  get #groupPx(): number {
    const most = Math.max(1, ...this.#panels.map(({ series }) => series.length));
    return Math.max(18, most * kBarPx + kGroupGap);
  }

  // --- what marks say and do

  #rowAt(data: unknown): number | null {
    if (typeof data !== 'object' || data === null || !('at' in data)) return null;
    return typeof data.at === 'number' ? data.at : null;
  }

  lines(data: unknown): readonly string[] | null {
    const at = this.#rowAt(data);
    if (at === null) return null;
    const { result, choice, layers } = this.#drawn;
    const wanted = [...(choice.x === null ? [] : [choice.x]), ...choice.ys];
    const lines = wanted.map(
      (i) => `${this.#head(i)}: ${visible(exactText(result.rows[at]?.[i])) || '–'}`,
    );
    const layer = layers[at] ?? null;
    const engines = this.#context.store.report.engines;
    if (layer === null) return lines;
    const engine = engines[layer.engine];
    const name = engine?.shortName(layer.row) ?? '';
    return [...lines, `layer ${String(engine?.layerId(layer.row) ?? '')}: ${name}`];
  }

  layerLines(data: unknown): readonly string[] | null {
    return this.lines(data);
  }

  click(data: unknown): void {
    const at = this.#rowAt(data);
    const layer = at === null ? null : (this.#drawn.layers[at] ?? null);
    if (layer !== null) selectLayer(this.#context.store, layer);
  }

  // Of what shares an axis; where that is the engines alone, the same in each panel.
  legend(): readonly HTMLElement[] {
    const palette = this.#context.palette();
    const entries = new Map<string, HTMLElement>();
    for (const { series } of this.#panels) {
      const isOneColumn = new Set(series.map(({ y }) => y)).size === 1;
      for (const [i, { y, engine }] of series.entries()) {
        const words = isOneColumn ? [engine] : [this.#head(y), engine];
        const name = words.filter((word) => word !== null).join(', ');
        if (series.length < 2 || entries.has(name)) continue;
        const swatch = span('swatch');
        swatch.style.backgroundColor = fillOf(palette, i);
        entries.set(name, span('legend-entry', swatch, name));
      }
    }
    return entries.size === 0 ? [] : [span('legend', ...entries.values())];
  }

  // --- the picture

  option(palette: Palette, size: ChartSize): ChartOption {
    return this.#isFlat ? this.#flat(palette, size) : this.#upright(palette, size);
  }

  // The panels side by side.
  #flat(palette: Palette, { width, height }: ChartSize): ChartOption {
    const panels = this.#panels;
    const categories = this.#points.categories ?? [];
    const font = bodyFont(11);
    const widest = Math.max(0, ...categories.map((name) => textWidth(name, font)));
    const names = Math.ceil(Math.min(widest, width * kNameShare)) + kNameGap;
    const each = (width - names) / panels.length;
    const decimals = columnDecimals(this.#drawn.result);
    const hasValues = panels.some(({ series }) => series.length === 1);
    const beside = hasValues ? kValueRoom : kPanelGap;
    const grids = panels.map((_, i) => ({
      left: names + i * each,
      width: Math.max(20, each - beside),
      top: kFlatTop,
      height: height - kFlatTop - kBottom,
      outerBoundsMode: 'none' as const,
    }));
    const xAxis = panels.map((panel, i): XAxis => {
      const ticks = Math.max(2, Math.floor((grids[i]?.width ?? 0) / kTickEvery));
      return this.#numbers(palette, panel, true, ticks, i);
    });
    const yAxis = panels.map((_, i): YAxis => ({
      type: 'category',
      gridIndex: i,
      inverse: true,
      data: [...categories],
      axisLine: { lineStyle: { color: palette.ui('line2') } },
      axisTick: { show: false },
      axisLabel: {
        ...axisText(palette),
        color: palette.ui('ink2'),
        fontSize: 11,
        show: i === 0,
        interval: 0,
        formatter: (name: string) => fitName(name, names - kNameGap + 1, font),
      },
    }));
    const series = this.#allSeries(palette, panels, (point, one, isAlone) => ({
      value: [point.y, point.x],
      ...(isAlone
        ? { label: { formatter: cellText(this.#cell(point, one), decimals[one.y] ?? null) } }
        : {}),
    }));
    return { grid: grids, xAxis, yAxis, series };
  }

  // The panels one below the other.
  #upright(palette: Palette, { width }: ChartSize): ChartOption {
    const panels = this.#panels;
    const each = kTop + kPlot + kBottom;
    const room = Math.max(40, width - kLeft - kRight);
    const grids = panels.map((_, i) => ({
      left: kLeft,
      right: kRight,
      top: i * each + kTop,
      height: kPlot,
      outerBoundsMode: 'none' as const,
    }));
    const yAxis = panels.map(
      (panel, i): YAxis =>
        this.#numbers(palette, panel, this.#drawn.choice.kind === 'bar', 4, i) as YAxis,
    );
    const xAxis = panels.map((_, i): XAxis => ({ ...this.#xAxis(palette, room), gridIndex: i }));
    const series = this.#allSeries(palette, panels, (point) => ({ value: [point.x, point.y] }));
    return { grid: grids, xAxis, yAxis, series };
  }

  #cell(point: Point, one: Series): QueryCell | undefined {
    return this.#drawn.result.rows[point.at]?.[one.y];
  }

  #numbers(
    palette: Palette,
    { series, unit, title }: Panel,
    hasZero: boolean,
    ticks: number,
    gridIndex: number,
  ): object {
    const values = series.flatMap(({ points }) => points.map(({ y }) => y));
    const { text, ...range } = numberAxis(values, unit, hasZero, ticks);
    const look = axisText(palette);
    const isFlat = this.#isFlat;
    return {
      type: 'value',
      gridIndex,
      ...range,
      name: title,
      nameLocation: isFlat ? 'middle' : 'end',
      nameGap: isFlat ? 20 : 8,
      nameTextStyle: { ...look, align: isFlat ? 'center' : 'left' },
      axisLabel: { ...look, formatter: text },
      splitLine: { lineStyle: { color: palette.ui('line') } },
    };
  }

  #xAxis(palette: Palette, room: number): XAxis {
    const { categories, series } = this.#points;
    const look = axisText(palette);
    const { x } = this.#drawn.choice;
    const line = { lineStyle: { color: palette.ui('line2') } };
    const named = {
      name: this.#head(x),
      nameLocation: 'middle' as const,
      nameGap: 20,
      nameTextStyle: look,
      axisLine: line,
      axisTick: line,
    };
    const fit = Math.max(2, Math.floor(room / kTickEvery));
    if (categories !== null) {
      const every = Math.max(1, Math.ceil(categories.length / fit));
      const px = (room / categories.length) * every - 8;
      return {
        type: 'category',
        data: [...categories],
        ...named,
        axisTick: { show: false },
        axisLabel: {
          ...look,
          interval: every - 1,
          formatter: (name: string) => fitName(name, px, bodyFont(10)),
        },
      };
    }
    const unit = x === null ? null : (this.#drawn.result.columns[x]?.unit ?? null);
    const values = series.flatMap(({ points }) => points.map((point) => point.x));
    const { text, ...range } = numberAxis(values, unit, false, fit);
    return {
      type: 'value',
      ...range,
      ...named,
      axisLabel: { ...look, formatter: text },
      splitLine: { show: false },
    };
  }

  #allSeries(
    palette: Palette,
    panels: readonly Panel[],
    valueOf: (point: Point, one: Series, isAlone: boolean) => object,
  ): AnySeries[] {
    const { store } = this.#context;
    const { layers, choice } = this.#drawn;
    return panels.flatMap((panel, index) =>
      panel.series.map((one, place): AnySeries => {
        const fill = fillOf(palette, place);
        const isAlone = panel.series.length === 1;
        const data = one.points.map((point) => {
          const layer = layers[point.at] ?? null;
          const isHere = layer !== null && layer.engine === store.state.engine;
          const isSelected = isHere && store.selectedRows.includes(layer.row);
          return {
            ...valueOf(point, one, isAlone),
            at: point.at,
            ...(isHere ? { row: layer.row } : {}),
            ...(isSelected
              ? { itemStyle: { color: fill, borderColor: palette.ui('selb'), borderWidth: 2 } }
              : {}),
          };
        }) as NonNullable<BarSeriesOption['data']>;
        const shared = {
          xAxisIndex: index,
          yAxisIndex: index,
          data,
          itemStyle: { color: fill },
          emphasis: { itemStyle: { borderColor: palette.ui('ink'), borderWidth: 1 } },
        };
        switch (choice.kind) {
          case 'bar':
            return {
              ...shared,
              type: 'bar',
              barMaxWidth: this.#isFlat ? kBarPx + 1 : 24,
              label: {
                show: this.#isFlat && isAlone,
                position: 'right',
                ...axisText(palette),
                color: palette.ui('ink2'),
              },
            };
          case 'line':
            return {
              ...shared,
              type: 'line',
              lineStyle: { color: fill, width: 1.2 },
              symbol: 'circle',
              symbolSize: one.points.length > kMaxRoomy ? 3 : 5,
              showAllSymbol: true,
            } as LineSeriesOption;
          case 'scatter':
            return {
              ...shared,
              type: 'scatter',
              symbolSize: one.points.length > kMaxRoomy ? 5 : 8,
              progressive: 0,
            } as ScatterSeriesOption;
        }
      }),
    );
  }

  table(): FigureTable {
    const { result, choice, order } = this.#drawn;
    const value = (i: number) => (at: number) => {
      const cell = result.rows[at]?.[i] ?? null;
      const head = result.columns[i];
      return head !== undefined && isNumeric(head) ? numberOf(cell) : exactText(cell);
    };
    const decimals = columnDecimals(result);
    const engine = result.columns.findIndex(({ name }) => name === 'engine');
    const wanted = new Set([
      ...(engine >= 0 ? [engine] : []),
      ...(choice.x === null ? [] : [choice.x]),
      ...choice.ys,
    ]);
    const columns = [...wanted].map((i): DataColumn<number> => {
      const head = result.columns[i];
      const isText = head === undefined || !isNumeric(head);
      return [this.#head(i), isText ? null : (decimals[i] ?? 6), value(i)];
    });
    return figureTable(Array.from(order), columns);
  }
}
