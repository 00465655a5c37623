// What the reader chose to see of the comparison; all of it is in the link.

import type { ViewContext } from '../../public/index.ts';

export const kModes = ['layers', 'operations', 'graphs', 'engines'] as const;
export type Mode = (typeof kModes)[number];

export const kModeTitles: Readonly<Record<Mode, string>> = {
  layers: 'Layers',
  operations: 'ONNX operations',
  graphs: 'Graphs',
  engines: 'All engines',
};

// What a click on a head sorts by; the size of a change is a second way of `delta`.
export type SortableColumn = 'a' | 'b' | 'delta' | 'ratio' | LossColumn;
export type LossColumn = 'a_db' | 'b_db' | 'db';
export type SortColumn = SortableColumn | 'size';

export interface Sort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

const kLossColumns: readonly SortColumn[] = ['a_db', 'b_db', 'db'];
const kSortColumns: readonly SortColumn[] = ['a', 'b', 'delta', 'size', 'ratio', ...kLossColumns];

type Store = ViewContext['store'];

export function modeOf(store: Store): Mode {
  const wanted = store.option('compare.mode');
  return kModes.find((mode) => mode === wanted) ?? 'layers';
}

// As `planex compare --only` has them, and more; "changed" is the usual one.
export function onlyOf(store: Store): string {
  return store.option('compare.only') ?? 'changed';
}

// Null: in execution order.
export function sortOf(store: Store): Sort | null {
  const text = store.option('compare.sort') ?? '';
  const name = text.replace(/^-/, '');
  const column = kSortColumns.find((c) => c === name);
  return column === undefined ? null : { column, descending: text.startsWith('-') };
}

export function setSort(store: Store, sort: Sort | null): void {
  const text = sort === null ? null : `${sort.descending ? '-' : ''}${sort.column}`;
  store.setOption('compare.sort', text);
}

// The next order at a click on a column's head: the greatest first, the smallest first, as they run.
// Of differences the largest change comes first, whichever way it went; of dB what lost most.
export function nextSort(sort: Sort | null, column: SortableColumn): Sort | null {
  const steps: readonly Sort[] =
    column === 'delta'
      ? [
          { column: 'size', descending: true },
          { column: 'delta', descending: false },
          { column: 'delta', descending: true },
        ]
      : [
          { column, descending: !kLossColumns.includes(column) },
          { column, descending: kLossColumns.includes(column) },
        ];
  const at = steps.findIndex(
    (step) => step.column === sort?.column && step.descending === sort.descending,
  );
  return steps[at + 1] ?? null;
}

// What is sorted by is marked on its head; the rows are in that order already.
export const kByView = (): number => 0;

// As the head of the column has it: the size of a change is a way of the change.
export function alignedSort(
  sort: { readonly column: string; readonly descending: boolean } | null,
): string | null {
  if (sort === null) return null;
  return (sort.descending ? '-' : '') + (sort.column === 'size' ? 'delta' : sort.column);
}

export function isPerItem(store: Store): boolean {
  return store.option('compare.per') === 'item';
}

export function isTransposed(store: Store): boolean {
  return store.option('compare.totals') === 'down';
}
