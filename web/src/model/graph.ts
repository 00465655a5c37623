// The graphs of an engine, as the program built them: nodes, edges and groups in columns of
// integers (docs/reference/report-data.md). Nodes are in execution order, edges in the order of
// their targets.

import { asArray, asNumber, asObject, type Json, type JsonObject, type Key } from './json_value.ts';
import { RowsById, type Strings } from './table.ts';

export const kGraphViews = ['execution', 'memory', 'source'] as const;
export type GraphViewName = (typeof kGraphViews)[number];

const kNodeKinds = ['layer', 'constant', 'binding', 'memory', 'operation', 'other'] as const;
export type NodeKind = (typeof kNodeKinds)[number];

export const kEdgeKinds = [
  'data',
  'carried',
  'reuse',
  'event',
  'control',
  'order',
  'contracted',
  'other',
] as const;
export type EdgeKind = (typeof kEdgeKinds)[number];

const kGroupKinds = [
  'scope',
  'series',
  'repeat',
  'layer',
  'opaque',
  'conditional',
  'branch',
  'loop',
  'section',
  'other',
] as const;
export type GroupKind = (typeof kGroupKinds)[number];

export const kNone = -1;

// Integers as differences, each to the previous one; an absent column has `usual` in every row.
// References outside 0 .. limit - 1 become kNone.
function integers(
  json: Json | undefined,
  count: number,
  usual: number,
  limit = Number.MAX_SAFE_INTEGER,
): Int32Array {
  const values = new Int32Array(count).fill(usual);
  let sum = 0;
  for (const [i, step] of asArray(json).slice(0, count).entries()) {
    sum += asNumber(step) ?? 0;
    values[i] = sum < limit ? Math.max(kNone, sum) : kNone;
  }
  return values;
}

// The columns of one table of the graph.
class Columns {
  readonly count: number;
  readonly #json: JsonObject;

  constructor(json: Json | undefined) {
    this.#json = asObject(json);
    this.count = asArray(this.#json.kind).length;
  }

  integers(name: Key, usual: number, limit?: number): Int32Array {
    return integers(this.#json[name], this.count, usual, limit);
  }

  // An unknown kind, from a newer planex, is "other".
  kinds<K extends string>(names: Json | undefined, known: readonly K[]): (K | 'other')[] {
    const kinds = asArray(names).map((name) => known.find((kind) => kind === name) ?? 'other');
    return Array.from(this.integers('kind', kNone), (kind) => kinds[kind] ?? 'other');
  }
}

function decodeNodes(columns: Columns, kinds: Json | undefined, strings: Strings) {
  return {
    count: columns.count,
    kind: columns.kinds(kinds, kNodeKinds),
    // For layers and constants; else kNone.
    layerId: columns.integers('layer_id', kNone),
    // Indices of the engine's strings; kNone for layers, whose names are in the table of layers.
    name: columns.integers('name', kNone, strings.length),
    type: columns.integers('type', kNone, strings.length),
    // Which use of the tensor's memory, counted from 0, and their number.
    generation: columns.integers('generation', 0),
    generations: columns.integers('generations', 1),
    // 1: an output of the engine.
    isOutput: columns.integers('is_output', 0),
  } as const;
}

function decodeEdges(columns: Columns, kinds: Json | undefined, nodeCount: number) {
  return {
    count: columns.count,
    kind: columns.kinds(kinds, kEdgeKinds),
    from: columns.integers('from', kNone, nodeCount),
    to: columns.integers('to', kNone, nodeCount),
    // Rows of the table of ports; kNone if the end is not a layer.
    fromPort: columns.integers('from_port', kNone),
    toPort: columns.integers('to_port', kNone),
    // 1: the layer at its end adds it to its result or to its other inputs.
    adds: columns.integers('adds', 0),
  } as const;
}

function decodeGroups(
  columns: Columns,
  kinds: Json | undefined,
  nodeCount: number,
  strings: Strings,
) {
  const kind = columns.kinds(kinds, kGroupKinds);
  const parent = columns.integers('parent', kNone, columns.count);
  const name = columns.integers('name', kNone, strings.length);
  const path = columns.integers('path', kNone, strings.length);
  const first = columns.integers('first', 0, nodeCount);
  const last = columns.integers('last', kNone, nodeCount);
  const nodes = columns.integers('node_count', 0);
  const odd = columns.integers('odd', 0);
  const folded = columns.integers('folded', 0);
  const children = kind.map((): number[] => []);
  return kind.map((own, i) => {
    // An outer group precedes its inner ones; any other order would be a cycle.
    const above = parent[i] ?? kNone;
    if (above < i) children[above]?.push(i);
    return {
      index: i,
      kind: own,
      parent: above < i ? above : kNone,
      name: strings[name[i] ?? kNone] ?? '',
      path: strings[path[i] ?? kNone] ?? '',
      // The first and the last of its nodes in execution order.
      first: Math.max(0, first[i] ?? 0),
      last: last[i] ?? kNone,
      nodeCount: nodes[i] ?? 0,
      // An outlier among the instances of its series.
      isOdd: odd[i] === 1,
      // Whether the program folds it at first.
      isFolded: folded[i] === 1,
      children: children[i] as readonly number[],
    } as const;
  });
}

export type GraphGroup = ReturnType<typeof decodeGroups>[number];

export class GraphView {
  readonly view: GraphViewName;
  readonly nodes: ReturnType<typeof decodeNodes>;
  readonly edges: ReturnType<typeof decodeEdges>;
  readonly groups: readonly GraphGroup[];
  // Outermost groups, in execution order.
  readonly roots: readonly number[];
  // The innermost group of each node, or kNone.
  readonly groupOfNode: Int32Array;
  readonly #strings: Strings;
  readonly #nodeOfLayer = new Map<number, number>();
  // Edges at each node, in order.
  #in: RowsById | null = null;
  #out: RowsById | null = null;
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
    const nodes = new Columns(object.nodes);
    const count = nodes.count;
    this.nodes = decodeNodes(nodes, names.node, strings);
    this.edges = decodeEdges(new Columns(object.edges), names.edge, count);
    this.groups = decodeGroups(new Columns(object.groups), names.group, count, strings);
    this.roots = this.groups.filter((g) => g.parent === kNone).map((g) => g.index);
    this.groupOfNode = nodes.integers('group', kNone, this.groups.length);
    for (const [node, id] of this.nodes.layerId.entries()) {
      if (id >= 0) this.#nodeOfLayer.set(id, node);
    }
  }

  // Null for layers, whose names are in the table.
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

  edgesInto(node: number): readonly number[] {
    this.#in ??= new RowsById(this.edges.to);
    return this.#in.of(node);
  }

  edgesFrom(node: number): readonly number[] {
    this.#out ??= new RowsById(this.edges.from);
    return this.#out.of(node);
  }

  // A record that holds a constant, or memory that only such records write, or nothing.
  isConstant(node: number): boolean {
    const kind = this.nodes.kind[node];
    if (kind !== 'memory') return kind === 'constant';
    const writers = this.edgesInto(node).map((edge) => this.edges.from[edge] ?? kNone);
    if (writers.length === 0) return this.nodes.generations[node] === 1;
    return writers.every((writer) => this.nodes.kind[writer] === 'constant');
  }

  get hasConstants(): boolean {
    return this.nodes.kind.some((_, node) => this.isConstant(node));
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

  // Nodes of a group: its range, without nodes in between that belong to other groups.
  nodesOf(group: number): readonly number[] {
    const own = this.groups[group];
    if (own === undefined) return [];
    const nodes: number[] = [];
    for (let node = own.first; node <= own.last; node += 1) {
      let around = this.groupOfNode[node] ?? kNone;
      // Inner groups come after outer ones.
      while (around > group) around = this.groups[around]?.parent ?? kNone;
      if (around === group) nodes.push(node);
    }
    return nodes;
  }
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

  // Whether this graph exists, without decoding it.
  has(name: GraphViewName): boolean {
    const nodes = asObject(asObject(asObject(asObject(this.#json).views)[name]).nodes);
    return asArray(nodes.kind).length > 0;
  }

  // One per row of the table of layers; null if the file has none. Parameters are those of a
  // convolution or pooling: "3×3 /2 g32".
  texts(name: 'short_names' | 'parameters', rows: number): readonly (string | null)[] {
    const indices = integers(asObject(this.#json)[name], rows, kNone, this.#strings.length);
    return Array.from(indices, (index) => this.#strings[index] ?? null);
  }
}
