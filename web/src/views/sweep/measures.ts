// The figures of a cell that heat map, lines and tables can show.

import {
  bytesText,
  fixed,
  integer,
  msText,
  significant,
  type SweepCell,
} from '../../public/index.ts';

export type MeasureId =
  | 'latency'
  | 'item'
  | 'throughput'
  | 'memory'
  | 'layers'
  | 'layers-ms'
  | 'reformats'
  | 'reformats-ms';

export interface Measure {
  readonly id: MeasureId;
  readonly name: string;
  // Empty where texts have their own, or it is a count.
  readonly unit: string;
  of(cell: SweepCell): number | null;
  // The 95 % interval; null where there is none.
  interval(cell: SweepCell): readonly [number, number] | null;
  // Without its unit.
  readonly text: (value: number) => string;
  // Of numbers in tables.
  readonly decimals: number;
}

const none = (): null => null;

// As the program writes it: docs/reference/json.md has items_per_s whole.
export function rateText(perS: number): string {
  return Math.abs(perS) < 99.95 ? significant(perS) : integer(perS);
}

export const kMeasures: readonly Measure[] = [
  {
    id: 'latency',
    name: 'median latency',
    unit: 'ms',
    of: (cell) => cell.latency_ms,
    interval: ({ latency_low_ms: low, latency_high_ms: high }) =>
      low === null || high === null ? null : [low, high],
    text: msText,
    decimals: 4,
  },
  {
    id: 'item',
    name: 'time per item',
    unit: 'ms',
    of: (cell) => cell.item_ms,
    interval: none,
    text: msText,
    decimals: 4,
  },
  {
    id: 'throughput',
    name: 'throughput',
    unit: 'items/s',
    of: (cell) => cell.items_per_s,
    interval: none,
    text: rateText,
    decimals: 1,
  },
  {
    id: 'memory',
    name: 'memory',
    unit: '',
    of: (cell) => cell.memory_bytes,
    interval: none,
    text: bytesText,
    decimals: 0,
  },
  {
    id: 'layers',
    name: 'layers',
    unit: '',
    of: (cell) => cell.layer_count,
    interval: none,
    text: integer,
    decimals: 0,
  },
  {
    id: 'layers-ms',
    name: 'Σ layers',
    unit: 'ms',
    of: (cell) => cell.layers_ms,
    interval: none,
    text: msText,
    decimals: 4,
  },
  {
    id: 'reformats',
    name: 'reformats',
    unit: '',
    of: (cell) => cell.reformat_count,
    interval: none,
    text: integer,
    decimals: 0,
  },
  {
    id: 'reformats-ms',
    name: 'time of reformats',
    unit: 'ms',
    of: (cell) => cell.reformats_ms,
    interval: none,
    text: msText,
    decimals: 4,
  },
];

// Those that any cell has.
export function measuresOf(cells: readonly SweepCell[]): readonly Measure[] {
  return kMeasures.filter((measure) => cells.some((cell) => measure.of(cell) !== null));
}

export function valueText(measure: Measure, value: number): string {
  return measure.unit === '' ? measure.text(value) : `${measure.text(value)} ${measure.unit}`;
}

// "median latency, ms".
export function measureTitle(measure: Measure): string {
  return measure.unit === '' ? measure.name : `${measure.name}, ${measure.unit}`;
}

// "0.291 to 0.296": as many decimals as tell the ends from the middle.
export function intervalText(low: number, high: number): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(Math.max(high - low, 1e-9))) + 1);
  const decimals = Math.min(6, Math.max(3, digits));
  return `${fixed(low, decimals)} to ${fixed(high, decimals)}`;
}
