// Where the type changes (planex.report-precision/1): cells of read and written types, and islands of
// wide tensors.

import type { Basis, Engine } from './engine.ts';
import { totalsOf, type Totals } from './explain_totals.ts';
import type { ReportPrecision } from './report_types.ts';
import { reformatsOf } from './reformats.ts';

type Parts = 'all' | 'conversions' | 'matrix' | 'others';
// Types are texts here: those of layers are.
export type TransitionCell = Readonly<Record<'from' | 'to', string | null> & Record<Parts, Totals>>;

export interface IslandLayer {
  readonly row: number;
  // writes-wide, runs-wide, reads-wide, converts.
  readonly role: string;
}

export interface Island {
  readonly ends: string | null;
  readonly tensor: string | null;
  readonly type: string | null;
  // Null at the engine's input.
  readonly writer: number | null;
  readonly tensorCount: number;
  readonly layers: readonly IslandLayer[];
  readonly wideBytes: number | null;
  readonly narrowBytes: number | null;
}

// Layers that multiply matrices: the program calls these so too.
function isMatrix(engine: Engine, row: number): boolean {
  const family = engine.layers.text('family', row);
  return family === 'convolution' || family === 'gemm';
}

export class PrecisionChanges {
  readonly basis: string | null;
  // quantized, half or none.
  readonly islandBase: ReportPrecision['island_base'];
  readonly changing: Totals;
  readonly islands: readonly Island[];
  readonly #engine: Engine;
  readonly #cells: readonly TransitionCell[];
  readonly #reads = new Map<number, string | null>();

  constructor(engine: Engine, document: ReportPrecision) {
    this.#engine = engine;
    this.basis = document.time_basis;
    this.islandBase = document.island_base;
    this.changing = document.totals.changing;
    this.#cells = document.transitions;
    const reads = engine.table(document.read_dtype);
    for (let i = 0; i < reads.rowCount; i += 1) {
      const row = engine.rowOf(reads.number('layer_id', i) ?? -1);
      if (row !== null) this.#reads.set(row, reads.text('dtype', i));
    }
    this.islands = this.#readIslands(document);
  }

  #readIslands(document: ReportPrecision): readonly Island[] {
    const engine = this.#engine;
    const table = engine.table(document.islands);
    return Array.from({ length: table.rowCount }, (_, i) => {
      const ids = table.list('layer_ids', i) ?? [];
      const roles = table.list('roles', i) ?? [];
      const writer = table.number('writer_layer_id', i);
      return {
        ends: table.text('ends', i),
        tensor: table.text('tensor', i),
        type: table.text('dtype', i),
        writer: writer === null ? null : engine.rowOf(writer),
        tensorCount: table.number('tensor_count', i) ?? 0,
        layers: ids.flatMap((id, at) => {
          const row = engine.rowOf(id);
          return row === null ? [] : [{ row, role: engine.strings[roles[at] ?? -1] ?? '' }];
        }),
        wideBytes: table.number('wide_bytes', i),
        narrowBytes: table.number('narrow_bytes', i),
      };
    });
  }

  // What a layer reads, as the cells count it.
  readType(row: number): string | null {
    const known = this.#reads.get(row);
    return known === undefined ? this.#engine.layers.text('precision', row) : known;
  }

  writtenType(row: number): string | null {
    return this.#engine.layers.text('output_precision', row);
  }

  // The program's cells where the rows are all layers under its basis; else sums of these rows.
  cells(rows: Int32Array, basis: Basis, isAll: boolean): readonly TransitionCell[] {
    if (isAll && (basis === this.basis || this.basis === null)) return this.#cells;
    const parts = new Map<string, { from: string | null; to: string | null; rows: number[] }>();
    for (const row of rows) {
      const from = this.readType(row);
      const to = this.writtenType(row);
      const key = `${from ?? ''}>${to ?? ''}`;
      const part = parts.get(key);
      if (part === undefined) parts.set(key, { from, to, rows: [row] });
      else part.rows.push(row);
    }
    const engine = this.#engine;
    const conversions = reformatsOf(engine)?.ofRow;
    const converts = (row: number): boolean => conversions?.has(row) === true;
    return [...parts.values()].map(({ from, to, rows: list }) => {
      const sum = (keep: (row: number) => boolean): Totals =>
        totalsOf(engine, list.filter(keep), basis);
      return {
        from,
        to,
        all: sum(() => true),
        conversions: sum(converts),
        matrix: sum((row) => !converts(row) && isMatrix(engine, row)),
        others: sum((row) => !converts(row) && !isMatrix(engine, row)),
      };
    });
  }
}

const kChanges = new WeakMap<Engine, PrecisionChanges>();

export function precisionOf(engine: Engine): PrecisionChanges | null {
  const document = engine.document('precision');
  if (document === null) return null;
  let changes = kChanges.get(engine);
  if (changes === undefined)
    kChanges.set(engine, (changes = new PrecisionChanges(engine, document)));
  return changes;
}
