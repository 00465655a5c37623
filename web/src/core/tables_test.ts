import { expect, test } from 'vitest';

import type { CoreClient } from './client.ts';
import { queryTables } from './tables.ts';

test('reads the list of tables, and the columns of each', async () => {
  const asked: string[] = [];
  const call = (_sessions: unknown, verb: string, options: readonly (readonly string[])[]) => {
    asked.push(`${verb} ${options.flat().join(' ')}`.trim());
    const document =
      options.length === 0
        ? {
            columns: [{ name: 'table' }, { name: 'rows' }, { name: 'description' }],
            rows: [['layers', 3, 'Every record.']],
          }
        : {
            // In a different order than today.
            columns: [
              { name: 'unit' },
              { name: 'column' },
              { name: 'type' },
              { name: 'description' },
            ],
            rows: [['ms', 'median_ms', 'double', 'Median time.']],
          };
    return Promise.resolve(new TextEncoder().encode(JSON.stringify(document)).buffer);
  };
  const client = { call } as unknown as CoreClient;
  const tables = await queryTables(client, [], new AbortController().signal);
  expect(asked).toEqual(['tables', 'tables table layers']);
  expect(tables).toEqual([
    {
      name: 'layers',
      rowCount: 3,
      description: 'Every record.',
      columns: [{ name: 'median_ms', type: 'double', unit: 'ms', description: 'Median time.' }],
    },
  ]);
});
