// The numbers of a figure as columns: what the CSV has, a line for each of its columns.

import { csvField } from '../../base/text.ts';

export type DataCell = string | number | null;

// Title with its unit; decimals on screen (the CSV has numbers whole), null: texts; the value, of
// which what is not known may be NaN.
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
