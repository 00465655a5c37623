// Columns of speed: what a layer moves and computes in a second, and how near that is to its limit.

import {
  fixed,
  kLimitShort,
  percent,
  span,
  speedOf,
  type Basis,
  type Engine,
} from '../../public/index.ts';
import { dim, raw, type CellContext, type Column } from './column.ts';

type Rates = 'bytesPerS' | 'flopsPerS' | 'reached';

// Asked for every cell on screen: kept for the engine and basis asked last.
class RateCache {
  #of: Engine | null = null;
  #basis: Basis | null = null;
  readonly #arrays = new Map<Rates, Float64Array>();

  values(rates: Rates, { engine, basis }: CellContext): Float64Array {
    if (this.#of !== engine || this.#basis !== basis) {
      this.#of = engine;
      this.#basis = basis;
      this.#arrays.clear();
    }
    let values = this.#arrays.get(rates);
    if (values === undefined) {
      values = speedOf(engine)?.[rates](basis) ?? new Float64Array();
      this.#arrays.set(rates, values);
    }
    return values;
  }
}

const kRates = new RateCache();

function rateColumn(
  rates: Rates,
  id: string,
  title: string,
  head: string,
  help: string,
  width: number,
  needs: string,
  format: (value: number) => string,
): Column {
  return {
    id,
    title,
    head: () => head,
    help,
    width,
    align: 'right',
    standard: true,
    wide: true,
    available: (engine) => engine.hasTimes && speedOf(engine) !== null && engine.layers.has(needs),
    cell: (row, context) => {
      const value = kRates.values(rates, context)[row];
      return value === undefined || Number.isNaN(value) ? dim() : format(value);
    },
    text: (row, context) => raw(kRates.values(rates, context)[row]),
    sortBy: (context) => kRates.values(rates, context),
  };
}

// Three figures at most: a rate of a short layer is no better than its time.
function rateText(value: number): string {
  return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

export const kBytesPerS = rateColumn(
  'bytesPerS',
  'bytes_per_s',
  'Bytes per second',
  'GB/s',
  'Bytes moved ÷ time',
  58,
  'footprint_bytes',
  (v) => rateText(v / 1e9),
);

export const kFlopsPerS = rateColumn(
  'flopsPerS',
  'flops_per_s',
  'Operations per second',
  'TFLOP/s',
  'Operations ÷ time, two per multiply-accumulate',
  62,
  'flops',
  (v) => rateText(v / 1e12),
);

export const kOfLimit: Column = {
  ...rateColumn(
    'reached',
    'of_limit',
    '% of limit',
    '% of limit',
    'Least possible time ÷ time; limited by memory (mem) or arithmetic (cmp), whichever takes longer',
    82,
    'footprint_bytes',
    String,
  ),
  available: (engine) => engine.hasTimes && speedOf(engine)?.isAgainstDevice === true,
  cell: (row, context) => {
    const reached = kRates.values('reached', context)[row];
    const limit = speedOf(context.engine)?.limit(row) ?? null;
    if (reached === undefined || Number.isNaN(reached) || limit === null) return dim();
    return span('', `${fixed(reached * 100, 0)} `, span('dim', kLimitShort[limit]));
  },
  sum: (rows, { engine, basis }) => {
    const all = rows.length === engine.workRows.length;
    return percent(speedOf(engine)?.total(rows, basis, all).reached ?? null);
  },
};
