// What the reader chose to see of the comparison; all of it is in the link.

import {
  linkButton,
  type Change,
  type Column,
  type GridSpec,
  type Store,
} from '../../public/index.ts';

export const kModes = ['layers', 'operations', 'graphs', 'engines'] as const;
export type Mode = (typeof kModes)[number];

// What a mode puts under the bar of modes.
export interface ModePart {
  readonly node: HTMLElement;
  // What is shown, of what, how many; beside the title.
  explain(): string;
  actions(): readonly HTMLElement[];
  // The node is on the page.
  draw(change: Change): void;
  key?(key: string): boolean;
  destroy(): void;
}

export function modeOf(store: Store): Mode {
  const wanted = store.option('compare.mode');
  return kModes.find((mode) => mode === wanted) ?? 'layers';
}

// As `planex compare --only` has them, and more; "changed" is the usual one.
export function onlyOf(store: Store): string {
  return store.option('compare.only') ?? 'changed';
}

const kCause = 'cause=';

// The rows are those of a cause; null: as usual.
export function showCause(store: Store, cause: string | null): void {
  const options = { ...store.state.options };
  delete options['compare.mode'];
  delete options['compare.only'];
  const isOne = cause !== null && cause !== 'no-work';
  store.patch({ options: isOne ? { ...options, 'compare.only': kCause + cause } : options });
}

export function chosenCause(store: Store): string | null {
  const only = onlyOf(store);
  return only.startsWith(kCause) ? only.slice(kCause.length) : null;
}

export function isTransposed(store: Store): boolean {
  return store.option('compare.totals') === 'down';
}

// Only marks move.
export function isOfMarks(change: Change): boolean {
  const marks: readonly string[] = ['selected', 'item', 'engine'];
  return change.size > 0 && [...change].every((key) => marks.includes(key));
}

// Of differences the largest change comes first, whichever way it went: a second way of `delta`.
const kBySize = '-size';
const kDeltaSorts = [kBySize, 'delta', '-delta'];

export function nextDeltaSort(now: string | null): string | null {
  return kDeltaSorts[kDeltaSorts.indexOf(now ?? '') + 1] ?? null;
}

export function isBySize(store: Store): boolean {
  return store.option('compare.sort')?.replace('-', '') === 'size';
}

// Of a column whose rows come in its order.
export const kByView = (): number => 0;

// What both tables are sorted by is one, and marked on the head of `delta` in both of its ways.
export function sorting(store: Store): Pick<GridSpec<never>, 'sort' | 'setSort'> {
  return {
    sort: () => store.option('compare.sort')?.replace('size', 'delta') ?? null,
    setSort: (sort: string | null, { id }: Column<never>) => {
      const next = id === 'delta' ? nextDeltaSort(store.option('compare.sort')) : sort;
      store.setOption('compare.sort', next);
    },
  };
}

export function orderLink(store: Store, usual: string): HTMLElement {
  const isSorted = isBySize(store);
  return linkButton(isSorted ? usual : 'by difference', 'Row order', () =>
    store.setOption('compare.sort', isSorted ? null : kBySize),
  );
}
