// A few boxes around one: who writes what it reads, who reads what it writes, one below the other in
// execution order.

import { kNone, type EdgeKind, type Engine, type GraphView } from '../public/index.ts';
import { portOf, type BoxEdge, type BoxGraph } from './collapse.ts';

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

const kFlowing: readonly (EdgeKind | undefined)[] = ['data', 'carried', 'contracted'];

// Edges that data flow along, between what is no constant.
function edgesInto(view: GraphView, node: number): readonly number[] {
  const { kind, from } = view.edges;
  return view
    .edgesInto(node)
    .filter((edge) => kFlowing.includes(kind[edge]) && !view.isConstant(from[edge] ?? kNone));
}

type Side = (view: GraphView, node: number) => readonly number[];

const others = (nodes: readonly (number | undefined)[], own: number): readonly number[] =>
  [...new Set(nodes)].filter((node) => node !== undefined && node !== own) as readonly number[];

// The nearest in execution order first, each once.
const before: Side = (view, node) =>
  others(
    edgesInto(view, node).map((edge) => view.edges.from[edge]),
    node,
  ).toSorted((a, b) => b - a);

const after: Side = (view, node) => {
  const { kind, to } = view.edges;
  const edges = view.edgesFrom(node).filter((edge) => kFlowing.includes(kind[edge]));
  return others(
    edges.map((edge) => to[edge]),
    node,
  ).toSorted((a, b) => a - b);
};

// Ways to the nodes that are wanted, the shortest first; only those short enough to be drawn.
function paths(
  view: GraphView,
  from: number,
  side: Side,
  wanted: ReadonlySet<number | null>,
): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  const seen = new Set([from]);
  let ends: readonly (readonly number[])[] = [[]];
  for (let step = 1; step < kMaxBoxes && ends.length > 0; step += 1) {
    const longer: (readonly number[])[] = [];
    for (const path of ends) {
      for (const node of side(view, path.at(-1) ?? from).slice(0, kMaxFollowed)) {
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

// `also`: rows that belong to it, taken with what lies between where there is room.
export function neighbourhood(
  engine: Engine,
  view: GraphView,
  row: number,
  also: readonly number[],
): Neighbourhood | null {
  const centre = view.nodeOfLayer(engine.layerId(row));
  if (centre === null) return null;
  const writers = before(view, centre);
  const readers = after(view, centre);
  const taken = new Set([centre]);
  const take = (nodes: readonly number[]): void => {
    for (const node of nodes) if (taken.size < kMaxBoxes) taken.add(node);
  };
  take(writers.slice(0, 1));
  const wanted = new Set(also.map((other) => view.nodeOfLayer(engine.layerId(other))));
  const isReformat = (node: number): boolean => {
    const own = engine.rowOf(view.nodes.layerId[node] ?? kNone);
    return own !== null && engine.isReformat(own);
  };
  const reformats = readers.filter(isReformat).slice(0, 2);
  take(reformats);
  for (const path of [after, before].flatMap((side) => paths(view, centre, side, wanted))) {
    const fresh = path.filter((node) => !taken.has(node));
    if (taken.size + fresh.length <= kMaxBoxes) take(fresh);
  }
  // Where a conversion leads is what it is for.
  for (const node of reformats) take(after(view, node).slice(0, 1));
  take(writers.slice(0, kMaxSides));
  take(readers.slice(0, kMaxSides));

  const nodes = [...taken].sort((a, b) => a - b);
  const boxOfNode = new Int32Array(view.nodes.count).fill(kNone);
  for (const [box, node] of nodes.entries()) boxOfNode[node] = box;
  return {
    graph: {
      boxes: nodes.map((node) => ({ node, group: kNone, frame: kNone })),
      edges: nodes.flatMap((node, box) => edgesOf(engine, view, node, box, boxOfNode)),
      frames: [],
      boxOfNode,
    },
    centre: boxOfNode[centre] ?? kNone,
    moreBefore: writers.filter((node) => !taken.has(node)).length,
    moreAfter: readers.filter((node) => !taken.has(node)).length,
  };
}

function edgesOf(
  engine: Engine,
  view: GraphView,
  node: number,
  to: number,
  boxOfNode: Int32Array,
): readonly BoxEdge[] {
  const edges = new Map<string, BoxEdge>();
  for (const edge of edgesInto(view, node)) {
    const from = boxOfNode[view.edges.from[edge] ?? kNone] ?? kNone;
    if (from === kNone) continue;
    // A tensor that is read twice is one line.
    const key = `${String(from)} ${String(engine.tensorOf(portOf(view, edge)))}`;
    const first = edges.get(key) ?? { from, to, edge, count: 0 };
    edges.set(key, { ...first, count: first.count + 1 });
  }
  const own = [...edges.values()];
  // Boxes stand one below the other also where nothing flows between them.
  const isTied = to === 0 || own.some((edge) => edge.from === to - 1);
  return isTied ? own : [...own, { from: to - 1, to, edge: kNone, count: 0 }];
}
