// Which pairs are rows of the table, their order and their names.

import {
  grouped,
  parseSort,
  sortItems,
  type Block,
  type Engine,
  type PairLayer,
  type Pairs,
  type Side,
} from '../../public/index.ts';

export type Keep = (pair: number) => boolean;

const kPrecisions = ['precision', 'output-precision', 'compute-precision'];

// The words of `planex compare --which`, and: all, faster, slower (beyond noise), cause=C.
export function keepOf(only: string, pairs: Pairs): Keep {
  const has = (...changes: readonly string[]): Keep => {
    return (pair) => pairs.changes(pair).some((change) => changes.includes(change));
  };
  const went = (sign: 1 | -1): Keep => {
    return (pair) =>
      pairs.exceedsNoise(pair) === true && Math.sign(pairs.deltaMs(pair) ?? 0) === sign;
  };
  const hasType = (type: string): Keep => {
    const isIt = ({ engine, row }: PairLayer): boolean =>
      engine.layers.text('type', row)?.toLowerCase() === type;
    return (pair) => pairs.layers(pair).some(isIt);
  };
  if (only === 'all') return () => true;
  if (only === 'changed') return (pair) => pairs.hasChanges(pair);
  if (only === 'faster') return went(-1);
  if (only === 'slower') return went(1);
  if (only === 'mismatch-precision') return has(...kPrecisions);
  if (only === 'mismatch-tactic') return has('tactic');
  const [word, value = ''] = only.split(/=(.*)/s);
  if (word === 'type') return hasType(value.toLowerCase());
  if (word === 'cause') return (pair) => pairs.cause(pair) === value;
  return has(only);
}

// Applies the page's filter: a pair passes if one of its layers does.
export function staysOf(pairs: Pairs, masks: Readonly<Record<Side, Uint8Array>>): Keep {
  return (pair) => pairs.layers(pair).some(({ side, row }) => masks[side][row] === 1);
}

// SQNR of a side's outputs, dB: in the engine if both have that, else in the model's own
// arithmetic.
export function lossOf(pairs: Pairs, side: Side, pair: number): number | null {
  const { loss } = pairs;
  return loss === null ? null : pairs.lossDb(side, loss, pair);
}

// B − A: below 0 B loses more.
export function lossDelta(pairs: Pairs, pair: number): number | null {
  const [a, b] = [lossOf(pairs, 'a', pair), lossOf(pairs, 'b', pair)];
  return a === null || b === null ? null : b - a;
}

// A ÷ B: how many times as fast B is; null if a side is empty.
export function speedUp(pairs: Pairs, pair: number): number | null {
  const a = pairs.timeMs('a', pair);
  const b = pairs.timeMs('b', pair);
  return a === null || b === null || pairs.deltaMs(pair) === null || !(b > 0) ? null : a / b;
}

type Value = (pairs: Pairs, pair: number) => number | null;

// The sort keys of rows, by their names in the link.
const kSortKeys: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['a', (pairs, pair) => pairs.timeMs('a', pair)],
  ['b', (pairs, pair) => pairs.timeMs('b', pair)],
  ['delta', (pairs, pair) => pairs.deltaMs(pair)],
  ['size', (pairs, pair) => Math.abs(pairs.deltaMs(pair) ?? Number.NaN)],
  ['ratio', speedUp],
  ['a_db', (pairs, pair) => lossOf(pairs, 'a', pair)],
  ['b_db', (pairs, pair) => lossOf(pairs, 'b', pair)],
  ['db', lossDelta],
]);

// Null: in execution order.
export function sorted(
  chosen: readonly number[],
  pairs: Pairs,
  sort: string | null,
): readonly number[] | null {
  const by = parseSort(sort);
  const value = kSortKeys.get(by?.id ?? '');
  if (by === null || value === undefined) return null;
  return sortItems(chosen, (pair) => value(pairs, pair) ?? Number.NaN, by.descending);
}

export type Row =
  | { readonly kind: 'pair'; readonly pair: number }
  // One of several layers of a side.
  | ({ readonly kind: 'member'; readonly pair: number } & PairLayer)
  | {
      readonly kind: 'block';
      readonly block: number;
      readonly label: string;
      readonly pairs: readonly number[];
      readonly isOpen: boolean;
    };

// The block of A that contains each pair, by its first layer; pairs that only B has get the block
// of the preceding row.
export function blocksOfPairs(pairs: Pairs): readonly number[] {
  const { blocks, workRows } = pairs.engine('a');
  const blockOfRow = new Map<number, number>();
  for (const [index, { first, last }] of blocks.entries()) {
    for (const row of workRows.subarray(first, last + 1)) blockOfRow.set(row, index);
  }
  let before = 0;
  return Array.from({ length: pairs.count }, (_, pair) => {
    before = blockOfRow.get(pairs.rows('a', pair)[0] ?? -1) ?? before;
    return before;
  });
}

// Pairs under the heads of their blocks; empty blocks are left out.
export function inBlocks(
  chosen: readonly number[],
  blocks: readonly Block[],
  blockOf: (pair: number) => number,
  isOpen: (block: number) => boolean,
): readonly Row[] {
  return [...grouped(chosen, blockOf)]
    .sort(([x], [y]) => x - y)
    .flatMap(([block, pairs]): readonly Row[] => [
      { kind: 'block', block, label: blocks[block]?.label ?? '', pairs, isOpen: isOpen(block) },
      ...(isOpen(block) ? pairs.map((pair): Row => ({ kind: 'pair', pair })) : []),
    ]);
}

export function isOfSeveral(pairs: Pairs, pair: number): boolean {
  return pairs.rows('a', pair).length > 1 || pairs.rows('b', pair).length > 1;
}

const kMaxNames = 3;
const kMaxFullName = 600;

export type NameOf = (row: number, engine: Engine) => string;

// "conv1 + MaxPool", as the terminal calls several layers.
export function sideName(pairs: Pairs, side: Side, pair: number, nameOf: NameOf): string {
  const names = pairs.rows(side, pair).map((row) => nameOf(row, pairs.engine(side)));
  if (names.length <= kMaxNames) return names.join(' + ');
  const rest = names.length - kMaxNames + 1;
  return `${names.slice(0, kMaxNames - 1).join(' + ')} + ${rest} more`;
}

// One name if both sides have the same, else "a → b".
export function pairName(pairs: Pairs, pair: number, nameOf: NameOf): string {
  const [a, b] = [sideName(pairs, 'a', pair, nameOf), sideName(pairs, 'b', pair, nameOf)];
  if (a === '' || a === b) return b;
  return b === '' ? a : `${a} → ${b}`;
}

// The full names, each with its engine; one line if both have the same.
export function rowsNames(pairs: Pairs, pair: number): readonly string[] {
  const of = (side: Side): readonly string[] =>
    pairs.rows(side, pair).map((row) => pairs.engine(side).layerName(row).slice(0, kMaxFullName));
  const [a, b] = [of('a'), of('b')];
  if (a.join('\n') === b.join('\n')) return a;
  return [...a.map((name) => `A: ${name}`), ...b.map((name) => `B: ${name}`)];
}
