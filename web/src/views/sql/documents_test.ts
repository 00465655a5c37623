import { expect, test } from 'vitest';

import { csvDocument, jsonDocument, tabbed } from './documents.ts';

const kRows = {
  columns: [
    { name: 'name', type: 'text', unit: null },
    { name: 'median_ms', type: 'double', unit: 'ms' },
    { name: 'big', type: 'int64', unit: null },
    { name: 'none', type: 'text', unit: null },
  ],
  rows: [
    ['a,"b"', 0.5, 9007199254740993n, null],
    ['', 1e-5, 1, null],
    ['-5', null, 2, null],
  ],
};

test('CSV as the program writes it', () => {
  expect(csvDocument(kRows)).toBe(
    'name,median_ms,big,none\r\n"a,""b""",0.5,9007199254740993,\r\n"",1e-05,1,\r\n\'-5,,2,\r\n',
  );
});

test('JSON is planex.query/1', () => {
  const text = jsonDocument(kRows);
  expect(text).toContain('9007199254740993');
  expect(JSON.parse(text)).toEqual({
    schema: 'planex.query/1',
    columns: [
      { name: 'name', type: 'text', unit: null },
      { name: 'median_ms', type: 'double', unit: 'ms' },
      { name: 'big', type: 'int64', unit: null },
      { name: 'none', type: null, unit: null },
    ],
    rows: [
      // eslint-disable-next-line no-loss-of-precision -- what a reader with doubles makes of it
      ['a,"b"', 0.5, 9007199254740993, null],
      ['', 1e-5, 1, null],
      ['-5', null, 2, null],
    ],
  });
});

test('cells by tabs have no tabs', () => {
  expect(
    tabbed([
      ['a\tb', 1.5],
      [null, 2n],
    ]),
  ).toBe('a b\t1.5\n\t2');
});
