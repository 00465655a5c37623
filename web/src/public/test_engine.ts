// An engine of a few layers, for tests of what views compute.

import { decodeReport } from '../model/decode.ts';
import type { Engine } from '../model/engine.ts';

// Name, type and median ms of each layer.
export type TestLayer = readonly [string, string | null, number | null];

export function engineOf(layers: readonly TestLayer[]): Engine {
  const strings = [
    ...new Set(layers.flatMap(([name, type]) => (type === null ? [name] : [name, type]))),
  ];
  const column = (type: string, values: readonly (number | null)[]) => ({ type, unit: '', values });
  const report = decodeReport({
    schema: 'planex.report/1',
    engines: [
      {
        summary: { engine: { name: 'e' } },
        strings,
        tables: {
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
