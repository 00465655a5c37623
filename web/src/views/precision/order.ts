// Types from wide to narrow, in the order of all tables of this view, and the chips that filter by
// them.

import { kHeatSteps, type Chip, type Store } from '../../public/index.ts';
import type { Part } from './totals.ts';

const kOrder = [
  ...['FP64', 'FP32', 'TF32', 'FP16', 'BF16', 'FP8', 'INT8', 'UINT8', 'FP4', 'INT4'],
  ...['INT64', 'INT32', 'INT16', 'UINT64', 'UINT32', 'UINT16', 'BOOL'],
];

function rank(type: string | null): number {
  if (type === null) return kOrder.length + 1;
  const at = kOrder.indexOf(type);
  return at < 0 ? kOrder.length : at;
}

// Unknown comes last, after words that are not known types.
function compare(a: string | null, b: string | null): number {
  return rank(a) - rank(b) || (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1);
}

export function inOrder(types: Iterable<string | null>): readonly (string | null)[] {
  return [...new Set(types)].sort(compare);
}

export const byType = (a: Pick<Part, 'key'>, b: Pick<Part, 'key'>): number => compare(a.key, b.key);

// Replaces all chips of the same fields with these; if they were already there, removes them, so
// that a second click undoes the first.
export function toggled(chips: readonly Chip[], wanted: readonly Chip[]): readonly Chip[] {
  const asked = (chip: Chip): boolean => wanted.some(({ field }) => field === chip.field);
  const others = chips.filter((chip) => !asked(chip));
  const text = (list: readonly Chip[]): string =>
    list
      .map(({ field, op, negated, values }) => JSON.stringify([field, op, negated, values]))
      .sort()
      .join();
  return text(chips.filter(asked)) === text(wanted) ? others : [...others, ...wanted];
}

export function toggleChips(store: Store, ...wanted: readonly Chip[]): void {
  store.patch({ chips: toggled(store.state.chips, wanted) });
}

// Steps of heat from 0 to the greatest, evenly.
export function stepOf(value: number, greatest: number): number {
  if (!(greatest > 0) || !(value > 0)) return 0;
  return Math.min(kHeatSteps - 1, Math.floor((value / greatest) * kHeatSteps));
}
