// Where the type changes (planex.report-precision/1): cells of read and written types, and islands of
// wide tensors.

import { grouped, remembered } from '../base/known.ts';
import type { Basis, Engine } from './engine.ts';
import { totalsOf, type Totals } from './explain_totals.ts';
import type { ReportPrecision } from './report_types.ts';
import { reformatsOf } from './reformats.ts';

type Parts = 'all' | 'conversions' | 'matrix' | 'others';
// Types are texts here, like those of layers.
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
  readonly layers: readonly IslandLayer[];
  readonly wideBytes: number | null;
  readonly narrowBytes: number | null;
}

// Layers that multiply matrices; the program uses the same name.
function isMatrix(engine: Engine, row: number): boolean {
  const family = engine.layers.text('family', row);
  return family === 'convolution' || family === 'gemm';
}

export class PrecisionChanges {
  readonly basis: string | null;
  // quantized, half or none.
  readonly islandBase: ReportPrecision['island_base'];
  readonly islands: readonly Island[];
  readonly #engine: Engine;
  readonly #cells: readonly TransitionCell[];
  readonly #reads: ReadonlyMap<number, string | null>;

  constructor(engine: Engine, document: ReportPrecision) {
    this.#engine = engine;
    this.basis = document.time_basis;
    this.islandBase = document.island_base;
    this.#cells = document.transitions;
    this.#reads = new Map(
      engine.layersOf(document.read_dtype, (row, table, at) => [row, table.text('dtype', at)]),
    );
    this.islands = this.#readIslands(document);
  }

  #readIslands(document: ReportPrecision): readonly Island[] {
    const engine = this.#engine;
    const table = engine.table(document.islands);
    return table.rows.map((i) => {
      const ids = table.list('layer_ids', i) ?? [];
      const roles = table.list('roles', i) ?? [];
      return {
        ends: table.text('ends', i),
        tensor: table.text('tensor', i),
        type: table.text('dtype', i),
        writer: engine.rowOf(table.number('writer_layer_id', i) ?? -1),
        layers: ids.flatMap((id, at) => {
          const row = engine.rowOf(id);
          return row === null ? [] : [{ row, role: engine.strings[roles[at] ?? -1] ?? '' }];
        }),
        wideBytes: table.number('wide_bytes', i),
        narrowBytes: table.number('narrow_bytes', i),
      };
    });
  }

  // The type a layer reads, as the cells count it.
  readType(row: number): string | null {
    const known = this.#reads.get(row);
    return known === undefined ? this.#engine.layers.text('precision', row) : known;
  }

  writtenType(row: number): string | null {
    return this.#engine.layers.text('output_precision', row);
  }

  // The program's cells if the rows are all layers in its basis; else sums of these rows.
  cells(rows: Int32Array, basis: Basis, isAll: boolean): readonly TransitionCell[] {
    if (isAll && (basis === this.basis || this.basis === null)) return this.#cells;
    const key = (row: number): string =>
      `${this.readType(row) ?? ''}>${this.writtenType(row) ?? ''}`;
    const engine = this.#engine;
    const conversions = reformatsOf(engine)?.ofRow;
    const converts = (row: number): boolean => conversions?.has(row) === true;
    return [...grouped(rows, key).values()].map((list) => {
      const [first = -1] = list;
      const sum = (keep: (row: number) => boolean): Totals =>
        totalsOf(engine, list.filter(keep), basis);
      return {
        from: this.readType(first),
        to: this.writtenType(first),
        all: sum(() => true),
        conversions: sum(converts),
        matrix: sum((row) => !converts(row) && isMatrix(engine, row)),
        others: sum((row) => !converts(row) && !isMatrix(engine, row)),
      };
    });
  }
}

export const precisionOf = remembered((engine: Engine): PrecisionChanges | null => {
  const document = engine.document('precision');
  return document && new PrecisionChanges(engine, document);
});
