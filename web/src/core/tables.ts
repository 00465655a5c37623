// The tables that statements may name, with their columns: the core's list of them, and what it says of
// each.

import { asArray, asNumber, asObject, asText, type Json } from '../model/json_value.ts';
import type { QueryTable, TableColumn } from '../model/query_rows.ts';
import type { CoreClient } from './client.ts';
import type { Option, SessionSpec } from './protocol.ts';

type Cells = (name: string) => Json | undefined;

// The rows of planex.tables/1 and planex.columns/1, whose columns are found by their names.
export function rowsOf(document: Json): readonly Cells[] {
  const { columns, rows } = asObject(document);
  const names = asArray(columns).map((column) => asText(asObject(column).name));
  return asArray(rows).map((row) => {
    const cells = asArray(row);
    return (name) => cells[names.indexOf(name)];
  });
}

export async function queryTables(
  client: CoreClient,
  sessions: readonly SessionSpec[],
  signal: AbortSignal,
): Promise<readonly QueryTable[]> {
  const ask = async (options: readonly Option[]): Promise<readonly Cells[]> => {
    const bytes = await client.call(sessions, 'tables', options, { signal });
    return rowsOf(JSON.parse(new TextDecoder().decode(bytes)) as Json);
  };
  const columnsOf = async (table: string): Promise<readonly TableColumn[]> =>
    (await ask([['table', table]])).map((cell) => ({
      name: asText(cell('column')) ?? '',
      type: asText(cell('type')) ?? '',
      unit: asText(cell('unit')),
      description: asText(cell('description')) ?? '',
    }));
  const tables = await ask([]);
  return Promise.all(
    tables.map(async (cell) => {
      const name = asText(cell('table')) ?? '';
      return {
        name,
        rowCount: asNumber(cell('rows')) ?? 0,
        description: asText(cell('description')) ?? '',
        columns: await columnsOf(name),
      };
    }),
  );
}
