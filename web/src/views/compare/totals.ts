// The figures of all engines side by side; the best value is bold, A and B have a ground.

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

interface Form {
  readonly head: string;
  readonly text: (value: number) => string;
}

// How a total is written, by its unit on the wire.
export function totalForm({ label, unit }: Total): Form {
  switch (unit) {
    case 'ms':
      return { head: `${label}, ms`, text: (v) => fixed(v, Math.abs(v) < 0.1 ? 4 : 3) };
    case 'us':
      return { head: `${label}, µs`, text: (v) => fixed(v, 1) };
    case 'bytes':
      return { head: `${label}, MB`, text: (v) => fixed(v / 1e6, Math.abs(v) >= 1e8 ? 0 : 1) };
    case 'flops':
      return { head: `${label}, GFLOP`, text: (v) => fixed(v / 1e9, 1) };
    case 'share':
      return { head: `${label.replace(/, of Σ layers$/, '')}, % of Σ`, text: percent };
    case 'ratio':
      return { head: `${label}, ×`, text: (v) => fixed(v, v < 0.1 ? 3 : 2) };
    case 'per_s':
      return { head: `${label}, 1/s`, text: (v) => fixed(v, Math.abs(v) >= 100 ? 0 : 1) };
    case 'dB':
      return { head: `${label}, dB`, text: (v) => fixed(v, 1) };
    case 'count':
      return { head: label, text: integer };
  }
}

// The best of what is known; null where nobody is better, or nothing is.
export function bestOf(total: Total): number | null {
  const known = total.values.filter(isNumber);
  if (total.better === 'none' || known.length < 2) return null;
  return total.better === 'lower' ? Math.min(...known) : Math.max(...known);
}

export function totalsTable(rows: readonly Total[], saved: readonly Total[]): EngineTable<Total> {
  const text = (total: Total, value: number | null | undefined): string =>
    isNumber(value) ? totalForm(total).text(value) : kMissing;
  const isBest = (total: Total, engine: number): boolean => {
    const best = bestOf(total);
    // All alike: nobody does best.
    if (best === null || total.values.every((value) => value === total.values[0])) return false;
    // What reads the same is as good.
    return text(total, total.values[engine]) === text(total, best);
  };
  return {
    className: 'totals auto',
    rows,
    of: 'figure',
    head: (total) => visible(totalForm(total).head),
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
