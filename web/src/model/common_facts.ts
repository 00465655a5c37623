// What several layers sum up to, and what they have in common.

import type { Basis, Engine } from './engine.ts';

export interface Sums {
  readonly ms: number | null;
  readonly share: number | null;
  // Sums over the layers of which it is known, and how many those are.
  readonly known: Readonly<Record<SummedColumn, { readonly sum: number; readonly count: number }>>;
}

export const kSummedColumns = ['footprint_bytes', 'weight_bytes', 'flops'] as const;
export type SummedColumn = (typeof kSummedColumns)[number];

export function sumsOf(engine: Engine, rows: readonly number[], basis: Basis): Sums {
  const list = Int32Array.from(rows);
  const times = engine.times(basis);
  const timed = rows.some((row) => !Number.isNaN(times[row] ?? Number.NaN));
  const ms = timed ? engine.sum(times, list) : null;
  const all = engine.total(basis);
  const known = Object.fromEntries(
    kSummedColumns.map((column) => {
      const values = engine.layers.numbers(column);
      const count = rows.filter((row) => !Number.isNaN(values[row] ?? Number.NaN)).length;
      return [column, { sum: engine.sum(values, list), count }];
    }),
  ) as Sums['known'];
  return { ms, share: ms === null || !(all > 0) ? null : ms / all, known };
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

// Columns in which all rows have one value.
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
