// The overview map: everything once, in little, and the part that is on screen. The map is drawn
// into a picture when the graph or its colours change, and only copied while the reader pans.

import { el, type Palette } from '../../public/index.ts';
import { type Camera, kNone, type Paint, kHatchFill, type Scene } from '../../public/drawing.ts';

const kWidth = 106;
const kMaxHeight = 330;
const kPadding = 6;
const kMaxBoxes = 8000;
// A map that keeps the proportions of a tall graph would be a hair.
const kMaxStretch = 14;

interface Scale {
  readonly x: number;
  readonly y: number;
  readonly left: number;
  readonly height: number;
}

export interface MapPart {
  readonly scene: Scene;
  readonly paint: Paint;
  readonly palette: Palette;
}

function scaleOf(scene: Scene): Scale {
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
  #part: MapPart | null = null;
  #scale: Scale = { x: 1, y: 1, left: 0, height: 40 };

  // `go`: to the point of the plane that was clicked.
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

  show(part: MapPart): void {
    this.#part = part;
    this.#scale = scaleOf(part.scene);
    const scale = window.devicePixelRatio || 1;
    for (const canvas of [this.node, this.#still]) {
      canvas.width = Math.round(kWidth * scale);
      canvas.height = Math.round(this.#scale.height * scale);
    }
    this.node.style.width = `${String(kWidth)}px`;
    this.node.style.height = `${String(this.#scale.height)}px`;
    this.#drawStill(scale);
  }

  #drawStill(scale: number): void {
    const g = this.#still.getContext('2d');
    const part = this.#part;
    if (g === null || part === null) return;
    const { scene, paint, palette } = part;
    const { x: sx, y: sy, left } = this.#scale;
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.fillStyle = palette.ui('bg');
    g.fillRect(0, 0, kWidth, this.#scale.height);
    const count = scene.graph.boxes.length;
    const step = Math.max(1, Math.ceil(count / kMaxBoxes));
    for (let i = 0; i < count; i += step) {
      const rect = scene.placed.box(i);
      const { strip } = paint.box(scene, i, scene.facts(i));
      g.fillStyle =
        strip === kHatchFill
          ? palette.family('reformat')
          : typeof strip === 'string'
            ? strip
            : palette.ui('line2');
      const height = Math.max(1, rect.height * sy);
      g.fillRect(left + rect.x * sx, kPadding + rect.y * sy, Math.max(1, rect.width * sx), height);
    }
  }

  draw(camera: Camera, width: number, height: number, selected: number): void {
    const g = this.node.getContext('2d');
    const part = this.#part;
    if (g === null || part === null) return;
    const scale = window.devicePixelRatio || 1;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.drawImage(this.#still, 0, 0);
    g.setTransform(scale, 0, 0, scale, 0, 0);
    const { x: sx, y: sy, left } = this.#scale;
    const { palette, scene } = part;
    const x0 = Math.max(1, left + camera.x * sx);
    const y0 = Math.max(1, kPadding + camera.y * sy);
    const x1 = Math.min(kWidth - 1, left + (camera.x + width / camera.zoom) * sx);
    const y1 = Math.min(this.#scale.height - 1, kPadding + (camera.y + height / camera.zoom) * sy);
    g.globalAlpha = 0.07;
    g.fillStyle = palette.ui('ink');
    g.fillRect(x0, y0, x1 - x0, y1 - y0);
    g.globalAlpha = 1;
    g.strokeStyle = palette.ui('ink2');
    g.lineWidth = 1;
    g.strokeRect(x0, y0, Math.max(2, x1 - x0), Math.max(2, y1 - y0));
    if (selected === kNone) return;
    const rect = scene.placed.box(selected);
    g.strokeStyle = palette.ui('selb');
    g.lineWidth = 1.6;
    g.strokeRect(
      left + rect.x * sx - 2,
      kPadding + rect.y * sy - 2,
      Math.max(4, rect.width * sx + 4),
      Math.max(4, rect.height * sy + 4),
    );
  }
}
