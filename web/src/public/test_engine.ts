// Engines of a few layers, and the state over them, for tests of what views compute.

import { decodeReport } from '../model/decode.ts';
import type { Engine } from '../model/engine.ts';
import { asArray, asObject, asText, type JsonObject } from '../model/json_value.ts';
import { Store } from '../model/store.ts';

export { readAs } from '../model/reader.ts';
export { readExplainMemory, readOptimize, readSweep, readTiming } from '../model/report_types.ts';

// Name, type and median ms of each layer.
export type TestLayer = readonly [string, string | null, number | null];

// `more`: further members of the engine, as in the data.
export function engineOf(layers: readonly TestLayer[], more: JsonObject = {}): Engine {
  // The further ones first: their indices are those of `more`.
  const strings = [
    ...asArray(more.strings).map((text) => asText(text) ?? ''),
    ...new Set(layers.flatMap(([name, type]) => (type === null ? [name] : [name, type]))),
  ];
  const column = (type: string, values: readonly (number | null)[]) => ({ type, unit: '', values });
  const report = decodeReport({
    schema: 'planex.report/2',
    engines: [
      {
        summary: { engine: { name: 'e' } },
        ...more,
        strings,
        tables: {
          ...asObject(more.tables),
          layers: {
            row_count: layers.length,
            columns: {
              layer_id: column(
                'int64',
                layers.map((_, i) => i),
              ),
              name: column(
                'text',
                layers.map(([name]) => strings.indexOf(name)),
              ),
              type: column(
                'text',
                layers.map(([, type]) => (type === null ? null : strings.indexOf(type))),
              ),
              median_ms: column(
                'double',
                layers.map(([, , ms]) => ms),
              ),
            },
          },
        },
      },
    ],
  });
  const [engine] = report.engines;
  if (engine === undefined) throw new Error('no engine');
  return engine;
}

// The page's state as a link gives it, over engines as in the data.
export function storeOf(hash: string, ...engines: readonly JsonObject[]): Store {
  const report = decodeReport({ schema: 'planex.report/2', engines });
  const nothing = (): void => undefined;
  return new Store(report, ['overview', 'layers', 'findings', 'files'], {
    read: () => hash,
    push: nothing,
    replace: nothing,
  });
}
