// Which pairs are rows of the table, in what order, and what they are called.

import type { Block, Engine, Pairs, Side } from '../../public/index.ts';
import type { Sort } from './choice.ts';

export type Keep = (pair: number) => boolean;

export interface Both {
  readonly a: Engine;
  readonly b: Engine;
}

function hasType(both: Both, pairs: Pairs, pair: number, type: string): boolean {
  const of = (side: Side): boolean =>
    [...pairs.layers(side, pair)].some((id) => {
      const row = both[side].rowOf(id);
      const own = row === null ? null : both[side].layers.text('type', row);
      return own?.toLowerCase() === type;
    });
  return of('a') || of('b');
}

const kPrecisions = ['precision', 'output-precision', 'compute-precision'];

// The words of `planex compare --only`, and: all, faster, slower (beyond noise), cause=C.
export function keepOf(only: string, both: Both, pairs: Pairs): Keep {
  const has = (...changes: readonly string[]): Keep => {
    return (pair) => pairs.changes(pair).some((change) => changes.includes(change));
  };
  const went = (sign: 1 | -1): Keep => {
    return (pair) =>
      pairs.exceedsNoise(pair) === true && Math.sign(pairs.deltaMs(pair) ?? 0) === sign;
  };
  if (only === 'all') return () => true;
  if (only === 'changed') return (pair) => pairs.hasChanges(pair);
  if (only === 'faster') return went(-1);
  if (only === 'slower') return went(1);
  if (only === 'mismatch-precision') return has(...kPrecisions);
  if (only === 'mismatch-tactic') return has('tactic');
  const [word, value = ''] = only.split(/=(.*)/s);
  if (word === 'type') return (pair) => hasType(both, pairs, pair, value.toLowerCase());
  if (word === 'cause') return (pair) => pairs.cause(pair) === value;
  return has(only);
}

// What the filter of the page leaves: a pair of which a layer stays, stays.
export function staysOf(both: Both, pairs: Pairs, masks: Readonly<Record<Side, Uint8Array>>): Keep {
  const of = (side: Side, pair: number): boolean =>
    [...pairs.layers(side, pair)].some((id) => {
      const row = both[side].rowOf(id);
      return row !== null && masks[side][row] === 1;
    });
  return (pair) => of('a', pair) || of('b', pair);
}

function valueOf(pairs: Pairs, column: Sort['column'], pair: number): number | null {
  switch (column) {
    case 'a':
    case 'b':
      return pairs.timeMs(column, pair);
    case 'delta':
      return pairs.deltaMs(pair);
    case 'size': {
      const delta = pairs.deltaMs(pair);
      return delta === null ? null : Math.abs(delta);
    }
    case 'ratio':
      return speedUp(pairs, pair);
    case 'a_db':
      return lossOf(pairs, 'a', pair);
    case 'b_db':
      return lossOf(pairs, 'b', pair);
    case 'db':
      return lossDelta(pairs, pair);
  }
}

// SQNR of what a side hands on, dB: in the engine where both have that, else in the model's own
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

// A ÷ B: how many times as fast B is; null where a side is empty.
export function speedUp(pairs: Pairs, pair: number): number | null {
  const a = pairs.timeMs('a', pair);
  const b = pairs.timeMs('b', pair);
  return a === null || b === null || pairs.deltaMs(pair) === null || !(b > 0) ? null : a / b;
}

// Ties, and what has no value, stay in execution order; the latter comes last.
export function sorted(chosen: readonly number[], pairs: Pairs, sort: Sort): readonly number[] {
  const sign = sort.descending ? -1 : 1;
  return [...chosen].sort((x, y) => {
    const vx = valueOf(pairs, sort.column, x);
    const vy = valueOf(pairs, sort.column, y);
    if (vx === null || vy === null) return Number(vx === null) - Number(vy === null) || x - y;
    return sign * (vx - vy) || x - y;
  });
}

export type Row =
  | { readonly kind: 'pair'; readonly pair: number }
  // One of several layers of a side.
  | { readonly kind: 'member'; readonly pair: number; readonly side: Side; readonly row: number }
  | {
      readonly kind: 'block';
      readonly block: number;
      readonly label: string;
      readonly pairs: readonly number[];
      readonly isOpen: boolean;
    };

// The block of A that each pair is in, by its first layer; what only B has is where it stands.
export function blocksOfPairs(pairs: Pairs, a: Engine, blocks: readonly Block[]): Int32Array {
  const blockOfRow = new Int32Array(a.layers.rowCount).fill(-1);
  for (const [index, block] of blocks.entries()) {
    for (let place = block.first; place <= block.last; place += 1) {
      const row = a.workRows[place];
      if (row !== undefined) blockOfRow[row] = index;
    }
  }
  const result = new Int32Array(pairs.count);
  let before = 0;
  for (let pair = 0; pair < pairs.count; pair += 1) {
    const [first] = pairs.layers('a', pair);
    const row = first === undefined ? null : a.rowOf(first);
    const own = row === null ? -1 : (blockOfRow[row] ?? -1);
    if (own >= 0) before = own;
    result[pair] = before;
  }
  return result;
}

export interface Folding {
  readonly blocks: readonly Block[];
  readonly blockOf: Int32Array;
  readonly isOpen: (block: number) => boolean;
}

// Pairs under the heads of their blocks; blocks that have none are left out.
export function inBlocks(chosen: readonly number[], folding: Folding): readonly Row[] {
  const byBlock = new Map<number, number[]>();
  for (const pair of chosen) {
    const block = folding.blockOf[pair] ?? 0;
    const list = byBlock.get(block);
    if (list === undefined) byBlock.set(block, [pair]);
    else list.push(pair);
  }
  return [...byBlock]
    .sort(([x], [y]) => x - y)
    .flatMap(([block, pairs]): readonly Row[] => {
      const isOpen = folding.isOpen(block);
      const label = folding.blocks[block]?.label ?? '';
      return [
        { kind: 'block', block, label, pairs, isOpen },
        ...(isOpen ? pairs.map((pair): Row => ({ kind: 'pair', pair })) : []),
      ];
    });
}

// The layers of a pair that is opened, one a row: first those of A, then those of B.
export function membersOf(both: Both, pairs: Pairs, pair: number): readonly Row[] {
  const of = (side: Side): readonly Row[] =>
    [...pairs.layers(side, pair)].flatMap((id): Row | readonly Row[] => {
      const row = both[side].rowOf(id);
      return row === null ? [] : { kind: 'member', pair, side, row };
    });
  return [...of('a'), ...of('b')];
}

export function isOfSeveral(pairs: Pairs, pair: number): boolean {
  return pairs.layers('a', pair).length > 1 || pairs.layers('b', pair).length > 1;
}

const kMaxNames = 3;
const kMaxFullName = 600;

export type NameOf = (row: number, engine: Engine) => string;

// "conv1 + MaxPool", as the terminal calls several layers.
export function layersName(engine: Engine, ids: Int32Array, nameOf: NameOf): string {
  const names = [...ids].flatMap((id) => {
    const row = engine.rowOf(id);
    return row === null ? [] : [nameOf(row, engine)];
  });
  if (names.length <= kMaxNames) return names.join(' + ');
  const rest = names.length - kMaxNames + 1;
  return `${names.slice(0, kMaxNames - 1).join(' + ')} + ${String(rest)} more`;
}

// One name where both sides are called the same, else "a → b".
export function pairName(both: Both, pairs: Pairs, pair: number, nameOf: NameOf): string {
  const a = layersName(both.a, pairs.layers('a', pair), nameOf);
  const b = layersName(both.b, pairs.layers('b', pair), nameOf);
  if (a === '' || a === b) return b;
  return b === '' ? a : `${a} → ${b}`;
}

// Whether all of a pair's layers are reformats.
export function onlyReformats(both: Both, pairs: Pairs, pair: number): boolean {
  const of = (side: Side): boolean =>
    [...pairs.layers(side, pair)].every((id) => {
      const row = both[side].rowOf(id);
      return row === null || both[side].isReformat(row);
    });
  return of('a') && of('b');
}

// The names in full, each with the engine it is of; one line where both are called the same.
export function rowsNames(both: Both, pairs: Pairs, pair: number): readonly string[] {
  const of = (side: Side): readonly string[] =>
    [...pairs.layers(side, pair)].flatMap((id) => {
      const row = both[side].rowOf(id);
      return row === null ? [] : [both[side].layerName(row).slice(0, kMaxFullName)];
    });
  const [a, b] = [of('a'), of('b')];
  if (a.join('\n') === b.join('\n')) return a;
  return [...a.map((name) => `A: ${name}`), ...b.map((name) => `B: ${name}`)];
}
