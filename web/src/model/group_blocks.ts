// The few blocks that charts divide their layers into: groups of the graph at a depth with neither
// too many nor too few.

import type { GraphGroup, GraphView } from './graph.ts';

export interface Block {
  readonly label: string;
  // Where the block begins and ends, as indices into the list of layers.
  readonly first: number;
  readonly last: number;
}

// The layers before the first block and after the last.
const kStem = 'stem';
const kHead = 'head';
const kMinBlocks = 3;
const kMaxBlocks = 16;
// A group that holds more than this is opened.
const kOpenedFrom = 0.4;
// Blocks must cover at least this much, and no block more than that much; otherwise brackets tell
// nothing.
const kMinCovered = 0.5;
const kMaxInOne = 0.8;

type Places = ReadonlyMap<number, number>;

function toBlock(view: GraphView, group: GraphGroup, places: Places): Block | null {
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (let node = group.first; node <= group.last; node += 1) {
    const place = places.get(view.nodes.layerId[node] ?? -1);
    if (place === undefined) continue;
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  // A single layer is not a block.
  return last > first ? { label: group.name, first, last } : null;
}

const sizeOf = (block: Block): number => block.last - block.first + 1;

function readable(blocks: readonly Block[], count: number): boolean {
  const covered = blocks.reduce((sum, block) => sum + sizeOf(block), 0);
  const largest = Math.max(0, ...blocks.map(sizeOf));
  return (
    blocks.length >= kMinBlocks &&
    blocks.length <= kMaxBlocks &&
    covered >= count * kMinCovered &&
    largest <= count * kMaxInOne
  );
}

// Begins with the outermost groups and opens the largest one, until none is large or there would be
// too many. `places`: the index of each layer that counts, by its id.
export function blocksOf(view: GraphView, places: Places): readonly Block[] {
  let groups: readonly number[] = view.roots;
  let best: readonly Block[] = [];
  for (;;) {
    const known = groups.flatMap((index) => {
      const group = view.groups[index];
      const block = group === undefined ? null : toBlock(view, group, places);
      return block === null ? [] : [{ index, block }];
    });
    if (known.length > kMaxBlocks) break;
    const blocks = known.map((k) => k.block);
    if (readable(blocks, places.size)) best = blocks;
    const [large] = [...known].sort((a, b) => sizeOf(b.block) - sizeOf(a.block));
    const inner = large === undefined ? [] : (view.groups[large.index]?.children ?? []);
    if (large === undefined || inner.length === 0) break;
    if (sizeOf(large.block) <= places.size * kOpenedFrom) break;
    groups = groups.flatMap((index) => (index === large.index ? inner : [index]));
  }
  const first = best[0]?.first ?? 0;
  const last = best.at(-1)?.last ?? places.size - 1;
  return [
    ...(first > 0 ? [{ label: kStem, first: 0, last: first - 1 }] : []),
    ...best,
    ...(last < places.size - 1 ? [{ label: kHead, first: last + 1, last: places.size - 1 }] : []),
  ];
}
