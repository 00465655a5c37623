// The roofline: operations per second over operations per byte, below the maximum of the device.

import {
  bandwidthText,
  bodyFont,
  Figure,
  figureTable,
  fitName,
  fixed,
  percent,
  plural,
  precisionMark,
  span,
  textWidth,
  visible,
  type Speed,
  type ViewContext,
} from '../../public/index.ts';
import { valueAt } from '../../public/page/log_scale.ts';
import type { Plot } from '../../public/plot/index.ts';
import { inside, makeCell, type Cell } from './cells.ts';
import { rateMeasure, type Measure, type MeasureId, type WorkData } from './measures.ts';
import { scatterBody } from './scatter.ts';

// As high as the neighbouring element, within these limits.
const kMinHeight = 420;
const kMaxHeight = 700;
const kNarrowHeight = 360;
const kMargin = { left: 46, right: 14, top: 22, bottom: 40 };
const kMaxRadius = 15;
const kDrops = 3;
const kLabelWidth = 170;
const kSize = 11;
const kMsPerSecond = 1e3;

interface Roof {
  readonly type: string;
  // Operations per second.
  readonly peak: number;
}

// The device's if its limits are known, else the best of the engine's own layers.
interface Roofs {
  readonly isDevice: boolean;
  readonly bytesPerS: number | null;
  // The highest first.
  readonly peaks: readonly Roof[];
}

function roofsOf({ speed, rows }: WorkData): Roofs | null {
  if (speed === null) return null;
  const { limits } = speed.facts.device;
  const { bandwidth, flops } = speed.facts.best_seen;
  const peakOf = (type: string): number =>
    limits === null
      ? (flops.find((best) => best.type === type)?.flops_per_s ?? 0)
      : Math.max(limits.matrix_flops_per_s[type] ?? 0, limits.vector_flops_per_s[type] ?? 0);
  const peaks = [...new Set([...rows].map((row) => speed.rateType(row) ?? ''))]
    .map((type) => ({ type, peak: peakOf(type) }))
    .filter(({ peak }) => peak > 0)
    .sort((a, b) => b.peak - a.peak);
  const bytesPerS = (limits ?? bandwidth)?.bytes_per_s ?? null;
  if (peaks.length === 0 && bytesPerS === null) return null;
  return { isDevice: limits !== null, bytesPerS, peaks };
}

// The value used for the rate if nothing was measured: the layer at its limit.
function rateAtLimit({ bounds }: Speed, flops: Float64Array, rows: Int32Array): Measure {
  const rates = flops.map((value, row) => {
    const bound = bounds[row] ?? Number.NaN;
    return bound > 0 ? (value / bound) * kMsPerSecond : Number.NaN;
  });
  return rateMeasure('at most', rates, rows);
}

interface RoofLine {
  // Null: the bandwidth's.
  readonly type: string | null;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly words: string;
}

// The peaks, the highest first, and up to that the bandwidth.
function roofLines(cell: Cell, { isDevice, bytesPerS, peaks }: Roofs): readonly RoofLine[] {
  const { frame, x, y, xScale, yScale, xOf, yOf } = cell;
  const least = valueAt(xScale, 0) / x.scale;
  const most = valueAt(xScale, 1) / x.scale;
  const suffix = isDevice ? '' : ' best in this engine';
  const lines = peaks.flatMap(({ type, peak }): readonly RoofLine[] => {
    const from = bytesPerS === null ? least : Math.max(least, peak / bytesPerS);
    const words = `${visible(type)} ${rateText(peak * y.scale)}${suffix}`;
    const height = yOf(peak);
    const [start, end] = [xOf(from), frame.left + frame.width];
    return from >= most ? [] : [{ type, from: [start, height], to: [end, height], words }];
  });
  if (bytesPerS === null) return lines;
  // From the left or the bottom edge up to the highest roof, or out at the top.
  const lowest = valueAt(yScale, 0) / y.scale;
  const highest = peaks[0]?.peak ?? valueAt(yScale, 1) / y.scale;
  const x1 = Math.max(least, lowest / bytesPerS);
  const x2 = Math.min(most, highest / bytesPerS);
  if (x2 <= x1) return lines;
  const at = (value: number) => [xOf(value), yOf(value * bytesPerS)] as const;
  const words = `${bandwidthText(bytesPerS)}${suffix}`;
  return [...lines, { type: null, from: at(x1), to: at(x2), words }];
}

function nameRoofs(plot: Plot, lines: readonly RoofLine[]): void {
  const { palette } = plot;
  const look = { fill: palette.ui('ink2'), size: kSize, rim: palette.ui('bg') };
  const taken: number[] = [];
  for (const { type, from, to, words } of lines) {
    const [x, y] = to;
    if (type !== null) {
      // Labels of roofs close to each other would overlap.
      const isFree = taken.every((other) => Math.abs(other - y) >= 13);
      taken.push(y);
      plot.text(words, x, y + (isFree ? -8 : 8), { ...look, align: 'right' });
      continue;
    }
    const [dx, dy] = [x - from[0], y - from[1]];
    if (Math.hypot(dx, dy) <= textWidth(words, bodyFont(kSize)) + 24) continue;
    const angle = Math.atan2(dy, dx);
    plot.text(
      words,
      from[0] + dx * 0.45 + 8 * Math.sin(angle),
      from[1] + dy * 0.45 - 8 * Math.cos(angle),
      { ...look, align: 'middle', turned: (angle * 180) / Math.PI },
    );
  }
}

// The three with the most to gain: the distance up to their limit.
function drawDrops({ store }: ViewContext, plot: Plot, cell: Cell, speed: Speed): void {
  const { engine, basis, selection } = store;
  const headroom = speed.headroom(basis);
  const reached = speed.reached(basis);
  const flops = engine.layers.numbers('flops');
  const gain = (row: number): number => headroom[row] ?? 0;
  const drops = cell.points
    .filter(({ row }) => selection.mask[row] === 1 && gain(row) > 0)
    .sort((a, b) => gain(b.row) - gain(a.row))
    .slice(0, kDrops)
    .map(({ row, x, y }) => {
      const limit = ((flops[row] ?? 0) / (speed.bounds[row] ?? 1)) * kMsPerSecond;
      return { row, x, bottom: y, top: cell.yOf(limit) };
    });
  const { palette } = plot;
  for (const { x, top, bottom } of drops) {
    plot.line([x, bottom, x, top], palette.ui('slower'), { width: 1.5, dash: [3, 3] });
  }
  const font = bodyFont(kSize);
  const { left: least, width: room } = cell.frame;
  const taken: { left: number; right: number; y: number }[] = [];
  for (const { row, x, top, bottom } of drops) {
    const share = `${percent(reached[row] ?? 0)} % of its limit`;
    const text = `${fitName(store.layerLabel(row), kLabelWidth, font)} ${share}`;
    const width = textWidth(text, font);
    const fits = ({ left, right, y }: (typeof taken)[number]): boolean =>
      left >= least &&
      right <= least + room &&
      taken.every((t) => Math.abs(t.y - y) >= 14 || left >= t.right || t.left >= right);
    const crosses = ({ left, right, y }: (typeof taken)[number]): boolean =>
      drops.some(
        (drop) =>
          drop.row !== row &&
          left - 3 < drop.x &&
          drop.x < right + 3 &&
          drop.top - 7 < y &&
          y < drop.bottom + 7,
      );
    const spots = [0.5, 0.3, 0.7]
      .flatMap((part) =>
        [x + 8, x - 8 - width].map((left) => ({
          left,
          right: left + width,
          y: top + (bottom - top) * part,
        })),
      )
      .filter(fits);
    // The one with the most to gain always has its name.
    const spot = spots.find((one) => !crosses(one)) ?? (row === drops[0]?.row ? spots[0] : null);
    if (!spot) continue;
    taken.push(spot);
    plot.text(text, spot.left, spot.y, {
      fill: palette.ui('ink'),
      size: kSize,
      rim: palette.ui('bg'),
    });
  }
}

// "624", "19.5" of the axis' unit.
function rateText(value: number): string {
  return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

// The title of the figure and the text between it and the picture.
const kHeadPx = 34;

// `heightBeside`: the height of the element next to the figure; 0 if there is none.
export function rooflineFigure(
  context: ViewContext,
  data: () => WorkData,
  heightBeside: () => number,
): Figure {
  const { store } = context;
  const precisionOf = (row: number): string | null => store.engine.layers.text('precision', row);
  const outputOf = (row: number): string | null =>
    store.engine.layers.text('output_precision', row);
  const layout = (width: number): { readonly cells: readonly Cell[]; readonly height: number } => {
    const { speed, rows, measures } = data();
    const { engine } = store;
    const wide = Math.min(kMaxHeight, Math.max(kMinHeight, heightBeside() - kHeadPx));
    const height = width < 620 ? kNarrowHeight : wide;
    const limited = speed && rateAtLimit(speed, engine.layers.numbers('flops'), rows);
    const y = engine.hasTimes ? measures.rate : limited;
    const { bytesPerS = null, peaks = [] } = roofsOf(data()) ?? {};
    const include = {
      x: bytesPerS === null ? [] : peaks.map(({ peak }) => peak / bytesPerS),
      y: peaks.map(({ peak }) => peak),
    };
    const frame = inside({ left: 0, top: 0, width, height }, kMargin);
    const cell = y && makeCell({ x: measures.intensity, y }, rows, frame, include);
    return cell === null ? { cells: [], height: 0 } : { cells: [cell], height };
  };
  const linesOf = (cell: Cell): readonly RoofLine[] => {
    const roofs = roofsOf(data());
    return roofs === null ? [] : roofLines(cell, roofs);
  };
  const counted = (): string =>
    plural(data().rows.length, 'convolution or product', 'convolutions and products');
  const body = scatterBody(context, {
    label: () => `Roofline of ${counted()}; the table beside it has the numbers`,
    layout,
    look: (palette) => ({
      fill: (row) => palette.precision(precisionOf(row)),
      outlined: (row) => {
        const [from, to] = [precisionOf(row), outputOf(row)];
        return from !== null && to !== null && from !== to;
      },
      maxRadius: kMaxRadius,
      isHollow: !store.engine.hasTimes,
    }),
    below: (plot, cell) => {
      const dash = roofsOf(data())?.isDevice === true ? {} : { dash: [5, 4] };
      for (const { type, from, to } of linesOf(cell)) {
        const colour = type === null ? null : plot.palette.precision(type);
        plot.line([...from, ...to], colour ?? plot.palette.ui('ink2'), { width: 1.5, ...dash });
      }
    },
    above: (plot, cell) => {
      const { speed } = data();
      if (speed?.isAgainstDevice === true && store.engine.hasTimes) {
        drawDrops(context, plot, cell, speed);
      }
      nameRoofs(plot, linesOf(cell));
    },
  });
  return new Figure(context, {
    id: 'roofline',
    title: 'Roofline',
    isEmpty: () => layout(kMinHeight).cells.length === 0,
    explain: () => {
      const { speed, rows } = data();
      const what = plural(rows.length, 'layer');
      const device = speed?.facts.device.limits?.name;
      const roof =
        device === undefined ? 'dashed: best in this engine' : `roof: ${visible(device)}`;
      if (!store.engine.hasTimes) return `${what}, not measured: circles at their limit; ${roof}`;
      const drop = speed?.isAgainstDevice === true ? ', dashed = distance to the limit' : '';
      return `${what}, area = time, ring = writes a different type than it reads${drop}; ${roof}`;
    },
    body,
    aside: () =>
      [...new Set([...data().rows].map(precisionOf))].map((type) =>
        type === null ? span('dim', 'unknown') : precisionMark(type),
      ),
    table: () => {
      const { rows, measures, speed } = data();
      const { engine, basis, selection } = store;
      const reached = speed?.reached(basis);
      const value = (id: MeasureId) => (row: number) =>
        (measures[id].values[row] ?? Number.NaN) * measures[id].scale;
      return figureTable<number>(
        rows.filter((row) => selection.mask[row] === 1),
        [
          ['layer_id', 0, (row) => engine.layerId(row)],
          ['layer', null, (row) => engine.rawName(row)],
          ['reads', null, precisionOf],
          ['writes', null, outputOf],
          ['FLOP/byte', 1, value('intensity')],
          [measures.rate.unit, 2, value('rate')],
          ['µs', 1, value('time')],
          ['limit µs', 1, (row) => (speed?.bounds[row] ?? Number.NaN) * 1e3],
          ['% of limit', 1, (row) => (reached?.[row] ?? Number.NaN) * 100],
        ],
      );
    },
  });
}
