// A few boxes around one: the layers that write its inputs and those that read its outputs, one
// below the other in execution order.

import { kNone, type EdgeKind, type Engine, type GraphView } from '../public/index.ts';
import { portOf, type BoxEdge, type BoxGraph } from './collapse.ts';

const kMaxBoxes = 7;
const kMaxSides = 3;
// Maximum number of paths followed at each step.
const kMaxFollowed = 32;

export interface Neighbourhood {
  readonly graph: BoxGraph;
  readonly centre: number;
  // The number of those not shown.
  readonly moreBefore: number;
  readonly moreAfter: number;
}

const kFlowing: readonly (EdgeKind | undefined)[] = ['data', 'carried', 'contracted'];

type Way = 'before' | 'after';

// Edges that carry data, on one side of a node; constants don't count as writers.
function edgesAt(view: GraphView, node: number, way: Way): readonly number[] {
  const { kind, from } = view.edges;
  const flowing = (way === 'before' ? view.edgesInto(node) : view.edgesFrom(node)).filter((edge) =>
    kFlowing.includes(kind[edge]),
  );
  return way === 'after'
    ? flowing
    : flowing.filter((edge) => !view.isConstant(from[edge] ?? kNone));
}

// The nearest in execution order first, without duplicates.
function next(view: GraphView, node: number, way: Way): readonly number[] {
  const ends = way === 'before' ? view.edges.from : view.edges.to;
  const nodes = new Set(edgesAt(view, node, way).map((edge) => ends[edge] ?? kNone));
  nodes.delete(node);
  return [...nodes].sort((a, b) => (way === 'before' ? b - a : a - b));
}

// Paths to the wanted nodes, shortest first; only those short enough to draw.
function paths(
  view: GraphView,
  from: number,
  way: Way,
  wanted: ReadonlySet<number | null>,
): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  const seen = new Set([from]);
  let ends: readonly (readonly number[])[] = [[]];
  for (let step = 1; step < kMaxBoxes && ends.length > 0; step += 1) {
    const longer: (readonly number[])[] = [];
    for (const path of ends) {
      for (const node of next(view, path.at(-1) ?? from, way).slice(0, kMaxFollowed)) {
        if (seen.has(node)) continue;
        seen.add(node);
        const longerPath = [...path, node];
        if (wanted.has(node)) found.push(longerPath);
        longer.push(longerPath);
      }
    }
    ends = longer.slice(0, kMaxFollowed);
  }
  return found;
}

// `also`: rows that belong to it; they and the nodes between are included if there is room.
export function neighbourhood(
  engine: Engine,
  view: GraphView,
  row: number,
  also: readonly number[],
): Neighbourhood | null {
  const centre = view.nodeOfLayer(engine.layerId(row));
  if (centre === null) return null;
  const writers = next(view, centre, 'before');
  const readers = next(view, centre, 'after');
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
  for (const path of (['after', 'before'] as const).flatMap((way) =>
    paths(view, centre, way, wanted),
  )) {
    const fresh = path.filter((node) => !taken.has(node));
    if (taken.size + fresh.length <= kMaxBoxes) take(fresh);
  }
  // What a conversion feeds explains its purpose.
  for (const node of reformats) take(next(view, node, 'after').slice(0, 1));
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
  for (const edge of edgesAt(view, node, 'before')) {
    const from = boxOfNode[view.edges.from[edge] ?? kNone] ?? kNone;
    if (from === kNone) continue;
    // A tensor that is read twice is one line.
    const key = `${String(from)} ${String(engine.tensorOf(portOf(view, edge)))}`;
    const first = edges.get(key) ?? { from, to, edge, count: 0 };
    edges.set(key, { ...first, count: first.count + 1 });
  }
  const own = [...edges.values()];
  // Boxes are one below the other even if nothing flows between them.
  const isTied = to === 0 || own.some((edge) => edge.from === to - 1);
  return isTied ? own : [...own, { from: to - 1, to, edge: kNone, count: 0 }];
}
