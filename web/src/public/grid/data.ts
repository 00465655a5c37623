// The numbers of a figure as columns: the contents of the CSV, one line per column.

import { csvField } from '../../base/text.ts';

export type DataCell = string | number | null;

// Title with its unit; decimals on screen (the CSV has unrounded numbers), null: texts; the value,
// NaN if unknown.
export type DataColumn<Item> = readonly [
  title: string,
  decimals: number | null,
  value: (item: Item, at: number) => DataCell | undefined,
];

export interface FigureTable {
  readonly columns: readonly { readonly title: string; readonly decimals: number | null }[];
  readonly rows: readonly (readonly DataCell[])[];
}

export function figureTable<Item>(
  items: Iterable<Item>,
  columns: readonly DataColumn<Item>[],
): FigureTable {
  const known = (value: DataCell | undefined): DataCell =>
    value === undefined || Number.isNaN(value) ? null : value;
  return {
    columns: columns.map(([title, decimals]) => ({ title, decimals })),
    rows: Array.from(items, (item, at) => columns.map(([, , value]) => known(value(item, at)))),
  };
}

export function csvOf({ columns, rows }: FigureTable): Blob {
  const field = (cell: DataCell): string =>
    typeof cell === 'string' ? csvField(cell) : String(cell ?? '');
  const line = (cells: readonly DataCell[]): string => cells.map(field).join(',');
  const lines = [line(columns.map((column) => column.title)), ...rows.map(line)];
  return new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' });
}
