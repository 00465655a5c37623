// One lane of the ribbon: an engine's layers from left to right, the upper part is the layer type, the
// lower the output precision, hatched is a reformat.

import type { FamilyKey } from '../base/tokens.ts';
import type { Engine, Extent } from '../model/engine.ts';
import { bodyFont, fitName, textWidth } from '../public/marks.ts';
import type { Palette } from '../public/palette.ts';
import { columnsOf, type Thin } from './ribbon_columns.ts';

// Filtered-out layers stay as this much ink.
const kFaded = 0.25;
// Narrower than this a rectangle would hide its neighbours: such layers are added up by pixel column.
const kMinWidth = 0.75;
const kMinLabel = 34;

// Alphabetical, what is not known last.
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
  // Of the values of the extent in a pixel.
  readonly perPx: number;
  readonly shape: LaneShape;
}

export interface LaneLook {
  readonly palette: Palette;
  readonly scale: number;
  readonly mask: Uint8Array;
  readonly label: (row: number) => string;
}

export class Lane {
  readonly engine: Engine;
  readonly extent: Extent;
  readonly shape: LaneShape;
  readonly rows: Int32Array;
  readonly total: number;
  // Left edges in px from the start of the lane, one more than there are rows.
  readonly #edges: Float64Array;
  #places: Map<number, number> | null = null;

  constructor({ engine, extent, perPx, shape }: LanePart) {
    this.engine = engine;
    this.extent = extent;
    this.shape = shape;
    this.rows = engine.workRows;
    this.total = engine.sum(extent.values);
    this.#edges = new Float64Array(this.rows.length + 1);
    let sum = 0;
    for (let i = 0; i < this.rows.length; i += 1) {
      this.#edges[i] = perPx > 0 ? sum / perPx : 0;
      const value = extent.values[this.rows[i] ?? 0] ?? Number.NaN;
      if (!Number.isNaN(value)) sum += value;
    }
    this.#edges[this.rows.length] = perPx > 0 ? this.total / perPx : 0;
  }

  get width(): number {
    return this.#edges[this.rows.length] ?? 0;
  }

  get bottom(): number {
    return this.shape.top + this.shape.typeHeight + 1 + this.shape.precisionHeight;
  }

  // The layer at a distance from the start; the first or the last beyond the ends.
  rowAt(distance: number): number | null {
    if (this.rows.length === 0) return null;
    const x = Math.min(this.width - 0.01, Math.max(0, distance));
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#edges[middle] ?? 0) <= x) low = middle;
      else high = middle - 1;
    }
    return this.rows[low] ?? null;
  }

  // Where a layer begins and ends; null for one that is not in the lane.
  span(row: number): readonly [number, number] | null {
    this.#places ??= new Map([...this.rows].map((r, place) => [r, place]));
    const place = this.#places.get(row);
    if (place === undefined) return null;
    return [this.#edges[place] ?? 0, this.#edges[place + 1] ?? 0];
  }

  draw(g: CanvasRenderingContext2D, look: LaneLook): void {
    const { palette, mask } = look;
    const fills = new Map<FamilyKey, string | CanvasPattern>();
    const fill = (family: FamilyKey): string | CanvasPattern => {
      let known = fills.get(family);
      if (known === undefined) {
        known = palette.familyFill(g, family, look.scale);
        fills.set(family, known);
      }
      return known;
    };
    const narrow: number[] = [];
    for (let i = 0; i < this.rows.length; i += 1) {
      const x = this.#edges[i] ?? 0;
      const w = (this.#edges[i + 1] ?? 0) - x;
      if (w <= 0) continue;
      if (w < kMinWidth) {
        narrow.push(i);
        continue;
      }
      const row = this.rows[i] ?? 0;
      // The gap between two layers is the background, but never all of a thin one.
      const drawn = w > 3 ? w - 1 : w > 1.5 ? w - 0.5 : w;
      g.globalAlpha = mask[row] === 1 ? 1 : kFaded;
      const family = this.engine.family(row);
      g.fillStyle = fill(family);
      g.fillRect(x, this.shape.top, drawn, this.shape.typeHeight);
      this.#precisionRect(g, palette, this.engine.layers.text('output_precision', row), x, drawn);
      if (drawn >= kMinLabel && family !== 'reformat' && mask[row] === 1) {
        this.#label(g, palette, look.label(row), palette.family(family), x, drawn);
      }
    }
    g.globalAlpha = 1;
    this.#drawColumns(g, look, narrow, fill);
  }

  get #precisionTop(): number {
    return this.shape.top + this.shape.typeHeight + 1;
  }

  #precisionRect(
    g: CanvasRenderingContext2D,
    palette: Palette,
    precision: string | null,
    x: number,
    w: number,
  ): void {
    const colour = palette.precision(precision);
    const height = this.shape.precisionHeight;
    if (colour !== null) {
      g.fillStyle = colour;
      g.fillRect(x, this.#precisionTop, w, height);
    } else if (w > 2) {
      g.strokeStyle = palette.ui('line2');
      g.lineWidth = 1;
      g.setLineDash([2, 2]);
      g.strokeRect(x + 0.5, this.#precisionTop + 0.5, w - 1, height - 1);
      g.setLineDash([]);
    }
  }

  #label(
    g: CanvasRenderingContext2D,
    palette: Palette,
    name: string,
    fill: string,
    x: number,
    w: number,
  ): void {
    const ink = palette.inkOn(fill);
    if (ink === null) return;
    const font = bodyFont(11, 500);
    const whole = textWidth(name, font);
    // A few letters of a long name say less than nothing.
    if (whole > w - 8 && (w < 90 || whole * 0.6 > w - 8)) return;
    const text = whole <= w - 8 ? name : fitName(name, w - 10, font);
    g.font = font;
    g.fillStyle = ink;
    g.textAlign = 'center';
    g.textBaseline = 'middle';
    g.fillText(text, x + w / 2, this.shape.top + this.shape.typeHeight / 2 + 0.5);
  }

  // Layers thinner than a pixel.
  #drawColumns(
    g: CanvasRenderingContext2D,
    look: LaneLook,
    narrow: readonly number[],
    fill: (family: FamilyKey) => string | CanvasPattern,
  ): void {
    const thin = <K>(key: (row: number) => K): readonly Thin<K>[] =>
      narrow.map((i) => {
        const x = this.#edges[i] ?? 0;
        const row = this.rows[i] ?? 0;
        const width = (this.#edges[i + 1] ?? 0) - x;
        return { x, width, key: key(row), isShown: look.mask[row] === 1 };
      });
    const { top, typeHeight, precisionHeight } = this.shape;
    const rank = this.#rank();
    for (const { x, parts } of columnsOf(
      thin((row) => this.engine.family(row)),
      (family) => rank.get(family) ?? 0,
    )) {
      for (const { key, isShown, from, to } of parts) {
        g.globalAlpha = isShown ? 1 : kFaded;
        g.fillStyle = fill(key);
        g.fillRect(x, top + from * typeHeight, 1, (to - from) * typeHeight);
      }
    }
    const precisions = thin((row) => this.engine.layers.text('output_precision', row));
    for (const { x, parts } of columnsOf(precisions, (precision) => textRank(precision))) {
      for (const { key, isShown, from, to } of parts) {
        const colour = look.palette.precision(key);
        if (colour === null) continue;
        g.globalAlpha = isShown ? 1 : kFaded;
        g.fillStyle = colour;
        g.fillRect(
          x,
          this.#precisionTop + from * precisionHeight,
          1,
          (to - from) * precisionHeight,
        );
      }
    }
    g.globalAlpha = 1;
  }

  // Families in the order of their layers, the most frequent above; reformats at the floor.
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

  // A tip above each of these layers; one a pixel is enough.
  drawTips(g: CanvasRenderingContext2D, palette: Palette, rows: ReadonlySet<number>): void {
    const top = this.shape.top - 6;
    g.fillStyle = palette.ui('warning');
    g.beginPath();
    let last = Number.NEGATIVE_INFINITY;
    for (const [i, row] of this.rows.entries()) {
      if (!rows.has(row)) continue;
      const x = ((this.#edges[i] ?? 0) + (this.#edges[i + 1] ?? 0)) / 2;
      if (x - last < 1) continue;
      last = x;
      g.moveTo(x - 3, top);
      g.lineTo(x + 3, top);
      g.lineTo(x, top + 5);
    }
    g.fill();
  }

  // The frame of a layer that is hovered or selected.
  outline(g: CanvasRenderingContext2D, palette: Palette, row: number, width: number): void {
    const ends = this.span(row);
    if (ends === null) return;
    const w = Math.max(5, ends[1] - ends[0] + 1);
    g.strokeStyle = palette.ui('selb');
    g.lineWidth = width;
    g.strokeRect(ends[0] - 1, this.shape.top - 3, w, this.bottom - this.shape.top + 5);
  }
}
