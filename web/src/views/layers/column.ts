// What a column of the layers table is.

import {
  kMissing,
  span,
  type Basis,
  type Chip,
  type Engine,
  type Unit,
} from '../../public/index.ts';

// What cells are made of: fixed for one drawing of the table.
export interface CellContext {
  readonly engine: Engine;
  readonly basis: Basis;
  readonly times: Float64Array;
  // Of the unfiltered table, so that units and bars do not jump while filtering.
  readonly maxMs: number;
  readonly unit: Unit;
  // Share of each row added up in the order on screen; NaN for rows that are not.
  readonly cumulative: () => Float64Array;
  // Of a group: its part of the sum of all layers.
  readonly sumBar: (rows: Int32Array) => HTMLElement | null;
}

export interface Column {
  readonly id: string;
  readonly title: string;
  // The word in the head; units belong to it.
  head(context: CellContext): string;
  readonly help: string;
  // Null takes what is left; there is one such column, the name.
  readonly width: number | null;
  readonly align: 'left' | 'right';
  readonly standard: boolean;
  // Left out of the standard set on windows under 1 000 px.
  readonly wide: boolean;
  available(engine: Engine): boolean;
  cell(row: number, context: CellContext): Node | string;
  // As copied: full precision, unit of the data.
  text(row: number, context: CellContext): string;
  readonly sortBy?: (context: CellContext) => Float64Array | ((row: number) => string);
  readonly sum?: (rows: Int32Array, context: CellContext) => string;
  readonly chip?: (row: number, engine: Engine) => Chip | null;
}

export function dim(): Node {
  return span('dim', kMissing);
}

export function raw(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}

// Of what is known; null where nothing is, since that is not 0.
export function sumOf(values: Float64Array, rows: Int32Array): number | null {
  let sum: number | null = null;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}
