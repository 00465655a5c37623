// Where the reader looks: the part of the plane that is on screen, and how much of a box is drawn at
// that size.

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

// The point under (px, py) stays there.
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

// All of a plane that is width × height, in the middle of the view, never larger than life.
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

// How much is drawn of a box: `full` where its smallest text is readable; `brief`, one line in a text
// of the least size, where it is high enough for that; else only the box.
export type Detail = 'box' | 'brief' | 'full';

// The smallest text of a box, at zoom 1.
export const kSmallText = 11;
const kBriefHeight = 13;

export function detailOf(zoom: number, boxHeight: number): Detail {
  if (kSmallText * zoom >= kMinText) return 'full';
  return boxHeight * zoom >= kBriefHeight ? 'brief' : 'box';
}
