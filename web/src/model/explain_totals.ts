// Sums over layers, as explanations state them, and the same of the layers that stay.

import type { Basis, Engine } from './engine.ts';
import { asNumber, asObject, type Json } from './json_value.ts';

export interface Totals {
  readonly count: number;
  // Null where no layer has a time.
  readonly ms: number | null;
  // Of the sum of all layer times.
  readonly share: number | null;
  // Activations read and written.
  readonly bytes: number | null;
}

export function decodeTotals(json: Json | undefined): Totals {
  const o = asObject(json);
  return {
    count: asNumber(o.count) ?? 0,
    ms: asNumber(o.time_ms),
    share: asNumber(o.share),
    bytes: asNumber(o.io_bytes),
  };
}

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
  return { count, ms, share: ms === null || !(all > 0) ? null : ms / all, bytes };
}
