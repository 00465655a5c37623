import { describe, expect, it } from 'vitest';

import { metadataSections, type JsonObject } from '../../public/index.ts';
import { engineOf } from '../../public/test_engine.ts';
import { originText } from './commands.ts';
import { oddities } from './diagnostics.ts';
import { sharedFolder } from './files_table.ts';
import { filesConclusion } from './conclusion.ts';

const kStrings = [
  'odd',
  'strange',
  'info',
  'warning',
  'm1',
  'm2',
  'd/x.json',
  '/a/b',
  'k',
  'v',
  'S',
];

const column = (type: string, values: readonly (number | boolean | null)[]): JsonObject => ({
  type,
  unit: '',
  values,
});

const kTables: JsonObject = {
  diagnostics: {
    row_count: 3,
    columns: {
      code: column('text', [0, 1, 0]),
      severity: column('text', [2, 3, 2]),
      message: column('text', [4, 5, 5]),
      file: column('text', [6, 6, null]),
      json_pointer: column('text', [7, null, null]),
      byte_offset: column('int64', [null, 12345, null]),
    },
  },
  metadata: {
    row_count: 3,
    columns: {
      section: column('text', [10, null, 10]),
      key: column('text', [8, 8, 8]),
      value: column('text', [9, 9, null]),
      file: column('text', [6, 6, 6]),
    },
  },
  files: {
    row_count: 2,
    columns: {
      file: column('text', [6, 6]),
      size_bytes: column('int64', [1000, 500]),
      record_count: column('int64', [7, 10]),
      joined_count: column('int64', [null, 8]),
      is_as_made: column('bool', [true, false]),
    },
  },
};

const engine = engineOf([['a', null, null]], { strings: kStrings, tables: kTables });

describe('files', () => {
  it('share a folder, or none', () => {
    expect(sharedFolder(['/a/b/x', '/a/b/y'])).toBe('/a/b/');
    expect(sharedFolder(['/a/b/x', '/a/c/y'])).toBe('/a/');
    expect(sharedFolder(['/a/bb/x', '/a/b/y'])).toBe('/a/');
    expect(sharedFolder(['x', 'y'])).toBe('');
    expect(sharedFolder(['a/x', '/a/y'])).toBe('');
    expect(sharedFolder([])).toBe('');
  });

  it('say how much of them was taken', () => {
    expect(filesConclusion(engine)).toEqual({
      headline: '2 files read, 1.50 kB.',
      text: '2 records of 10 matched no layer. 1 file is not as recorded in the manifest. No irregularities.',
    });
  });
});

it('diagnostics are grouped, the gravest first, with their places', () => {
  expect(oddities(engine)).toEqual([
    {
      code: 'strange',
      severity: 'warning',
      places: [{ message: 'm2', where: 'x.json: byte 12\u2009345' }],
    },
    {
      code: 'odd',
      severity: 'info',
      places: [
        { message: 'm1', where: 'x.json: /a/b' },
        { message: 'm2', where: '' },
      ],
    },
  ]);
});

it('metadata keep their order and their sections', () => {
  expect(metadataSections(engine)).toEqual([
    {
      name: 'S',
      files: ['d/x.json'],
      rows: [
        ['k', 'v'],
        ['k', ''],
      ],
    },
    { name: '', files: ['d/x.json'], rows: [['k', 'v']] },
  ]);
});

it('commands say where they are from', () => {
  const command = { what: '', command: '', file: 'logs/x.log' };
  expect(originText({ ...command, origin: 'recorded' })).toBe('as recorded in x.log');
  expect(originText({ ...command, origin: 'options' })).toBe('from its options in x.log');
  expect(originText({ ...command, origin: 'made', file: null })).toContain('planex');
});
