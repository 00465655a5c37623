// The ribbon: one inference from left to right, width is time. In Compare two of them, one above
// the other on one time scale. If there are no times, width is bytes moved and the axis says so.

import { div, el } from '../base/dom.ts';
import { bytesPer, bytesQuantity, fixed, niceTicks, plural, tickDecimals } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { Engine, Extent } from '../model/engine.ts';
import { equals } from '../model/filter.ts';
import type { EnginePair, Store } from '../model/store.ts';
import { bodyFont, textWidth } from '../public/page/marks.ts';
import { Plot, showPlot } from '../public/plot/index.ts';
import type { ViewContext } from '../public/page/view.ts';
import { Lane, type LaneShape } from './ribbon_lane.ts';

const kPadding = 16;
const kDragPx = 4;
// Of several selected layers, at most this many are marked; more marks do not help to find them.
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
  // The value that the whole width represents.
  readonly total: number;
  readonly axis: number;
  readonly kind: Extent['kind'];
  // What it was computed for.
  readonly key: string;
}

// What the view on screen currently asks of the ribbon.
export interface RibbonView {
  compares(): boolean;
  // The rows of the engine on screen that the view is about.
  marked(): readonly number[];
}

// For several engines, an extent that all of them have.
function extentsOf(engines: readonly Engine[], store: Store): readonly Extent[] {
  const extents = engines.map((engine) => engine.extent(engine.basisOr(store.state.basis)));
  if (extents.every((extent) => extent.kind === extents[0]?.kind)) return extents;
  return engines.map((engine) => engine.bytesExtent());
}

function labelWidth(engines: readonly Engine[]): number {
  const font = bodyFont(11);
  const widths = engines.map((engine) => textWidth(visible(engine.id).slice(0, 60), font));
  return Math.min(kMaxLabel, Math.ceil(Math.max(...widths)) + 26);
}

export class Ribbon {
  readonly node: HTMLElement;
  readonly #canvas = el('canvas', { attrs: { role: 'img', tabindex: '0' } });
  readonly #store: Store;
  readonly #context: ViewContext;
  readonly #view: RibbonView;
  #layout: Layout | null = null;
  #dragFrom: number | null = null;
  #dragTo: number | null = null;

  constructor(context: ViewContext, view: RibbonView) {
    this.#store = context.store;
    this.#context = context;
    this.#view = view;
    this.node = div('ribbon', this.#canvas);
    this.#listen();
    this.#store.onHover(() => this.draw());
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
      const row = at?.lane.rowAt(event.offsetX) ?? null;
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
      // Layer numbers mean something else in the other engine.
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

  // The lane under the pointer; of two, the nearer one.
  #laneAt({ offsetX, offsetY }: PointerEvent): RibbonLane | null {
    const [first, second] = this.#layout?.lanes ?? [];
    if (first === undefined || second === undefined) return first ?? null;
    const found = offsetY > first.lane.bottom + 6 ? second : first;
    // There is nothing past the end of the shorter one.
    return offsetX > found.lane.end + 4 ? null : found;
  }

  #click(event: PointerEvent): void {
    const at = this.#laneAt(event);
    const row = at?.lane.rowAt(event.offsetX) ?? null;
    if (at === null || row === null) return;
    if (event.altKey) {
      const type = at.lane.engine.layers.text('type', row);
      if (type !== null) this.#store.addChip(equals('type', type));
    } else if (at.mark === null) this.#store.patch({ selected: row });
    else this.#store.selectInEngine(at.engine, row);
  }

  #filterRange(from: number, to: number): void {
    const lane = this.#layout?.lanes[0]?.lane;
    const first = lane?.rowAt(from) ?? null;
    const last = lane?.rowAt(to) ?? null;
    if (first === null || last === null) return;
    const { engine, state } = this.#store;
    const range = `${String(engine.layerId(first))}-${String(engine.layerId(last))}`;
    const others = state.chips.filter((chip) => chip.field !== 'layer');
    this.#store.patch({ chips: [...others, equals('layer', range)] });
  }

  #layOut(width: number): Layout | null {
    const store = this.#store;
    const enginePair = this.#enginePair;
    const places = enginePair === null ? [store.state.engine] : [enginePair.a, enginePair.b];
    const key = JSON.stringify([places, width, store.state.basis, store.report.engines.length]);
    // Hovering redraws, and nothing moves.
    if (this.#layout?.key === key && this.#layout.lanes.length === places.length) {
      return this.#layout;
    }
    const engines = places.flatMap((place) => store.report.engines[place] ?? []);
    const extents = extentsOf(engines, store);
    const totals = engines.map((engine, i) => engine.sum(extents[i]?.values ?? new Float64Array()));
    const total = Math.max(0, ...totals);
    const kind = extents[0]?.kind ?? 'none';
    if (kind === 'none' || !(total > 0)) return null;
    const left = kPadding + (enginePair === null ? 0 : labelWidth(engines));
    const room = Math.max(1, width - kPadding - left);
    const shapes = enginePair === null ? kAlone : kBoth;
    const lanes = engines.flatMap((engine, i) => {
      const extent = extents[i];
      const shape = shapes[i];
      if (extent === undefined || shape === undefined) return [];
      const mark = i === 0 ? ('A' as const) : ('B' as const);
      return {
        lane: new Lane({ engine, extent, left, perPx: total / room, shape }),
        engine: places[i] ?? 0,
        mark: enginePair === null ? null : mark,
      };
    });
    const axis = enginePair === null ? kAloneAxis : kBothAxis;
    return { lanes, left, width: room, total, axis, kind, key };
  }

  draw(): void {
    const width = this.node.parentElement?.clientWidth ?? this.node.clientWidth;
    const layout = this.#layOut(width);
    this.#layout = layout;
    this.node.hidden = layout === null;
    if (layout === null) return;
    const height = layout.axis + kAxisHeight;
    this.node.style.height = `${String(height + 1)}px`;
    const plot = new Plot(this.#context.palette(), { width, height });
    for (const lane of layout.lanes) this.#drawName(plot, lane, layout);
    this.#drawLinks(plot, layout);
    for (const { lane, engine } of layout.lanes) {
      const label = (row: number): string => this.#store.layerLabel(row, lane.engine);
      lane.draw(plot, this.#store.selectionOf(engine).mask, label);
    }
    this.#drawAxis(plot, layout);
    this.#drawMarks(plot, layout);
    showPlot(this.#canvas, plot);
    this.#canvas.setAttribute('aria-label', this.#sentence(layout));
  }

  #sentence(layout: Layout): string {
    const what = layout.kind === 'time' ? 'time' : 'bytes moved, since there are no times';
    const inferences = layout.lanes.map(
      ({ lane, mark }) =>
        `${mark === null ? '' : `${mark}: `}one inference of ${lane.engine.name}: ` +
        `${plural(lane.rows.length, 'layer')} in execution order`,
    );
    const text = `${inferences.join('; ')}, width is ${what}. The table in the Layers view has the same data.`;
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  }

  // "A fp32" at the left; the time at the end of the shorter one.
  #drawName(plot: Plot, { lane, mark }: RibbonLane, { left, width, kind }: Layout): void {
    if (mark === null) return;
    const y = lane.shape.top + lane.shape.typeHeight / 2 + 0.5;
    const look = { fill: plot.palette.ui('ink2'), size: 11 };
    plot.text(mark, kPadding, y, { fill: plot.palette.ui('ink'), size: 11, weight: 600 });
    const room = left - kPadding - 26;
    plot.text(visible(lane.engine.id), kPadding + 15, y, { ...look, room });
    const text = `${fixed(lane.total, 3)} ms`;
    const end = lane.end + 6;
    const hasRoom = end + textWidth(text, bodyFont(11)) <= left + width;
    if (kind === 'time' && hasRoom) plot.text(text, end, y, look);
  }

  // Links matching layers of the two lanes.
  #drawLinks(plot: Plot, layout: Layout): void {
    const [a, b] = layout.lanes;
    if (a === undefined || b === undefined) return;
    const reach = (lane: Lane, rows: readonly number[]): readonly [number, number] | null => {
      const spans = rows.map((row) => lane.span(row)).filter((ends) => ends !== null);
      if (spans.length === 0) return null;
      return [Math.min(...spans.map(([x]) => x)), Math.max(...spans.map(([, x]) => x))];
    };
    const top = a.lane.bottom + 3;
    const bottom = b.lane.shape.top - 4;
    for (const paired of this.#lit()) {
      const from = reach(a.lane, paired.a);
      const to = reach(b.lane, paired.b);
      if (from === null || to === null) continue;
      const [fromEnd, toEnd] = [Math.max(from[1], from[0] + 2), Math.max(to[1], to[0] + 2)];
      plot.shape(
        [from[0], top, fromEnd, top, toEnd, bottom, to[0], bottom],
        plot.palette.ui('line2'),
      );
    }
  }

  // The pairs of the hovered and the selected layers.
  #lit(): readonly { readonly a: readonly number[]; readonly b: readonly number[] }[] {
    const store = this.#store;
    const { selected, engine } = store.state;
    const hovered = store.hoveredLayer;
    return [
      selected === null ? null : store.pairedRows(engine, selected),
      hovered === null ? null : store.pairedRows(hovered.engine, hovered.row),
    ].filter((paired) => paired !== null);
  }

  #drawAxis(plot: Plot, { left, width, total, axis, kind }: Layout): void {
    const { palette } = plot;
    // Bytes are shown in the unit that suits their sum; times are always in ms here.
    const unit = kind === 'bytes' ? bytesQuantity(total).unit : 'ms';
    const scale = kind === 'bytes' ? bytesPer(unit) : 1;
    const ticks = niceTicks(total / scale, Math.max(3, Math.min(12, width / 120)));
    const decimals = tickDecimals(ticks);
    const font = bodyFont(10);
    const y = axis + 9.5;
    const right = left + width;
    for (const [i, tick] of ticks.entries()) {
      const x = left + ((tick * scale) / total) * width;
      const line = Math.round(x);
      plot.rect(line, axis, line + 1, axis + 3, { fill: palette.ui('line2') });
      const label = fixed(tick, decimals) + (i === 0 ? ` ${unit}` : '');
      const w = textWidth(label, font);
      const at = i === 0 ? left : Math.min(x - w / 2, right - w);
      plot.text(label, at, y, { fill: palette.ui('ink3') });
    }
    if (kind !== 'bytes') return;
    const note = 'width = bytes moved: no times in the files';
    const from = right - textWidth(note, font);
    plot.rect(from - 8, axis + 1, right, axis + 16, { fill: palette.ui('bg') });
    plot.text(note, from, y, { fill: palette.ui('ink2') });
  }

  #drawMarks(plot: Plot, { lanes }: Layout): void {
    const store = this.#store;
    const { engine } = store.state;
    // A marker above each layer that the view is about.
    const marked = new Set(this.#view.marked());
    lanes.find((lane) => lane.engine === engine)?.lane.drawTips(plot, marked);
    const outline = (of: number, row: number, width: number): void => {
      const paired = lanes.length > 1 ? store.pairedRows(of, row) : null;
      for (const { lane, engine: own, mark } of lanes) {
        const rows = paired === null ? [] : mark === 'A' ? paired.a : paired.b;
        for (const other of rows) {
          if (own !== of || other !== row) lane.outline(plot, other, 1);
        }
        if (own === of) lane.outline(plot, row, width);
      }
    };
    const hovered = store.hoveredLayer;
    if (hovered !== null) outline(hovered.engine, hovered.row, 1);
    for (const row of store.selectedRows.slice(0, kMaxOutlined)) outline(engine, row, 2);
    if (this.#dragFrom !== null && this.#dragTo !== null && lanes.length === 1) {
      const look = { fill: plot.palette.ui('ink'), opacity: 0.18 };
      plot.rect(this.#dragFrom, 2, this.#dragTo, 34, look);
    }
  }
}

// Next to the filter: how to read the ribbon.
export const kRibbonHint = 'one inference ↓ width = time · top = type · bottom = output precision';
