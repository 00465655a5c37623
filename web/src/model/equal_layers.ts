// Layers that are equal except for their place in a repeated structure: twelve attention kernels
// are one thing that happens twelve times.

import { grouped } from '../base/known.ts';
import type { Engine } from './engine.ts';

// Fewer than this are easily read one by one.
const kMinEqual = 6;
const kColumns = ['type', 'precision', 'output_precision'] as const;
const kSizes = ['macs', 'footprint_bytes', 'io_bytes', 'weight_bytes'] as const;

// Names of generated kernels differ in numbers and in the hash at their end.
export function namePattern(name: string): string {
  return name
    .slice(0, 1000)
    .replace(/(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,}/gi, '#')
    .replace(/\d+/g, '#');
}

function keyOf(engine: Engine, row: number): string {
  const { layers } = engine;
  return JSON.stringify([
    namePattern(engine.rawName(row)),
    ...kColumns.map((column) => layers.text(column, row)),
    ...kSizes.map((column) => layers.number(column, row)),
  ]);
}

// The rows in their order; equal ones are joined at the place of the first.
export function joinEqual(engine: Engine, rows: Iterable<number>): readonly (readonly number[])[] {
  const list = [...rows];
  const equal = new Map<number, readonly number[]>();
  for (const group of grouped(list, (row) => keyOf(engine, row)).values()) {
    if (group.length >= kMinEqual) for (const row of group) equal.set(row, group);
  }
  return list.flatMap((row) => {
    const group = equal.get(row) ?? [row];
    return group[0] === row ? [group] : [];
  });
}
