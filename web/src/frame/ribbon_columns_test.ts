import { describe, expect, it } from 'vitest';

import { columnsOf, type Thin } from './ribbon_columns.ts';

const order = (key: string): number => 'abc'.indexOf(key);
const thin = (x: number, key: string, isShown = true, width = 0.25): Thin<string> => ({
  x,
  width,
  key,
  isShown,
});

describe('columns of the ribbon', () => {
  it('show every kind in proportion, not the largest alone', () => {
    const [column] = columnsOf(
      [thin(3, 'b', true, 0.1), thin(3.1, 'a', true, 0.6), thin(3.7, 'b', true, 0.3)],
      order,
    );
    expect(column?.x).toBe(3);
    expect(column?.parts.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(column?.parts.map(({ to }) => to)[0]).toBeCloseTo(0.6);
    expect(column?.parts.at(-1)?.to).toBeCloseTo(1);
  });
  it('show how much passes a filter', () => {
    const [column] = columnsOf([thin(0, 'a'), thin(0.25, 'a', false, 0.75)], order);
    expect(column?.parts.map(({ isShown, from, to }) => [isShown, from, to])).toEqual([
      [false, 0, 0.75],
      [true, 0.75, 1],
    ]);
  });
  it('are one to a pixel, from left to right', () => {
    const columns = columnsOf([thin(7.9, 'c'), thin(2.1, 'a'), thin(2.9, 'b')], order);
    expect(columns.map(({ x }) => x)).toEqual([2, 7]);
  });
});
