// Sums over layers, as explanations state them, and the same of the layers that stay.

import type { Basis, Engine } from './engine.ts';
import type { LayerTotals } from './report_types.ts';

export type Totals = Pick<LayerTotals, 'count' | 'time_ms' | 'share' | 'io_bytes'>;

export function totalsOf(engine: Engine, rows: Iterable<number>, basis: Basis): Totals {
  const times = engine.times(basis);
  const io = engine.layers.numbers('io_bytes');
  let count = 0;
  let ms: number | null = null;
  let bytes: number | null = null;
  for (const row of rows) {
    count += 1;
    const time = times[row] ?? Number.NaN;
    if (!Number.isNaN(time)) ms = (ms ?? 0) + time;
    const moved = io[row] ?? Number.NaN;
    if (!Number.isNaN(moved)) bytes = (bytes ?? 0) + moved;
  }
  const all = engine.total(basis);
  const share = ms === null || !(all > 0) ? null : ms / all;
  return { count, time_ms: ms, share, io_bytes: bytes };
}
