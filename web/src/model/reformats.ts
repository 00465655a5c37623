// Conversions and why they are there (planex.report-reformats/2).

import type { Engine } from './engine.ts';
import type { ReportReformats } from './report_types.ts';
import type { Table } from './table.ts';

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
  // What is worth a Q/DQ pair.
  readonly tensors: readonly string[];
  readonly group: number | null;
}

export interface Reformats extends Pick<
  ReportReformats,
  'time_basis' | 'totals' | 'by_kind' | 'by_origin'
> {
  // In execution order.
  readonly rows: readonly ReformatRow[];
  // By layer row.
  readonly ofRow: ReadonlyMap<number, ReformatRow>;
  // What a chain begins with, and who wrote that.
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

function verdictOf(text: string | null): ReformatVerdict {
  return text === 'avoidable' || text === 'needed' ? text : 'unclear';
}

function rowsOf(engine: Engine, table: Table): readonly ReformatRow[] {
  return Array.from({ length: table.rowCount }, (_, i): readonly ReformatRow[] => {
    const row = engine.rowOf(table.number('layer_id', i) ?? -1);
    if (row === null) return [];
    return [
      {
        row,
        kind: table.text('kind', i),
        fromPort: table.number('from_port', i),
        toPort: table.number('to_port', i),
        fromType: table.text('from_dtype', i),
        toType: table.text('to_dtype', i),
        differs: (table.text('differs', i) ?? '').split(' ').filter((word) => word !== ''),
        producers: neighbours(engine, table.list('producers', i)),
        consumers: neighbours(engine, table.list('consumers', i)),
        atInput: table.number('at_engine_input', i) === 1,
        atOutput: table.number('at_engine_output', i) === 1,
        verdict: verdictOf(table.text('verdict', i)),
        changedBy: table.text('changed_by', i),
        reason: table.text('reason', i),
        confidence: table.text('confidence', i),
        cause: table.text('cause', i),
        advice: table.text('advice', i),
        ioFormat: table.text('io_format', i),
        tensors: (table.list('tensors', i) ?? []).flatMap((index) => engine.strings[index] ?? []),
        group: table.number('group', i),
      },
    ];
  }).flat();
}

const kReformats = new WeakMap<Engine, Reformats>();

export function reformatsOf(engine: Engine): Reformats | null {
  const document = engine.document('reformats');
  if (document === null) return null;
  const known = kReformats.get(engine);
  if (known !== undefined) return known;
  const groups = engine.table(document.groups);
  const rows = rowsOf(engine, engine.table(document.reformats));
  const reformats: Reformats = {
    ...document,
    rows,
    ofRow: new Map(rows.map((entry) => [entry.row, entry])),
    chain: (group) => {
      const writer = groups.number('writer_layer_id', group);
      return {
        tensor: groups.text('tensor', group),
        writer: writer === null ? null : engine.rowOf(writer),
      };
    },
  };
  kReformats.set(engine, reformats);
  return reformats;
}
