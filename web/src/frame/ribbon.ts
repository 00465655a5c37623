// The ribbon: one inference from left to right. Width is time, the upper lane is the layer type, the
// lower the output precision, hatched is a reformat. Where there are no times, width is bytes moved
// and the axis says so.

import { div, el } from '../base/dom.ts';
import { bytesQuantity, fixed, niceTicks, plural, tickDecimals } from '../base/format.ts';
import type { Engine, Extent } from '../model/engine.ts';
import type { Store } from '../model/store.ts';
import type { FamilyKey } from '../base/tokens.ts';
import { bodyFont, fitName, textWidth } from '../public/marks.ts';
import type { ViewContext } from '../public/view.ts';

const kTypeLane = { top: 6, height: 16 } as const;
const kPrecisionLane = { top: 23, height: 5 } as const;
const kHeight = 51;
const kPadding = 16;
// Filtered-out layers stay as this much ink.
const kFaded = 0.25;
// Narrower than this a rectangle would hide its neighbours: such layers are added up by pixel column.
const kLeastWidth = 0.75;
const kLeastLabel = 34;
const kDragPx = 4;
// Of several selected layers; more are no help to find them.
const kMostOutlined = 500;

interface Layout {
  readonly rows: Int32Array;
  // Left edges in px from the start of the lane, one more than there are rows.
  readonly edges: Float64Array;
  readonly total: number;
  readonly width: number;
  readonly extent: Extent;
}

function layOut(engine: Engine, extent: Extent, width: number): Layout {
  const rows = engine.workRows;
  const total = engine.sum(extent.values);
  const edges = new Float64Array(rows.length + 1);
  let sum = 0;
  for (let i = 0; i < rows.length; i += 1) {
    edges[i] = total > 0 ? (sum / total) * width : 0;
    const value = extent.values[rows[i] ?? 0] ?? Number.NaN;
    if (!Number.isNaN(value)) sum += value;
  }
  edges[rows.length] = total > 0 ? width : 0;
  return { rows, edges, total, width, extent };
}

export class Ribbon {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #store: Store;
  readonly #context: ViewContext;
  readonly #marked: () => readonly number[];
  #layout: Layout | null = null;
  #dragFrom: number | null = null;
  #dragTo: number | null = null;

  constructor(store: Store, context: ViewContext, marked: () => readonly number[]) {
    this.#store = store;
    this.#context = context;
    this.#marked = marked;
    this.#canvas = el('canvas', { attrs: { role: 'img', tabindex: '0' } });
    this.node = el('div', { class: 'ribbon' }, this.#canvas);
    this.#listen();
    store.onHover(() => this.draw());
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointermove', (event) => {
      if (this.#dragFrom !== null && Math.abs(event.offsetX - this.#dragFrom) > kDragPx) {
        this.#dragTo = event.offsetX;
        this.draw();
      }
      const row = this.#rowAt(event.offsetX);
      this.#store.hover(row);
      if (row === null) this.#context.tooltip.hide();
      else this.#context.tooltip.layer(row, event);
    });
    canvas.addEventListener('pointerleave', () => {
      this.#store.hover(null);
      this.#context.tooltip.hide();
    });
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.#dragFrom = event.offsetX;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointerup', (event) => {
      const from = this.#dragFrom;
      const to = this.#dragTo;
      this.#dragFrom = null;
      this.#dragTo = null;
      if (from === null) return;
      if (to === null) this.#click(event);
      else this.#filterRange(Math.min(from, to), Math.max(from, to));
    });
    canvas.addEventListener('dblclick', () => {
      if (this.#store.state.selected !== null) this.#store.patch({ view: 'graph' });
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight') this.#store.step(1);
      else if (event.key === 'ArrowLeft') this.#store.step(-1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #click(event: PointerEvent): void {
    const row = this.#rowAt(event.offsetX);
    if (row === null) return;
    if (event.altKey) {
      const type = this.#store.engine.layers.text('type', row);
      if (type !== null) {
        this.#store.addChip({ field: 'type', op: ':', values: [type], negated: false });
      }
      return;
    }
    this.#store.patch({ selected: row });
  }

  #filterRange(from: number, to: number): void {
    const first = this.#rowAt(from);
    const last = this.#rowAt(to);
    if (first === null || last === null) return;
    const engine = this.#store.engine;
    const range = `${String(engine.layerId(first))}-${String(engine.layerId(last))}`;
    const others = this.#store.state.chips.filter((chip) => chip.field !== 'layer');
    this.#store.patch({
      chips: [...others, { field: 'layer', op: ':', values: [range], negated: false }],
    });
  }

  #rowAt(offsetX: number): number | null {
    const layout = this.#layout;
    if (layout === null || layout.rows.length === 0) return null;
    const x = Math.min(layout.width - 0.01, Math.max(0, offsetX - kPadding));
    let low = 0;
    let high = layout.rows.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((layout.edges[middle] ?? 0) <= x) low = middle;
      else high = middle - 1;
    }
    return layout.rows[low] ?? null;
  }

  // Whether this engine has anything to draw.
  get visible(): boolean {
    return this.#store.engine.extent(this.#store.basis).kind !== 'none';
  }

  draw(): void {
    const engine = this.#store.engine;
    const extent = engine.extent(this.#store.basis);
    this.node.hidden = extent.kind === 'none' || engine.sum(extent.values) <= 0;
    if (this.node.hidden) return;
    const scale = window.devicePixelRatio || 1;
    const width = this.node.clientWidth;
    const canvas = this.#canvas;
    if (
      canvas.width !== Math.round(width * scale) ||
      canvas.height !== Math.round(kHeight * scale)
    ) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(kHeight * scale);
      canvas.style.width = `${String(width)}px`;
      canvas.style.height = `${String(kHeight)}px`;
    }
    const g = canvas.getContext('2d');
    if (g === null) return;
    const layout = layOut(engine, extent, Math.max(1, width - 2 * kPadding));
    this.#layout = layout;
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, kHeight);
    g.translate(kPadding, 0);
    this.#drawLanes(g, layout, scale);
    this.#drawAxis(g, layout);
    this.#drawMarks(g, layout);
    const what = extent.kind === 'time' ? 'time' : 'bytes moved, since there are no times';
    canvas.setAttribute(
      'aria-label',
      `One inference of ${engine.name}: ${plural(layout.rows.length, 'layer')} in execution order, ` +
        `width is ${what}. The table of the Layers view holds the same.`,
    );
  }

  #drawLanes(g: CanvasRenderingContext2D, layout: Layout, scale: number): void {
    const engine = this.#store.engine;
    const palette = this.#context.palette();
    const { mask } = this.#store.selection;
    const fills = new Map<FamilyKey, string | CanvasPattern>();
    const fill = (family: FamilyKey): string | CanvasPattern => {
      let known = fills.get(family);
      if (known === undefined) {
        known = palette.familyFill(g, family, scale);
        fills.set(family, known);
      }
      return known;
    };
    const narrow: number[] = [];
    for (let i = 0; i < layout.rows.length; i += 1) {
      const x = layout.edges[i] ?? 0;
      const w = (layout.edges[i + 1] ?? 0) - x;
      if (w <= 0) continue;
      if (w < kLeastWidth) {
        narrow.push(i);
        continue;
      }
      const row = layout.rows[i] ?? 0;
      // The gap between two layers is the background, but never all of a thin one.
      const drawn = w > 3 ? w - 1 : w > 1.5 ? w - 0.5 : w;
      g.globalAlpha = mask[row] === 1 ? 1 : kFaded;
      const family = engine.family(row);
      g.fillStyle = fill(family);
      g.fillRect(x, kTypeLane.top, drawn, kTypeLane.height);
      this.#precisionRect(g, engine.layers.text('output_precision', row), x, drawn);
      if (drawn >= kLeastLabel && family !== 'reformat' && mask[row] === 1) {
        this.#label(g, this.#store.layerLabel(row), palette.family(family), x, drawn);
      }
    }
    g.globalAlpha = 1;
    this.#drawColumns(g, layout, narrow, fill);
  }

  #precisionRect(
    g: CanvasRenderingContext2D,
    precision: string | null,
    x: number,
    w: number,
  ): void {
    const palette = this.#context.palette();
    const colour = palette.precision(precision);
    if (colour !== null) {
      g.fillStyle = colour;
      g.fillRect(x, kPrecisionLane.top, w, kPrecisionLane.height);
    } else if (w > 2) {
      g.strokeStyle = palette.ui('line2');
      g.setLineDash([2, 2]);
      g.strokeRect(x + 0.5, kPrecisionLane.top + 0.5, w - 1, kPrecisionLane.height - 1);
      g.setLineDash([]);
    }
  }

  #label(g: CanvasRenderingContext2D, name: string, fill: string, x: number, w: number): void {
    const ink = this.#context.palette().inkOn(fill);
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
    g.fillText(text, x + w / 2, kTypeLane.top + kTypeLane.height / 2 + 0.5);
  }

  // Layers thinner than a pixel: a column holds their sum, has the colour of the largest part, and
  // the share of reformats as a hatch from below.
  #drawColumns(
    g: CanvasRenderingContext2D,
    layout: Layout,
    narrow: readonly number[],
    fill: (family: FamilyKey) => string | CanvasPattern,
  ): void {
    const engine = this.#store.engine;
    const { mask } = this.#store.selection;
    interface ColumnSum {
      readonly families: Map<FamilyKey, number>;
      readonly precisions: Map<string | null, number>;
      width: number;
      shown: number;
    }
    const columns = new Map<number, ColumnSum>();
    for (const i of narrow) {
      const x = layout.edges[i] ?? 0;
      const w = (layout.edges[i + 1] ?? 0) - x;
      const row = layout.rows[i] ?? 0;
      const at = Math.floor(x);
      let column = columns.get(at);
      if (column === undefined) {
        column = { families: new Map(), precisions: new Map(), width: 0, shown: 0 };
        columns.set(at, column);
      }
      const family = engine.family(row);
      const precision = engine.layers.text('output_precision', row);
      column.families.set(family, (column.families.get(family) ?? 0) + w);
      column.precisions.set(precision, (column.precisions.get(precision) ?? 0) + w);
      column.width += w;
      if (mask[row] === 1) column.shown += w;
    }
    const largest = <K>(parts: Map<K, number>, skip?: K): K | undefined =>
      [...parts].filter(([key]) => key !== skip).sort((a, b) => b[1] - a[1])[0]?.[0];
    for (const [x, column] of columns) {
      g.globalAlpha = column.shown > 0 ? 1 : kFaded;
      const reformats = (column.families.get('reformat') ?? 0) / column.width;
      g.fillStyle = fill(largest(column.families, 'reformat') ?? 'reformat');
      g.fillRect(x, kTypeLane.top, 1, kTypeLane.height);
      if (reformats > 0) {
        const h = kTypeLane.height * reformats;
        g.fillStyle = fill('reformat');
        g.fillRect(x, kTypeLane.top + kTypeLane.height - h, 1, h);
      }
      this.#precisionRect(g, largest(column.precisions) ?? null, x, 1);
    }
    g.globalAlpha = 1;
  }

  #drawAxis(g: CanvasRenderingContext2D, layout: Layout): void {
    const palette = this.#context.palette();
    const bytes = layout.extent.kind === 'bytes';
    // Bytes are shown in the unit that suits their sum; times are always in ms here.
    const unit = bytes ? bytesQuantity(layout.total).unit : 'ms';
    const scale = bytes ? ({ B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }[unit] ?? 1) : 1;
    const ticks = niceTicks(layout.total / scale, Math.max(3, Math.min(12, layout.width / 120)));
    const decimals = tickDecimals(ticks);
    g.font = bodyFont(10);
    g.textBaseline = 'alphabetic';
    g.textAlign = 'left';
    for (const [i, tick] of ticks.entries()) {
      const x = ((tick * scale) / layout.total) * layout.width;
      g.fillStyle = palette.ui('line2');
      g.fillRect(Math.round(x), 30, 1, 3);
      g.fillStyle = palette.ui('ink3');
      const text = fixed(tick, decimals) + (i === 0 ? ` ${unit}` : '');
      const w = textWidth(text, g.font);
      const left = i === 0 ? 0 : Math.min(x - w / 2, layout.width - w);
      g.fillText(text, left, 43);
    }
    if (bytes) {
      const note = 'width = bytes moved: no times in the files';
      const w = textWidth(note, g.font);
      g.fillStyle = palette.ui('bg');
      g.fillRect(layout.width - w - 8, 31, w + 8, 15);
      g.fillStyle = palette.ui('ink2');
      g.fillText(note, layout.width - w, 43);
    }
  }

  // A tip above each layer that the view is about; one a pixel is enough.
  #drawTips(g: CanvasRenderingContext2D, layout: Layout): void {
    const marked = new Set(this.#marked());
    if (marked.size === 0) return;
    g.fillStyle = this.#context.palette().ui('warning');
    g.beginPath();
    let last = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < layout.rows.length; i += 1) {
      if (!marked.has(layout.rows[i] ?? -1)) continue;
      const x = ((layout.edges[i] ?? 0) + (layout.edges[i + 1] ?? 0)) / 2;
      if (x - last < 1) continue;
      last = x;
      g.moveTo(x - 3, 0);
      g.lineTo(x + 3, 0);
      g.lineTo(x, 5);
    }
    g.fill();
  }

  #drawMarks(g: CanvasRenderingContext2D, layout: Layout): void {
    const palette = this.#context.palette();
    this.#drawTips(g, layout);
    const outline = (row: number | null, width: number): void => {
      const i = row === null ? -1 : layout.rows.indexOf(row);
      if (i < 0) return;
      const x = layout.edges[i] ?? 0;
      const w = Math.max(5, (layout.edges[i + 1] ?? 0) - x + 1);
      g.strokeStyle = palette.ui('selb');
      g.lineWidth = width;
      g.strokeRect(x - 1, kTypeLane.top - 3, w, kPrecisionLane.top + kPrecisionLane.height - 1);
    };
    outline(this.#store.hovered, 1);
    for (const row of this.#store.selectedRows.slice(0, kMostOutlined)) outline(row, 2);
    if (this.#dragFrom !== null && this.#dragTo !== null) {
      const from = Math.min(this.#dragFrom, this.#dragTo) - kPadding;
      const width = Math.abs(this.#dragTo - this.#dragFrom);
      g.globalAlpha = 0.18;
      g.fillStyle = palette.ui('ink');
      g.fillRect(from, 2, width, 32);
      g.globalAlpha = 1;
    }
  }
}

export function ribbonHint(): HTMLElement {
  return div(
    'ribbon-hint',
    'one inference ↓ width = time · top = type · bottom = output precision',
  );
}
