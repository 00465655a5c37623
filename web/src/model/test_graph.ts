// Graphs for tests: nodes with edges and groups, without an engine around them.

import { GraphView as PlanGraphView } from './graph.ts';

const deltas = (values: readonly number[]): readonly number[] =>
  values.map((value, i) => value - (values[i - 1] ?? 0));

export interface TestGroup {
  readonly name: string;
  readonly parent?: number;
  readonly first: number;
  readonly last: number;
  readonly kind?: number;
  readonly folded?: boolean;
}

export const kTestKinds = {
  node: ['layer', 'constant', 'binding', 'memory', 'operation'],
  edge: ['data', 'carried', 'reuse'],
  group: ['scope', 'series', 'repeat'],
};

// `edges`: from, to and the kind, if it is not 0.
export function testGraph(
  count: number,
  edges: readonly (readonly [number, number, number?])[],
  groups: readonly TestGroup[] = [],
): PlanGraphView {
  const strings = groups.map((g) => g.name);
  const groupOfNode = Array.from({ length: count }, (_, node) => {
    let inner = -1;
    for (const [i, g] of groups.entries()) if (node >= g.first && node <= g.last) inner = i;
    return inner;
  });
  const json = {
    nodes: {
      kind: deltas(Array.from({ length: count }, () => 0)),
      layer_id: deltas(Array.from({ length: count }, (_, i) => i)),
      group: deltas(groupOfNode),
    },
    edges: {
      kind: deltas(edges.map(([, , kind = 0]) => kind)),
      from: deltas(edges.map(([from]) => from)),
      to: deltas(edges.map(([, to]) => to)),
      // A port for each edge, for an engine that may not have it.
      to_port: deltas(edges.map((_, i) => i)),
    },
    groups: {
      kind: deltas(groups.map((g) => g.kind ?? 0)),
      parent: deltas(groups.map((g) => g.parent ?? -1)),
      name: deltas(groups.map((_, i) => i)),
      path: deltas(groups.map((_, i) => i)),
      first: deltas(groups.map((g) => g.first)),
      last: deltas(groups.map((g) => g.last)),
      node_count: deltas(groups.map((g) => g.last - g.first + 1)),
      folded: deltas(groups.map((g) => (g.folded === true ? 1 : 0))),
    },
  };
  return new PlanGraphView('execution', json, kTestKinds, strings);
}
