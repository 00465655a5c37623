import { describe, expect, it } from 'vitest';

import { place } from './sparkline.ts';
import type { TrendPoint } from './wire.ts';

const points = (...values: number[]): readonly TrendPoint[] =>
  values.map((end_to_end_median_ms, index) => ({
    id: String(index),
    end_to_end_median_ms,
    modified_ms: index,
    change_ratio: null,
  }));

describe('place', () => {
  it('puts slower runs higher', () => {
    const [fast, slow] = place(points(1, 2));
    expect(fast?.y).toBe(13);
    expect(slow?.y).toBe(3);
    expect(fast?.x).toBeLessThan(slow?.x ?? 0);
  });
  it('draws one percent nearly flat', () => {
    const ys = place(points(1, 1.01, 1)).map(({ y }) => y);
    expect(Math.max(...ys) - Math.min(...ys)).toBeCloseTo(0.995, 2);
  });
  it('keeps to the newest, and to numbers', () => {
    const placed = place(points(...Array.from({ length: 100 }, (_, index) => index)));
    expect(placed).toHaveLength(40);
    expect(placed.at(-1)?.point.id).toBe('99');
    for (const { x, y } of [...placed, ...place(points(0, 0)), ...place(points(5))]) {
      expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
    }
  });
});
