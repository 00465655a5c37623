// The graphs of an engine, as the program built them: nodes, edges and groups in columns of integers
// (docs/reference/report-data.md). Nodes are in execution order, edges in that of their targets.

import { asArray, asNumber, asObject, asText, type Json, type Key } from './json_value.ts';
import type { Strings } from './table.ts';

export const kGraphViews = ['execution', 'memory', 'source'] as const;
export type GraphViewName = (typeof kGraphViews)[number];

export type NodeKind = 'layer' | 'constant' | 'binding' | 'memory' | 'operation' | 'other';
export type EdgeKind =
  'data' | 'carried' | 'reuse' | 'event' | 'control' | 'order' | 'contracted' | 'other';
export type GroupKind =
  | 'scope'
  | 'series'
  | 'repeat'
  | 'layer'
  | 'opaque'
  | 'conditional'
  | 'branch'
  | 'loop'
  | 'section'
  | 'other';

export const kNone = -1;

// Integers as differences, each to the one before; a column that is not there is all `fallback`.
// References that lead outside 0 .. limit - 1 become kNone.
function integers(
  json: Json | undefined,
  count: number,
  fallback: number,
  limit = Number.MAX_SAFE_INTEGER,
): Int32Array {
  const values = new Int32Array(count).fill(fallback);
  if (!Array.isArray(json)) return values;
  const steps = asArray(json);
  let sum = 0;
  for (let i = 0; i < Math.min(count, steps.length); i += 1) {
    sum += asNumber(steps[i]) ?? 0;
    values[i] = sum < limit ? Math.max(kNone, sum) : kNone;
  }
  return values;
}

function kindNames(json: Json | undefined): readonly string[] {
  return asArray(json).map((name) => asText(name) ?? '');
}

export interface GraphNodes {
  readonly count: number;
  readonly kind: readonly NodeKind[];
  // Of layers and constants; kNone otherwise.
  readonly layerId: Int32Array;
  // Indices of the engine's strings, kNone for layers: they have theirs in the table of layers.
  readonly name: Int32Array;
  readonly type: Int32Array;
  // Which use of the tensor's memory, counted from 0, and how many there are.
  readonly generation: Int32Array;
  readonly generations: Int32Array;
  // 1: an output of the engine.
  readonly isOutput: Int32Array;
}

export interface GraphEdges {
  readonly count: number;
  readonly kind: readonly EdgeKind[];
  readonly from: Int32Array;
  readonly to: Int32Array;
  // Rows of the table of ports; kNone where the end is no layer.
  readonly fromPort: Int32Array;
  readonly toPort: Int32Array;
}

export interface GraphGroup {
  readonly index: number;
  readonly kind: GroupKind;
  readonly parent: number;
  readonly name: string;
  readonly path: string;
  // The first and the last of its nodes in execution order.
  readonly first: number;
  readonly last: number;
  readonly nodeCount: number;
  // Groups with the same value are alike; 0: like no other.
  readonly shape: number;
  // Stands out among the turns of its series.
  readonly isOdd: boolean;
  // As the program would show it first.
  readonly isFolded: boolean;
  readonly children: readonly number[];
}

// Edges at each node, in their order.
class Incidence {
  readonly #edges: Int32Array;
  readonly #first: Int32Array;

  constructor(nodes: number, ends: Int32Array) {
    this.#first = new Int32Array(nodes + 1);
    for (const node of ends)
      if (node >= 0) this.#first[node + 1] = (this.#first[node + 1] ?? 0) + 1;
    for (let i = 0; i < nodes; i += 1) {
      this.#first[i + 1] = (this.#first[i + 1] ?? 0) + (this.#first[i] ?? 0);
    }
    const next = this.#first.slice();
    this.#edges = new Int32Array(this.#first[nodes] ?? 0);
    for (const [edge, node] of ends.entries()) {
      if (node < 0) continue;
      const at = next[node] ?? 0;
      this.#edges[at] = edge;
      next[node] = at + 1;
    }
  }

  of(node: number): Int32Array {
    return this.#edges.subarray(this.#first[node] ?? 0, this.#first[node + 1] ?? 0);
  }
}

export class GraphView {
  readonly view: GraphViewName;
  readonly nodes: GraphNodes;
  readonly edges: GraphEdges;
  readonly groups: readonly GraphGroup[];
  // Outermost groups, in execution order.
  readonly roots: readonly number[];
  // The innermost group of each node, or kNone.
  readonly groupOfNode: Int32Array;
  readonly #strings: Strings;
  readonly #nodeOfLayer = new Map<number, number>();
  #in: Incidence | null = null;
  #out: Incidence | null = null;
  #groupOfPath: ReadonlyMap<string, number> | null = null;

  constructor(
    view: GraphViewName,
    json: Json | undefined,
    kinds: Json | undefined,
    strings: Strings,
  ) {
    this.view = view;
    this.#strings = strings;
    const object = asObject(json);
    const names = asObject(kinds);
    this.nodes = decodeNodes(object.nodes, kindNames(names.node), strings.length);
    this.edges = decodeEdges(object.edges, kindNames(names.edge), this.nodes.count);
    this.groups = decodeGroups(object.groups, kindNames(names.group), this.nodes.count, strings);
    this.roots = this.groups.filter((g) => g.parent === kNone).map((g) => g.index);
    this.groupOfNode = integers(
      asObject(object.nodes).group,
      this.nodes.count,
      kNone,
      this.groups.length,
    );
    for (const [node, id] of this.nodes.layerId.entries()) {
      if (id >= 0) this.#nodeOfLayer.set(id, node);
    }
  }

  // Null for layers, which have their names in the table.
  name(node: number): string | null {
    return this.#strings[this.nodes.name[node] ?? kNone] ?? null;
  }

  // Of operations.
  type(node: number): string | null {
    return this.#strings[this.nodes.type[node] ?? kNone] ?? null;
  }

  nodeOfLayer(layerId: number): number | null {
    return this.#nodeOfLayer.get(layerId) ?? null;
  }

  edgesInto(node: number): Int32Array {
    this.#in ??= new Incidence(this.nodes.count, this.edges.to);
    return this.#in.of(node);
  }

  edgesFrom(node: number): Int32Array {
    this.#out ??= new Incidence(this.nodes.count, this.edges.from);
    return this.#out.of(node);
  }

  // A record that holds a constant, or memory that only those write, or nobody.
  isConstant(node: number): boolean {
    const kind = this.nodes.kind[node];
    if (kind !== 'memory') return kind === 'constant';
    const writers = [...this.edgesInto(node)].map((edge) => this.edges.from[edge] ?? kNone);
    if (writers.length === 0) return this.nodes.generations[node] === 1;
    return writers.every((writer) => this.nodes.kind[writer] === 'constant');
  }

  groupByPath(path: string): number | null {
    this.#groupOfPath ??= new Map(this.groups.map((g) => [g.path, g.index]));
    return this.#groupOfPath.get(path) ?? null;
  }

  // The groups around a node, innermost first.
  groupsAround(node: number): readonly number[] {
    const around: number[] = [];
    let group = this.groupOfNode[node] ?? kNone;
    while (group >= 0) {
      around.push(group);
      group = this.groups[group]?.parent ?? kNone;
    }
    return around;
  }

  // Nodes of a group: its range, without those in between that belong elsewhere.
  nodesOf(group: number): readonly number[] {
    const own = this.groups[group];
    if (own === undefined) return [];
    const nodes: number[] = [];
    for (let node = own.first; node <= own.last; node += 1) {
      let around = this.groupOfNode[node] ?? kNone;
      // Inner groups stand behind outer ones.
      while (around > group) around = this.groups[around]?.parent ?? kNone;
      if (around === group) nodes.push(node);
    }
    return nodes;
  }
}

function decodeNodes(
  json: Json | undefined,
  kinds: readonly string[],
  stringCount: number,
): GraphNodes {
  const o = asObject(json);
  const count = asArray(o.kind).length;
  const text = (value: Json | undefined): Int32Array => integers(value, count, kNone, stringCount);
  return {
    count,
    kind: kindColumn(o.kind, count, kinds, kNodeKinds),
    layerId: integers(o.layer_id, count, kNone),
    name: text(o.name),
    type: text(o.type),
    generation: integers(o.generation, count, 0),
    generations: integers(o.generations, count, 1),
    isOutput: integers(o.is_output, count, 0),
  };
}

const kNodeKinds: readonly NodeKind[] = ['layer', 'constant', 'binding', 'memory', 'operation'];
const kEdgeKinds: readonly EdgeKind[] = [
  'data',
  'carried',
  'reuse',
  'event',
  'control',
  'order',
  'contracted',
];
const kGroupKinds: readonly GroupKind[] = [
  'scope',
  'series',
  'repeat',
  'layer',
  'opaque',
  'conditional',
  'branch',
  'loop',
  'section',
];

// A kind that this page does not know, of a newer planex, is "other".
function kindColumn<K extends string>(
  json: Json | undefined,
  count: number,
  names: readonly string[],
  known: readonly K[],
): (K | 'other')[] {
  const kinds = names.map((name) => known.find((kind) => kind === name) ?? 'other');
  return Array.from(integers(json, count, kNone), (kind) => kinds[kind] ?? 'other');
}

function decodeEdges(
  json: Json | undefined,
  kinds: readonly string[],
  nodeCount: number,
): GraphEdges {
  const o = asObject(json);
  const count = asArray(o.kind).length;
  return {
    count,
    kind: kindColumn(o.kind, count, kinds, kEdgeKinds),
    from: integers(o.from, count, kNone, nodeCount),
    to: integers(o.to, count, kNone, nodeCount),
    fromPort: integers(o.from_port, count, kNone),
    toPort: integers(o.to_port, count, kNone),
  };
}

function decodeGroups(
  json: Json | undefined,
  kinds: readonly string[],
  nodeCount: number,
  strings: Strings,
): readonly GraphGroup[] {
  const o = asObject(json);
  const count = asArray(o.kind).length;
  const kind = kindColumn(o.kind, count, kinds, kGroupKinds);
  const column = (name: Key, fallback: number, limit?: number): Int32Array =>
    integers(o[name], count, fallback, limit);
  const parent = column('parent', kNone, count);
  const name = column('name', kNone, strings.length);
  const path = column('path', kNone, strings.length);
  const first = column('first', 0, nodeCount);
  const last = column('last', kNone, nodeCount);
  const nodes = column('node_count', 0);
  const shape = column('shape', 0);
  const odd = column('odd', 0);
  const folded = column('folded', 0);
  const children = Array.from({ length: count }, (): number[] => []);
  // An outer group stands before its inner ones; another order would be a circle.
  for (let i = 0; i < count; i += 1) {
    const above = parent[i] ?? kNone;
    if (above >= i) parent[i] = kNone;
    else if (above >= 0) children[above]?.push(i);
  }
  return Array.from({ length: count }, (_, i) => ({
    index: i,
    kind: kind[i] ?? 'other',
    parent: parent[i] ?? kNone,
    name: strings[name[i] ?? kNone] ?? '',
    path: strings[path[i] ?? kNone] ?? '',
    first: Math.max(0, first[i] ?? 0),
    last: last[i] ?? kNone,
    nodeCount: nodes[i] ?? 0,
    shape: shape[i] ?? 0,
    isOdd: odd[i] === 1,
    isFolded: folded[i] === 1,
    children: children[i] ?? [],
  }));
}

// All graphs of an engine, decoded when they are first asked for, and the short names of its layers.
export class Graphs {
  readonly #json: Json | undefined;
  readonly #strings: Strings;
  readonly #views = new Map<GraphViewName, GraphView | null>();

  constructor(json: Json | undefined, strings: Strings) {
    this.#json = json;
    this.#strings = strings;
  }

  view(name: GraphViewName): GraphView | null {
    let view = this.#views.get(name);
    if (view === undefined) {
      const object = asObject(this.#json);
      const json = asObject(object.views)[name];
      const decoded = new GraphView(name, json, object.kinds, this.#strings);
      view = decoded.nodes.count === 0 ? null : decoded;
      this.#views.set(name, view);
    }
    return view;
  }

  // Whether there is such a view, without decoding it.
  has(name: GraphViewName): boolean {
    const nodes = asObject(asObject(asObject(asObject(this.#json).views)[name]).nodes);
    return asArray(nodes.kind).length > 0;
  }

  // One a row of the table of layers; null where the file has none.
  shortNames(rows: number): readonly (string | null)[] {
    const indices = integers(asObject(this.#json).short_names, rows, kNone, this.#strings.length);
    return Array.from(indices, (index) => this.#strings[index] ?? null);
  }
}
