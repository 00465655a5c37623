// The measures of a convolution or matrix product, and their formats.

import { speedOf, type Engine, type Speed, type Store } from '../../public/index.ts';

export type MeasureId =
  'time' | 'macs' | 'm' | 'n' | 'k' | 'footprint' | 'intensity' | 'rate' | 'bandwidth' | 'reached';

export interface Measure {
  // "MACs"; used in sentences.
  readonly name: string;
  // By layer row; NaN if unknown.
  readonly values: Float64Array;
  readonly unit: string;
  // Multiply the values by this to get the shown ones.
  readonly scale: number;
  readonly decimals: number;
}

export type Measures = Readonly<Record<MeasureId, Measure>>;

export interface WorkData {
  readonly speed: Speed | null;
  // Convolutions and products, in execution order.
  readonly rows: Int32Array;
  readonly measures: Measures;
}

// The row with the greatest value above 0; null if there is none.
export function greatestRow(values: Float64Array, rows: Int32Array): number | null {
  let greatest: number | null = null;
  for (const row of rows) {
    if ((values[row] ?? 0) > (greatest === null ? 0 : (values[greatest] ?? 0))) greatest = row;
  }
  return greatest;
}

export function greatestOf(values: Float64Array, rows: Int32Array): number {
  return values[greatestRow(values, rows) ?? -1] ?? 0;
}

// Unknown values count as nothing in sums and weights.
export function orZero(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? 0 : value;
}

// Convolutions, matrix products, and whatever else has multiply-accumulates, in execution order.
export function productRows(engine: Engine): Int32Array {
  const macs = engine.layers.numbers('macs');
  return engine.workRows.filter((row) => {
    const family = engine.layers.text('family', row);
    return family === 'convolution' || family === 'gemm' || (macs[row] ?? 0) > 0;
  });
}

export function measure(
  name: string,
  values: Float64Array,
  unit = '',
  scale = 1,
  decimals = 0,
): Measure {
  return { name, values, unit, scale, decimals };
}

// The largest shown value decides the unit for all.
export function rateMeasure(name: string, values: Float64Array, rows: Int32Array): Measure {
  return greatestOf(values, rows) >= 1e12
    ? measure(name, values, 'TFLOP/s', 1e-12, 2)
    : measure(name, values, 'GFLOP/s', 1e-9, 2);
}

export function workData({ engine, basis }: Store): WorkData {
  const { layers } = engine;
  const speed = speedOf(engine);
  const rows = productRows(engine);
  const none = new Float64Array(layers.rowCount).fill(Number.NaN);
  const macs = layers.numbers('macs');
  const isMany = greatestOf(macs, rows) >= 1e9;
  const measures = {
    time: measure('time', engine.times(basis), 'µs', 1e3, 1),
    macs: measure('MACs', macs, isMany ? 'G' : 'M', isMany ? 1e-9 : 1e-6, 3),
    m: measure('M', layers.numbers('gemm_m')),
    n: measure('N', layers.numbers('gemm_n')),
    k: measure('K', layers.numbers('gemm_k')),
    footprint: measure('bytes moved', layers.numbers('footprint_bytes'), 'MB', 1e-6, 2),
    intensity: measure('intensity', layers.numbers('arithmetic_intensity'), 'FLOP/byte', 1, 1),
    rate: rateMeasure('compute rate', speed?.flopsPerS(basis) ?? none, rows),
    bandwidth: measure('memory rate', speed?.bytesPerS(basis) ?? none, 'GB/s', 1e-9, 1),
    reached: measure('share of the limit', speed?.reached(basis) ?? none, '% of limit', 100, 1),
  };
  return { speed, rows, measures };
}

// "time, µs".
export function measureTitle({ name, unit }: Measure): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

// For places with room for only one of both.
export function measureName({ name, unit }: Measure): string {
  return unit.startsWith('%') ? unit : name;
}

// Values that a logarithmic axis can show.
export function isPositive({ values }: Measure, row: number): boolean {
  return (values[row] ?? 0) > 0;
}

export function isKnown(measure: Measure, rows: Int32Array): boolean {
  return rows.some((row) => isPositive(measure, row));
}

// Layer numbers in the form of a chip: runs as ranges.
export function layerRanges(ids: readonly number[]): readonly string[] {
  const ranges: string[] = [];
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  for (let i = 0; i < sorted.length;) {
    let end = i;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    const first = String(sorted[i]);
    ranges.push(end > i ? `${first}-${String(sorted[end])}` : first);
    i = end + 1;
  }
  return ranges;
}
