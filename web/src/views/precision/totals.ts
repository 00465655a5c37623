// Sums over layers, with the words and columns that every part of this view uses.

import {
  fixed,
  grouped,
  percent,
  totalsOf,
  type DataColumn,
  type Store,
  type Totals,
} from '../../public/index.ts';

export const sumOf = ({ engine, basis }: Store, rows: Iterable<number>): Totals =>
  totalsOf(engine, rows, basis);

export interface Part {
  readonly key: string | null;
  readonly rows: readonly number[];
  readonly totals: Totals;
}

// Groups of rows with equal keys, the longest time first.
export function partsOf(
  store: Store,
  rows: Iterable<number>,
  keyOf: (row: number) => string | null,
): readonly Part[] {
  return [...grouped(rows, keyOf)]
    .map(([key, own]) => ({ key, rows: own, totals: sumOf(store, own) }))
    .sort(
      ({ totals: a }, { totals: b }) => (b.time_ms ?? 0) - (a.time_ms ?? 0) || b.count - a.count,
    );
}

// The length of bars: time, else layers.
export const amountOf = ({ engine }: Store, totals: Totals): number =>
  engine.hasTimes ? (totals.time_ms ?? 0) : totals.count;

// The cost of layers, to follow their number; empty if unknown.
export function costText({ time_ms: ms, share }: Totals, between = ', '): string {
  return ms === null ? '' : `${between}${fixed(ms, 3)} ms, ${percent(share)} % of Σ`;
}

export function timeText({ time_ms: ms }: Totals, between = ', '): string {
  return ms === null ? '' : `${between}${fixed(ms, 3)} ms`;
}

// The CSV columns for layers, their time and its share.
export function totalsData<Row>(of: (row: Row) => Totals): readonly DataColumn<Row>[] {
  return [
    ['layers', 0, (row) => of(row).count],
    ['ms', 3, (row) => of(row).time_ms],
    ['% of Σ', 1, (row) => percentOf(of(row))],
  ];
}

const percentOf = ({ share }: Totals): number | null => (share === null ? null : share * 100);
