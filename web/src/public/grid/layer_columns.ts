// Columns that every table of layers has: number, name, type, precision, time.

import { span } from '../../base/dom.ts';
import { fixed } from '../../base/format.ts';
import type { Store } from '../../model/store.ts';
import { layerPrecision, typeMark } from '../page/marks.ts';
import { column, quantity, numbers, type Column, type ColumnOptions } from './column.ts';

type RowOf<Item> = (item: Item) => number;
type Options<Item> = ColumnOptions<Item>;

export function idColumn<Item>(
  { engine }: Store,
  rowOf: RowOf<Item>,
  options: Options<Item> = {},
): Column<Item> {
  const id = (item: Item): number => engine.layerId(rowOf(item));
  return numbers('#', (item: Item) => span('dim', String(id(item))), {
    id: 'layer',
    help: 'position in execution order',
    width: 56,
    sortBy: id,
    ...options,
  });
}

// For a grid, which fits the name.
export function layerColumn<Item>(
  store: Store,
  rowOf: RowOf<Item>,
  options: Options<Item> = {},
): Column<Item> {
  return column('Layer', (item: Item) => store.layerLabel(rowOf(item)), {
    id: 'name',
    help: 'name of the layer',
    width: null,
    sortBy: (item: Item) => store.engine.rawName(rowOf(item)),
    ...options,
  });
}

export function typeColumn<Item>(
  { engine }: Store,
  rowOf: RowOf<Item>,
  options: Options<Item> = {},
): Column<Item> {
  return column('Type', (item: Item) => typeMark(engine, rowOf(item)), {
    id: 'type',
    help: 'type of the layer',
    width: 104,
    sortBy: (item: Item) => engine.layers.text('type', rowOf(item)) ?? '',
    ...options,
  });
}

export function precisionColumn<Item>(
  { engine }: Store,
  rowOf: RowOf<Item>,
  options: Options<Item> = {},
): Column<Item> {
  return column('In → out', (item: Item) => layerPrecision(engine, rowOf(item)), {
    id: 'precision',
    help: 'input and output precision, and what the kernel computes in where it differs',
    width: 136,
    sortBy: (item: Item) => engine.layers.text('precision', rowOf(item)) ?? '',
    ...options,
  });
}

// Null: no times.
export function timeColumn<Item>(
  { engine, basis }: Store,
  rowOf: RowOf<Item>,
  options: Options<Item> = {},
): Column<Item> | null {
  if (!engine.hasTimes) return null;
  const times = engine.times(basis);
  const value = (item: Item): number | undefined => times[rowOf(item)];
  const help = `${basis} time in µs`;
  return quantity('time', 'µs', value, (ms) => fixed(ms * 1e3, 1), { help, width: 62, ...options });
}
