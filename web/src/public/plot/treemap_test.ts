import { expect, it } from 'vitest';

import { framedAreas, type Rect } from './treemap.ts';

const kGaps = { head: 18, rim: 2, betweenFrames: 4, betweenAreas: 1 };
const sizeOf = ({ x0, y0, x1, y1 }: Rect): number => (x1 - x0) * (y1 - y0);

it('areas are as large as their values, within their frames and below their heads', () => {
  const size = { width: 800, height: 400 };
  const [large, small] = framedAreas([[3, 3], [2]], size, kGaps);
  if (large === undefined || small === undefined) throw new Error('frames are missing');
  const [first, second] = large.areas.map(sizeOf);
  expect((first ?? 0) / (second ?? 0)).toBeCloseTo(1, 2);
  expect(sizeOf(large.frame) / sizeOf(small.frame)).toBeCloseTo(3, 0);
  for (const { frame, areas } of [large, small]) {
    expect(frame.x1).toBeLessThanOrEqual(size.width);
    for (const area of areas) {
      expect(area.y0).toBeGreaterThanOrEqual(frame.y0 + kGaps.head);
      expect(area.x0).toBeGreaterThanOrEqual(frame.x0 + kGaps.rim);
      expect(area.x1).toBeLessThanOrEqual(frame.x1 - kGaps.rim);
    }
  }
});

it('nothing has no areas', () => {
  expect(framedAreas([], { width: 10, height: 10 }, kGaps)).toEqual([]);
});
