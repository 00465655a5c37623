// The figures of all engines side by side; the best value is bold, A and B have a background.

import {
  fixed,
  integer,
  isNumber,
  kMissing,
  percent,
  visible,
  type Comparison,
} from '../../public/index.ts';
import type { EngineTable } from './engine_table.ts';

export type Total = Comparison['totals'][number];

// Format of a total, by its unit in the data: suffix of its label, and its values.
const kForms: Readonly<Record<Total['unit'], readonly [string, (value: number) => string]>> = {
  ms: [', ms', (v) => fixed(v, Math.abs(v) < 0.1 ? 4 : 3)],
  us: [', µs', (v) => fixed(v, 1)],
  bytes: [', MB', (v) => fixed(v / 1e6, Math.abs(v) >= 1e8 ? 0 : 1)],
  flops: [', GFLOP', (v) => fixed(v / 1e9, 1)],
  share: [', % of Σ', percent],
  ratio: [', ×', (v) => fixed(v, v < 0.1 ? 3 : 2)],
  per_s: [', 1/s', (v) => fixed(v, Math.abs(v) >= 100 ? 0 : 1)],
  dB: [', dB', (v) => fixed(v, 1)],
  count: ['', integer],
};

export function totalHead({ label, unit }: Total): string {
  return visible(label.replace(/, of Σ layers$/, '') + kForms[unit][0]);
}

// The best of the known values; null if none is better, or none is known.
export function bestOf(total: Total): number | null {
  const known = total.values.filter(isNumber);
  if (total.better === 'none' || known.length < 2) return null;
  return total.better === 'lower' ? Math.min(...known) : Math.max(...known);
}

export function totalsTable(rows: readonly Total[], saved: readonly Total[]): EngineTable<Total> {
  const text = (total: Total, value: number | null | undefined): string =>
    isNumber(value) ? kForms[total.unit][1](value) : kMissing;
  const isBest = (total: Total, engine: number): boolean => {
    const best = bestOf(total);
    // All equal: none is best.
    if (best === null || total.values.every((value) => value === total.values[0])) return false;
    // A value that reads the same as the best is also best.
    return text(total, total.values[engine]) === text(total, best);
  };
  return {
    className: 'totals auto',
    rows,
    of: 'figure',
    head: totalHead,
    cell: (total, engine) => text(total, total.values[engine]),
    tone: (total, engine) => (isBest(total, engine) ? 'best' : ''),
    chosen: 'chosen',
    // Whole numbers in the data's own units.
    saved,
    lead: [
      ['figure', null, ({ label }) => label],
      ['unit', null, ({ unit }) => unit],
    ],
    value: [3, ({ values }, engine) => values[engine]],
  };
}
