// The pen for canvases.

import { bodyFont } from '../page/marks.ts';
import type { Palette } from '../page/palette.ts';
import {
  cornerRadius,
  type Fill,
  type LineStyle,
  type Path,
  type Pen,
  type RectStyle,
  type TextStyle,
} from './pen.ts';

// The viewport.
export interface Camera {
  // The point of the plane at the top left corner of the drawing.
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export class CanvasPen implements Pen {
  readonly zoom: number;
  readonly #g: CanvasRenderingContext2D;
  readonly #palette: Palette;
  readonly #scale: number;
  #hatch: string | CanvasPattern | null = null;

  // `scale`: device pixels per pixel; (left, top): the origin of the plane's part, in pixels.
  constructor(
    g: CanvasRenderingContext2D,
    palette: Palette,
    camera: Camera,
    scale: number,
    left = 0,
    top = 0,
  ) {
    this.#g = g;
    this.#palette = palette;
    this.#scale = scale;
    this.zoom = camera.zoom;
    const all = scale * camera.zoom;
    g.setTransform(
      all,
      0,
      0,
      all,
      Math.round((left - camera.x * camera.zoom) * scale),
      Math.round((top - camera.y * camera.zoom) * scale),
    );
    g.textBaseline = 'alphabetic';
    g.lineJoin = 'round';
  }

  #paint(fill: Fill): string | CanvasPattern {
    if (typeof fill === 'string') return fill;
    this.#hatch ??= this.#palette.hatch(this.#g, this.#scale * this.zoom);
    return this.#hatch;
  }

  rect(x: number, y: number, width: number, height: number, style: RectStyle): void {
    const g = this.#g;
    const radius = style.radius ?? 0;
    const isPlain = radius === 0 || radius * this.zoom < 1;
    if (style.fill !== undefined) g.fillStyle = this.#paint(style.fill);
    if (isPlain && style.stroke === undefined) {
      if (style.fill !== undefined) g.fillRect(x, y, width, height);
      return;
    }
    g.beginPath();
    if (isPlain) g.rect(x, y, width, height);
    else g.roundRect(x, y, width, height, radius);
    this.#finish(style);
  }

  circle(x: number, y: number, radius: number, style: RectStyle): void {
    this.#g.beginPath();
    this.#g.arc(x, y, radius, 0, 2 * Math.PI);
    if (style.fill !== undefined) this.#g.fillStyle = this.#paint(style.fill);
    this.#finish(style);
  }

  // Fills and outlines the path.
  #finish(style: RectStyle): void {
    const g = this.#g;
    if (style.fill !== undefined) g.fill();
    if (style.stroke === undefined) return;
    g.strokeStyle = style.stroke;
    // Thinner than a pixel is drawn as a grey pixel.
    g.lineWidth = Math.max(style.width ?? 1, 1 / this.zoom);
    g.setLineDash(style.dash === undefined ? [] : [...style.dash]);
    g.stroke();
  }

  lines(paths: readonly Path[], style: LineStyle): void {
    const g = this.#g;
    g.beginPath();
    for (const path of paths) this.#trace(path, style.isSharp === true);
    g.strokeStyle = style.colour;
    g.lineWidth = Math.max(style.width, 0.75 / this.zoom);
    g.setLineDash(style.dash === undefined ? [] : [...style.dash]);
    g.stroke();
  }

  #trace(path: Path, isSharp: boolean): void {
    const g = this.#g;
    const last = path.length - 2;
    g.moveTo(path[0] ?? 0, path[1] ?? 0);
    for (let i = 2; i < last; i += 2) {
      const x = path[i] ?? 0;
      const y = path[i + 1] ?? 0;
      const before = Math.hypot(x - (path[i - 2] ?? 0), y - (path[i - 1] ?? 0));
      const after = Math.hypot((path[i + 2] ?? 0) - x, (path[i + 3] ?? 0) - y);
      const radius = cornerRadius(before, after);
      if (isSharp || radius * this.zoom < 1) g.lineTo(x, y);
      else g.arcTo(x, y, path[i + 2] ?? 0, path[i + 3] ?? 0, radius);
    }
    g.lineTo(path[last] ?? 0, path[last + 1] ?? 0);
  }

  shapes(paths: readonly Path[], colour: string): void {
    const g = this.#g;
    g.beginPath();
    for (const path of paths) {
      g.moveTo(path[0] ?? 0, path[1] ?? 0);
      for (let i = 2; i < path.length; i += 2) g.lineTo(path[i] ?? 0, path[i + 1] ?? 0);
      g.closePath();
    }
    g.fillStyle = colour;
    g.fill();
  }

  text(text: string, x: number, y: number, style: TextStyle): void {
    const g = this.#g;
    const font = bodyFont(style.font.size, style.font.weight);
    if (g.font !== font) g.font = font;
    g.textAlign = style.align === 'middle' ? 'center' : (style.align ?? 'left');
    const { turned = 0 } = style;
    if (turned !== 0) {
      g.save();
      g.translate(x, y);
      g.rotate((turned * Math.PI) / 180);
      this.text(text, 0, 0, { ...style, turned: 0 });
      g.restore();
      return;
    }
    if (style.rim !== undefined) {
      g.strokeStyle = style.rim;
      g.lineWidth = 3;
      g.setLineDash([]);
      g.strokeText(text, x, y);
    }
    g.fillStyle = style.colour;
    g.fillText(text, x, y);
  }

  alpha(value: number): void {
    this.#g.globalAlpha = value;
  }

  moved(dx: number, dy: number, inner: () => void): void {
    this.#g.save();
    this.#g.translate(dx, dy);
    inner();
    this.#g.restore();
  }

  clipped(
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
    inner: () => void,
  ): void {
    const g = this.#g;
    g.save();
    g.beginPath();
    g.roundRect(x, y, width, height, radius);
    g.clip();
    inner();
    g.restore();
  }
}
