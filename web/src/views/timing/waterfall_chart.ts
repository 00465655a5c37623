// Why the sum of the layers is not the latency: steps that add up. Dashed is what was added by
// measuring; black is end to end.

import {
  bodyFont,
  familyKey,
  figureTable,
  fitName,
  fixed,
  integer,
  niceTicks,
  percent,
  signed,
  textWidth,
  tickDecimals,
  visible,
  type FigureTable,
  type Palette,
  type ViewContext,
  type WaterfallStep,
} from '../../public/index.ts';
import type { ChartBodySpec, ChartSize } from '../../public/chart_body.ts';
import {
  hitShape,
  lineShape,
  markSeries,
  rectShape,
  textShape,
  type Mark,
} from '../../public/chart_marks.ts';
import { axisText, familyPaint, type ChartOption } from '../../public/chart.ts';
import type { Timing } from './data.ts';

const kRow = 22;
const kBar = 13;
const kAxis = 24;
const kMaxNames = 170;
const kMaxTypes = 9;
const kRight = 96;

export interface Row {
  readonly kind: string;
  readonly is_sum: boolean;
  readonly name: string;
  readonly type: string | null;
  readonly family: string | null;
  readonly from: number;
  readonly to: number;
  // In words, for the tooltip and the table.
  readonly words: string;
}

const kWords: Readonly<Record<string, readonly [string, string]>> = {
  others: ['other records', 'records that do no work but have a time'],
  layers: ['Σ layers', 'the sum of all layer times'],
  between: ['between layers', 'inference time beyond the layers'],
  profiled: ['profiled inferences', 'median while layers were profiled'],
  overhead: ['profiling', 'added by timing each layer'],
  unexplained: ['not explained', 'not accounted for by layers, or the runs differ'],
  'end-to-end': ['end to end', 'the median of whole inferences'],
  'to-device': ['H2D', 'median transfer to the device'],
  'from-device': ['D2H', 'median transfer from the device'],
  rest: ['rest', 'medians do not add up'],
  latency: ['latency', 'the median latency'],
};

function nameOf(step: WaterfallStep): readonly [string, string] {
  const [name, words] = kWords[step.kind] ?? [step.kind, ''];
  const ms = step.to_ms - step.from_ms;
  if (step.kind === 'overhead' && step.count !== null && step.count > 0) {
    const us = (Math.abs(ms) * 1e3) / step.count;
    return [`profiling, ${integer(step.count)} × ${fixed(us, 1)} µs`, words];
  }
  if (step.kind === 'between' && ms < 0) {
    return [
      'beyond end to end',
      'the layers add up to more: they overlap in time, or a mean stands beside a median',
    ];
  }
  return [name, words];
}

// The steps as they are drawn: of the types the longest, the rest as one.
export function waterfallRows(steps: readonly WaterfallStep[]): readonly Row[] {
  const types = steps.filter((step) => step.kind === 'type');
  const kept = types.length > kMaxTypes ? types.slice(0, kMaxTypes - 1) : types;
  const rest = types.slice(kept.length);
  const rows: Row[] = kept.map((step) => ({
    kind: 'type',
    is_sum: false,
    name: visible(step.type ?? 'unknown'),
    type: step.type,
    family: step.family,
    from: step.from_ms,
    to: step.to_ms,
    words: step.count === null ? '' : `${integer(step.count)} layers`,
  }));
  const [first] = rest;
  const last = rest.at(-1);
  if (first !== undefined && last !== undefined) {
    const layers = rest.reduce((sum, step) => sum + (step.count ?? 0), 0);
    rows.push({
      kind: 'types',
      is_sum: false,
      name: `${integer(rest.length)} other types`,
      type: null,
      family: null,
      from: first.from_ms,
      to: last.to_ms,
      words: `${integer(layers)} layers`,
    });
  }
  for (const step of steps) {
    if (step.kind === 'type') continue;
    const [name, words] = nameOf(step);
    rows.push({
      kind: step.kind,
      is_sum: step.is_sum,
      name,
      type: null,
      family: null,
      from: step.from_ms,
      to: step.to_ms,
      words,
    });
  }
  return rows;
}

export class WaterfallChart implements ChartBodySpec {
  readonly #context: ViewContext;
  readonly #rows: readonly Row[];
  readonly #steps: readonly WaterfallStep[];
  readonly #sum: number;

  constructor(context: ViewContext, timing: Timing) {
    this.#context = context;
    this.#steps = timing.waterfall;
    this.#rows = waterfallRows(timing.waterfall);
    this.#sum = timing.waterfall.find((step) => step.kind === 'layers')?.to_ms ?? Number.NaN;
  }

  explain(): string {
    const { engine } = this.#context.store;
    const basis = engine.hasBasis('median') ? 'medians' : 'means';
    const end = this.#rows.some((row) => row.kind === 'end-to-end');
    return `ms, ${basis} of layers${end ? ', down to the median end to end' : '; end to end is not known'}`;
  }

  label(): string {
    const said = this.#rows
      .filter((row) => row.kind !== 'type' && row.kind !== 'types')
      .map((row) => `${row.name} ${this.#value(row)} ms`);
    return `Where the time goes, ${this.explain()}: ${said.join(', ')}. The table holds all steps.`;
  }

  height(): number {
    return this.#rows.length * kRow + kAxis;
  }

  #value(row: Row): string {
    const ms = row.to - row.from;
    return row.is_sum || row.kind === 'type' || row.kind === 'types' ? fixed(ms, 3) : signed(ms, 3);
  }

  lines(data: unknown): readonly string[] | null {
    const row = this.#rowOf(data);
    if (row === null) return null;
    return [
      row.name,
      `${this.#value(row)} ms, ${percent(Math.abs(row.to - row.from) / this.#sum)} % of Σ`,
      ...(row.words === '' ? [] : [row.words]),
      ...(row.type === null ? [] : ['click to filter']),
    ];
  }

  click(data: unknown): void {
    const type = this.#rowOf(data)?.type ?? null;
    if (type === null) return;
    this.#context.store.addChip({ field: 'type', op: ':', values: [type], negated: false });
  }

  #rowOf(data: unknown): Row | null {
    if (typeof data !== 'object' || data === null || !('step' in data)) return null;
    return this.#rows[Number(data.step)] ?? null;
  }

  // Types of which the filter leaves no layer.
  #faded(): ReadonlySet<string> {
    const { store } = this.#context;
    if (store.state.chips.length === 0) return new Set();
    const { layers } = store.engine;
    const shown = new Set([...store.selection.rows].map((row) => layers.text('type', row)));
    return new Set(
      this.#rows.flatMap(({ type }) => (type !== null && !shown.has(type) ? [type] : [])),
    );
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const text = axisText(palette);
    const rows = this.#rows;
    const font = (row: Row): string => bodyFont(11, row.is_sum ? 600 : 400);
    const widest = Math.max(0, ...rows.map((row) => textWidth(row.name.slice(0, 80), font(row))));
    const left = Math.min(kMaxNames, Math.ceil(widest) + 12, size.width * 0.45);
    const most = rows.reduce((max, row) => Math.max(max, row.from, row.to), 0);
    const ticks = niceTicks(most, size.width > 500 ? 5 : 3);
    const faded = this.#faded();
    const marks = rows.map((row, i): Mark => ({
      data: { step: i },
      draw: (place) => {
        const [x0, y] = place(row.from, i);
        const [x1] = place(row.to, i);
        const [start] = place(0, i);
        const [end] = place(most, i);
        const family = familyKey(row.family);
        const isEnd = row.kind === 'end-to-end' || row.kind === 'latency';
        const isLayers = row.kind === 'type' || row.kind === 'types' || row.kind === 'others';
        const opacity = row.type !== null && faded.has(row.type) ? 0.25 : 1;
        const look = isEnd
          ? { fill: palette.ui('ink') }
          : row.is_sum
            ? { fill: palette.ui('ink2') }
            : isLayers
              ? row.kind === 'type'
                ? { fill: familyPaint(palette, family), opacity }
                : { fill: palette.ui('line2') }
              : { fill: 'none', stroke: palette.ui('ink2'), dash: [3, 2] };
        const isOutlined = look.fill === 'none';
        const right = Math.max(x0, x1);
        const low = Math.min(x0, x1);
        const shapes = [
          hitShape(0, y - kRow / 2, end + kRight, y + kRow / 2),
          rectShape(
            isOutlined ? low + 0.5 : low,
            y - kBar / 2,
            Math.max(isOutlined ? right - 0.5 : right, low + 1),
            y + kBar / 2,
            look,
          ),
          textShape(fitName(row.name, left - 10, font(row)), start - 8, y, {
            fill: palette.ui(row.is_sum ? 'ink' : 'ink2'),
            align: 'right',
            weight: row.is_sum ? 600 : 400,
          }),
          textShape(this.#text(row), right + 6, y, {
            fill: palette.ui(row.is_sum ? 'ink' : 'ink2'),
            weight: row.is_sum ? 600 : 400,
          }),
        ];
        // The level goes on to the next step.
        if (i + 1 < rows.length) {
          shapes.push(
            lineShape(
              [
                [x1, y + kBar / 2],
                [x1, y + kRow - kBar / 2],
              ],
              palette.ui('line2'),
            ),
          );
        }
        return shapes;
      },
    }));
    return {
      grid: { left, right: kRight, top: 0, bottom: kAxis, outerBoundsMode: 'none' },
      xAxis: {
        type: 'value',
        min: 0,
        max: most > 0 ? most : 1,
        interval: ticks[1] ?? most,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: {
          ...text,
          showMaxLabel: false,
          formatter: (value: number) => fixed(value, tickDecimals(ticks)),
        },
        splitLine: { showMaxLine: false, lineStyle: { color: palette.ui('line') } },
      },
      yAxis: {
        type: 'value',
        min: -0.5,
        max: rows.length - 0.5,
        inverse: true,
        show: false,
      },
      series: [markSeries(marks, { z: 2 })],
    };
  }

  #text(row: Row): string {
    const value = this.#value(row);
    if (row.kind === 'type' || row.kind === 'types') {
      return `${value}, ${percent((row.to - row.from) / this.#sum)} %`;
    }
    return row.kind === 'end-to-end' || row.kind === 'latency' ? `${value} median` : value;
  }

  table(): FigureTable {
    return figureTable(this.#steps, [
      ['step', null, (step) => (step.kind === 'type' ? (step.type ?? 'unknown') : nameOf(step)[0])],
      ['layers', 0, (step) => step.count],
      ['from ms', 4, (step) => step.from_ms],
      ['to ms', 4, (step) => step.to_ms],
      ['change ms', 4, (step) => (step.is_sum ? null : step.to_ms - step.from_ms)],
    ]);
  }
}
