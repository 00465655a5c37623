// The tables that statements can name, with their columns, as the core lists and describes them.

import { asArray, asNumber, asObject, asText, type Json } from '../model/json_value.ts';
import type { QueryTable, SizedTable, TableColumn } from '../model/query_rows.ts';
import type { Asked, CoreClient } from './client.ts';
import type { Option, SessionSpec } from './protocol.ts';

type Cells = (name: string) => Json | undefined;

// The rows of planex.tables/1 and planex.columns/1; columns are found by name.
export function rowsOf(document: Json): readonly Cells[] {
  const { columns, rows } = asObject(document);
  const names = asArray(columns).map((column) => asText(asObject(column).name));
  return asArray(rows).map((row) => {
    const cells = asArray(row);
    return (name) => cells[names.indexOf(name)];
  });
}

type Asking = (options: readonly Option[]) => Promise<readonly Cells[]>;

function asking(client: CoreClient, sessions: readonly SessionSpec[], asked: Asked = {}): Asking {
  return async (options) => {
    const bytes = await client.call(sessions, 'tables', options, asked);
    return rowsOf(JSON.parse(new TextDecoder().decode(bytes)) as Json);
  };
}

const sizeOf = (cell: Cells): SizedTable => ({
  name: asText(cell('table')) ?? '',
  rowCount: asNumber(cell('rows')) ?? 0,
});

export async function sizedTables(
  client: CoreClient,
  sessions: readonly SessionSpec[],
): Promise<readonly SizedTable[]> {
  return (await asking(client, sessions)([])).map(sizeOf);
}

export async function queryTables(
  client: CoreClient,
  sessions: readonly SessionSpec[],
  signal: AbortSignal,
): Promise<readonly QueryTable[]> {
  const ask = asking(client, sessions, { signal });
  const columnsOf = async (table: string): Promise<readonly TableColumn[]> =>
    (await ask([['table', table]])).map((cell) => ({
      name: asText(cell('column')) ?? '',
      type: asText(cell('type')) ?? '',
      unit: asText(cell('unit')),
      description: asText(cell('description')) ?? '',
    }));
  return Promise.all(
    (await ask([])).map(async (cell) => {
      const size = sizeOf(cell);
      const description = asText(cell('description')) ?? '';
      return { ...size, description, columns: await columnsOf(size.name) };
    }),
  );
}
