import { describe, expect, it } from 'vitest';

import { nextSort, sortRows } from './sort.ts';

describe('sortRows', () => {
  const rows = Int32Array.of(0, 1, 2, 3);
  it('puts missing numbers last either way', () => {
    const values = Float64Array.of(2, Number.NaN, 3, 1);
    expect([...sortRows(rows, values, false)]).toEqual([3, 0, 2, 1]);
    expect([...sortRows(rows, values, true)]).toEqual([2, 0, 3, 1]);
  });
  it('keeps execution order among equals', () => {
    const texts = ['b', 'a', 'b', ''];
    expect([...sortRows(rows, (row) => texts[row] ?? '', false)]).toEqual([1, 0, 2, 3]);
    expect([...sortRows(rows, (row) => texts[row] ?? '', true)]).toEqual([0, 2, 1, 3]);
  });
});

describe('nextSort', () => {
  it('goes down, up, off for numbers', () => {
    const down = nextSort(null, 'time', true);
    const up = nextSort(down, 'time', true);
    expect(down).toEqual({ column: 'time', descending: true });
    expect(up).toEqual({ column: 'time', descending: false });
    expect(nextSort(up, 'time', true)).toBeNull();
  });
});
