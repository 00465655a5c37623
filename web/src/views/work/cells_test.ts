import { expect, test } from 'vitest';

import { binned, gridFrames, inRect, makeCell } from './cells.ts';
import type { Measure } from './measures.ts';

const measure = (name: string, values: readonly number[], scale = 1): Measure => ({
  name,
  unit: '',
  scale,
  decimals: 0,
  values: Float64Array.from(values),
});

const kFrame = { left: 50, top: 20, width: 200, height: 100 };

test('points are those with both values, within the frame', () => {
  const cell = makeCell(
    {
      x: measure('macs', [1e6, 1e8, Number.NaN, 0, 1e7], 1e-6),
      y: measure('time', [1, 10, 5, 5, 3]),
    },
    Int32Array.of(0, 1, 2, 3, 4),
    kFrame,
  );
  if (cell === null) throw new Error('no cell');
  expect(cell.points.map((p) => p.row)).toEqual([0, 1, 4]);
  for (const { x, y } of cell.points) {
    expect(x).toBeGreaterThan(kFrame.left);
    expect(x).toBeLessThan(kFrame.left + kFrame.width);
    expect(y).toBeGreaterThan(kFrame.top);
    expect(y).toBeLessThan(kFrame.top + kFrame.height);
  }
  // Up is more.
  expect(cell.yOf(10)).toBeLessThan(cell.yOf(1));
  expect(cell.xOf(1e8)).toBeGreaterThan(cell.xOf(1e6));
  const all = inRect(cell, kFrame);
  expect(all).toEqual([0, 1, 4]);
  expect(inRect(cell, { ...kFrame, width: 60 })).toEqual([0]);
});

test('without a common layer there is no cell', () => {
  const cell = makeCell(
    { x: measure('macs', [1, Number.NaN]), y: measure('time', [Number.NaN, 1]) },
    Int32Array.of(0, 1),
    kFrame,
  );
  expect(cell).toBeNull();
});

test('axes hold what else is drawn', () => {
  const cell = makeCell(
    { x: measure('macs', [10]), y: measure('time', [10]) },
    Int32Array.of(0),
    kFrame,
    { x: [1000], y: [1e5] },
  );
  if (cell === null) throw new Error('no cell');
  expect(cell.xOf(1000)).toBeLessThan(kFrame.left + kFrame.width);
  expect(cell.yOf(1e5)).toBeGreaterThan(kFrame.top);
});

test('cells fill rows', () => {
  const margin = { left: 40, right: 10, top: 20, bottom: 30 };
  const { frames, height } = gridFrames(6, 1000, 300, 4, 150, margin);
  expect(frames).toHaveLength(6);
  expect(frames[3]?.left).toBe(40);
  expect(frames[3]?.top).toBe(220);
  expect(height).toBe(400);
  expect(gridFrames(6, 200, 300, 4, 150, margin).frames[5]?.top).toBe(5 * 200 + 20);
});

test('bins hold every layer once', () => {
  const points = Array.from({ length: 500 }, (_, row) => ({
    row,
    x: 50 + ((row * 37) % 200),
    y: 20 + ((row * 13) % 100),
    isBeyond: false,
  }));
  const bins = binned(points, kFrame);
  const rows = bins.flatMap((bin) => bin.rows).sort((a, b) => a - b);
  expect(rows).toEqual(points.map((p) => p.row));
  expect(bins.length).toBeLessThan(500);
});
