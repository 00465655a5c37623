import { expect, test } from 'vitest';

import { logScale, logTicks, placeOn, tickText, valueAt } from './log_scale.ts';

test('a scale holds all that is positive', () => {
  expect(logScale([])).toBeNull();
  expect(logScale([0, -3, Number.NaN, Number.POSITIVE_INFINITY])).toBeNull();
  const scale = logScale([10, 1000, 0]);
  if (scale === null) throw new Error('no scale');
  expect(placeOn(scale, 10)).toBeGreaterThan(0);
  expect(placeOn(scale, 1000)).toBeLessThan(1);
  expect(placeOn(scale, 100)).toBeCloseTo(0.5, 12);
  expect(valueAt(scale, placeOn(scale, 37))).toBeCloseTo(37, 9);
});

test('one value has room around it', () => {
  const scale = logScale([5, 5]);
  if (scale === null) throw new Error('no scale');
  expect(placeOn(scale, 5)).toBeCloseTo(0.5, 12);
});

test('ticks are few, rising and round', () => {
  const ticks = logTicks({ from: 1, to: 3.2 }, 6);
  expect(ticks).toEqual([10, 30, 100, 300, 1000]);
  expect(logTicks({ from: 0.2, to: 0.9 }, 6)).toEqual([2, 3, 5, 7]);
  expect(logTicks({ from: -12, to: 12 }, 6).length).toBeLessThanOrEqual(6);
  for (const most of [2, 3, 4, 5, 8]) {
    const some = logTicks({ from: -1.3, to: 4.7 }, most);
    expect(some.length).toBeLessThanOrEqual(most);
    expect([...some].sort((a, b) => a - b)).toEqual(some);
  }
});

test('ticks are short', () => {
  expect(tickText(0.05)).toBe('0.05');
  expect(tickText(300)).toBe('300');
  expect(tickText(5000)).toBe('5 k');
  expect(tickText(2e6)).toBe('2 M');
  expect(tickText(3e10)).toBe('30 G');
});

test('a few values far from all others are left out of an axis, and never the most', () => {
  const bulk = Array.from({ length: 30 }, (_, i) => 10 * 1.2 ** i);
  const plain = logScale(bulk);
  const clipped = logScale([...bulk, 1e-4]);
  expect(clipped).toEqual(plain);
  expect(logScale([...bulk, 1e9])).toEqual(plain);
  // Values in `include` are on the axis.
  expect(logScale(bulk, [1e9])?.to).toBeGreaterThan(9);
  // Two groups of layers are not outliers, nor are nearby values.
  const two = logScale([...bulk, ...bulk.map((v) => v * 1e6)]);
  expect(two?.to).toBeGreaterThan(8);
  expect(logScale([...bulk, 2])?.from).toBeLessThan(Math.log10(2));
  expect(logScale([1, 1e6])?.to).toBeGreaterThan(6);
});
