// The core in the browser's console, as `planex`: for what the page has no place for, and for scripts.
//
//   await planex.call('summary')                                 the engine that was opened first
//   await planex.call('explain', { topic: 'memory' }, 1)         the second
//   await planex.query('SELECT name, median_ms FROM layers')     all of them

import type { CoreClient } from '../core/client.ts';
import type { OpenEngines } from './open_engines.ts';

export interface PlanexConsole {
  // The paths of the engines that are open.
  readonly engines: () => readonly string[];
  // The document of a verb, with its options, of one engine or of all.
  readonly call: (
    verb: string,
    options?: Readonly<Record<string, string>>,
    engine?: number | 'all',
  ) => Promise<string>;
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export function offerConsole(client: CoreClient, engines: OpenEngines): void {
  const offered: PlanexConsole = {
    engines: () => engines.specs.map(({ key }) => key),
    call: async (verb, options = {}, engine = 0) => {
      const { specs } = engines;
      const asked = engine === 'all' ? specs : specs.slice(engine, engine + 1);
      const bytes = await client.call(asked, verb, Object.entries(options));
      return new TextDecoder().decode(bytes);
    },
    query: async (sql) => {
      const { columns, rows } = await client.query(engines.specs, sql);
      return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
    },
  };
  Object.assign(globalThis, { planex: offered });
}
