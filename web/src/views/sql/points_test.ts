import { expect, test } from 'vitest';

import { pointsOf } from './points.ts';

const kColumns = [
  { name: 'engine', type: 'text', unit: null },
  { name: 'precision', type: 'text', unit: null },
  { name: 'total_ms', type: 'double', unit: 'ms' },
];
const kResult = {
  columns: kColumns,
  rows: [
    ['a', 'FP16', 1],
    ['a', 'FP16', 2],
    ['b', 'FP16', 3],
    ['b', 'INT8', null],
    ['b', null, 4],
  ],
};
const kOrder = [0, 1, 2, 3, 4];

test('a series for each engine, a place for each text, and one for each time it comes again', () => {
  const { categories, series, rowCount } = pointsOf(
    kResult,
    { kind: 'bar', x: 1, ys: [2] },
    kOrder,
  );
  expect(categories).toEqual(['FP16', 'FP16', 'INT8', '–']);
  expect(series.map(({ engine }) => engine)).toEqual(['a', 'b']);
  expect(series[0]?.points).toEqual([
    { at: 0, x: 0, y: 1 },
    { at: 1, x: 1, y: 2 },
  ]);
  // Missing values are not drawn.
  expect(series[1]?.points).toEqual([
    { at: 2, x: 0, y: 3 },
    { at: 4, x: 3, y: 4 },
  ]);
  expect(rowCount).toBe(5);
});

test('over engines there is one series', () => {
  const { series, categories } = pointsOf(kResult, { kind: 'bar', x: 0, ys: [2] }, kOrder);
  expect(series.map(({ engine }) => engine)).toEqual([null]);
  expect(categories).toEqual(['a', 'a', 'b', 'b', 'b']);
});

test('rows stand in the order of the table', () => {
  const columns = [{ name: 'n', type: 'int64', unit: null }];
  const rows = [[5], [7], [6]];
  const { series } = pointsOf({ columns, rows }, { kind: 'line', x: null, ys: [0] }, [1, 2, 0]);
  expect(series[0]?.points.map(({ x, y }) => [x, y])).toEqual([
    [1, 7],
    [2, 6],
    [3, 5],
  ]);
});

test('a line over numbers goes from left to right', () => {
  const columns = [
    { name: 'x', type: 'int64', unit: null },
    { name: 'y', type: 'double', unit: 'ms' },
  ];
  const rows = [
    [2, 1],
    [1, 2],
    [null, 3],
  ];
  const { series, rowCount } = pointsOf(
    { columns, rows },
    { kind: 'line', x: 0, ys: [1] },
    [0, 1, 2],
  );
  expect(series[0]?.points.map(({ x }) => x)).toEqual([1, 2]);
  expect(rowCount).toBe(2);
});

test('more bars than can be seen are left out, and counted', () => {
  const rows = Array.from({ length: 300 }, (_, i) => [`n${String(i)}`, i]);
  const columns = [
    { name: 'name', type: 'text', unit: null },
    { name: 'y', type: 'int64', unit: null },
  ];
  const order = [...rows.keys()];
  const drawn = pointsOf({ columns, rows }, { kind: 'bar', x: 0, ys: [1] }, order);
  expect([drawn.rowCount, drawn.leftOut, drawn.categories?.length]).toEqual([240, 60, 240]);
});
