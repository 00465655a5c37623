// The result of a statement, and the layers that its rows represent.

import type { QueryColumn, QueryRows, ViewContext } from '../../public/index.ts';

type Store = ViewContext['store'];

// One row more is requested, to see whether there are more.
export const kMaxRows = 10_000;

export interface Result extends QueryRows {
  readonly sql: string;
  readonly isMore: boolean;
  readonly seconds: number;
}

export function resultOf(sql: string, { columns, rows }: QueryRows, seconds: number): Result {
  const isMore = rows.length > kMaxRows;
  return { sql, columns, rows: isMore ? rows.slice(0, kMaxRows) : rows, isMore, seconds };
}

// -1: no column has this name.
export function columnNamed(columns: readonly QueryColumn[], name: string): number {
  return columns.findIndex((column) => column.name.toLowerCase() === name);
}

export interface LayerPlace {
  // Its index in the report.
  readonly engine: number;
  readonly row: number;
}

// The layer of each row of the result, by its columns `layer_id` and `engine`; null if there is
// none. With several engines, a row that doesn't name its engine represents no layer.
export function layersOf(
  { columns, rows }: QueryRows,
  engines: Store['report']['engines'],
  engineCount: number,
): readonly (LayerPlace | null)[] {
  const idAt = columnNamed(columns, 'layer_id');
  const engineAt = columnNamed(columns, 'engine');
  const known = engines.slice(0, engineCount);
  const places = new Map(known.map(({ id }, place) => [id, place]));
  if (idAt < 0 || (engineAt < 0 && known.length !== 1)) return rows.map(() => null);
  return rows.map((cells) => {
    const id = cells[idAt];
    const engine = engineAt < 0 ? 0 : places.get(String(cells[engineAt]));
    if (typeof id !== 'number' || engine === undefined) return null;
    const row = known[engine]?.rowOf(id) ?? null;
    return row === null ? null : { engine, row };
  });
}

export function selectLayer(store: Store, { engine, row }: LayerPlace): void {
  store.patch({ engine, selected: row, more: [] });
}
