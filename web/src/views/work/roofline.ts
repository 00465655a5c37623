// The roofline: operations per second over operations per byte, under what the device can do at most.

import {
  bandwidthText,
  bodyFont,
  Figure,
  fitName,
  fixed,
  percent,
  plural,
  precisionMark,
  span,
  textWidth,
  visible,
  type Palette,
  type Speed,
  type ViewContext,
} from '../../public/index.ts';
import { lineShape, textShape, type Shape } from '../../public/chart_marks.ts';
import { makeCell, xIn, yIn, type Cell } from './cells.ts';
import { valueAt } from '../../public/log_scale.ts';
import { type Measure, type MeasureId } from './measures.ts';
import { ScatterBody, type Look } from './scatter_body.ts';

// As high as what stands beside it, within these.
const kMinHeight = 420;
const kMaxHeight = 700;
const kNarrowHeight = 360;
const kMargin = { left: 46, right: 14, top: 22, bottom: 40 };
const kMaxRadius = 15;
const kDrops = 3;
const kLabelWidth = 170;
const kMsPerSecond = 1e3;

export interface RooflineData {
  readonly speed: Speed | null;
  // Convolutions and products, in execution order.
  readonly rows: Int32Array;
  readonly measures: ReadonlyMap<MeasureId, Measure>;
}

export interface Roof {
  readonly name: string;
  readonly type: string | null;
  // Operations per second.
  readonly peak: number;
}

// Of the device where its limits are known, else the best of the engine's own layers.
export interface Roofs {
  readonly isDevice: boolean;
  readonly bytesPerS: number | null;
  readonly peaks: readonly Roof[];
}

export function roofsOf(speed: Speed | null, rows: Int32Array): Roofs | null {
  if (speed === null) return null;
  const types = new Set<string>();
  for (const row of rows) {
    const type = speed.rateType(row);
    if (type !== null) types.add(type);
  }
  const { limits } = speed.facts.device;
  const { bandwidth: bestBytes, flops: bestFlops } = speed.facts.best_seen;
  if (limits !== null) {
    const peaks = [...types].flatMap((type): readonly Roof[] => {
      const peak = Math.max(
        limits.matrix_flops_per_s[type] ?? 0,
        limits.vector_flops_per_s[type] ?? 0,
      );
      return peak > 0 ? [{ name: type, type, peak }] : [];
    });
    if (peaks.length === 0 && limits.bytes_per_s === null) return null;
    return { isDevice: true, bytesPerS: limits.bytes_per_s, peaks };
  }
  const peaks = bestFlops.flatMap(({ type, flops_per_s }): readonly Roof[] =>
    types.has(type) ? [{ name: type, type, peak: flops_per_s }] : [],
  );
  if (peaks.length === 0 && bestBytes === null) return null;
  return { isDevice: false, bytesPerS: bestBytes?.bytes_per_s ?? null, peaks };
}

// What stands for the rate where nothing was measured: the layer at its limit.
function ratesAtLimit(speed: Speed, flops: Float64Array): Float64Array {
  const { bounds } = speed;
  return flops.map((value, row) => {
    const bound = bounds[row] ?? Number.NaN;
    return bound > 0 ? (value / bound) * kMsPerSecond : Number.NaN;
  });
}

class Roofline {
  readonly #context: ViewContext;
  readonly #data: () => RooflineData;
  readonly body: ScatterBody;
  #height = kMinHeight;

  constructor(context: ViewContext, data: () => RooflineData) {
    this.#context = context;
    this.#data = data;
    this.body = new ScatterBody(context, {
      label: () => this.#label(),
      layout: (width) => this.#layout(width),
      look: (palette) => this.#look(palette),
      below: (cell, palette) => this.#roofs(cell, palette).lines,
      above: (cell, palette) => [
        ...this.#drops(cell, palette),
        ...this.#roofs(cell, palette).words,
      ],
    });
  }

  set besidePx(px: number) {
    this.#height = Math.min(kMaxHeight, Math.max(kMinHeight, px));
  }

  get #isMeasured(): boolean {
    return this.#context.store.engine.hasTimes;
  }

  #rate(): Measure | null {
    const { speed, measures } = this.#data();
    const rate = measures.get('rate');
    if (rate === undefined) return null;
    if (this.#isMeasured) return rate;
    if (speed === null) return null;
    const { engine } = this.#context.store;
    const values = ratesAtLimit(speed, engine.layers.numbers('flops'));
    let greatest = 0;
    for (const value of values) if (value > greatest) greatest = value;
    return greatest >= 1e12
      ? { ...rate, name: 'at most', unit: 'TFLOP/s', scale: 1e-12, values }
      : { ...rate, name: 'at most', unit: 'GFLOP/s', scale: 1e-9, values };
  }

  #layout(width: number): { cells: readonly Cell[]; height: number } {
    const { speed, rows, measures } = this.#data();
    const x = measures.get('intensity');
    const y = this.#rate();
    const height = width < 620 ? kNarrowHeight : this.#height;
    if (x === undefined || y === null) return { cells: [], height: 0 };
    const roofs = roofsOf(speed, rows);
    const include =
      roofs === null
        ? { x: [], y: [] }
        : {
            x: roofs.peaks.flatMap(({ peak }) =>
              roofs.bytesPerS === null ? [] : [peak / roofs.bytesPerS],
            ),
            y: roofs.peaks.map(({ peak }) => peak),
          };
    const frame = {
      left: kMargin.left,
      top: kMargin.top,
      width: width - kMargin.left - kMargin.right,
      height: height - kMargin.top - kMargin.bottom,
    };
    const cell = makeCell({ id: 'roofline', x, y }, rows, frame, include);
    return cell === null ? { cells: [], height: 0 } : { cells: [cell], height };
  }

  get isEmpty(): boolean {
    return this.#layout(600).cells.length === 0;
  }

  #look(palette: Palette): Look {
    const { engine, basis } = this.#context.store;
    const { layers } = engine;
    return {
      fill: (row) => palette.precision(layers.text('precision', row)),
      outlined: (row) => {
        const from = layers.text('precision', row);
        const to = layers.text('output_precision', row);
        return from !== null && to !== null && from !== to;
      },
      weights: engine.hasTimes ? engine.times(basis) : null,
      maxRadius: kMaxRadius,
      isHollow: !engine.hasTimes,
    };
  }

  #roofs(
    cell: Cell,
    palette: Palette,
  ): { readonly lines: readonly Shape[]; readonly words: readonly Shape[] } {
    const { speed, rows } = this.#data();
    const roofs = roofsOf(speed, rows);
    const lines: Shape[] = [];
    const texts: Shape[] = [];
    const found = { lines, words: texts };
    if (roofs === null) return found;
    const { frame } = cell;
    const right = frame.left + frame.width;
    const dash = roofs.isDevice ? undefined : [5, 4];
    const font = bodyFont(11);
    const least = valueAt(cell.xScale, 0) / cell.x.scale;
    const most = valueAt(cell.xScale, 1) / cell.x.scale;
    const bytes = roofs.bytesPerS;
    const highest = Math.max(0, ...roofs.peaks.map(({ peak }) => peak));
    const suffix = roofs.isDevice ? '' : ' best in this engine';
    const heights: number[] = [];
    for (const { name, type, peak } of [...roofs.peaks].sort((a, b) => b.peak - a.peak)) {
      const from = bytes === null ? least : Math.max(least, peak / bytes);
      if (from >= most) continue;
      const y = yIn(cell, peak);
      const stroke = palette.precision(type) ?? palette.ui('ink2');
      lines.push(
        lineShape(
          [
            [xIn(cell, from), y],
            [right, y],
          ],
          stroke,
          1.5,
          dash,
        ),
      );
      // Roofs close to one another would have their names in one place.
      const above = heights.some((other) => Math.abs(other - y) < 13) ? 8 : -8;
      heights.push(y);
      const words = `${visible(name)} ${rateText(peak * cell.y.scale)}${suffix}`;
      texts.push(
        textShape(words, right, y + above, {
          fill: palette.ui('ink2'),
          align: 'right',
          rim: palette.ui('bg'),
        }),
      );
    }
    if (bytes === null) return found;
    // From the left or the bottom edge up to the highest roof, or out at the top.
    const lowest = valueAt(cell.yScale, 0) / cell.y.scale;
    const top = valueAt(cell.yScale, 1) / cell.y.scale;
    const x1 = Math.max(least, lowest / bytes);
    const x2 = Math.min(most, (highest > 0 ? highest : top) / bytes);
    if (x2 <= x1) return found;
    const a = { x: xIn(cell, x1), y: yIn(cell, x1 * bytes) };
    const b = { x: xIn(cell, x2), y: yIn(cell, x2 * bytes) };
    lines.push(
      lineShape(
        [
          [a.x, a.y],
          [b.x, b.y],
        ],
        palette.ui('ink2'),
        1.5,
        dash,
      ),
    );
    const words = `${bandwidthText(bytes)}${suffix}`;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (length > textWidth(words, font) + 24) {
      const along = textShape(words, 0, -8, {
        fill: palette.ui('ink2'),
        align: 'center',
        rim: palette.ui('bg'),
      });
      texts.push({
        ...along,
        x: a.x + (b.x - a.x) * 0.45,
        y: a.y + (b.y - a.y) * 0.45,
        rotation: Math.atan2(a.y - b.y, b.x - a.x),
      });
    }
    return found;
  }

  // The three with the most to gain: how far up their limit is.
  #drops(cell: Cell, palette: Palette): readonly Shape[] {
    const { speed } = this.#data();
    if (speed === null || !this.#isMeasured || !speed.isAgainstDevice) return [];
    const { store } = this.#context;
    const headroom = speed.headroom(store.basis);
    const { bounds } = speed;
    const flops = store.engine.layers.numbers('flops');
    const reached = speed.reached(store.basis);
    const drops = cell.points
      .filter(({ row }) => store.selection.mask[row] === 1 && (headroom[row] ?? 0) > 0)
      .sort((a, b) => (headroom[b.row] ?? 0) - (headroom[a.row] ?? 0))
      .slice(0, kDrops)
      .map(({ row, x, y }) => {
        const limit = ((flops[row] ?? 0) / (bounds[row] ?? 1)) * kMsPerSecond;
        return { row, x, bottom: y, top: yIn(cell, limit) };
      });
    const stroke = palette.ui('slower');
    const shapes: Shape[] = drops.map(({ x, top, bottom }) =>
      lineShape(
        [
          [x, bottom],
          [x, top],
        ],
        stroke,
        1.5,
        [3, 3],
      ),
    );
    const font = bodyFont(11);
    const right = cell.frame.left + cell.frame.width;
    const taken: { left: number; right: number; y: number }[] = [];
    for (const { row, x, top, bottom } of drops) {
      const share = `${percent(reached[row] ?? 0)} % of its limit`;
      const text = `${fitName(store.layerLabel(row), kLabelWidth, font)} ${share}`;
      const width = textWidth(text, font);
      const isFree = (left: number, y: number, mayCross: boolean): boolean =>
        left >= cell.frame.left &&
        left + width <= right &&
        !taken.some((t) => Math.abs(t.y - y) < 14 && left < t.right && t.left < left + width) &&
        (mayCross ||
          !drops.some(
            (drop) =>
              drop.row !== row &&
              left - 3 < drop.x &&
              drop.x < left + width + 3 &&
              drop.top - 7 < y &&
              y < drop.bottom + 7,
          ));
      const spots = [0.5, 0.3, 0.7].flatMap((part) =>
        [x + 8, x - 8 - width].map((left) => ({ left, y: top + (bottom - top) * part })),
      );
      // The one with the most to gain has its name in any case.
      const spot =
        spots.find(({ left, y }) => isFree(left, y, false)) ??
        (row === drops[0]?.row ? spots.find(({ left, y }) => isFree(left, y, true)) : undefined);
      if (spot === undefined) continue;
      taken.push({ left: spot.left, right: spot.left + width, y: spot.y });
      shapes.push(
        textShape(text, spot.left, spot.y, { fill: palette.ui('ink'), rim: palette.ui('bg') }),
      );
    }
    return shapes;
  }

  #label(): string {
    const { rows } = this.#data();
    return `Roofline of ${plural(rows.length, 'convolution or product', 'convolutions and products')}; the table beside it has the numbers`;
  }

  explain(): string {
    const { speed, rows } = this.#data();
    const { hasTimes } = this.#context.store.engine;
    const what = plural(rows.length, 'layer');
    const device = speed?.facts.device.limits?.name;
    const roof = device === undefined ? 'dashed: best in this engine' : `roof: ${visible(device)}`;
    if (!hasTimes) return `${what}, not measured: circles at their limit; ${roof}`;
    const drop = speed?.isAgainstDevice === true ? ', dashed = distance to the limit' : '';
    return `${what}, area = time, ring = writes a different type than it reads${drop}; ${roof}`;
  }
}

// "624", "19.5" of the axis' unit.
function rateText(value: number): string {
  return fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

export interface RooflineFigure {
  readonly figure: Figure;
  readonly isEmpty: boolean;
  // The height of what stands beside the figure; 0 where nothing does.
  fill(px: number): void;
  mark(): void;
}

// The title of the figure and what is between it and the picture.
const kHeadPx = 34;

export function rooflineFigure(context: ViewContext, data: () => RooflineData): RooflineFigure {
  const roofline = new Roofline(context, data);
  const figure: Figure = new Figure(context, {
    id: 'roofline',
    title: 'Roofline',
    explain: () => roofline.explain(),
    body: roofline.body,
    aside: () => {
      const { layers } = context.store.engine;
      const types = new Set([...data().rows].map((row) => layers.text('precision', row)));
      return [...types].map((type) =>
        type === null ? span('dim', 'unknown') : precisionMark(type),
      );
    },
    table: () => {
      const { rows, measures, speed } = data();
      const { engine, basis, selection } = context.store;
      const value = (id: MeasureId, row: number): number | null => {
        const measure = measures.get(id);
        const number = measure?.values[row] ?? Number.NaN;
        return measure === undefined || Number.isNaN(number) ? null : number * measure.scale;
      };
      const rate = measures.get('rate');
      const reached = speed?.reached(basis);
      return {
        columns: [
          { title: 'layer_id', decimals: 0 },
          { title: 'layer', decimals: null },
          { title: 'reads', decimals: null },
          { title: 'writes', decimals: null },
          { title: 'FLOP/byte', decimals: 1 },
          { title: rate?.unit ?? 'FLOP/s', decimals: 2 },
          { title: 'µs', decimals: 1 },
          { title: 'limit µs', decimals: 1 },
          { title: '% of limit', decimals: 1 },
        ],
        rows: [...rows]
          .filter((row) => selection.mask[row] === 1)
          .map((row) => {
            const bound = speed?.bounds[row] ?? Number.NaN;
            const share = reached?.[row] ?? Number.NaN;
            return [
              engine.layerId(row),
              engine.rawName(row),
              engine.layers.text('precision', row),
              engine.layers.text('output_precision', row),
              value('intensity', row),
              value('rate', row),
              value('time', row),
              Number.isNaN(bound) ? null : bound * 1e3,
              Number.isNaN(share) ? null : share * 100,
            ];
          }),
      };
    },
  });
  return {
    figure,
    get isEmpty() {
      return roofline.isEmpty;
    },
    fill: (px) => {
      roofline.besidePx = px - kHeadPx;
    },
    mark: () => roofline.body.mark(),
  };
}
