import { describe, expect, it } from 'vitest';

import { testGraph } from './test_graph.ts';
import { GraphView } from './graph.ts';
import {
  foldedGroups,
  groupKey,
  groupOfKey,
  itemText,
  kStandardChoice,
  parseItem,
  withGroups,
} from './graph_choice.ts';
import { blocksOf } from './group_blocks.ts';

const view = testGraph(
  6,
  [
    [0, 1],
    [1, 4],
    [3, 4],
  ],
  [
    { name: 'a', first: 1, last: 4, folded: true },
    { name: 'a.b', parent: 0, first: 2, last: 3 },
    { name: 'x'.repeat(500), first: 5, last: 5 },
  ],
);

describe('a graph from data', () => {
  it('knows its edges at each node', () => {
    expect([...view.edgesInto(4)]).toEqual([1, 2]);
    expect([...view.edgesFrom(0)]).toEqual([0]);
    expect([...view.edgesFrom(5)]).toEqual([]);
  });
  it('knows its groups', () => {
    expect(view.roots).toEqual([0, 2]);
    expect(view.groupsAround(2)).toEqual([1, 0]);
    expect(view.nodesOf(0)).toEqual([1, 2, 3, 4]);
    expect(view.nodesOf(1)).toEqual([2, 3]);
  });
  it('survives references to nowhere', () => {
    const broken = new GraphView(
      'execution',
      {
        nodes: { kind: [0, 99, -99], layer_id: [5, 'x', null], group: [77, -80, 0], name: [999] },
        edges: { kind: [0, 0], from: [0, 99], to: [-7, 1] },
        groups: { kind: [0, 8], parent: [1, 5], name: [9], first: [900], last: [900] },
      },
      { node: ['layer'], edge: [], group: {} },
      ['only'],
    );
    expect(broken.nodes.count).toBe(3);
    expect(broken.nodes.kind).toEqual(['layer', 'other', 'layer']);
    expect([...broken.edges.from]).toEqual([0, -1]);
    // A cycle of parents would never end.
    expect(broken.groups.map((g) => g.parent)).toEqual([-1, -1]);
    expect([...broken.groupOfNode]).toEqual([-1, -1, -1]);
    for (let node = 0; node < 3; node += 1) expect(broken.groupsAround(node)).toEqual([]);
  });
  it('is empty where there is none', () => {
    expect(new GraphView('memory', undefined, undefined, []).nodes.count).toBe(0);
  });
});

describe('the choice of open groups', () => {
  it('starts from what the program chose', () => {
    expect([...foldedGroups(view, kStandardChoice)]).toEqual([1, 0, 0]);
    expect([...foldedGroups(view, { ...kStandardChoice, folding: 'open' })]).toEqual([0, 0, 0]);
    expect([...foldedGroups(view, { ...kStandardChoice, folding: 'folded' })]).toEqual([1, 1, 1]);
  });
  it('opens and folds again, and then is as before', () => {
    const opened = withGroups(view, kStandardChoice, [0], false);
    expect([...foldedGroups(view, opened)]).toEqual([0, 0, 0]);
    expect(withGroups(view, opened, [0], true)).toEqual(kStandardChoice);
    expect(withGroups(view, opened, [0], false)).toEqual(opened);
  });
  it('names groups in links by their path, and long ones by number', () => {
    for (const group of view.groups) {
      expect(groupKey(group).length).toBeLessThan(200);
      expect(groupOfKey(view, groupKey(group))).toBe(group.index);
    }
    expect(groupOfKey(view, 'nothing')).toBeNull();
    expect(groupOfKey(view, '@99')).toBeNull();
  });
  it('names other parts of the graph in links', () => {
    for (const item of [
      { kind: 'group', group: 1 },
      { kind: 'group', group: 2 },
    ] as const) {
      expect(parseItem(view, itemText(view, item))).toEqual(item);
    }
    // Layers are selected by their own number.
    expect(parseItem(view, 'node:3')).toBeNull();
    for (const text of ['node:99', 'node:x', 'group:none', '', 'x']) {
      expect(parseItem(view, text)).toBeNull();
    }
  });
});

describe('blocks of charts', () => {
  const places = (count: number): ReadonlyMap<number, number> =>
    new Map(Array.from({ length: count }, (_, i) => [i, i]));

  it('are outermost groups between a stem and a head', () => {
    const blocks = blocksOf(
      testGraph(
        14,
        [],
        [1, 2, 3].map((i) => ({ name: `layer${String(i)}`, first: 4 * i - 2, last: 4 * i })),
      ),
      places(14),
    );
    expect(blocks.map((b) => [b.label, b.first, b.last])).toEqual([
      ['stem', 0, 1],
      ['layer1', 2, 4],
      ['layer2', 6, 8],
      ['layer3', 10, 12],
      ['head', 13, 13],
    ]);
  });
  it('go deeper where one group holds all', () => {
    const inner = [0, 1, 2, 3].map((i) => ({
      name: `b${String(i)}`,
      parent: 0,
      first: 2 * i,
      last: 2 * i + 1,
    }));
    const graph = testGraph(8, [], [{ name: 'model', first: 0, last: 7 }, ...inner]);
    expect(blocksOf(graph, places(8)).map((b) => b.label)).toEqual(['b0', 'b1', 'b2', 'b3']);
  });
  it('are none where groups say nothing', () => {
    expect(blocksOf(testGraph(5, []), places(5))).toEqual([]);
    expect(blocksOf(testGraph(0, []), places(0))).toEqual([]);
  });
});
