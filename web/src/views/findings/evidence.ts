// The layer of a finding among its neighbours, as the graph draws them.

import {
  div,
  el,
  kMissing,
  layerPrecisionText,
  plural,
  rowOfFinding,
  type ViewContext,
  type EngineFinding,
} from '../../public/index.ts';
import {
  CanvasPen,
  drawScene,
  kNone,
  neighbourhood,
  Paint,
  Scene,
  type Look,
  type Neighbourhood,
} from '../../public/drawing.ts';
import { LayoutClient } from '../../public/layout.ts';

const kMargin = 8;
const kBoxWidth = 232;
// Where a drawing is wider than the panel, boxes may be this narrow; then it scrolls.
const kMinBoxWidth = 150;
// Words beside edges need room whatever the boxes do, so a narrower box does not always suffice.
const kMaxLayouts = 4;

// Pages have one panel, so one drawing at a time; starting a worker takes longer than a layout.
let layouts: LayoutClient | null = null;

function sceneOf(context: ViewContext, around: Neighbourhood, boxWidth = kBoxWidth): Scene | null {
  const { store } = context;
  const view = store.engine.graph('execution');
  if (view === null) return null;
  const { graph } = around;
  const hasSkips = graph.edges.some((edge) => edge.edge !== kNone && edge.to !== edge.from + 1);
  // Beside edges that pass boxes there is no room for words in one line.
  return new Scene({ store, view, graph, fit: { boxWidth, isNarrow: hasSkips } });
}

export class EvidenceDrawing {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #canvas = el('canvas', { attrs: { role: 'img' } });
  readonly #around: Neighbourhood;
  #scene: Scene;
  #hovered = kNone;

  constructor(context: ViewContext, around: Neighbourhood, scene: Scene, label: string) {
    this.#context = context;
    this.#around = around;
    this.#scene = scene;
    this.#canvas.setAttribute('aria-label', label);
    this.node = div('evidence-drawing', this.#canvas);
    this.#listen();
    this.#layOut().catch(() => {
      // The facts stand below in words.
      this.node.remove();
    });
  }

  async #layOut(): Promise<void> {
    layouts ??= new LayoutClient();
    let scene: Scene | null = this.#scene;
    let width = kBoxWidth;
    for (let i = 0; scene !== null && i < kMaxLayouts; i += 1) {
      await scene.layOut(layouts.run);
      this.#scene = scene;
      const room = this.node.clientWidth;
      const over = this.#size.width - room;
      if (room === 0 || over <= 0 || width === kMinBoxWidth) break;
      width = Math.max(kMinBoxWidth, width - over);
      scene = sceneOf(this.#context, this.#around, width);
    }
    this.#draw();
  }

  #look(): Look {
    const palette = this.#context.palette();
    return {
      paint: new Paint(this.#context.store, this.#scene, palette, 'type'),
      selected: this.#around.centre,
      hovered: this.#hovered,
      selectedGroup: kNone,
      stays: null,
    };
  }

  get #size(): { readonly width: number; readonly height: number } {
    const { width, height } = this.#scene.placed;
    return { width: Math.ceil(width) + 2 * kMargin, height: Math.ceil(height) + 2 * kMargin };
  }

  #draw(): void {
    const { width, height } = this.#size;
    const scale = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.#canvas.style.width = `${String(width)}px`;
    this.#canvas.style.height = `${String(height)}px`;
    const g = this.#canvas.getContext('2d');
    if (g === null) return;
    g.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const camera = { x: -kMargin, y: -kMargin, zoom: 1 };
    const pen = new CanvasPen(g, this.#context.palette(), camera, scale);
    drawScene(pen, this.#look(), this.#bounds());
  }

  #bounds(): {
    readonly x0: number;
    readonly y0: number;
    readonly x1: number;
    readonly y1: number;
  } {
    const { width, height } = this.#size;
    return { x0: -kMargin, y0: -kMargin, x1: width - kMargin, y1: height - kMargin };
  }

  #boxAt(event: MouseEvent): number {
    try {
      return this.#scene.placed.boxAt(event.offsetX - kMargin, event.offsetY - kMargin);
    } catch {
      // Not laid out yet.
      return kNone;
    }
  }

  #rowOf(box: number): number | null {
    return this.#scene.rowOf(box);
  }

  #listen(): void {
    const { store, tooltip } = this.#context;
    this.#canvas.addEventListener('mousemove', (event) => {
      const box = this.#boxAt(event);
      const row = box === kNone ? null : this.#rowOf(box);
      store.hover(row);
      if (row === null) tooltip.hide();
      else tooltip.layer(row, event);
      this.#canvas.classList.toggle('on-box', row !== null);
      if (box === this.#hovered) return;
      this.#hovered = box;
      this.#draw();
    });
    this.#canvas.addEventListener('mouseleave', () => {
      store.hover(null);
      tooltip.hide();
      if (this.#hovered === kNone) return;
      this.#hovered = kNone;
      this.#draw();
    });
    this.#canvas.addEventListener('click', (event) => {
      const row = this.#rowOf(this.#boxAt(event));
      if (row !== null) store.patch({ selected: row });
    });
    this.#canvas.addEventListener('dblclick', (event) => {
      const row = this.#rowOf(this.#boxAt(event));
      if (row !== null) store.patch({ selected: row, view: 'graph' });
    });
  }
}

export interface Evidence {
  readonly node: HTMLElement;
  // What there is no room for.
  readonly note: string | null;
}

// Null where nothing is known of the layer's tensors, or it is about no layer.
export function evidenceOf(context: ViewContext, finding: EngineFinding): Evidence | null {
  const { store } = context;
  const { engine } = store;
  const row = rowOfFinding(engine, finding);
  const view = engine.graph('execution');
  if (row === null || view === null) return null;
  const also = finding.savings.flatMap((saving) => engine.rowOf(saving.layer_id) ?? []);
  const around = neighbourhood(engine, view, row, also);
  if (around === null || around.graph.boxes.length < 2) return null;
  const scene = sceneOf(context, around);
  if (scene === null) return null;
  const words = around.graph.boxes.map((box) => {
    const at = scene.maker.rowOf(box.node);
    return at === null
      ? (view.name(box.node) ?? kMissing)
      : `${store.layerLabel(at)}, ${layerPrecisionText(engine, at)}`;
  });
  const more = [
    around.moreBefore > 0 ? plural(around.moreBefore, 'further writer') : null,
    around.moreAfter > 0 ? plural(around.moreAfter, 'further reader') : null,
  ].filter((part) => part !== null);
  const label = `From top to bottom: ${words.map((word) => word.slice(0, 200)).join('; ')}`;
  return {
    node: new EvidenceDrawing(context, around, scene, label).node,
    note: more.length === 0 ? null : more.join(', '),
  };
}
