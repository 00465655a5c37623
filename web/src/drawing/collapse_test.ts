import { describe, expect, it } from 'vitest';

import { kNone, type GraphView } from '../public/index.ts';
import { testGraph } from '../public/test_graph.ts';
import { testLayout } from '../public/test_layout.ts';
import { collapse, type BoxGraph } from './collapse.ts';

const run = testLayout();

// 0 -> 1 -> 2 -> 3 -> 4 -> 5, and 1 -> 4 past the middle; groups: outer 1 to 4, inner 2 to 3.
const view = testGraph(
  6,
  [
    [0, 1],
    [1, 2],
    [2, 3],
    [1, 4],
    [3, 4],
    [4, 5],
  ],
  [
    { name: 'outer', first: 1, last: 4 },
    { name: 'inner', parent: 0, first: 2, last: 3 },
  ],
);

// `tensorOf`: what flows along an edge; ports are edges here.
const seenOf = (
  graph: GraphView,
  folded: readonly number[],
  tensorOf: (edge: number) => number | string | null = () => 0,
  hidden: readonly number[] = [],
): Promise<BoxGraph> =>
  collapse(run, {
    engine: { tensorOf },
    view: graph,
    folded: Uint8Array.from(folded),
    hidden: Uint8Array.from({ length: graph.nodes.count }, (_, node) => hidden[node] ?? 0),
  });

const seen = (folded: readonly number[], hidden?: readonly number[]): Promise<BoxGraph> =>
  seenOf(view, folded, undefined, hidden);

const ends = (graph: BoxGraph): readonly string[] =>
  graph.edges.map((e) => `${String(e.from)}>${String(e.to)}`);

describe('collapse', () => {
  it('shows every node where all is open', async () => {
    const graph = await seen([0, 0]);
    expect(graph.boxes.map((b) => b.node)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(graph.frames).toEqual([
      { group: 0, parent: kNone },
      { group: 1, parent: 0 },
    ]);
    expect(graph.boxes.map((b) => b.frame)).toEqual([kNone, 0, 1, 1, 0, kNone]);
    expect(ends(graph)).toEqual(['0>1', '1>2', '2>3', '1>4', '3>4', '4>5']);
  });
  it('makes one box of a folded group, and of edges that become the same', async () => {
    const graph = await seen([0, 1]);
    expect(graph.boxes.map((b) => [b.node, b.group])).toEqual([
      [0, kNone],
      [1, kNone],
      [kNone, 1],
      [4, kNone],
      [5, kNone],
    ]);
    expect(graph.boxes[2]?.frame).toBe(0);
    expect(graph.frames).toEqual([{ group: 0, parent: kNone }]);
    expect(ends(graph)).toEqual(['0>1', '1>2', '1>3', '2>3', '3>4']);
    expect([...graph.boxOfNode]).toEqual([0, 1, 2, 2, 3, 4]);
  });
  it('lets the outermost folded group win', async () => {
    for (const inner of [0, 1]) {
      const graph = await seen([1, inner]);
      expect(graph.boxes.map((b) => [b.node, b.group])).toEqual([
        [0, kNone],
        [kNone, 0],
        [5, kNone],
      ]);
      expect(graph.frames).toEqual([]);
      expect(ends(graph)).toEqual(['0>1', '1>2']);
    }
  });
  it('merges edges of one tensor only', async () => {
    const fan = testGraph(
      4,
      [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
      [{ name: 'g', first: 1, last: 3 }],
    );
    const one = await seenOf(fan, [1], () => 7);
    expect(one.edges).toEqual([{ from: 0, to: 1, edge: 0, count: 3 }]);
    const each = await seenOf(fan, [1], (port) => port);
    expect((await seenOf(fan, [1], (port) => `t${String(port % 2)}`)).edges).toHaveLength(2);
    expect(each.edges.map((e) => e.count)).toEqual([1, 1, 1]);
  });
  it('leaves out what is hidden, with its edges', async () => {
    const graph = await seen([0, 0], [0, 0, 1, 0, 0, 0]);
    expect(graph.boxes).toHaveLength(5);
    expect(graph.boxOfNode[2]).toBe(kNone);
    expect(ends(graph)).toEqual(['0>1', '1>3', '2>3', '3>4']);
  });
  it('makes one edge of many tensors to a folded group, and only to those', async () => {
    const many = testGraph(
      4,
      Array.from({ length: 12 }, (_, i): [number, number] => (i < 6 ? [0, 1] : [2, 3])),
      [{ name: 'g', first: 1, last: 1 }],
    );
    const graph = await seenOf(many, [1], (port) => port);
    expect(graph.edges.filter((e) => e.to === 1)).toEqual([{ from: 0, to: 1, edge: 0, count: 6 }]);
    expect(graph.edges.filter((e) => e.to === 3)).toHaveLength(6);
  });
  it('leaves out edges of a box to itself', async () => {
    const loop = testGraph(1, [[0, 0, 1]]);
    const graph = await seenOf(loop, [], () => null);
    expect(graph.edges).toHaveLength(0);
  });
  it('takes a chain of groups as deep as a graph is long', async () => {
    const depth = 20_000;
    const groups = Array.from({ length: depth }, (_, i) => ({
      name: `g${String(i)}`,
      parent: i - 1,
      first: 0,
      last: 1,
    }));
    const deep = testGraph(2, [[0, 1]], groups);
    const graph = await seenOf(
      deep,
      groups.map(() => 0),
      () => null,
    );
    expect(graph.frames).toHaveLength(depth);
    expect(graph.frames.at(-1)?.parent).toBe(depth - 2);
  });
});
