import { expect, test } from 'vitest';

import type { Chip } from '../../public/index.ts';
import { inOrder, stepOf, toggled } from './order.ts';

const chip = (field: string, ...values: readonly string[]): Chip => ({
  field,
  op: ':',
  values,
  negated: false,
});

test('wide before narrow, unknown words late, what is not known last', () => {
  expect(inOrder(['INT8', null, 'FP32', 'E8M0', 'FP16', 'FP32', 'BOOL'])).toEqual([
    'FP32',
    'FP16',
    'INT8',
    'BOOL',
    'E8M0',
    null,
  ]);
});

test('a click asks for a cell, a second one takes it back', () => {
  const cell = [chip('precision', 'INT8'), chip('out', 'FP16')];
  const type = chip('type', 'Convolution');
  const once = toggled([type], cell);
  expect(once).toEqual([type, ...cell]);
  expect(toggled(once, cell)).toEqual([type]);
  // Another cell takes its place.
  const other = [chip('precision', 'FP32'), chip('out', 'FP16')];
  expect(toggled(once, other)).toEqual([type, ...other]);
  // A row of the matrix, after a cell of it: the whole row.
  expect(toggled(once, [chip('precision', 'INT8')])).toEqual([type, chip('out', 'FP16')]);
});

test('steps are even and end with the greatest', () => {
  expect(stepOf(0, 10)).toBe(0);
  expect(stepOf(10, 10)).toBe(5);
  expect(stepOf(4.9, 10)).toBe(2);
  expect(stepOf(5, 10)).toBe(3);
  expect(stepOf(Number.NaN, 10)).toBe(0);
  expect(stepOf(1, 0)).toBe(0);
});
