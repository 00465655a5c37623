// Types from wide to narrow, as every table of this view has them, and the chips that ask for them.

import { equals, type Chip } from '../../public/index.ts';

const kOrder = [
  'FP64',
  'FP32',
  'TF32',
  'FP16',
  'BF16',
  'FP8',
  'INT8',
  'UINT8',
  'FP4',
  'INT4',
  'INT64',
  'INT32',
  'INT16',
  'UINT64',
  'UINT32',
  'UINT16',
  'BOOL',
];

function rank(type: string | null): number {
  if (type === null) return kOrder.length + 1;
  const at = kOrder.indexOf(type);
  return at < 0 ? kOrder.length : at;
}

// What is not known comes last, unknown words before it.
export function inOrder(types: Iterable<string | null>): readonly (string | null)[] {
  return [...new Set(types)].sort(
    (a, b) => rank(a) - rank(b) || (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1),
  );
}

export function typeChip(field: 'precision' | 'out' | 'compute', type: string | null): Chip {
  return equals(field, type ?? '–');
}

const same = (a: Chip, b: Chip): boolean =>
  a.field === b.field &&
  a.op === b.op &&
  a.negated === b.negated &&
  a.values.join('|') === b.values.join('|');

// Puts these chips in the place of all that ask for the same fields; where they were there already,
// they go, so that a second click takes back the first.
export function toggled(chips: readonly Chip[], wanted: readonly Chip[]): readonly Chip[] {
  const fields = new Set(wanted.map((chip) => chip.field));
  const others = chips.filter((chip) => !fields.has(chip.field));
  const before = chips.filter((chip) => fields.has(chip.field));
  const isThere =
    before.length === wanted.length && wanted.every((chip) => before.some((b) => same(b, chip)));
  return isThere ? others : [...others, ...wanted];
}

// Six steps from 0 to the greatest, evenly.
export const kSteps = 6;

export function stepOf(value: number, greatest: number): number {
  if (!(greatest > 0) || !(value > 0)) return 0;
  return Math.min(kSteps - 1, Math.floor((value / greatest) * kSteps));
}
