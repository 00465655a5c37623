// The figures of a cell that heat map, lines and tables can show.

import {
  bytesText,
  fixed,
  integer,
  msText,
  significant,
  type SweepCell,
} from '../../public/index.ts';

// Members of a cell that are a number or unknown.
export type NumberKey = {
  [Key in keyof SweepCell]-?: SweepCell[Key] extends number | null ? Key : never;
}[keyof SweepCell];

export interface Measure {
  // In the link.
  readonly id: string;
  readonly key: NumberKey;
  readonly name: string;
  // Empty if texts include their own, or it is a count.
  readonly unit: string;
  // Without its unit.
  readonly text: (value: number) => string;
  // Of numbers in tables.
  readonly decimals: number;
}

// In the program's format: docs/reference/json.md has items_per_s as a whole number.
export function rateText(perS: number): string {
  return Math.abs(perS) < 99.95 ? significant(perS) : integer(perS);
}

const measure =
  (unit: string, text: Measure['text'], decimals: number) =>
  (id: string, key: NumberKey, name: string): Measure => ({ id, key, name, unit, text, decimals });
const time = measure('ms', msText, 4);
const rate = measure('items/s', rateText, 1);
const bytes = measure('', bytesText, 0);
const count = measure('', integer, 0);

export const kMeasures: readonly [Measure, ...(readonly Measure[])] = [
  time('latency', 'latency_ms', 'median latency'),
  time('item', 'item_ms', 'time per item'),
  rate('throughput', 'items_per_s', 'throughput'),
  bytes('memory', 'memory_bytes', 'memory'),
  count('layers', 'layer_count', 'layers'),
  time('layers-ms', 'layers_ms', 'Σ layers'),
  count('reformats', 'reformat_count', 'reformats'),
  time('reformats-ms', 'reformats_ms', 'time of reformats'),
];

// Measures that any cell has.
export function measuresOf(cells: readonly SweepCell[]): readonly Measure[] {
  return kMeasures.filter(({ key }) => cells.some((cell) => cell[key] !== null));
}

// The 95 % interval; null if there is none.
export function intervalOf({ key }: Measure, cell: SweepCell): readonly [number, number] | null {
  const { latency_low_ms: low, latency_high_ms: high } = cell;
  return key !== 'latency_ms' || low === null || high === null ? null : [low, high];
}

export function valueText({ unit, text }: Measure, value: number): string {
  return unit === '' ? text(value) : `${text(value)} ${unit}`;
}

// "median latency, ms".
export function measureTitle({ name, unit }: Measure): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

// "0.291 to 0.296": as many decimals as distinguish the ends from the middle.
export function intervalText(low: number, high: number): string {
  const digits = Math.max(0, Math.ceil(-Math.log10(Math.max(high - low, 1e-9))) + 1);
  const decimals = Math.min(6, Math.max(3, digits));
  return `${fixed(low, decimals)} to ${fixed(high, decimals)}`;
}
