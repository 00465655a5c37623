// The viewport: the part of the plane that is on screen, and the level of detail of a box at that
// zoom.

import type { Camera } from '../public/plot/canvas_pen.ts';
import type { Bounds } from './grid.ts';

export const kMinText = 10;
const kMaxZoom = 4;
const kMinZoom = 1e-4;

export function clampZoom(zoom: number): number {
  return Math.min(kMaxZoom, Math.max(kMinZoom, zoom));
}

export function seen(camera: Camera, width: number, height: number): Bounds {
  const { x, y, zoom } = camera;
  return { x0: x, y0: y, x1: x + width / zoom, y1: y + height / zoom };
}

// The point under (px, py) stays in place.
export function zoomAt(camera: Camera, px: number, py: number, factor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  return {
    x: camera.x + px / camera.zoom - px / zoom,
    y: camera.y + py / camera.zoom - py / zoom,
    zoom,
  };
}

export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx / camera.zoom, y: camera.y + dy / camera.zoom };
}

// Fits a plane of width × height into the middle of the view, never above 100 %.
export function fit(
  plane: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
): Camera {
  const margin = 16;
  const zoom = clampZoom(
    Math.min(
      1,
      (view.width - 2 * margin) / Math.max(1, plane.width),
      (view.height - 2 * margin) / Math.max(1, plane.height),
    ),
  );
  return {
    x: plane.width / 2 - view.width / 2 / zoom,
    y: plane.height / 2 - view.height / 2 / zoom,
    zoom,
  };
}

// Level of detail of a box: `full` if its smallest text is readable; `brief`, one line of the
// smallest readable text, if the box is high enough for that; else only the box.
export type Detail = 'box' | 'brief' | 'full';

// The smallest text of a box, at zoom 1.
export const kSmallText = 11;
const kBriefHeight = 13;

export function detailOf(zoom: number, boxHeight: number): Detail {
  if (kSmallText * zoom >= kMinText) return 'full';
  return boxHeight * zoom >= kBriefHeight ? 'brief' : 'box';
}
