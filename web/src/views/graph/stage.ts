// The canvas: draws at most one picture per frame, and interprets pointer and wheel.

import { el } from '../../public/index.ts';
import {
  CanvasPen,
  clampZoom,
  drawScene,
  kNone,
  kTitleStrip,
  pan,
  seen,
  zoomAt,
  type Bounds,
  type Camera,
  type Look,
  type Rect,
  type Scene,
} from '../../drawing/index.ts';
import { kRulerWidth, type Ruler } from './ruler.ts';

// Under the pointer: kNone if it is not a box, or not in a group.
export interface Target {
  readonly box: number;
  // The folded group of a box, or the open one of a frame.
  readonly group: number;
  // The strip at the left of an open group, where its name is.
  readonly isTitle: boolean;
}

export interface StageEvents {
  hover(target: Target, event: PointerEvent): void;
  leave(): void;
  click(target: Target, event: PointerEvent): void;
  open(target: Target): void;
  moved(camera: Camera): void;
  key(event: KeyboardEvent): void;
}

const kDragPx = 4;
const kGoMs = 110;
const kWheelLine = 16;
const kZoomPerWheel = 0.0022;
// How close to the edge an element may be and still count as in view.
const kMargin = 24;

export class Stage {
  readonly canvas = el('canvas', {
    class: 'graph-canvas no-print',
    attrs: { role: 'img', 'aria-label': 'Graph, not laid out yet', tabindex: '0' },
  });
  readonly node: HTMLElement;
  readonly #events: StageEvents;
  #camera: Camera = { x: 0, y: 0, zoom: 1 };
  #look: Look | null = null;
  #ruler: Ruler | null = null;
  #frame = 0;
  #going = 0;
  #drag: { x: number; y: number; moved: boolean } | null = null;

  constructor(events: StageEvents, ...overlays: readonly HTMLElement[]) {
    this.#events = events;
    this.node = el('div', { class: 'graph-stage' }, this.canvas, ...overlays);
    this.#listen();
  }

  get width(): number {
    return Math.max(1, this.node.clientWidth - kRulerWidth);
  }

  get height(): number {
    return Math.max(1, this.node.clientHeight);
  }

  get camera(): Camera {
    return this.#camera;
  }

  // The visible part.
  get shown(): Look | null {
    return this.#look;
  }

  get bounds(): Bounds {
    return seen(this.#camera, this.width, this.height);
  }

  show(look: Look, ruler: Ruler): void {
    this.#look = look;
    this.#ruler = ruler;
    this.draw();
  }

  get #scene(): Scene | undefined {
    return this.#look?.paint.scene;
  }

  // --- camera

  look(camera: Camera): void {
    window.cancelAnimationFrame(this.#going);
    this.#camera = { ...camera, zoom: clampZoom(camera.zoom) };
    this.draw();
    this.#events.moved(this.#camera);
  }

  // The same, animated, unless the reader prefers reduced motion.
  go(camera: Camera): void {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.look(camera);
      return;
    }
    const from = this.#camera;
    const start = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, (now - start) / kGoMs);
      const along = (key: keyof Camera): number =>
        from[key] + (camera[key] - from[key]) * t * (2 - t);
      this.look({ x: along('x'), y: along('y'), zoom: along('zoom') });
      if (t < 1) this.#going = window.requestAnimationFrame(step);
    };
    window.cancelAnimationFrame(this.#going);
    this.#going = window.requestAnimationFrame(step);
  }

  zoom(factor: number): void {
    this.look(zoomAt(this.#camera, this.width / 2, this.height / 2, factor));
  }

  pan(dx: number, dy: number): void {
    this.look(this.#kept(pan(this.#camera, dx, dy)));
  }

  // Some of the plane stays in view.
  #kept(camera: Camera): Camera {
    const placed = this.#scene?.placed;
    if (placed === undefined) return camera;
    const keep = 60 / camera.zoom;
    return {
      ...camera,
      x: Math.min(placed.width - keep, Math.max(keep - this.width / camera.zoom, camera.x)),
      y: Math.min(placed.height - keep, Math.max(keep - this.height / camera.zoom, camera.y)),
    };
  }

  // Centres the view on a point of the plane.
  centre(x: number, y: number, zoom = this.#camera.zoom): Camera {
    return { x: x - this.width / 2 / zoom, y: y - this.height / 2 / zoom, zoom };
  }

  // Scrolls a rectangle into view at a readable zoom; nothing moves if it already is. `covered`:
  // pixels at the right that something covers.
  reveal(rect: Rect, covered: number, minZoom: number): void {
    const { zoom } = this.#camera;
    const bounds = this.bounds;
    const margin = kMargin / zoom;
    const isInView =
      rect.x >= bounds.x0 + margin &&
      rect.x + rect.width <= bounds.x1 - margin - covered / zoom &&
      rect.y >= bounds.y0 + margin &&
      rect.y + rect.height <= bounds.y1 - margin;
    if (isInView && zoom >= minZoom) return;
    const wanted = Math.max(zoom, minZoom);
    const camera = this.centre(rect.x + rect.width / 2, rect.y + rect.height / 2, wanted);
    this.go({ ...camera, x: camera.x + covered / 2 / wanted });
  }

  // --- drawing

  draw(): void {
    if (this.#frame !== 0) return;
    this.#frame = window.requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const { canvas } = this;
    const look = this.#look;
    const g = canvas.getContext('2d', { alpha: false });
    if (g === null || look === null || !this.node.isConnected) return;
    const { palette } = look.paint;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [this.node.clientWidth, this.height];
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== wide || canvas.height !== high) {
      [canvas.width, canvas.height] = [wide, high];
      canvas.style.width = `${String(width)}px`;
      canvas.style.height = `${String(height)}px`;
    }
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.globalAlpha = 1;
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, width, height);
    const { bounds } = this;
    drawScene(new CanvasPen(g, palette, this.#camera, scale, kRulerWidth), look, bounds);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    this.#ruler?.draw(g, this.#camera, bounds, height);
  }

  // --- pointer

  target(px: number, py: number): Target {
    const scene = this.#scene;
    const nothing = { box: kNone, group: kNone, isTitle: false };
    if (scene === undefined || px < kRulerWidth) return nothing;
    const { placed, graph } = scene;
    const { x, y, zoom } = this.#camera;
    const wx = x + (px - kRulerWidth) / zoom;
    const wy = y + py / zoom;
    const box = placed.boxAt(wx, wy, 1 / zoom);
    if (box !== kNone) return { ...nothing, box, group: graph.boxes[box]?.group ?? kNone };
    const frame = placed.frameGrid.query({ x0: wx, y0: wy, x1: wx, y1: wy }).at(-1) ?? kNone;
    const group = graph.frames[frame]?.group ?? kNone;
    return { box, group, isTitle: group !== kNone && wx <= placed.frame(frame).x + kTitleStrip };
  }

  #listen(): void {
    const { canvas } = this;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.#drag = { x: event.clientX, y: event.clientY, moved: false };
    });
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => {
      const drag = this.#drag;
      this.#drag = null;
      canvas.classList.remove('dragging');
      if (drag !== null && !drag.moved) {
        this.#events.click(this.target(event.offsetX, event.offsetY), event);
      }
    });
    canvas.addEventListener('pointercancel', () => {
      this.#drag = null;
    });
    canvas.addEventListener('pointerleave', () => this.#events.leave());
    canvas.addEventListener('dblclick', (event) => {
      this.#events.open(this.target(event.offsetX, event.offsetY));
    });
    canvas.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener('keydown', (event) => this.#events.key(event));
  }

  #move(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag === null) {
      const target = this.target(event.offsetX, event.offsetY);
      this.canvas.classList.toggle('pointing', target.box !== kNone || target.isTitle);
      this.#events.hover(target, event);
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < kDragPx) return;
    this.#drag = { x: event.clientX, y: event.clientY, moved: true };
    this.canvas.classList.add('dragging');
    this.#events.leave();
    this.pan(-dx, -dy);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? kWheelLine : 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    this.#events.leave();
    if (event.ctrlKey || event.metaKey) {
      const factor = Math.exp(-dy * kZoomPerWheel * (Math.abs(dy) < 40 ? 4 : 1));
      const at = zoomAt(this.#camera, event.offsetX - kRulerWidth, event.offsetY, factor);
      this.look(this.#kept(at));
    } else if (event.shiftKey && dx === 0) this.pan(dy, 0);
    else this.pan(dx, dy);
  }

  destroy(): void {
    window.cancelAnimationFrame(this.#frame);
    window.cancelAnimationFrame(this.#going);
  }
}
