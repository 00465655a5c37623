// Positions of the timeline's rectangles: a tensor reaches from the left of the first frame that
// uses it to the right of the last, from its offset upwards. Pure geometry, in pixels.

import type { Frame as Area } from '../../public/plot/index.ts';
import type { Timeline, TimelineTensor } from './data.ts';

// If there are more rectangles than this, only the largest are drawn; the rest is an envelope.
const kMaxRects = 3000;
// Thin ones are hard to hit.
const kReach = 3;

export interface TimelineRect {
  readonly tensor: TimelineTensor;
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

export interface TimelineLayout {
  readonly area: Area;
  // Left edges of the frames in px, one more than there are.
  readonly edges: Float64Array;
  // Top of the axis, in bytes.
  readonly most: number;
  readonly rects: readonly TimelineRect[];
  // By pixel column from the left: the highest end of anything placed, in bytes, including tensors
  // without a rectangle.
  readonly envelope: Float64Array;
  // Placed tensors that have no rectangle.
  readonly hidden: number;
}

// Equal widths, or widths by the time of each frame's layer (0 if it has none).
export function frameEdges(
  count: number,
  left: number,
  right: number,
  times: Float64Array | null,
): Float64Array {
  const ms = (times ?? new Float64Array(count)).map((time) => time || 0);
  if (!ms.some((time) => time > 0)) ms.fill(1);
  const sum = ms.reduce((all, time) => all + time, 0);
  const edges = new Float64Array(count + 1).fill(right);
  let at = 0;
  for (const [frame, time] of ms.entries()) {
    edges[frame] = left + ((right - left) * at) / sum;
    at += time;
  }
  return edges;
}

export function frameAt(edges: Float64Array, x: number): number | null {
  const frame = edges.findLastIndex((edge) => edge <= x);
  return frame < 0 || frame === edges.length - 1 ? null : frame;
}

export function layOutTimeline(
  timeline: Timeline,
  area: Area,
  times: Float64Array | null,
  maxRects = kMaxRects,
): TimelineLayout {
  const { left, top, width, height } = area;
  const edges = frameEdges(timeline.rows.length, left, left + width, times);
  const most = Math.max(timeline.height_bytes ?? 0, timeline.peak.bytes ?? 0, 1);
  const scale = height / most;
  const placed = timeline.tensors.flatMap((tensor): readonly TimelineRect[] => {
    const { bytes, first, last, offset } = tensor;
    if (offset === null) return [];
    const y1 = top + height - offset * scale;
    const [x0, x1] = [edges[first] ?? 0, edges[last + 1] ?? 0];
    return [{ tensor, x0, x1, y0: y1 - bytes * scale, y1 }];
  });
  const sizeOf = ({ tensor, x0, x1 }: TimelineRect): number =>
    tensor.bytes * Math.max(0.1, x1 - x0);
  const isAll = placed.length <= maxRects;
  const rects = isAll
    ? placed
    : [...placed].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxRects);
  const envelope = new Float64Array(Math.max(1, Math.ceil(width)));
  for (const { tensor, x0, x1 } of isAll ? [] : placed) {
    raise(envelope, x0 - left, x1 - left, (tensor.offset ?? 0) + tensor.bytes);
  }
  return { area, edges, most, rects, envelope, hidden: placed.length - rects.length };
}

// The pixels from one place to another that are below a value.
function raise(pixels: Float64Array, from: number, to: number, value: number): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(pixels.length - 1, Math.max(first, Math.ceil(to) - 1));
  for (let x = first; x <= last; x += 1) pixels[x] = Math.max(pixels[x] ?? 0, value);
}

// The tensor under a point, or the nearest within a few pixels.
export function rectAt({ rects }: TimelineLayout, x: number, y: number): TimelineRect | null {
  let best: TimelineRect | null = null;
  let distance = kReach;
  for (const rect of rects) {
    if (x < rect.x0 || x >= Math.max(rect.x1, rect.x0 + 1)) continue;
    const away = Math.max(0, rect.y0 - y, y - rect.y1);
    if (away === 0) return rect;
    if (away < distance) [best, distance] = [rect, away];
  }
  return best;
}

// The maximum of a series by frame within each pixel column.
export function fullestByPixel(
  { edges, area, envelope }: TimelineLayout,
  values: readonly (number | null)[],
): Float64Array {
  const fullest = new Float64Array(envelope.length);
  for (const [frame, value] of values.entries()) {
    const from = (edges[frame] ?? 0) - area.left;
    raise(fullest, from, (edges[frame + 1] ?? 0) - area.left, value ?? 0);
  }
  return fullest;
}
