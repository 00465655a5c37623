import { describe, expect, it } from 'vitest';

import { Grid } from './grid.ts';

// A generator that returns the same numbers every time.
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

describe('Grid', () => {
  const random = numbers(7);
  const count = 3000;
  const bounds = new Float64Array(4 * count);
  for (let i = 0; i < count; i += 1) {
    const x = (random() - 0.3) * 4000;
    const y = random() * 100_000;
    // Most are small, some span everything.
    const scale = random() < 0.05 ? 60_000 : 300;
    bounds.set([x, y, x + random() * 300, y + random() * scale], 4 * i);
  }
  const grid = new Grid(bounds);
  const at = (i: number): readonly [number, number, number, number] => [
    bounds[4 * i] ?? 0,
    bounds[4 * i + 1] ?? 0,
    bounds[4 * i + 2] ?? 0,
    bounds[4 * i + 3] ?? 0,
  ];

  it('finds what a look at each would', () => {
    for (let round = 0; round < 200; round += 1) {
      const x0 = (random() - 0.5) * 5000;
      const y0 = (random() - 0.1) * 110_000;
      const query = { x0, y0, x1: x0 + random() * 3000, y1: y0 + random() ** 4 * 100_000 };
      const least = random() < 0.5 ? 0 : random() * 500;
      const expected: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const [a, b, c, d] = at(i);
        const touches = a <= query.x1 && c >= query.x0 && b <= query.y1 && d >= query.y0;
        if (touches && Math.max(c - a, d - b) >= least) expected.push(i);
      }
      expect(grid.query(query, least)).toEqual(expected);
    }
  });
  it('holds points and what has no size', () => {
    const one = new Grid(Float64Array.from([5, 5, 5, 5]));
    expect(one.query({ x0: 5, y0: 5, x1: 5, y1: 5 })).toEqual([0]);
    expect(one.query({ x0: 5.1, y0: 5, x1: 6, y1: 5 })).toEqual([]);
    expect(new Grid(new Float64Array()).query({ x0: 0, y0: 0, x1: 1, y1: 1 })).toEqual([]);
  });
});
