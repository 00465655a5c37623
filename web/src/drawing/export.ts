// What is seen, as a file: SVG text or a PNG at twice the size.

import type { Palette } from '../public/index.ts';
import { seen, type Camera } from './camera.ts';
import { CanvasPen } from '../public/plot/canvas_pen.ts';
import { drawScene, type Look } from './draw.ts';
import type { Scene } from './scene.ts';
import { svgLook, SvgPen } from '../public/plot/svg_pen.ts';

export interface Seen {
  readonly scene: Scene;
  readonly look: Look;
  readonly palette: Palette;
  readonly camera: Camera;
  // Of the drawing on screen, in pixels.
  readonly width: number;
  readonly height: number;
}

const kPngScale = 2;

export function svgOf(
  { scene, look, palette, camera, width, height }: Seen,
  title: string,
): string {
  const pen = new SvgPen(svgLook(palette), camera.zoom);
  const bounds = seen(camera, width, height);
  drawScene(pen, scene, bounds, look);
  return pen.document(title, bounds.x0, bounds.y0, bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
}

export async function pngOf({ scene, look, palette, camera, width, height }: Seen): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * kPngScale);
  canvas.height = Math.round(height * kPngScale);
  const g = canvas.getContext('2d');
  if (g === null) throw new Error('the browser gives no canvas');
  g.fillStyle = palette.ui('bg');
  g.fillRect(0, 0, canvas.width, canvas.height);
  const pen = new CanvasPen(g, palette, camera, kPngScale);
  drawScene(pen, scene, seen(camera, width, height), look);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser could not write the picture'));
      else resolve(blob);
    }, 'image/png');
  });
}
