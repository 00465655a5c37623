// One lane of the ribbon: an engine's layers from left to right. The upper part shows the layer
// type, the lower the output precision; hatched is a reformat.

import type { FamilyKey } from '../base/tokens.ts';
import type { Engine, Extent } from '../model/engine.ts';
import { bodyFont, textWidth } from '../public/page/marks.ts';
import { familyFill, type Fill, type Plot } from '../public/plot/index.ts';
import { columnsOf } from './ribbon_columns.ts';

// Opacity of filtered-out layers.
const kFaded = 0.25;
// A rectangle narrower than this would hide its neighbours: such layers are added up by pixel
// column.
const kMinWidth = 0.75;
const kMinLabel = 34;

// Alphabetical, unknown last.
function textRank(text: string | null): number {
  return text === null ? Number.POSITIVE_INFINITY : text.charCodeAt(0) * 128 + text.charCodeAt(1);
}

export interface LaneShape {
  readonly top: number;
  readonly typeHeight: number;
  readonly precisionHeight: number;
}

export interface LanePart {
  readonly engine: Engine;
  readonly extent: Extent;
  // Its left edge, in px.
  readonly left: number;
  // Units of the extent per pixel.
  readonly perPx: number;
  readonly shape: LaneShape;
}

export class Lane {
  readonly engine: Engine;
  readonly shape: LaneShape;
  readonly rows: Int32Array;
  readonly total: number;
  // Left edges in px, one more than there are rows.
  readonly #edges: Float64Array;
  #places: Map<number, number> | null = null;

  constructor({ engine, extent, left, perPx, shape }: LanePart) {
    this.engine = engine;
    this.shape = shape;
    this.rows = engine.workRows;
    this.total = engine.sum(extent.values);
    this.#edges = new Float64Array(this.rows.length + 1);
    let sum = 0;
    for (let i = 0; i < this.rows.length; i += 1) {
      this.#edges[i] = left + (perPx > 0 ? sum / perPx : 0);
      const value = extent.values[this.rows[i] ?? 0] ?? Number.NaN;
      if (!Number.isNaN(value)) sum += value;
    }
    this.#edges[this.rows.length] = left + (perPx > 0 ? this.total / perPx : 0);
  }

  get end(): number {
    return this.#edges[this.rows.length] ?? 0;
  }

  get bottom(): number {
    return this.#precisionTop + this.shape.precisionHeight;
  }

  get #precisionTop(): number {
    return this.shape.top + this.shape.typeHeight + 1;
  }

  // The layer at a position; past the ends, the first or the last.
  rowAt(px: number): number | null {
    const x = Math.min(this.end - 0.01, px);
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#edges[middle] ?? 0) <= x) low = middle;
      else high = middle - 1;
    }
    return this.rows[low] ?? null;
  }

  // Where a layer begins and ends; null if it is not in the lane.
  span(row: number): readonly [number, number] | null {
    this.#places ??= new Map([...this.rows].map((r, place) => [r, place]));
    const place = this.#places.get(row);
    if (place === undefined) return null;
    return [this.#edges[place] ?? 0, this.#edges[place + 1] ?? 0];
  }

  draw(plot: Plot, mask: Uint8Array, label: (row: number) => string): void {
    const { palette } = plot;
    const { top, typeHeight } = this.shape;
    const narrow: number[] = [];
    for (const [i, row] of this.rows.entries()) {
      const x = this.#edges[i] ?? 0;
      const w = (this.#edges[i + 1] ?? 0) - x;
      if (w <= 0) continue;
      if (w < kMinWidth) {
        narrow.push(i);
        continue;
      }
      // The gap between two layers is background, but never covers all of a thin one.
      const drawn = w > 3 ? w - 1 : w > 1.5 ? w - 0.5 : w;
      const opacity = mask[row] === 1 ? 1 : kFaded;
      const family = this.engine.family(row);
      const fill = familyFill(palette, family);
      plot.rect(x, top, x + drawn, top + typeHeight, { fill, opacity });
      this.#drawPrecision(plot, row, x, drawn, opacity);
      if (drawn >= kMinLabel && family !== 'reformat' && opacity === 1) {
        this.#drawLabel(plot, label(row), palette.family(family), x, drawn);
      }
    }
    this.#drawColumns(plot, narrow, mask);
  }

  #drawPrecision(plot: Plot, row: number, x: number, w: number, opacity: number): void {
    const { palette } = plot;
    const fill = palette.precision(this.engine.layers.text('output_precision', row));
    const top = this.#precisionTop;
    if (fill !== null) plot.rect(x, top, x + w, this.bottom, { fill, opacity });
    else if (w > 2) {
      const look = { stroke: palette.ui('line2'), dash: [2, 2], opacity };
      plot.rect(x + 0.5, top + 0.5, x + w - 0.5, this.bottom - 0.5, look);
    }
  }

  #drawLabel(plot: Plot, name: string, fill: string, x: number, w: number): void {
    const ink = plot.palette.inkOn(fill);
    if (ink === null) return;
    const whole = textWidth(name, bodyFont(11, 500));
    // A few letters of a long name are no help.
    if (whole > w - 8 && (w < 90 || whole * 0.6 > w - 8)) return;
    const y = this.shape.top + this.shape.typeHeight / 2 + 0.5;
    const room = whole <= w - 8 ? w : w - 10;
    plot.text(name, x + w / 2, y, { fill: ink, align: 'middle', size: 11, weight: 500, room });
  }

  // Layers thinner than a pixel.
  #drawColumns(plot: Plot, narrow: readonly number[], mask: Uint8Array): void {
    const { palette } = plot;
    const { engine, shape } = this;
    const band = <K>(
      top: number,
      height: number,
      keyOf: (row: number) => K,
      order: (key: K) => number,
      fillOf: (key: K) => Fill | null,
    ): void => {
      const thin = narrow.map((i) => {
        const x = this.#edges[i] ?? 0;
        const row = this.rows[i] ?? 0;
        const width = (this.#edges[i + 1] ?? 0) - x;
        return { x, width, key: keyOf(row), isShown: mask[row] === 1 };
      });
      for (const { x, parts } of columnsOf(thin, order)) {
        for (const { key, isShown, from, to } of parts) {
          const fill = fillOf(key);
          if (fill === null) continue;
          const look = { fill, opacity: isShown ? 1 : kFaded };
          plot.rect(x, top + from * height, x + 1, top + to * height, look);
        }
      }
    };
    const rank = this.#rank();
    band(
      shape.top,
      shape.typeHeight,
      (row) => engine.family(row),
      (family) => rank.get(family) ?? 0,
      (family) => familyFill(palette, family),
    );
    band(
      this.#precisionTop,
      shape.precisionHeight,
      (row) => engine.layers.text('output_precision', row),
      textRank,
      (precision) => palette.precision(precision),
    );
  }

  // Families in the order of their layers, the most frequent at the top; reformats at the bottom.
  #rank(): ReadonlyMap<FamilyKey, number> {
    const counts = new Map<FamilyKey, number>();
    for (const row of this.rows) {
      const family = this.engine.family(row);
      counts.set(family, (counts.get(family) ?? 0) + 1);
    }
    const order = [...counts].sort((a, b) => b[1] - a[1]).map(([family]) => family);
    return new Map(
      order.map((family, i) => [family, family === 'reformat' ? order.length : i] as const),
    );
  }

  // A marker above each of these layers; one per pixel is enough.
  drawTips(plot: Plot, rows: ReadonlySet<number>): void {
    const top = this.shape.top - 6;
    let last = Number.NEGATIVE_INFINITY;
    for (const [i, row] of this.rows.entries()) {
      if (!rows.has(row)) continue;
      const x = ((this.#edges[i] ?? 0) + (this.#edges[i + 1] ?? 0)) / 2;
      if (x - last < 1) continue;
      last = x;
      plot.shape([x - 3, top, x + 3, top, x, top + 5], plot.palette.ui('warning'));
    }
  }

  // Outlines a hovered or selected layer.
  outline(plot: Plot, row: number, width: number): void {
    const ends = this.span(row);
    if (ends === null) return;
    const x = ends[0] - 1;
    const w = Math.max(5, ends[1] - x);
    const { top } = this.shape;
    plot.rect(x, top - 3, x + w, this.bottom + 2, { stroke: plot.palette.ui('selb'), width });
  }
}
