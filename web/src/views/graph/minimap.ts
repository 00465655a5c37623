// The overview map: everything in small, and the part that is on screen. The map is drawn into a
// picture when the graph or its colours change, and only copied while the reader pans.

import { el } from '../../public/index.ts';
import { kHatchFill, kNone, type Camera, type Paint, type Rect } from '../../drawing/index.ts';

const kWidth = 106;
const kMaxHeight = 330;
const kPadding = 6;
const kMaxBoxes = 8000;
// A map with the proportions of a tall graph would be very thin.
const kMaxStretch = 14;

interface Scale {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly height: number;
}

function scaleOf({ scene }: Paint): Scale {
  const { width, height } = scene.placed;
  const inner = kWidth - 2 * kPadding;
  const most = kMaxHeight - 2 * kPadding;
  const y = Math.min(most / Math.max(1, height), inner / Math.max(1, width));
  const x = Math.min(inner / Math.max(1, width), y * kMaxStretch);
  return {
    x,
    y,
    left: (kWidth - width * x) / 2,
    height: Math.max(40, Math.min(kMaxHeight, height * y + 2 * kPadding)),
  };
}

export class Minimap {
  readonly node: HTMLCanvasElement;
  readonly #still = document.createElement('canvas');
  #paint: Paint | null = null;
  #scale: Scale = { x: 1, y: 1, left: 0, height: 40 };

  // `go` receives the point of the plane that was clicked.
  constructor(go: (x: number, y: number) => void) {
    this.node = el('canvas', { class: 'graph-map', attrs: { 'aria-hidden': 'true' } });
    const move = (event: PointerEvent): void => {
      const { x, y, left } = this.#scale;
      go((event.offsetX - left) / x, (event.offsetY - kPadding) / y);
    };
    this.node.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.node.setPointerCapture(event.pointerId);
      move(event);
    });
    this.node.addEventListener('pointermove', (event) => {
      if (this.node.hasPointerCapture(event.pointerId)) move(event);
    });
  }

  // A part of the plane, on the map.
  #onMap({ x, y, width, height }: Rect): Rect {
    const { x: sx, y: sy, left } = this.#scale;
    return { x: left + x * sx, y: kPadding + y * sy, width: width * sx, height: height * sy };
  }

  show(paint: Paint): void {
    this.#paint = paint;
    this.#scale = scaleOf(paint);
    const { height } = this.#scale;
    const scale = window.devicePixelRatio || 1;
    for (const canvas of [this.node, this.#still]) {
      canvas.width = Math.round(kWidth * scale);
      canvas.height = Math.round(height * scale);
    }
    this.node.style.width = `${String(kWidth)}px`;
    this.node.style.height = `${String(height)}px`;
    const g = this.#still.getContext('2d');
    if (g === null) return;
    const { scene, palette } = paint;
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, kWidth, height);
    const count = scene.graph.boxes.length;
    const step = Math.max(1, Math.ceil(count / kMaxBoxes));
    for (let i = 0; i < count; i += step) {
      const { strip } = paint.box(i);
      const fill = strip === kHatchFill ? palette.family('reformat') : strip;
      g.fillStyle = typeof fill === 'string' ? fill : palette.ui('line2');
      const rect = this.#onMap(scene.placed.box(i));
      g.fillRect(rect.x, rect.y, Math.max(1, rect.width), Math.max(1, rect.height));
    }
  }

  draw(camera: Camera, width: number, height: number, selected: number): void {
    const g = this.node.getContext('2d');
    if (g === null || this.#paint === null) return;
    const { palette, scene } = this.#paint;
    const scale = window.devicePixelRatio || 1;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(this.#still, 0, 0);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    const { x, y, zoom } = camera;
    const seen = this.#onMap({ x, y, width: width / zoom, height: height / zoom });
    const x0 = Math.max(1, seen.x);
    const y0 = Math.max(1, seen.y);
    const x1 = Math.min(kWidth - 1, seen.x + seen.width);
    const y1 = Math.min(this.#scale.height - 1, seen.y + seen.height);
    g.globalAlpha = 0.07;
    g.fillStyle = palette.ui('ink');
    g.fillRect(x0, y0, x1 - x0, y1 - y0);
    g.globalAlpha = 1;
    g.strokeStyle = palette.ui('ink2');
    g.lineWidth = 1;
    g.strokeRect(x0, y0, Math.max(2, x1 - x0), Math.max(2, y1 - y0));
    if (selected === kNone) return;
    const rect = this.#onMap(scene.placed.box(selected));
    g.strokeStyle = palette.ui('selb');
    g.lineWidth = 1.6;
    const [wide, high] = [Math.max(4, rect.width + 4), Math.max(4, rect.height + 4)];
    g.strokeRect(rect.x - 2, rect.y - 2, wide, high);
  }
}
