// The ribbon: one inference from left to right, width is time. In Compare two of them, one above the
// other on one time scale. Where there are no times, width is bytes moved and the axis says so.

import { div, el } from '../base/dom.ts';
import { bytesPer, bytesQuantity, fixed, niceTicks, plural, tickDecimals } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { Engine, Extent } from '../model/engine.ts';
import type { EnginePair, Store } from '../model/store.ts';
import { bodyFont, fitName, textWidth } from '../public/marks.ts';
import type { Palette } from '../public/palette.ts';
import type { ViewContext } from '../public/view.ts';
import { Lane, type LaneShape } from './ribbon_lane.ts';

const kPadding = 16;
const kDragPx = 4;
// Of several selected layers; more are no help to find them.
const kMaxOutlined = 500;
const kMaxLabel = 132;

const kAlone: readonly LaneShape[] = [{ top: 6, typeHeight: 16, precisionHeight: 5 }];
const kAloneAxis = 30;
const kBoth: readonly LaneShape[] = [
  { top: 5, typeHeight: 14, precisionHeight: 4 },
  { top: 36, typeHeight: 14, precisionHeight: 4 },
];
const kBothAxis = 58;
const kAxisHeight = 21;

interface RibbonLane {
  readonly lane: Lane;
  // The engine's place in the report.
  readonly engine: number;
  readonly mark: 'A' | 'B' | null;
}

interface Layout {
  readonly lanes: readonly RibbonLane[];
  // Where the lanes start, from the left of the canvas.
  readonly left: number;
  readonly width: number;
  // What the whole width stands for.
  readonly total: number;
  readonly axis: number;
  readonly kind: Extent['kind'];
  // What it was made for.
  readonly key: string;
}

// What the view on screen asks of the ribbon, now.
export interface RibbonView {
  compares(): boolean;
  // Rows of the engine on screen that the view is about.
  marked(): readonly number[];
}

// Of several engines, something that all of them have.
function extentsOf(engines: readonly Engine[], store: Store): readonly Extent[] {
  const extents = engines.map((engine) => engine.extent(engine.basisOr(store.state.basis)));
  if (extents.every((extent) => extent.kind === extents[0]?.kind)) return extents;
  return engines.map((engine) => engine.bytesExtent());
}

export class Ribbon {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #store: Store;
  readonly #context: ViewContext;
  readonly #view: RibbonView;
  #layout: Layout | null = null;
  #dragFrom: number | null = null;
  #dragTo: number | null = null;

  constructor(store: Store, context: ViewContext, view: RibbonView) {
    this.#store = store;
    this.#context = context;
    this.#view = view;
    this.#canvas = el('canvas', { attrs: { role: 'img', tabindex: '0' } });
    this.node = el('div', { class: 'ribbon' }, this.#canvas);
    this.#listen();
    store.onHover(() => this.draw());
  }

  get #enginePair(): EnginePair | null {
    return this.#view.compares() ? this.#store.enginePair : null;
  }

  #listen(): void {
    const canvas = this.#canvas;
    canvas.addEventListener('pointermove', (event) => {
      if (this.#dragFrom !== null && Math.abs(event.offsetX - this.#dragFrom) > kDragPx) {
        this.#dragTo = event.offsetX;
        this.draw();
      }
      const at = this.#laneAt(event);
      const row = at?.lane.rowAt(event.offsetX - (this.#layout?.left ?? 0)) ?? null;
      if (at === null || row === null) this.#leave();
      else {
        this.#store.hover(row, at.engine);
        this.#context.tooltip.layer(row, event, at.engine);
      }
    });
    canvas.addEventListener('pointerleave', () => this.#leave());
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
      // Numbers of layers mean something else in the other engine.
      else if (this.#enginePair === null) this.#filterRange(Math.min(from, to), Math.max(from, to));
      else this.draw();
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

  #leave(): void {
    this.#store.hover(null);
    this.#context.tooltip.hide();
  }

  // The lane under the pointer: of two the nearer one.
  #laneAt(event: PointerEvent): RibbonLane | null {
    const layout = this.#layout;
    if (layout === null) return null;
    const [first, second] = layout.lanes;
    const isSecond = second !== undefined && event.offsetY > (first?.lane.bottom ?? 0) + 6;
    const found = isSecond ? second : first;
    if (found === undefined) return null;
    // Beyond the end of the shorter one is nothing.
    const isPast = event.offsetX - layout.left > found.lane.width + 4;
    return layout.lanes.length > 1 && isPast ? null : found;
  }

  #click(event: PointerEvent): void {
    const at = this.#laneAt(event);
    const row = at?.lane.rowAt(event.offsetX - (this.#layout?.left ?? 0)) ?? null;
    if (at === null || row === null) return;
    if (event.altKey) {
      const type = at.lane.engine.layers.text('type', row);
      if (type !== null) {
        this.#store.addChip({ field: 'type', op: ':', values: [type], negated: false });
      }
      return;
    }
    if (at.mark === null) this.#store.patch({ selected: row });
    else this.#store.selectInEngine(at.engine, row);
  }

  #filterRange(from: number, to: number): void {
    const layout = this.#layout;
    const lane = layout?.lanes[0]?.lane;
    const first = lane?.rowAt(from - (layout?.left ?? 0)) ?? null;
    const last = lane?.rowAt(to - (layout?.left ?? 0)) ?? null;
    if (first === null || last === null) return;
    const engine = this.#store.engine;
    const range = `${String(engine.layerId(first))}-${String(engine.layerId(last))}`;
    const others = this.#store.state.chips.filter((chip) => chip.field !== 'layer');
    this.#store.patch({
      chips: [...others, { field: 'layer', op: ':', values: [range], negated: false }],
    });
  }

  #layOut(width: number): Layout | null {
    const store = this.#store;
    const enginePair = this.#enginePair;
    const places = enginePair === null ? [store.state.engine] : [enginePair.a, enginePair.b];
    const key = JSON.stringify([places, width, store.state.basis, store.report.engines.length]);
    // Hovering draws anew, and nothing moves.
    if (this.#layout?.key === key && this.#layout.lanes.length === places.length) {
      return this.#layout;
    }
    const engines = places.flatMap((place) => store.report.engines[place] ?? []);
    const extents = extentsOf(engines, store);
    const totals = engines.map((engine, i) => engine.sum(extents[i]?.values ?? new Float64Array()));
    const total = Math.max(0, ...totals);
    if (extents[0]?.kind === 'none' || !(total > 0)) return null;
    const labels = enginePair === null ? 0 : this.#labelWidth(engines);
    const room = Math.max(1, width - 2 * kPadding - labels);
    const shapes = enginePair === null ? kAlone : kBoth;
    return {
      lanes: engines.flatMap((engine, i) => {
        const extent = extents[i];
        const shape = shapes[i];
        if (extent === undefined || shape === undefined) return [];
        return {
          lane: new Lane({ engine, extent, perPx: total / room, shape }),
          engine: places[i] ?? 0,
          mark: enginePair === null ? null : i === 0 ? ('A' as const) : ('B' as const),
        };
      }),
      left: kPadding + labels,
      width: room,
      total,
      axis: enginePair === null ? kAloneAxis : kBothAxis,
      kind: extents[0]?.kind ?? 'none',
      key,
    };
  }

  #labelWidth(engines: readonly Engine[]): number {
    const font = bodyFont(11);
    const widths = engines.map((engine) => textWidth(visible(engine.id).slice(0, 60), font));
    return Math.min(kMaxLabel, Math.ceil(Math.max(...widths)) + 26);
  }

  draw(): void {
    const width = this.node.parentElement?.clientWidth ?? this.node.clientWidth;
    const layout = this.#layOut(width);
    this.#layout = layout;
    this.node.hidden = layout === null;
    if (layout === null) return;
    const height = layout.axis + kAxisHeight;
    this.node.style.height = `${String(height + 1)}px`;
    const scale = window.devicePixelRatio || 1;
    const canvas = this.#canvas;
    if (
      canvas.width !== Math.round(width * scale) ||
      canvas.height !== Math.round(height * scale)
    ) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${String(width)}px`;
      canvas.style.height = `${String(height)}px`;
    }
    const g = canvas.getContext('2d');
    if (g === null) return;
    const palette = this.#context.palette();
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    for (const lane of layout.lanes) this.#drawName(g, palette, lane, layout);
    g.translate(layout.left, 0);
    this.#drawLinks(g, palette, layout);
    for (const { lane, engine } of layout.lanes) {
      lane.draw(g, {
        palette,
        scale,
        mask: this.#store.selectionOf(engine).mask,
        label: (row) => this.#store.layerLabel(row, lane.engine),
      });
    }
    this.#drawAxis(g, palette, layout);
    this.#drawMarks(g, palette, layout);
    canvas.setAttribute('aria-label', this.#sentence(layout));
  }

  #sentence(layout: Layout): string {
    const what = layout.kind === 'time' ? 'time' : 'bytes moved, since there are no times';
    const inferences = layout.lanes.map(
      ({ lane, mark }) =>
        `${mark === null ? '' : `${mark}: `}one inference of ${lane.engine.name}: ` +
        `${plural(lane.rows.length, 'layer')} in execution order`,
    );
    const text = `${inferences.join('; ')}, width is ${what}. The table of the Layers view holds the same.`;
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  }

  // "A fp32" at the left; the time at the end of the shorter one.
  #drawName(
    g: CanvasRenderingContext2D,
    palette: Palette,
    { lane, mark }: RibbonLane,
    layout: Layout,
  ): void {
    if (mark === null) return;
    const y = lane.shape.top + lane.shape.typeHeight / 2 + 0.5;
    g.textAlign = 'left';
    g.textBaseline = 'middle';
    g.font = bodyFont(11, 600);
    g.fillStyle = palette.ui('ink');
    g.fillText(mark, kPadding, y);
    g.font = bodyFont(11);
    g.fillStyle = palette.ui('ink2');
    const room = layout.left - kPadding - 26;
    g.fillText(fitName(visible(lane.engine.id), room, g.font), kPadding + 15, y);
    if (layout.kind !== 'time') return;
    const text = `${fixed(lane.total, 3)} ms`;
    const end = layout.left + lane.width + 6;
    if (end + textWidth(text, g.font) > layout.left + layout.width) return;
    g.fillText(text, end, y);
  }

  // What belongs together in both lanes, from one to the other.
  #drawLinks(g: CanvasRenderingContext2D, palette: Palette, layout: Layout): void {
    const [a, b] = layout.lanes;
    if (a === undefined || b === undefined) return;
    const reach = (lane: Lane, rows: readonly number[]): readonly [number, number] | null => {
      const spans = rows.flatMap((row) => {
        const ends = lane.span(row);
        return ends === null ? [] : [ends];
      });
      if (spans.length === 0) return null;
      return [Math.min(...spans.map(([x]) => x)), Math.max(...spans.map(([, x]) => x))];
    };
    for (const paired of this.#lit()) {
      const from = reach(a.lane, paired.a);
      const to = reach(b.lane, paired.b);
      if (from === null || to === null) continue;
      const top = a.lane.bottom + 3;
      const bottom = b.lane.shape.top - 4;
      g.beginPath();
      g.moveTo(from[0], top);
      g.lineTo(Math.max(from[1], from[0] + 2), top);
      g.lineTo(Math.max(to[1], to[0] + 2), bottom);
      g.lineTo(to[0], bottom);
      g.closePath();
      g.fillStyle = palette.ui('line2');
      g.fill();
    }
  }

  // The pairs of what is hovered and what is selected.
  #lit(): readonly { readonly a: readonly number[]; readonly b: readonly number[] }[] {
    const store = this.#store;
    const { selected, engine } = store.state;
    const hovered = store.hoveredLayer;
    return [
      selected === null ? null : store.pairedRows(engine, selected),
      hovered === null ? null : store.pairedRows(hovered.engine, hovered.row),
    ].filter((paired) => paired !== null);
  }

  #drawAxis(g: CanvasRenderingContext2D, palette: Palette, layout: Layout): void {
    const bytes = layout.kind === 'bytes';
    // Bytes are shown in the unit that suits their sum; times are always in ms here.
    const unit = bytes ? bytesQuantity(layout.total).unit : 'ms';
    const scale = bytes ? bytesPer(unit) : 1;
    const ticks = niceTicks(layout.total / scale, Math.max(3, Math.min(12, layout.width / 120)));
    const decimals = tickDecimals(ticks);
    const text = layout.axis + 13;
    g.font = bodyFont(10);
    g.textBaseline = 'alphabetic';
    g.textAlign = 'left';
    for (const [i, tick] of ticks.entries()) {
      const x = ((tick * scale) / layout.total) * layout.width;
      g.fillStyle = palette.ui('line2');
      g.fillRect(Math.round(x), layout.axis, 1, 3);
      g.fillStyle = palette.ui('ink3');
      const label = fixed(tick, decimals) + (i === 0 ? ` ${unit}` : '');
      const w = textWidth(label, g.font);
      const left = i === 0 ? 0 : Math.min(x - w / 2, layout.width - w);
      g.fillText(label, left, text);
    }
    if (bytes) {
      const note = 'width = bytes moved: no times in the files';
      const w = textWidth(note, g.font);
      g.fillStyle = palette.ui('bg');
      g.fillRect(layout.width - w - 8, layout.axis + 1, w + 8, 15);
      g.fillStyle = palette.ui('ink2');
      g.fillText(note, layout.width - w, text);
    }
  }

  // A tip above each layer that the view is about; one a pixel is enough.
  #drawTips(g: CanvasRenderingContext2D, palette: Palette, layout: Layout): void {
    const marked = new Set(this.#view.marked());
    const own = layout.lanes.find(({ engine }) => engine === this.#store.state.engine);
    if (marked.size === 0 || own === undefined) return;
    own.lane.drawTips(g, palette, marked);
  }

  #drawMarks(g: CanvasRenderingContext2D, palette: Palette, layout: Layout): void {
    const store = this.#store;
    this.#drawTips(g, palette, layout);
    const outline = (engine: number, row: number, width: number): void => {
      const paired = layout.lanes.length > 1 ? store.pairedRows(engine, row) : null;
      for (const { lane, engine: own, mark } of layout.lanes) {
        const rows = paired === null ? [] : mark === 'A' ? paired.a : paired.b;
        const isOwn = own === engine;
        for (const other of rows) if (!isOwn || other !== row) lane.outline(g, palette, other, 1);
        if (isOwn) lane.outline(g, palette, row, width);
      }
    };
    const hovered = store.hoveredLayer;
    if (hovered !== null) outline(hovered.engine, hovered.row, 1);
    const { engine } = store.state;
    for (const row of store.selectedRows.slice(0, kMaxOutlined)) outline(engine, row, 2);
    if (this.#dragFrom !== null && this.#dragTo !== null && layout.lanes.length === 1) {
      const from = Math.min(this.#dragFrom, this.#dragTo) - layout.left;
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
