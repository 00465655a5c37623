// The combined layers of one side of a pair, seen from outside, and their differences: the facts
// come from the tables, the program decides which differ.

import {
  bodyFont,
  dimsText,
  kMissing,
  textWidth,
  visible,
  type Engine,
  type Pairs,
  type Side,
} from '../../public/index.ts';

// TensorRT before 10 has numbers instead of names for some kernels.
const kTacticNumber = 'TacticValue';

function tacticOf(engine: Engine, row: number): string | null {
  const name = engine.layers.text('tactic', row);
  if (name !== null && name !== '') return name;
  const at = engine
    .attributesOf(row)
    .find((i) => engine.attributes.text('key', i) === kTacticNumber);
  return at === undefined ? null : engine.attributes.text('value', at);
}

export type SideFacts = NonNullable<ReturnType<typeof sideFacts>>;

// Null if the side is empty.
export function sideFacts(pairs: Pairs, side: Side, pair: number) {
  // The layer with most of the work.
  const principal = pairs.row(side, pair);
  if (principal === null) return null;
  const engine = pairs.engine(side);
  const { layers, ports } = engine;
  const rows = pairs.rows(side, pair);
  const first = pairs.row(side, pair, 'first') ?? -1;
  const last = pairs.row(side, pair, 'last') ?? -1;
  const portAt = (row: number, direction: 'input' | 'output'): number =>
    engine.portsOf(row).filter((port) => ports.text('direction', port) === direction)[
      pairs.port(side, pair, direction)
    ] ?? -1;
  const [input, output] = [portAt(first, 'input'), portAt(last, 'output')];
  // Null if one of the layers doesn't record it.
  const sum = (column: string): number | null =>
    rows.reduce<number | null>((before, row) => {
      const value = layers.number(column, row);
      return before === null || value === null ? null : before + value;
    }, 0);
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
    // In the engine's own notation.
    inputFormat: ports.text('raw_format', input),
    outputFormat: ports.text('raw_format', output),
    weightBytes: sum('weight_bytes'),
    ioBytes: sum('io_bytes'),
  };
}

// "INT8→FP16": one value when in equals out.
export function ioText(input: string | null, output: string | null): string {
  if (input === null || output === null || input === output) return visible(input ?? output ?? '');
  return `${visible(input)}→${visible(output)}`;
}

export interface ChangeChip {
  readonly text: string;
  readonly title: string;
}

const kMaxTitle = 400;

function cut(text: string | null | undefined): string {
  const shown = visible((text ?? kMissing).slice(0, kMaxTitle));
  return (text ?? '').length > kMaxTitle ? `${shown}…` : shown;
}

// The differences in short: "out FP16 → INT8", "→ ConvActPool". A changed time has no chip: it has
// a column.
export function changeChips(pairs: Pairs, pair: number): readonly ChangeChip[] {
  const [a, b] = [sideFacts(pairs, 'a', pair), sideFacts(pairs, 'b', pair)];
  const arrow = (of: (facts: SideFacts) => string | null): string =>
    [a, b].map((facts) => visible((facts === null ? null : of(facts)) ?? '?')).join(' → ');
  const dims = (of: (facts: SideFacts) => readonly number[] | null): string =>
    [a, b].map((facts) => dimsText(facts === null ? null : of(facts))).join(' → ');
  const count = (areReformats: boolean): string =>
    (['a', 'b'] as const)
      .map((side) => {
        const engine = pairs.engine(side);
        return pairs.rows(side, pair).filter((row) => engine.isReformat(row) === areReformats);
      })
      .map((rows) => rows.length)
      .join(' → ');
  const others = count(false);
  const sameWork = `${others} layers do the same work, not counting reformats`;
  const only = (side: Side): string => `only in ${visible(pairs.engine(side).id)}`;
  const chips = new Map<string, readonly [text: string, title?: string]>([
    ['added', ['added', only('b')]],
    ['removed', ['removed', only('a')]],
    ['fused', [`fused ${others}`, sameWork]],
    ['split', [`split ${others}`, sameWork]],
    ['regrouped', [`regrouped ${others}`, `${others} layers, split differently`]],
    ['reformats-removed', [`reformats ${count(true)}`]],
    ['reformats-added', [`reformats ${count(true)}`]],
    ['type', [`→ ${visible(b?.type ?? '?')}`, arrow((facts) => facts.type)]],
    ['precision', [`in ${arrow((facts) => facts.input)}`]],
    ['output-precision', [`out ${arrow((facts) => facts.output)}`]],
    ['compute-precision', [`computes ${arrow((facts) => facts.compute)}`]],
    ['tactic', ['tactic', `${cut(a?.tactic)}\n→ ${cut(b?.tactic)}`]],
    ['layout', [`in ${arrow((facts) => facts.inputLayout)}`]],
    ['output-layout', [`out ${arrow((facts) => facts.outputLayout)}`]],
    ['dims', [`in ${dims((facts) => facts.inputDims)}`]],
    ['output-dims', [`out ${dims((facts) => facts.outputDims)}`]],
  ]);
  return pairs
    .changes(pair)
    .filter((change) => change !== 'time')
    .map((change) => {
      const [text, title = ''] = chips.get(change) ?? [visible(change)];
      return { text, title };
    });
}

// The part of a chip that is not its text.
const kChipPadding = 12;
const kChipGap = 5;

// As many chips as fit into a cell; the last one shows how many more there are.
export function fittingChips(chips: readonly ChangeChip[], room: number): readonly ChangeChip[] {
  const width = (text: string): number => textWidth(text, bodyFont(11)) + kChipPadding;
  let sum = 0;
  const ends = chips.map(({ text }) => (sum += width(text) + kChipGap));
  if (sum <= room) return chips;
  const last = width(`+${chips.length}`);
  // At least one: a cut chip says more than a number alone.
  const fit = Math.max(1, ends.filter((end) => end + last <= room).length);
  const rest = chips.slice(fit);
  if (rest.length === 0) return chips;
  const title = rest.map((chip) => chip.text).join('\n');
  return [...chips.slice(0, fit), { text: `+${rest.length}`, title }];
}
