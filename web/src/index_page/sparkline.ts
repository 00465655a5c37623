// The end-to-end medians of one engine's runs, from the oldest to the newest, as a line.

import type { TrendPoint } from './wire.ts';

const kWidth = 88;
const kHeight = 16;
const kMargin = 3;
// The line's height spans at least this fraction of the median, so that 1 % of noise looks flat.
const kMinSpan = 0.1;
// More runs than pixels add no information.
const kMaxPoints = 40;

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly point: TrendPoint;
}

// The newest runs, evenly spaced; up is slower.
export function place(points: readonly TrendPoint[]): readonly Placed[] {
  const shown = points.slice(-kMaxPoints);
  const values = shown.map((point) => point.end_to_end_median_ms);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const middle = (low + high) / 2;
  const span = Math.max(high - low, Math.abs(middle) * kMinSpan);
  const step = (kWidth - 2 * kMargin) / Math.max(1, shown.length - 1);
  return shown.map((point, index) => {
    const ratio = span > 0 ? (point.end_to_end_median_ms - middle) / span : 0;
    return {
      x: kMargin + index * step,
      y: kHeight / 2 - ratio * (kHeight - 2 * kMargin),
      point,
    };
  });
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

// `id`: the engine of the row, whose point is marked. `title`: the same in words.
export function sparkline(points: readonly TrendPoint[], id: string, title: string): SVGElement {
  const svg = shape('svg', {
    class: 'sparkline',
    width: kWidth,
    height: kHeight,
    viewBox: `0 0 ${kWidth} ${kHeight}`,
    role: 'img',
    'aria-label': title,
  });
  const placed = place(points);
  const line = placed.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  svg.append(shape('polyline', { class: 'spark-line', points: line }));
  const own = placed.find(({ point }) => point.id === id);
  if (own !== undefined) {
    svg.append(
      shape('circle', { class: 'spark-own', cx: own.x.toFixed(1), cy: own.y.toFixed(1), r: 2.2 }),
    );
  }
  return svg;
}
