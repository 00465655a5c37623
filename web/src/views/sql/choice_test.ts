import { expect, test } from 'vitest';

import type { QueryCell, QueryRows } from '../../public/index.ts';
import { firstChoice, kindOver, readChoice, writeChoice } from './choice.ts';

// "name text", "time_ms double ms"
function result(heads: readonly string[], rows: readonly (readonly QueryCell[])[]): QueryRows {
  const columns = heads.map((head) => {
    const [name = '', type = '', unit = null] = head.split(' ');
    return { name, type, unit };
  });
  return { columns, rows };
}

const kLayers = result(
  ['layer_id int64', 'type text', 'name text', 'count int64 count', 'time_ms double ms'],
  [
    [3, 'conv', 'a', 1, 0.5],
    [1, 'conv', 'b', 1, 0.25],
  ],
);

test('a text that tells rows apart, and a number with a unit', () => {
  expect(firstChoice(kLayers)).toEqual({ kind: 'bar', x: 2, ys: [4] });
});

test('several engines are no x where there is another', () => {
  const rows = [
    ['a', 'FP16', 1],
    ['b', 'FP16', 2],
  ];
  const both = result(['engine text', 'precision text', 'total_ms double ms'], rows);
  expect(firstChoice(both)?.x).toBe(1);
  const alone = result(
    ['engine text', 'total_ms double ms'],
    [
      ['a', 1],
      ['b', 2],
    ],
  );
  expect(firstChoice(alone)).toEqual({ kind: 'bar', x: 0, ys: [1] });
});

test('numbers alone: one against another, a line where it goes on', () => {
  const times = result(
    ['engine text', 'index int64', 'time_ms double ms'],
    [
      ['a', 0, 0.5],
      ['a', 1, 0.5],
      ['b', 0, 0.25],
      ['b', 1, 0.25],
    ],
  );
  expect(firstChoice(times)).toEqual({ kind: 'line', x: 1, ys: [2] });
  const bytes = result(
    ['io_bytes int64 bytes', 'time_ms double ms'],
    [
      [9, 1],
      [4, 2],
    ],
  );
  expect(firstChoice(bytes)).toEqual({ kind: 'scatter', x: 0, ys: [1] });
  const byId = result(
    ['layer_id int64', 'io_bytes int64 bytes'],
    [
      [1, 9],
      [2, 4],
    ],
  );
  expect(firstChoice(byId)).toEqual({ kind: 'line', x: 0, ys: [1] });
  const one = result(['time_ms double ms'], [[2], [1]]);
  expect(firstChoice(one)).toEqual({ kind: 'line', x: null, ys: [0] });
});

test('nothing to draw', () => {
  expect(firstChoice(result(['name text'], [['a'], ['b']]))).toBeNull();
  expect(firstChoice(result(['n int64'], [[1]]))).toBeNull();
  expect(firstChoice(result(['n int64'], [[null], [null]]))).toBeNull();
  expect(firstChoice(result([], []))).toBeNull();
});

test('what is written is read again, and the usual is not written', () => {
  const first = firstChoice(kLayers);
  if (first === null) throw new Error('there is one');
  expect(writeChoice(kLayers, first)).toEqual({ chart: null, x: null, y: null });
  for (const choice of [
    { ...first, kind: 'scatter' as const },
    { kind: 'line' as const, x: null, ys: [4, 3] },
    { kind: 'bar' as const, x: 0, ys: [3] },
  ]) {
    expect(readChoice(kLayers, writeChoice(kLayers, choice))).toEqual(choice);
  }
});

test('columns that are not there, or are no numbers, are the usual ones', () => {
  const read = readChoice(kLayers, { chart: 'pie', x: '77', y: '2,3,x,' });
  expect(read).toEqual(firstChoice(kLayers));
  expect(readChoice(kLayers, { chart: null, x: '1', y: '5,4,5' })).toEqual({
    kind: kindOver(kLayers, 0),
    x: 0,
    ys: [4, 3],
  });
});
