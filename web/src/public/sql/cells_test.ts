import { expect, test } from 'vitest';

import type { QueryColumn } from '../../model/query_rows.ts';
import {
  cellText,
  columnDecimals,
  decimalsOf,
  exactText,
  headText,
  shortestText,
} from './cells.ts';

const column = (name: string, type: string, unit: string | null = null): QueryColumn => ({
  name,
  type,
  unit,
});

test('a head says the unit, once', () => {
  expect(headText(column('median_ms', 'double', 'ms'))).toBe('median_ms');
  expect(headText(column('share', 'double', 'ratio'))).toBe('share ratio');
  expect(headText(column('layers', 'int64', 'count'))).toBe('layers');
});

test('a column has as many decimals as its numbers need', () => {
  expect(decimalsOf([0.2, 0.002])).toBe(4);
  expect(decimalsOf([1234.5])).toBe(0);
  expect(decimalsOf([1234.5, 0.01])).toBe(3);
  expect(decimalsOf([1, 2, 3])).toBe(0);
  expect(decimalsOf([0, Number.NaN])).toBe(0);
  // Too many zeros to count.
  expect(decimalsOf([1e-12, 5.5])).toBeNull();
  const rows = [
    [0.25, 7],
    [null, 8],
  ] as const;
  expect(
    columnDecimals({ columns: [column('x', 'double'), column('n', 'int64')], rows: [...rows] }),
  ).toEqual([4, 0]);
});

test('cells in a table', () => {
  expect(cellText(null, 3)).toBe('–');
  expect(cellText(0.111616, 4)).toBe('0.1116');
  expect(cellText(-12345, 0)).toBe('\u221212\u2009345');
  expect(cellText(9007199254740993n, 0)).toBe('9\u2009007\u2009199\u2009254\u2009740\u2009993');
  expect(cellText(1e-12, null)).toBe('1.000e-12');
  expect(cellText('a\u202eb', 0)).toBe('a⟨U+202E⟩b');
  expect(cellText(Number.POSITIVE_INFINITY, 2)).toBe('inf');
});

test('numbers as C++ writes them', () => {
  // The output of std::to_chars for these.
  const known: readonly (readonly [number, string])[] = [
    [0, '0'],
    [-0, '-0'],
    [1e5, '1e+05'],
    [123456, '123456'],
    [1e-5, '1e-05'],
    [0.0001, '1e-04'],
    [0.00012, '0.00012'],
    [0.000123456, '0.000123456'],
    [1 / 3, '0.3333333333333333'],
    [123456789012345680000, '123456789012345683968'],
    [1e300, '1e+300'],
    [5e-324, '5e-324'],
    [-1.5e-7, '-1.5e-07'],
    [Number.NEGATIVE_INFINITY, '-inf'],
    [Number.NaN, ''],
  ];
  for (const [value, text] of known) {
    expect(shortestText(value)).toBe(text);
    if (Number.isFinite(value)) expect(Number(text)).toBe(value);
  }
});

test('nothing is lost in exact texts', () => {
  expect(exactText(9007199254740993n)).toBe('9007199254740993');
  expect(exactText('a\u202eb')).toBe('a\u202eb');
  expect(exactText([1, 2])).toBe('[1,2]');
  expect(exactText(true)).toBe('true');
  expect(exactText(null)).toBe('');
});
