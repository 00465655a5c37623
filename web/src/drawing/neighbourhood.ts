// A few boxes around one: who writes what it reads, who reads what it writes, one below the other in
// execution order.

import type { Engine, GraphView } from '../public/index.ts';
import { kNone, type BoxEdge, type BoxGraph } from './collapse.ts';
import { tensorOf } from './edge_facts.ts';

const kMaxBoxes = 7;
const kMaxSides = 3;
// Ways that are followed at each step.
const kMaxFollowed = 32;

export interface Neighbourhood {
  readonly graph: BoxGraph;
  readonly centre: number;
  // Those that are not shown.
  readonly moreBefore: number;
  readonly moreAfter: number;
}

class Around {
  readonly #view: GraphView;
  readonly #engine: Engine;

  constructor(engine: Engine, view: GraphView) {
    this.#engine = engine;
    this.#view = view;
  }

  #isData(edge: number): boolean {
    const kind = this.#view.edges.kind[edge];
    return kind === 'data' || kind === 'carried' || kind === 'contracted';
  }

  // Edges that data flow along, between what is no constant.
  edgesInto(node: number): readonly number[] {
    const { edges } = this.#view;
    return [...this.#view.edgesInto(node)].filter(
      (edge) => this.#isData(edge) && !this.#view.isConstant(edges.from[edge] ?? kNone),
    );
  }

  // The nearest in execution order first, each once.
  before(node: number): readonly number[] {
    const { from } = this.#view.edges;
    const nodes = this.edgesInto(node).map((edge) => from[edge] ?? kNone);
    return [...new Set(nodes)].filter((n) => n !== node).sort((a, b) => b - a);
  }

  after(node: number): readonly number[] {
    const { to } = this.#view.edges;
    const edges = [...this.#view.edgesFrom(node)].filter((edge) => this.#isData(edge));
    const nodes = edges.map((edge) => to[edge] ?? kNone);
    return [...new Set(nodes)].filter((n) => n !== node).sort((a, b) => a - b);
  }

  // Ways to the nodes that are wanted, the shortest first; only those short enough to be drawn.
  paths(
    from: number,
    side: 'before' | 'after',
    wanted: ReadonlySet<number | null>,
  ): readonly (readonly number[])[] {
    const found: (readonly number[])[] = [];
    const seen = new Set([from]);
    let ends: readonly (readonly number[])[] = [[]];
    for (let step = 1; step < kMaxBoxes && ends.length > 0; step += 1) {
      const longer: (readonly number[])[] = [];
      for (const path of ends) {
        const next = this[side](path.at(-1) ?? from).slice(0, kMaxFollowed);
        for (const node of next) {
          if (seen.has(node)) continue;
          seen.add(node);
          const way = [...path, node];
          if (wanted.has(node)) found.push(way);
          longer.push(way);
        }
      }
      ends = longer.slice(0, kMaxFollowed);
    }
    return found;
  }

  isReformat(node: number): boolean {
    const row = this.#engine.rowOf(this.#view.nodes.layerId[node] ?? kNone);
    return row !== null && this.#engine.isReformat(row);
  }
}

// `also`: rows that belong to it, taken with what lies between where there is room.
export function neighbourhood(
  engine: Engine,
  view: GraphView,
  row: number,
  also: readonly number[],
): Neighbourhood | null {
  const centre = view.nodeOfLayer(engine.layerId(row));
  if (centre === null) return null;
  const around = new Around(engine, view);
  const before = around.before(centre);
  const after = around.after(centre);
  const taken = new Set([centre]);
  const take = (node: number): void => {
    if (taken.size < kMaxBoxes) taken.add(node);
  };
  for (const node of before.slice(0, 1)) take(node);
  const wanted = new Set(also.map((other) => view.nodeOfLayer(engine.layerId(other))));
  const reformats = after.filter((node) => around.isReformat(node));
  for (const node of reformats.slice(0, 2)) take(node);
  for (const path of [
    ...around.paths(centre, 'after', wanted),
    ...around.paths(centre, 'before', wanted),
  ]) {
    const fresh = path.filter((node) => !taken.has(node));
    if (taken.size + fresh.length <= kMaxBoxes) for (const node of fresh) take(node);
  }
  // Where a conversion leads is what it is for.
  for (const node of reformats.slice(0, 2)) {
    for (const next of around.after(node).slice(0, 1)) take(next);
  }
  for (const node of before.slice(0, kMaxSides)) take(node);
  for (const node of after.slice(0, kMaxSides)) take(node);

  const nodes = [...taken].sort((a, b) => a - b);
  const boxOfNode = new Int32Array(view.nodes.count).fill(kNone);
  for (const [box, node] of nodes.entries()) boxOfNode[node] = box;
  return {
    graph: {
      boxes: nodes.map((node) => ({ node, group: kNone, frame: kNone })),
      edges: edgesOf(engine, view, around, nodes, boxOfNode),
      frames: [],
      boxOfNode,
    },
    centre: boxOfNode[centre] ?? kNone,
    moreBefore: before.filter((node) => !taken.has(node)).length,
    moreAfter: after.filter((node) => !taken.has(node)).length,
  };
}

function edgesOf(
  engine: Engine,
  view: GraphView,
  around: Around,
  nodes: readonly number[],
  boxOfNode: Int32Array,
): readonly BoxEdge[] {
  const edges: BoxEdge[] = [];
  for (const [to, node] of nodes.entries()) {
    const seen = new Map<string, number>();
    for (const edge of around.edgesInto(node)) {
      const from = boxOfNode[view.edges.from[edge] ?? kNone] ?? kNone;
      if (from === kNone) continue;
      // A tensor that is read twice is one line.
      const key = `${String(from)} ${String(tensorOf(engine, view, edge))}`;
      const known = seen.get(key);
      const first = known === undefined ? undefined : edges[known];
      if (known === undefined || first === undefined) {
        seen.set(key, edges.length);
        edges.push({ from, to, edge, count: 1 });
      } else edges[known] = { ...first, count: first.count + 1 };
    }
    // Boxes stand one below the other also where nothing flows between them.
    const above = to - 1;
    const isTied = edges.some((edge) => edge.to === to && edge.from === above);
    if (above >= 0 && !isTied) edges.push({ from: above, to, edge: kNone, count: 0 });
  }
  return edges;
}
