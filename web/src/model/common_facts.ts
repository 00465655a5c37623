// The sums of several layers, and what they have in common.

import type { Basis, Engine } from './engine.ts';
import { knownSum } from './table.ts';

export interface Sums {
  readonly ms: number | null;
  readonly share: number | null;
  // Sums over the layers whose value is known, and the number of those.
  readonly known: Readonly<Record<SummedColumn, { readonly sum: number; readonly count: number }>>;
}

export const kSummedColumns = ['footprint_bytes', 'weight_bytes', 'flops'] as const;
export type SummedColumn = (typeof kSummedColumns)[number];

export function sumsOf(engine: Engine, rows: readonly number[], basis: Basis): Sums {
  const ms = knownSum(engine.times(basis), rows);
  const known = Object.fromEntries(
    kSummedColumns.map((column) => {
      const values = engine.layers.numbers(column);
      const count = rows.filter((row) => !Number.isNaN(values[row] ?? Number.NaN)).length;
      return [column, { sum: knownSum(values, rows) ?? 0, count }];
    }),
  ) as Sums['known'];
  return { ms, share: engine.shareOf(ms, basis), known };
}

export interface Common {
  readonly column: string;
  readonly value: string;
}

const kComparedColumns = [
  'type',
  'subtype',
  'precision',
  'output_precision',
  'compute_precision',
  'tactic',
  'origin',
  'stream',
] as const;

// Columns in which all rows have the same value.
export function inCommon(engine: Engine, rows: readonly number[]): readonly Common[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  return kComparedColumns.flatMap((column) => {
    const value = engine.layers.text(column, first);
    if (value === null || value === '') return [];
    const same = others.every((row) => engine.layers.text(column, row) === value);
    return same ? [{ column, value }] : [];
  });
}
