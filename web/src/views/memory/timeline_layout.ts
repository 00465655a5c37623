// Where the timeline's rectangles stand: a tensor from the left of the first frame that touches it to the
// right of the last, from its offset up. Pure geometry, in pixels.

import type { Timeline, TimelineTensor } from './data.ts';

// More rectangles than these are not drawn one by one: the largest are drawn, the rest is an envelope.
export const kMaxRects = 3000;

export interface TimelineRect {
  readonly tensor: TimelineTensor;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface TimelineLayout {
  readonly plot: Plot;
  // Left edges of the frames in px, one more than there are.
  readonly edges: Float64Array;
  // Of the axis: bytes at the top.
  readonly most: number;
  readonly rects: readonly TimelineRect[];
  // By px of the plot from its left: how high anything placed reaches, in bytes; of what is not
  // drawn as a rectangle too.
  readonly envelope: Float64Array;
  // Placed tensors that have no rectangle.
  readonly hidden: number;
}

// Equal widths, or widths by the time of each frame's layer (0 where it has none).
export function frameEdges(
  count: number,
  left: number,
  right: number,
  times: Float64Array | null,
): Float64Array {
  const edges = new Float64Array(count + 1);
  let sum = 0;
  if (times !== null) for (const ms of times) sum += Number.isNaN(ms) ? 0 : ms;
  let at = 0;
  for (let frame = 0; frame < count; frame += 1) {
    edges[frame] = left + (right - left) * (sum > 0 ? at / sum : frame / count);
    const ms = times?.[frame] ?? 0;
    at += Number.isNaN(ms) ? 0 : ms;
  }
  edges[count] = right;
  return edges;
}

export function frameAt(edges: Float64Array, x: number): number | null {
  const count = edges.length - 1;
  if (count < 1 || x < (edges[0] ?? 0) || x >= (edges[count] ?? 0)) return null;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((edges[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function layOutTimeline(
  timeline: Timeline,
  plot: Plot,
  times: Float64Array | null,
  most = kMaxRects,
): TimelineLayout {
  const edges = frameEdges(timeline.rows.length, plot.left, plot.right, times);
  const top = Math.max(timeline.height_bytes ?? 0, timeline.peak.bytes ?? 0, 1);
  const scale = (plot.bottom - plot.top) / top;
  const placed = timeline.tensors.flatMap((tensor): readonly TimelineRect[] => {
    const { bytes, first, last, offset } = tensor;
    if (offset === null) return [];
    const x0 = edges[first] ?? 0;
    const x1 = edges[last + 1] ?? 0;
    const y1 = plot.bottom - offset * scale;
    return [{ tensor, x0, x1, y0: y1 - bytes * scale, y1 }];
  });
  const area = ({ tensor, x0, x1 }: TimelineRect): number => tensor.bytes * Math.max(0.1, x1 - x0);
  const rects =
    placed.length <= most ? placed : [...placed].sort((a, b) => area(b) - area(a)).slice(0, most);
  const envelope = new Float64Array(Math.max(1, Math.ceil(plot.right - plot.left)));
  if (rects.length < placed.length) {
    for (const { tensor, x0, x1 } of placed) {
      raise(envelope, x0 - plot.left, x1 - plot.left, (tensor.offset ?? 0) + tensor.bytes);
    }
  }
  return { plot, edges, most: top, rects, envelope, hidden: placed.length - rects.length };
}

// Of the pixels from one place to another, those that are below.
function raise(pixels: Float64Array, from: number, to: number, value: number): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(pixels.length - 1, Math.max(first, Math.ceil(to) - 1));
  for (let x = first; x <= last; x += 1) pixels[x] = Math.max(pixels[x] ?? 0, value);
}

// The tensor under a point, or the nearest within a few pixels: thin ones are hard to hit.
export function rectAt(layout: TimelineLayout, x: number, y: number): TimelineRect | null {
  const kReach = 3;
  let best: TimelineRect | null = null;
  let distance = kReach;
  for (const rect of layout.rects) {
    if (x < rect.x0 || x >= Math.max(rect.x1, rect.x0 + 1)) continue;
    const away = y < rect.y0 ? rect.y0 - y : y > rect.y1 ? y - rect.y1 : 0;
    if (away < distance || (away === 0 && best === null)) {
      best = rect;
      distance = away;
      if (away === 0) return rect;
    }
  }
  return best;
}

// The greatest of a series by frame within each px of the plot.
export function fullestByPixel(
  { edges, plot, envelope }: TimelineLayout,
  values: readonly (number | null)[],
): Float64Array {
  const fullest = new Float64Array(envelope.length);
  for (const [frame, value] of values.entries()) {
    const from = (edges[frame] ?? 0) - plot.left;
    if (value !== null) raise(fullest, from, (edges[frame + 1] ?? 0) - plot.left, value);
  }
  return fullest;
}
