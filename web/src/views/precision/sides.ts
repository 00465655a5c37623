// The three types of a layer: those it reads, writes, and computes in.

import {
  equals,
  kMissing,
  precisionMark,
  precisionOf,
  span,
  visible,
  type Chip,
  type Engine,
} from '../../public/index.ts';

export type Side = 'reads' | 'writes' | 'computes';

interface SideWords {
  readonly name: string;
  readonly plural: string;
  // In the filter, and in the table of layers.
  readonly field: string;
  readonly column: string;
}

export const kSides: Readonly<Record<Side, SideWords>> = {
  reads: { name: 'reads', plural: 'read', field: 'precision', column: 'precision' },
  writes: { name: 'writes', plural: 'write', field: 'out', column: 'output_precision' },
  computes: {
    name: 'computes in',
    plural: 'compute in',
    field: 'compute',
    column: 'compute_precision',
  },
};
export const kSideIds = Object.keys(kSides) as readonly Side[];

// The compute type of a layer is only known from its kernel.
export function typeOf(engine: Engine, side: Side, row: number): string | null {
  const read = side === 'reads' ? precisionOf(engine)?.readType(row) : null;
  return read ?? engine.layers.text(kSides[side].column, row);
}

export const sideChip = (side: Side, type: string | null): Chip =>
  equals(kSides[side].field, type ?? kMissing);

export const typeName = (type: string | null): string =>
  type === null ? 'not recorded' : visible(type);

export const typeLabel = (type: string | null): HTMLElement =>
  type === null ? span('dim', typeName(type)) : precisionMark(type);
