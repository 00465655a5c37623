// Weights, activations and both, per layer, in execution order: three lanes on one axis. If there
// are more layers than pixels, a bar is the maximum of its neighbours.

import {
  bytesText,
  figureTable,
  integer,
  type DataColumn,
  type Engine,
  type Figure,
  type ViewContext,
} from '../../public/index.ts';
import {
  across,
  byteTicks,
  familyFill,
  plotFigure,
  ticksTo,
  upwards,
  xAxis,
  yAxis,
  type Plot,
} from '../../public/plot/index.ts';

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
  // The layer that is drawn: the largest of those that share the bar.
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
    for (const row of rows.subarray(begin, begin + perBar)) {
      const value = values[row] ?? Number.NaN;
      if (value > (best?.value ?? 0)) best = { row, value };
    }
    bars.push(best);
  }
  return bars;
}

// Over the layers whose bytes are known; with their number, if some are not.
function sumText(engine: Engine, values: Float64Array): string {
  const known = engine.workRows.reduce((n, row) => n + (Number.isNaN(values[row]) ? 0 : 1), 0);
  const all = engine.workRows.length;
  const of = known < all ? ` of the ${integer(known)} known of ${integer(all)} layers` : '';
  return `Σ ${bytesText(engine.sum(values))}${of}`;
}

export function perLayerFigure(context: ViewContext): Figure | null {
  const { store } = context;
  const { engine } = store;
  const { layers, workRows: rows } = engine;
  const lanes = kLanes.map(([name, column]) => ({ name, values: layers.numbers(column) }));
  if (lanes.every(({ values }) => engine.sum(values) <= 0)) return null;
  let perBar = 1;
  const explain = (): string => {
    const many =
      perBar > 1 ? `; each bar is the largest of ${integer(perBar)} consecutive layers` : '';
    return `bytes that each of ${integer(rows.length)} layers reads and writes, in execution order${many}`;
  };
  const draw = (plot: Plot): void => {
    const { palette } = plot;
    const { mask } = store.selection;
    const selected = new Set(store.selectedRows);
    const width = Math.max(1, plot.width - kLeft - kRight);
    perBar = Math.max(1, Math.ceil(rows.length / Math.floor(width / kMinBar)));
    const count = Math.max(1, Math.ceil(rows.length / perBar));
    const places = ticksTo(count, 5).values.filter((at) => Number.isInteger(at) && at < count);
    const idAt = (at: number): string => `#${String(engine.layerId(rows[at * perBar] ?? -1))}`;
    for (const [lane, { name, values }] of lanes.entries()) {
      const top = kTop + lane * (kLane + kGap);
      const frame = { left: kLeft, top, width, height: kLane };
      const floor = top + kLane;
      const bars = laneBars(values, rows, perBar);
      const most = bars.reduce((max, bar) => Math.max(max, bar?.value ?? 0), 0) || 1;
      const ticks = byteTicks(most, 3);
      const x = across(frame, 0, count);
      const y = upwards(frame, 0, most * 1.04);
      const isLast = lane === lanes.length - 1;
      yAxis(plot, frame, y, ticks);
      xAxis(
        plot,
        frame,
        x,
        { values: isLast ? places : [], text: idAt },
        { lines: false, isStrong: true },
      );
      plot.text(`${name}, ${ticks.unit}`, kLeft, top - 9, {
        fill: palette.ui('ink2'),
        weight: 500,
        size: 11,
      });
      plot.text(sumText(engine, values), plot.width - kRight, top - 9, {
        fill: palette.ui('ink3'),
        align: 'right',
        size: 11,
      });
      for (const [i, bar] of bars.entries()) {
        if (bar === null) continue;
        const { row, value } = bar;
        const [x0, x1] = [x(i), x(i + 1)];
        const gap = x1 - x0 > 4 ? 1 : 0;
        const look = {
          fill: familyFill(palette, engine.family(row)),
          opacity: mask[row] === 1 ? 1 : kFaded,
          ...(selected.has(row) ? { stroke: palette.ui('selb'), width: 2 } : {}),
        };
        plot.hit(x0, top, x1, floor, { row });
        plot.rect(x0, Math.min(y(value), floor - 1), x1 - gap, floor, look, { row });
      }
    }
  };
  return plotFigure(
    context,
    {
      label: () => {
        const sums = lanes.map(({ name, values }) => `${name} ${sumText(engine, values)}`);
        return `Bytes per layer, ${explain()}: ${sums.join(', ')}. The table has the numbers.`;
      },
      explain,
      height: () => kTop + lanes.length * (kLane + kGap) - kGap + kAxis,
      draw,
      table: () =>
        figureTable<number>(rows, [
          ['layer', 0, (row) => engine.layerId(row)],
          ['name', null, (row) => engine.rawName(row)],
          ['type', null, (row) => layers.text('type', row)],
          ...lanes.map(({ name, values }): DataColumn<number> => [
            `${name} bytes`,
            0,
            (row) => values[row],
          ]),
        ]),
    },
    { id: 'bytes-per-layer', title: 'Bytes per layer' },
  );
}
