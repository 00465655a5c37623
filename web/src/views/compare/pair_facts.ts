// What the layers of one side of a pair are together, seen from outside, and what is different about
// the two: the facts are the tables', the program says which.

import { dimsText, visible, type Engine, type Pairs, type Side } from '../../public/index.ts';

export interface SideFacts {
  // Rows of the engine's layers.
  readonly rows: readonly number[];
  // Of the layer that most of the work is in.
  readonly type: string | null;
  readonly family: string | null;
  readonly tactic: string | null;
  readonly compute: string | null;
  // What flows in and out.
  readonly input: string | null;
  readonly output: string | null;
  readonly inputDims: readonly number[] | null;
  readonly outputDims: readonly number[] | null;
  readonly inputLayout: string | null;
  readonly outputLayout: string | null;
  // As the engine writes it.
  readonly inputFormat: string | null;
  readonly outputFormat: string | null;
  // Null where one of the layers doesn't say.
  readonly weightBytes: number | null;
  readonly ioBytes: number | null;
}

// TensorRT before 10 numbers its kernels where it has no name for them.
const kTacticNumber = 'TacticValue';

function tacticOf(engine: Engine, row: number): string | null {
  const name = engine.layers.text('tactic', row);
  if (name !== null && name !== '') return name;
  const at = engine
    .attributesOf(row)
    .find((i) => engine.attributes.text('key', i) === kTacticNumber);
  return at === undefined ? null : engine.attributes.text('value', at);
}

function portAt(engine: Engine, row: number, direction: string, index: number | null): number {
  if (index === null) return -1;
  const ports = engine
    .portsOf(row)
    .filter((port) => engine.ports.text('direction', port) === direction);
  return ports[index] ?? -1;
}

function sumOf(engine: Engine, rows: readonly number[], column: string): number | null {
  let sum = 0;
  for (const row of rows) {
    const value = engine.layers.number(column, row);
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

export function rowsOf(engine: Engine, pairs: Pairs, side: Side, pair: number): readonly number[] {
  return [...pairs.layers(side, pair)].flatMap((id) => engine.rowOf(id) ?? []);
}

// Null where the side is empty.
export function sideFacts(
  engine: Engine,
  pairs: Pairs,
  side: Side,
  pair: number,
): SideFacts | null {
  const rows = rowsOf(engine, pairs, side, pair);
  const ends = pairs.ends(side, pair);
  const row = (id: number | null): number => (id === null ? -1 : (engine.rowOf(id) ?? -1));
  const principal = row(pairs.principal(side, pair));
  if (rows.length === 0 || principal < 0) return null;
  const [first, last] = [row(ends.first), row(ends.last)];
  const { layers, ports } = engine;
  const input = portAt(engine, first, 'input', ends.input);
  const output = portAt(engine, last, 'output', ends.output);
  return {
    rows,
    type: layers.text('type', principal),
    family: layers.text('family', principal),
    tactic: tacticOf(engine, principal),
    compute: layers.text('compute_precision', principal),
    input: layers.text('precision', first),
    output: layers.text('output_precision', last),
    inputDims: ports.list('dims', input),
    outputDims: ports.list('dims', output),
    inputLayout: ports.text('layout', input),
    outputLayout: ports.text('layout', output),
    inputFormat: ports.text('raw_format', input),
    outputFormat: ports.text('raw_format', output),
    weightBytes: sumOf(engine, rows, 'weight_bytes'),
    ioBytes: sumOf(engine, rows, 'io_bytes'),
  };
}

export interface ChangeChip {
  readonly change: string;
  readonly text: string;
  readonly title: string;
}

function arrow(from: string | null, to: string | null): string {
  return `${visible(from ?? '?')} → ${visible(to ?? '?')}`;
}

const kMaxTitle = 400;

function cut(text: string | null): string {
  const shown = visible((text ?? '–').slice(0, kMaxTitle));
  return (text ?? '').length > kMaxTitle ? `${shown}…` : shown;
}

// What is different, shortly: "out FP16 → INT8", "→ ConvActPool". A changed time has no chip: it has
// a column.
export function changeChips(
  changes: readonly string[],
  a: SideFacts | null,
  b: SideFacts | null,
  engines: { readonly a: Engine; readonly b: Engine },
): readonly ChangeChip[] {
  const count = (facts: SideFacts | null, engine: Engine, reformats: boolean): string =>
    String((facts?.rows ?? []).filter((row) => engine.isReformat(row) === reformats).length);
  const others = `${count(a, engines.a, false)} → ${count(b, engines.b, false)}`;
  const reformats = `${count(a, engines.a, true)} → ${count(b, engines.b, true)}`;
  return changes.flatMap((change): ChangeChip | readonly ChangeChip[] => {
    const chip = (text: string, title = ''): ChangeChip => ({ change, text, title });
    switch (change) {
      case 'added':
        return chip('added', `only in ${visible(engines.b.id)}`);
      case 'removed':
        return chip('removed', `only in ${visible(engines.a.id)}`);
      case 'fused':
        return chip(`fused ${others}`, `${others} layers do the same work, not counting reformats`);
      case 'split':
        return chip(`split ${others}`, `${others} layers do the same work, not counting reformats`);
      case 'regrouped':
        return chip(`regrouped ${others}`, `${others} layers, split differently`);
      case 'reformats-removed':
      case 'reformats-added':
        return chip(`reformats ${reformats}`);
      case 'type':
        return chip(`→ ${visible(b?.type ?? '?')}`, arrow(a?.type ?? null, b?.type ?? null));
      case 'precision':
        return chip(`in ${arrow(a?.input ?? null, b?.input ?? null)}`);
      case 'output-precision':
        return chip(`out ${arrow(a?.output ?? null, b?.output ?? null)}`);
      case 'compute-precision':
        return chip(`computes ${arrow(a?.compute ?? null, b?.compute ?? null)}`);
      case 'tactic':
        return chip('tactic', `${cut(a?.tactic ?? null)}\n→ ${cut(b?.tactic ?? null)}`);
      case 'layout':
        return chip(`in ${arrow(a?.inputLayout ?? null, b?.inputLayout ?? null)}`);
      case 'output-layout':
        return chip(`out ${arrow(a?.outputLayout ?? null, b?.outputLayout ?? null)}`);
      case 'dims':
        return chip(`in ${dimsText(a?.inputDims ?? null)} → ${dimsText(b?.inputDims ?? null)}`);
      case 'output-dims':
        return chip(`out ${dimsText(a?.outputDims ?? null)} → ${dimsText(b?.outputDims ?? null)}`);
      case 'time':
        return [];
      default:
        return chip(visible(change));
    }
  });
}
