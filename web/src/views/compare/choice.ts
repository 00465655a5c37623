// The reader's settings for the comparison; the link keeps all of them.

import {
  linkButton,
  type Change,
  type Column,
  type GridSpec,
  type Store,
} from '../../public/index.ts';

export const kModes = ['layers', 'operations', 'graphs', 'engines'] as const;
export type Mode = (typeof kModes)[number];

// The controls that a mode puts under the bar of modes.
export interface ModePart {
  readonly node: HTMLElement;
  // What is shown, of what, how many; next to the title.
  explain(): string;
  actions(): readonly HTMLElement[];
  // The element was added to the page.
  draw(change: Change): void;
  key?(key: string): boolean;
  destroy(): void;
}

export function modeOf(store: Store): Mode {
  const wanted = store.option('compare.mode');
  return kModes.find((mode) => mode === wanted) ?? 'layers';
}

// The words of `planex compare --which`, and more; "changed" is the default.
export function onlyOf(store: Store): string {
  return store.option('compare.only') ?? 'changed';
}

const kCause = 'cause=';

// The rows of a cause; null: the default rows.
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

// Only highlights move.
export function isOfMarks(change: Change): boolean {
  const marks: readonly string[] = ['selected', 'item', 'engine'];
  return change.size > 0 && [...change].every((key) => marks.includes(key));
}

// Sorts differences by size, whatever their sign: a second direction of `delta`.
const kBySize = '-size';
const kDeltaSorts = [kBySize, 'delta', '-delta'];

export function nextDeltaSort(now: string | null): string | null {
  return kDeltaSorts[kDeltaSorts.indexOf(now ?? '') + 1] ?? null;
}

export function isBySize(store: Store): boolean {
  return store.option('compare.sort')?.replace('-', '') === 'size';
}

// For a column whose rows are already in its order.
export const kByView = (): number => 0;

// Both tables share one order; the head of `delta` is marked for both of its directions.
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
