// Conversions and why they exist (planex.report-reformats/2).

import { remembered } from '../base/known.ts';
import type { Engine } from './engine.ts';
import type { ReportReformats } from './report_types.ts';

export type ReformatVerdict = 'avoidable' | 'needed' | 'unclear';

// A layer at the other side of a chain of conversions, and its port there.
export interface Neighbour {
  readonly row: number;
  readonly port: number;
}

export interface ReformatRow {
  // Of the layers table.
  readonly row: number;
  readonly kind: string | null;
  readonly fromPort: number | null;
  readonly toPort: number | null;
  readonly fromType: string | null;
  readonly toType: string | null;
  // type, layout, strides.
  readonly differs: readonly string[];
  readonly producers: readonly Neighbour[];
  readonly consumers: readonly Neighbour[];
  readonly atInput: boolean;
  readonly atOutput: boolean;
  readonly verdict: ReformatVerdict;
  // model, caller or nobody.
  readonly changedBy: string | null;
  readonly reason: string | null;
  readonly confidence: string | null;
  readonly cause: string | null;
  readonly advice: string | null;
  readonly ioFormat: string | null;
  // Tensors that are worth a Q/DQ pair.
  readonly tensors: readonly string[];
  readonly group: number | null;
}

export interface Reformats extends Pick<ReportReformats, 'time_basis' | 'totals'> {
  // In execution order.
  readonly rows: readonly ReformatRow[];
  // By layer row.
  readonly ofRow: ReadonlyMap<number, ReformatRow>;
  // The tensor at the beginning of a chain, and its writer.
  chain(group: number): { readonly tensor: string | null; readonly writer: number | null };
}

function neighbours(engine: Engine, list: readonly number[] | null): readonly Neighbour[] {
  const found: Neighbour[] = [];
  for (let i = 0; i + 1 < (list?.length ?? 0); i += 2) {
    const row = engine.rowOf(list?.[i] ?? -1);
    if (row !== null) found.push({ row, port: list?.[i + 1] ?? -1 });
  }
  return found;
}

function rowsOf(engine: Engine, json: unknown): readonly ReformatRow[] {
  return engine.layersOf(json, (row, table, at): ReformatRow => {
    const text = (name: string): string | null => table.text(name, at);
    const verdict = text('verdict');
    return {
      row,
      kind: text('kind'),
      fromPort: table.number('from_port', at),
      toPort: table.number('to_port', at),
      fromType: text('from_dtype'),
      toType: text('to_dtype'),
      differs: (text('differs') ?? '').split(' ').filter((word) => word !== ''),
      producers: neighbours(engine, table.list('producers', at)),
      consumers: neighbours(engine, table.list('consumers', at)),
      atInput: table.number('at_engine_input', at) === 1,
      atOutput: table.number('at_engine_output', at) === 1,
      verdict: verdict === 'avoidable' || verdict === 'needed' ? verdict : 'unclear',
      changedBy: text('changed_by'),
      reason: text('reason'),
      confidence: text('confidence'),
      cause: text('cause'),
      advice: text('advice'),
      ioFormat: text('io_format'),
      tensors: engine.texts(table.list('tensors', at)),
      group: table.number('group', at),
    };
  });
}

export const reformatsOf = remembered((engine: Engine): Reformats | null => {
  const document = engine.document('reformats');
  if (document === null) return null;
  const groups = engine.table(document.groups);
  const rows = rowsOf(engine, document.reformats);
  return {
    ...document,
    rows,
    ofRow: new Map(rows.map((entry) => [entry.row, entry])),
    chain: (group) => ({
      tensor: groups.text('tensor', group),
      writer: engine.rowOf(groups.number('writer_layer_id', group) ?? -1),
    }),
  };
});
