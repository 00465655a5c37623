// Weights, activations and both of each layer, in execution order: three lanes on one axis. Where
// there are more layers than pixels, a bar is the greatest of its neighbours.

import {
  bytesPer,
  bytesQuantity,
  bytesText,
  fixed,
  integer,
  niceTicks,
  tickDecimals,
  type Engine,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartBodySpec, ChartSize } from '../../public/chart_body.ts';
import { hitShape, markSeries, rectShape, textShape, type Mark } from '../../public/chart_marks.ts';
import { axisText, familyPaint, type ChartOption } from '../../public/chart.ts';

const kLeft = 56;
const kRight = 12;
const kLane = 74;
const kGap = 24;
const kTop = 16;
const kAxis = 22;
const kMinBar = 2;
const kFaded = 0.25;

const kLanes = [
  ['weights', 'weight_bytes'],
  ['activations', 'io_bytes'],
  ['total', 'footprint_bytes'],
] as const;

export interface LaneBar {
  // The layer that is drawn: the greatest of those that share the bar.
  readonly row: number;
  readonly value: number;
}

export function laneBars(
  values: Float64Array,
  rows: Int32Array,
  perBar: number,
): readonly (LaneBar | null)[] {
  const bars: (LaneBar | null)[] = [];
  for (let begin = 0; begin < rows.length; begin += perBar) {
    let best: LaneBar | null = null;
    for (let i = begin; i < Math.min(rows.length, begin + perBar); i += 1) {
      const row = rows[i] ?? 0;
      const value = values[row] ?? Number.NaN;
      if (value > (best?.value ?? 0)) best = { row, value };
    }
    bars.push(best);
  }
  return bars;
}

// Of the layers whose bytes are known; how many those are, where some are not.
function sumText(engine: Engine, values: Float64Array): string {
  const known = engine.workRows.reduce((n, row) => n + (Number.isNaN(values[row]) ? 0 : 1), 0);
  const all = engine.workRows.length;
  const of = known < all ? ` of the ${integer(known)} known of ${integer(all)} layers` : '';
  return `Σ ${bytesText(engine.sum(values))}${of}`;
}

export class PerLayerChart implements ChartBodySpec {
  readonly #context: ViewContext;
  #perBar = 1;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  get isEmpty(): boolean {
    const { engine } = this.#context.store;
    return kLanes.every(([, column]) => engine.sum(engine.layers.numbers(column)) <= 0);
  }

  explain(): string {
    const { engine } = this.#context.store;
    const many =
      this.#perBar > 1
        ? `; each bar is the largest of ${integer(this.#perBar)} consecutive layers`
        : '';
    return `bytes that each of ${integer(engine.workRows.length)} layers reads and writes, in execution order${many}`;
  }

  label(): string {
    const { engine } = this.#context.store;
    const sums = kLanes.map(
      ([name, column]) => `${name} ${sumText(engine, engine.layers.numbers(column))}`,
    );
    return `Bytes per layer, ${this.explain()}: ${sums.join(', ')}. The table holds the numbers.`;
  }

  height(): number {
    return kTop + kLanes.length * kLane + (kLanes.length - 1) * kGap + kAxis;
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const { store } = this.#context;
    const { engine } = store;
    const rows = engine.workRows;
    const text = axisText(palette);
    const inner = Math.max(1, size.width - kLeft - kRight);
    this.#perBar = Math.max(1, Math.ceil(rows.length / Math.floor(inner / kMinBar)));
    const count = Math.max(1, Math.ceil(rows.length / this.#perBar));
    const tops = kLanes.map((_, i) => kTop + i * (kLane + kGap));
    const lanes = kLanes.map(([name, column]) => {
      const values = engine.layers.numbers(column);
      const bars = laneBars(values, rows, this.#perBar);
      const most = bars.reduce((max, bar) => Math.max(max, bar?.value ?? 0), 0);
      const { unit } = bytesQuantity(most > 0 ? most : 1);
      const scale = bytesPer(unit);
      const ticks = niceTicks((most > 0 ? most : 1) / scale, 3);
      return {
        name,
        bars,
        most: most > 0 ? most : 1,
        unit,
        scale,
        ticks,
        sum: sumText(engine, values),
      };
    });
    return {
      grid: tops.map((top) => ({
        left: kLeft,
        right: kRight,
        top,
        height: kLane,
        outerBoundsMode: 'none' as const,
      })),
      xAxis: lanes.map((_, i) => ({
        type: 'value' as const,
        gridIndex: i,
        min: 0,
        max: count,
        axisLine: { lineStyle: { color: palette.ui('line2') } },
        axisTick: { show: false },
        splitLine: { show: false },
        axisLabel: {
          ...text,
          show: i === lanes.length - 1,
          showMaxLabel: false,
          formatter: (value: number) => {
            const row = rows[Math.round(value) * this.#perBar];
            return row === undefined ? '' : `#${String(engine.layerId(row))}`;
          },
        },
      })),
      yAxis: lanes.map((lane, i) => ({
        type: 'value' as const,
        gridIndex: i,
        min: 0,
        max: (lane.most / lane.scale) * 1.04,
        interval: lane.ticks[1] ?? lane.most / lane.scale,
        axisLabel: {
          ...text,
          showMaxLabel: false,
          formatter: (value: number) => fixed(value, tickDecimals(lane.ticks)),
        },
        splitLine: { showMaxLine: false, lineStyle: { color: palette.ui('line') } },
      })),
      series: lanes.flatMap((lane, i) => {
        const axes = { xAxisIndex: i, yAxisIndex: i };
        return [
          markSeries(this.#bars(lane.bars, lane.scale, lane.most, palette), { ...axes, z: 2 }),
          markSeries(
            [
              {
                data: null,
                draw: (place) => {
                  const [left, top] = place(0, (lane.most / lane.scale) * 1.04);
                  return [
                    textShape(`${lane.name}, ${lane.unit}`, left, top - 9, {
                      fill: palette.ui('ink2'),
                      weight: 500,
                    }),
                    textShape(lane.sum, size.width - kRight, top - 9, {
                      fill: palette.ui('ink3'),
                      align: 'right',
                    }),
                  ];
                },
              },
            ],
            { ...axes, z: 3 },
          ),
        ];
      }),
    };
  }

  #bars(
    bars: readonly (LaneBar | null)[],
    scale: number,
    most: number,
    palette: Palette,
  ): readonly Mark[] {
    const { store } = this.#context;
    const { engine } = store;
    const { mask } = store.selection;
    const selected = new Set(store.selectedRows);
    return bars.map((bar, i): Mark => {
      if (bar === null) return { data: null, draw: () => [] };
      return {
        data: { row: bar.row },
        draw: (place) => {
          const [x0, y] = place(i, bar.value / scale);
          const [x1, floor] = place(i + 1, 0);
          const [, ceiling] = place(0, most / scale);
          const gap = x1 - x0 > 4 ? 1 : 0;
          const family = engine.family(bar.row);
          return [
            hitShape(x0, ceiling, x1, floor),
            rectShape(x0, Math.min(y, floor - 1), x1 - gap, floor, {
              fill: familyPaint(palette, family),
              opacity: mask[bar.row] === 1 ? 1 : kFaded,
              lit: palette.ui('selb'),
              ...(selected.has(bar.row) ? { stroke: palette.ui('selb'), width: 2 } : {}),
            }),
          ];
        },
      };
    });
  }

  table(): FigureTable {
    const { store } = this.#context;
    const { engine } = store;
    const columns = kLanes.map(([, column]) => engine.layers.numbers(column));
    return {
      columns: [
        { title: 'layer', decimals: 0 },
        { title: 'name', decimals: null },
        { title: 'type', decimals: null },
        ...kLanes.map(([name]) => ({ title: `${name} bytes`, decimals: 0 })),
      ],
      rows: [...engine.workRows].map((row) => [
        engine.layerId(row),
        engine.rawName(row),
        engine.layers.text('type', row) ?? '',
        ...columns.map((values) => {
          const value = values[row] ?? Number.NaN;
          return Number.isNaN(value) ? null : value;
        }),
      ]),
    };
  }
}
