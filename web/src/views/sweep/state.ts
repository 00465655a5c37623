// What the link keeps of this view: the slice, what is shown of it, and the chosen cell.

import type { State, Store, ViewOptions } from '../../public/index.ts';
import type { Slice, SweepGrid } from './grid.ts';
import { kMeasures, measuresOf, type Measure } from './measures.ts';

type Key = 'x' | 'y' | 'value' | 'cell' | 'sort' | 'scale' | `at${number}`;
export type Changes = Readonly<Partial<Record<Key, string | null>>>;

export function optionOf(store: Store, key: Key): string | null {
  return store.option(`sweep.${key}`);
}

// Several at once, as one step.
export function setOptions(store: Store, changes: Changes, part: Partial<State> = {}): void {
  const changed = new Map(Object.entries(changes).map(([key, value]) => [`sweep.${key}`, value]));
  const kept = Object.entries(store.state.options).filter(([key]) => !changed.has(key));
  const added = [...changed].flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  store.patch({ ...part, options: Object.fromEntries([...kept, ...added]) as ViewOptions });
}

export function sliceNow(store: Store, grid: SweepGrid): Slice {
  return grid.slice({
    x: optionOf(store, 'x'),
    y: optionOf(store, 'y'),
    at: (axis) => optionOf(store, `at${axis}`),
  });
}

export function setSlice(store: Store, grid: SweepGrid, slice: Slice, more: Changes = {}): void {
  const changes: Partial<Record<Key, string | null>> = {
    x: grid.axis(slice.x).name,
    y: slice.y === null ? null : grid.axis(slice.y).name,
  };
  for (const axis of grid.varied) {
    const isShown = axis === slice.x || axis === slice.y;
    changes[`at${axis}`] = isShown ? null : (grid.axis(axis).values[slice.at[axis] ?? 0] ?? null);
  }
  setOptions(store, { ...changes, ...more });
}

export function measureNow(store: Store, grid: SweepGrid): Measure {
  const there = measuresOf(grid.sweep.cells);
  const wanted = optionOf(store, 'value');
  const [usual = kMeasures[0]] = there;
  const measure = there.find(({ id }) => id === wanted) ?? usual;
  if (measure === undefined) throw new Error('a sweep has measures');
  return measure;
}

export function chosenCell(store: Store, grid: SweepGrid): number | null {
  return grid.indexOf(optionOf(store, 'cell'));
}

// A second click gives it back.
export function chooseCell(store: Store, grid: SweepGrid, index: number): void {
  const id = chosenCell(store, grid) === index ? null : (grid.cell(index)?.id ?? null);
  setOptions(store, { cell: id }, { selected: null });
}

// The value at which an axis that is not shown is held.
export function optionsAt(axis: number, value: string | null): Changes {
  return { [`at${axis}`]: value };
}
