// The timeline on a canvas, with its pointer and its keys.

import {
  bodyFont,
  bytesText,
  el,
  plural,
  type FigureBody,
  type ViewContext,
} from '../../public/index.ts';
import { CanvasPen, SvgPen } from '../../public/drawing.ts';
import type { TensorIndex, Timeline, TimelineTensor } from './data.ts';
import { frameAt, layOutTimeline, rectAt, type TimelineLayout } from './timeline_layout.ts';
import {
  kTimeline,
  kHead,
  kHeight,
  kLeft,
  kRight,
  paintTimeline,
  type Bracket,
  type TimelineLook,
} from './timeline_paint.ts';

const kNothing: ReadonlySet<number> = new Set();

export class TimelineBody implements FigureBody {
  readonly node: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: ViewContext;
  readonly #timeline: Timeline;
  readonly #index: TensorIndex;
  readonly #label: () => string;
  readonly #forget: () => void;
  #layout: TimelineLayout | null = null;
  #layoutKey = '';
  #width = 0;
  #pending = 0;
  // The tensor under the pointer, beside the layer that the store knows of.
  #hoveredTensor: TimelineTensor | null = null;

  constructor(context: ViewContext, timeline: Timeline, index: TensorIndex, label: () => string) {
    this.#context = context;
    this.#timeline = timeline;
    this.#index = index;
    this.#label = label;
    this.#canvas = el('canvas', { attrs: { role: 'img', tabindex: '0' } });
    this.node = el('div', { class: 'timeline' }, this.#canvas);
    this.#listen();
    this.#forget = context.store.onHover(() => this.#redraw());
  }

  get hidden(): number {
    return this.#layout?.hidden ?? 0;
  }

  get byTime(): boolean {
    const { store } = this.#context;
    return store.engine.hasTimes && store.option('memory.x') === 'time';
  }

  draw(width: number): void {
    this.#width = width;
    this.#layOut();
    const canvas = this.#canvas;
    const scale = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(kHeight * scale);
      canvas.style.width = `${String(width)}px`;
      canvas.style.height = `${String(kHeight)}px`;
    }
    canvas.setAttribute('aria-label', this.#label());
    this.#paint();
  }

  #layOut(): TimelineLayout {
    const { store } = this.#context;
    const basis = this.byTime ? store.basis : '';
    const key = `${String(this.#width)} ${basis}`;
    if (this.#layout !== null && key === this.#layoutKey) return this.#layout;
    const times = this.byTime ? store.engine.times(store.basis) : null;
    this.#layoutKey = key;
    this.#layout = layOutTimeline(
      this.#timeline,
      {
        left: kLeft,
        right: Math.max(kLeft + 10, this.#width - kRight),
        top: kHead,
        bottom: kHead + kTimeline,
      },
      times === null
        ? null
        : Float64Array.from(this.#timeline.rows, (row) => times[row ?? -1] ?? Number.NaN),
    );
    return this.#layout;
  }

  #frameOf(row: number | null): number | null {
    const frame = row === null ? -1 : this.#timeline.rows.indexOf(row);
    return frame < 0 ? null : frame;
  }

  // Whether the filter leaves a layer that touches it.
  #stays({ id }: TimelineTensor): boolean {
    const { mask } = this.#context.store.selection;
    return this.#index.rows(id).some((row) => mask[row] === 1);
  }

  // Blocks stand at layers that do work; the timeline has all records.
  #brackets(): readonly Bracket[] {
    const { engine } = this.#context.store;
    return engine.blocks.flatMap((block) => {
      const first = this.#frameOf(engine.workRows[block.first] ?? null);
      const last = this.#frameOf(engine.workRows[block.last] ?? null);
      return first === null || last === null ? [] : [{ label: block.label, first, last }];
    });
  }

  #look(): TimelineLook {
    const { store } = this.#context;
    const { engine } = store;
    const rows = store.selectedRows;
    const selected = new Set(rows.flatMap((row) => [...this.#index.of(row)]));
    const hovered = store.hovered;
    return {
      palette: this.#context.palette(),
      engine,
      timeline: this.#timeline,
      index: this.#index,
      layerLabel: (row) => store.layerLabel(row),
      stays: (tensor) => store.state.chips.length === 0 || this.#stays(tensor),
      mask: store.selection.mask,
      selectedFrames: rows.flatMap((row) => this.#frameOf(row) ?? []),
      selectedTensors: selected,
      hoveredFrame: this.#frameOf(hovered),
      hoveredTensors:
        this.#hoveredTensor !== null
          ? new Set([this.#hoveredTensor.id])
          : hovered === null
            ? kNothing
            : this.#index.of(hovered),
      brackets: this.#brackets(),
      byTime: this.byTime,
    };
  }

  #paint(): void {
    const g = this.#canvas.getContext('2d');
    if (g === null || this.#width === 0) return;
    const scale = window.devicePixelRatio || 1;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.globalAlpha = 1;
    g.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const pen = new CanvasPen(g, this.#context.palette(), { x: 0, y: 0, zoom: 1 }, scale);
    paintTimeline(pen, this.#layOut(), this.#look());
  }

  #redraw(): void {
    if (this.#pending !== 0) return;
    this.#pending = requestAnimationFrame(() => {
      this.#pending = 0;
      this.#paint();
    });
  }

  svg(): string | null {
    if (this.#width === 0) return '';
    const palette = this.#context.palette();
    const pen = new SvgPen(
      {
        fontFamily: bodyFont(11).replace(/^\d+ \S+ /, ''),
        background: palette.ui('bg'),
        hatch: { colour: palette.family('reformat'), stripe: palette.ui('bg') },
      },
      1,
    );
    paintTimeline(pen, this.#layOut(), this.#look());
    return pen.document(this.#label(), 0, 0, this.#width, kHeight);
  }

  #listen(): void {
    const canvas = this.#canvas;
    const { store, tooltip } = this.#context;
    canvas.addEventListener('pointermove', (event) => {
      const layout = this.#layOut();
      const frame = frameAt(layout.edges, event.offsetX);
      const row = this.#rowAt(event.offsetX);
      const tensor = rectAt(layout, event.offsetX, event.offsetY)?.tensor ?? null;
      if (tensor !== this.#hoveredTensor) {
        this.#hoveredTensor = tensor;
        this.#redraw();
      }
      store.hover(row);
      if (tensor !== null) tooltip.lines(this.#lines(tensor, frame), event);
      else if (row !== null) tooltip.layer(row, event);
      else tooltip.hide();
    });
    canvas.addEventListener('pointerleave', () => {
      this.#hoveredTensor = null;
      store.hover(null);
      tooltip.hide();
      this.#redraw();
    });
    canvas.addEventListener('click', (event) => {
      const row = this.#rowAt(event.offsetX);
      if (row === null) return;
      if (event.ctrlKey || event.metaKey) store.toggleSelected(row);
      else store.patch({ selected: row });
    });
    canvas.addEventListener('dblclick', (event) => {
      const row = this.#rowAt(event.offsetX);
      if (row !== null) store.patch({ selected: row, view: 'graph' });
    });
    canvas.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowRight') store.step(1);
      else if (event.key === 'ArrowLeft') store.step(-1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  #rowAt(x: number): number | null {
    return this.#timeline.rows[frameAt(this.#layOut().edges, x) ?? -1] ?? null;
  }

  #lines(tensor: TimelineTensor, at: number | null): readonly string[] {
    const { rows, frames } = this.#timeline;
    const { store } = this.#context;
    const layer = (frame: number): string => {
      const row = rows[frame] ?? null;
      const name = row === null ? '' : ` ${store.layerLabel(row).slice(0, 80)}`;
      return `#${String(frames.layer_id[frame])}${name}`;
    };
    const { id, dtype, bytes, first, last } = tensor;
    const type = dtype === null ? '' : ` · ${dtype}`;
    return [
      this.#index.name(id).slice(0, 160),
      `${bytesText(bytes)}${type} · live for ${plural(last - first + 1, 'layer')}`,
      `from ${layer(first)}`,
      `to ${layer(last)}`,
      ...(at === null
        ? []
        : [`at #${String(frames.layer_id[at])}: ${bytesText(frames.live_bytes[at])} live`]),
    ];
  }

  destroy(): void {
    if (this.#pending !== 0) cancelAnimationFrame(this.#pending);
    this.#forget();
  }
}
