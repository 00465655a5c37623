// Sums over layers, as explanations state them, and the same over the layers that pass the filter.

import type { Basis, Engine } from './engine.ts';
import type { LayerTotals } from './report_types.ts';
import { knownSum } from './table.ts';

export type Totals = Pick<LayerTotals, 'count' | 'time_ms' | 'share' | 'io_bytes'>;

export function totalsOf(engine: Engine, rows: Iterable<number>, basis: Basis): Totals {
  const list = [...rows];
  const ms = knownSum(engine.times(basis), list);
  return {
    count: list.length,
    time_ms: ms,
    share: engine.shareOf(ms, basis),
    io_bytes: knownSum(engine.layers.numbers('io_bytes'), list),
  };
}
