// What is measured of a convolution or matrix product, and how it is written.

import type { Basis, Engine, Speed } from '../../public/index.ts';

export const kMeasureIds = [
  'time',
  'macs',
  'm',
  'n',
  'k',
  'footprint',
  'intensity',
  'rate',
  'bandwidth',
  'reached',
] as const;
export type MeasureId = (typeof kMeasureIds)[number];

export interface Measure {
  readonly id: MeasureId;
  // "MACs"; a sentence may hold it.
  readonly name: string;
  readonly unit: string;
  // Multiply the values by this to get the shown ones.
  readonly scale: number;
  readonly decimals: number;
  // By layer row; NaN where not known.
  readonly values: Float64Array;
}

export function greatestOf(values: Float64Array, rows: Int32Array): number {
  let greatest = 0;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (value > greatest) greatest = value;
  }
  return greatest;
}

// In sums and weights, what is not known counts nothing.
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

interface Step {
  readonly from: number;
  readonly unit: string;
  readonly scale: number;
}

// The largest shown value decides for all.
function unitOf(greatest: number, steps: readonly Step[]): { unit: string; scale: number } {
  const step = steps.find(({ from }) => greatest >= from) ?? steps.at(-1);
  return { unit: step?.unit ?? '', scale: step?.scale ?? 1 };
}

const kRates: readonly Step[] = [
  { from: 1e12, unit: 'TFLOP/s', scale: 1e-12 },
  { from: 0, unit: 'GFLOP/s', scale: 1e-9 },
];
const kMacs: readonly Step[] = [
  { from: 1e9, unit: 'G', scale: 1e-9 },
  { from: 0, unit: 'M', scale: 1e-6 },
];

export function measuresOf(
  engine: Engine,
  speed: Speed | null,
  basis: Basis,
  rows: Int32Array,
): ReadonlyMap<MeasureId, Measure> {
  const { layers } = engine;
  const none = new Float64Array(layers.rowCount).fill(Number.NaN);
  const rate = speed?.flopsPerS(basis) ?? none;
  const macs = layers.numbers('macs');
  const list: readonly Measure[] = [
    { id: 'time', name: 'time', unit: 'µs', scale: 1e3, decimals: 1, values: engine.times(basis) },
    {
      id: 'macs',
      name: 'MACs',
      ...unitOf(greatestOf(macs, rows), kMacs),
      decimals: 3,
      values: macs,
    },
    { id: 'm', name: 'M', unit: '', scale: 1, decimals: 0, values: layers.numbers('gemm_m') },
    { id: 'n', name: 'N', unit: '', scale: 1, decimals: 0, values: layers.numbers('gemm_n') },
    { id: 'k', name: 'K', unit: '', scale: 1, decimals: 0, values: layers.numbers('gemm_k') },
    {
      id: 'footprint',
      name: 'bytes moved',
      unit: 'MB',
      scale: 1e-6,
      decimals: 2,
      values: layers.numbers('footprint_bytes'),
    },
    {
      id: 'intensity',
      name: 'intensity',
      unit: 'FLOP/byte',
      scale: 1,
      decimals: 1,
      values: layers.numbers('arithmetic_intensity'),
    },
    {
      id: 'rate',
      name: 'compute rate',
      ...unitOf(greatestOf(rate, rows), kRates),
      decimals: 2,
      values: rate,
    },
    {
      id: 'bandwidth',
      name: 'memory rate',
      unit: 'GB/s',
      scale: 1e-9,
      decimals: 1,
      values: speed?.bytesPerS(basis) ?? none,
    },
    {
      id: 'reached',
      name: 'share of the limit',
      unit: '% of limit',
      scale: 100,
      decimals: 1,
      values: speed?.reached(basis) ?? none,
    },
  ];
  return new Map(list.map((measure) => [measure.id, measure]));
}

// "time, µs".
export function measureTitle(measure: Measure): string {
  return measure.unit === '' ? measure.name : `${measure.name}, ${measure.unit}`;
}

// Layer numbers as a chip has them: runs as ranges.
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
