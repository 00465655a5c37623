import { expect, test } from 'vitest';

import { itemsOf, sqlName } from './schema_items.ts';

const column = (name: string) => ({ name, type: 'text', unit: null, description: '' });
const table = (name: string, ...columns: readonly string[]) => ({
  name,
  rowCount: 1,
  description: '',
  columns: columns.map(column),
});
const kTables = [table('layers', 'layer_id', 'name'), table('ports', 'layer_id', 'dims')];

function lines(search: string, ...open: readonly string[]): readonly string[] {
  return itemsOf(kTables, search, new Set(open)).map(({ table: { name }, column: own, isOpen }) =>
    own === null ? `${isOpen ? '-' : '+'} ${name}` : own.name,
  );
}

test('tables that are open show their columns', () => {
  expect(lines('')).toEqual(['+ layers', '+ ports']);
  expect(lines('', 'ports')).toEqual(['+ layers', '- ports', 'layer_id', 'dims']);
});

test('a search finds tables and columns', () => {
  expect(lines('DIM')).toEqual(['- ports', 'dims']);
  expect(lines('layer')).toEqual(['- layers', 'layer_id', '- ports', 'layer_id']);
  expect(lines('port')).toEqual(['+ ports']);
  expect(lines('nothing')).toEqual([]);
  expect(lines('dims', 'ports')).toEqual(['- ports', 'layer_id', 'dims']);
});

test('names that SQL would not take are quoted', () => {
  expect(sqlName('layer_id')).toBe('layer_id');
  expect(sqlName('index')).toBe('"index"');
  expect(sqlName('a b"c')).toBe('"a b""c"');
});
