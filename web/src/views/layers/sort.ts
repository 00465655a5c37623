// Orders rows by a column. Numbers are compared in typed arrays; missing values come last whichever
// way the column is turned; equals stay in execution order.

import type { SortKey } from '../../public/index.ts';

export type SortSource = Float64Array | ((row: number) => string);

export function sortRows(rows: Int32Array, source: SortSource, descending: boolean): Int32Array {
  const sorted = rows.slice();
  const sign = descending ? -1 : 1;
  if (source instanceof Float64Array) {
    sorted.sort((a, b) => {
      const x = source[a] ?? Number.NaN;
      const y = source[b] ?? Number.NaN;
      if (Number.isNaN(x) || Number.isNaN(y))
        return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
      return sign * (x - y);
    });
    return sorted;
  }
  // Reading a text costs a lookup: once per row, not once per comparison.
  const texts = new Map<number, string>();
  for (const row of rows) texts.set(row, source(row));
  // Code units, not the reader's language: the same file sorts alike everywhere.
  sorted.sort((a, b) => {
    const x = texts.get(a) ?? '';
    const y = texts.get(b) ?? '';
    if (x === '' || y === '') return Number(x === '') - Number(y === '');
    return x === y ? 0 : sign * (x < y ? -1 : 1);
  });
  return sorted;
}

// A first click sorts numbers from the largest, texts from the first; the third ends the sorting.
export function nextSort(
  current: SortKey | null,
  column: string,
  numeric: boolean,
): SortKey | null {
  if (current?.column !== column) return { column, descending: numeric };
  return current.descending === numeric ? { column, descending: !numeric } : null;
}
