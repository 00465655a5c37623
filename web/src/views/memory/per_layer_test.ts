import { describe, expect, it } from 'vitest';

import { laneBars } from './per_layer_chart.ts';

describe('bars of a lane', () => {
  const values = Float64Array.from([5, Number.NaN, 0, 9, 7]);
  const rows = Int32Array.from([0, 1, 2, 3, 4]);

  it('are the layers, none where there is nothing', () => {
    expect(laneBars(values, rows, 1).map((bar) => bar?.row ?? null)).toEqual([0, null, null, 3, 4]);
  });

  it('are the greatest of neighbors where there is no room', () => {
    expect(laneBars(values, rows, 2)).toEqual([
      { row: 0, value: 5 },
      { row: 3, value: 9 },
      { row: 4, value: 7 },
    ]);
  });
});
