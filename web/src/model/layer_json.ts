// One layer as JSON, with the values of the tables: what Shift+c copies.

import type { Engine } from './engine.ts';
import type { Table } from './table.ts';

function record(table: Table, row: number, skip = ''): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of table.names) if (name !== skip) result[name] = table.value(name, row);
  return result;
}

export function layerJson(engine: Engine, row: number): string {
  const children = (table: Table, rows: readonly number[]): readonly Record<string, unknown>[] =>
    rows.map((i) => record(table, i, 'layer_id'));
  const layer = {
    ...record(engine.layers, row),
    ports: children(engine.ports, engine.portsOf(row)),
    attributes: children(engine.attributes, engine.attributesOf(row)),
    sources: children(engine.sources, engine.sourcesOf(row)),
    findings: engine.findingsOf(row),
  };
  return JSON.stringify(layer, null, 2);
}
