import { describe, expect, it } from 'vitest';

import { sortText } from '../public/grid/sort.ts';
import { displayName, matching, reportAddress, sorted, orderOf, turned } from './rows.ts';
import { decodeEngines, type ListedEngine } from './wire.ts';

function engines(...rows: Record<string, unknown>[]): readonly ListedEngine[] {
  return decodeEngines({
    schema: 'planex.engines/1',
    engines: rows.map((row, index) => ({
      id: String(index),
      place: `runs/${index}`,
      state: 'ready',
      ...row,
    })) as never,
    trends: [
      [
        { id: '0', end_to_end_median_ms: 2, change_ratio: null },
        { id: '1', end_to_end_median_ms: 1, change_ratio: -0.5 },
      ],
    ],
  }).engines;
}

const ids = (rows: readonly ListedEngine[]): string => rows.map((row) => row.id).join('');

describe('sorted', () => {
  const rows = engines(
    { name: 'b10', end_to_end_median_ms: 2, findings: { error: 0, warning: 9, info: 0 } },
    { name: 'b9', end_to_end_median_ms: null, findings: { error: 1, warning: 0, info: 0 } },
    { name: 'A', end_to_end_median_ms: 3 },
  );
  it('sorts numbers in names as numbers, and case does not count', () => {
    expect(ids(sorted(rows, orderOf('name')))).toBe('210');
    expect(ids(sorted(rows, orderOf('-name')))).toBe('012');
  });
  it('puts what is missing last either way', () => {
    expect(ids(sorted(rows, orderOf('end')))).toBe('021');
    expect(ids(sorted(rows, orderOf('-end')))).toBe('201');
  });
  it('sorts by what is left in the engine, else in the model’s own arithmetic', () => {
    const three = engines(
      { outputs_engine_db: 12.5, outputs_simulated_db: 30 },
      { outputs_simulated_db: 20 },
      {},
    );
    expect(ids(sorted(three, orderOf('-db')))).toBe('102');
    expect(ids(sorted(three, orderOf('db')))).toBe('012');
  });
  it('ranks one error above nine warnings', () => {
    expect(ids(sorted(rows, orderOf('-findings')))).toBe('102');
  });
  it('sorts by the change against the run before', () => {
    expect(ids(sorted(rows, orderOf('trend')))[0]).toBe('1');
  });
  it('keeps the order of places where the rest is equal', () => {
    expect(ids(sorted(rows, orderOf('device')))).toBe('012');
  });
});

describe('orderOf', () => {
  it('reads what it writes, and takes nothing else', () => {
    for (const text of ['name', '-end', '-date', 'trend']) {
      expect(sortText(orderOf(text))).toBe(text);
    }
    for (const text of [null, '', '-', 'constructor', '--end', 'END']) {
      expect(sortText(orderOf(text))).toBe('-date');
    }
  });
  it('begins with A, or with the largest', () => {
    const after = (sort: string, id: string): string | null => sortText(turned(orderOf(sort), id));
    expect([after('-date', 'name'), after('name', 'name'), after('-name', 'name')]).toEqual([
      'name',
      '-name',
      'name',
    ]);
    expect([after('-date', 'end'), after('-end', 'end'), after('end', 'end')]).toEqual([
      '-end',
      'end',
      '-end',
    ]);
  });
});

describe('matching', () => {
  const rows = engines(
    { name: 'resnet', device: 'NVIDIA A100', producer: 'tensorrt' },
    { name: 'bert', device: null, state: 'failed' },
  );
  it('wants every word somewhere', () => {
    expect(ids(matching(rows, ''))).toBe('01');
    expect(ids(matching(rows, ' RES a100 '))).toBe('0');
    expect(ids(matching(rows, 'resnet bert'))).toBe('');
    expect(ids(matching(rows, 'runs/1'))).toBe('1');
    expect(ids(matching(rows, 'failed'))).toBe('1');
    expect(ids(matching(rows, 'null'))).toBe('');
  });
});

describe('names and addresses', () => {
  it('calls an engine that was not read by its place', () => {
    const [row] = engines({ place: 'runs/nightly/', state: 'waiting' });
    expect(row === undefined ? '' : displayName(row)).toBe('nightly');
  });
  it('writes ids as they are', () => {
    expect(reportAddress(['0a', '1b'])).toBe('/report?e=0a&e=1b');
  });
});

describe('decodeEngines', () => {
  it('reads wrong kinds as missing', () => {
    const [row] = engines({ name: 3, end_to_end_median_ms: 'x', findings: null, state: 'odd' });
    expect([row?.name, row?.end_to_end_median_ms, row?.findings].map((one) => one ?? null)).toEqual(
      [null, null, null],
    );
    expect(row?.state).toBe('failed');
    expect(() => decodeEngines({ schema: 'planex.report/2' })).toThrow(/unexpected answer/);
    expect(
      decodeEngines({ schema: 'planex.engines/1', engines: [{}, 1, null] as never }).engines,
    ).toHaveLength(0);
  });
});
