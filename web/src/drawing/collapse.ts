// The graph as it is seen: open nodes, folded groups as one box each, frames around open groups.
// The same rules as src/graph/collapse.h, which draws for the program.

import type { GraphView } from '../public/index.ts';

export const kNone = -1;

export interface Box {
  // kNone: a folded group.
  readonly node: number;
  // kNone: a node.
  readonly group: number;
  // Index of the innermost open group around it, in `frames`.
  readonly frame: number;
}

export interface BoxEdge {
  readonly from: number;
  readonly to: number;
  // The first of the edges it stands for, and how many there are. kNone: it only keeps its boxes one
  // below the other, and is not drawn.
  readonly edge: number;
  readonly count: number;
}

export interface Frame {
  readonly group: number;
  readonly parent: number;
}

export interface BoxGraph {
  // In execution order; edges by target.
  readonly boxes: readonly Box[];
  readonly edges: readonly BoxEdge[];
  // Outer frames before inner ones.
  readonly frames: readonly Frame[];
  // The box that shows each node, kNone where none does.
  readonly boxOfNode: Int32Array;
}

export interface CollapseRequest {
  readonly view: GraphView;
  // One value a group: 1 is folded. Groups inside folded ones don't matter.
  readonly folded: Uint8Array;
  // One value a node: 1 is left out, with its edges.
  readonly hidden?: Uint8Array;
  // What flows along an edge: edges between two boxes with the same kind and tensor are one.
  readonly tensorOf: (edge: number) => number | string | null;
}

// The outermost folded group around each group, or kNone; outer groups stand before inner ones.
function coverOf(view: GraphView, folded: Uint8Array): Int32Array {
  const cover = new Int32Array(view.groups.length).fill(kNone);
  for (const group of view.groups) {
    const above = group.parent === kNone ? kNone : (cover[group.parent] ?? kNone);
    cover[group.index] = above !== kNone ? above : folded[group.index] === 1 ? group.index : kNone;
  }
  return cover;
}

class Frames {
  readonly list: Frame[] = [];
  readonly #view: GraphView;
  readonly #of: Int32Array;

  constructor(view: GraphView) {
    this.#view = view;
    this.#of = new Int32Array(view.groups.length).fill(kNone);
  }

  // The frame of an open group; made, with those around it, when a box first lies in it.
  of(group: number): number {
    const missing: number[] = [];
    let at = group;
    while (at !== kNone && this.#of[at] === kNone) {
      missing.push(at);
      at = this.#view.groups[at]?.parent ?? kNone;
    }
    let parent = at === kNone ? kNone : (this.#of[at] ?? kNone);
    for (const index of missing.reverse()) {
      this.list.push({ group: index, parent });
      parent = this.list.length - 1;
      this.#of[index] = parent;
    }
    return parent;
  }
}

export function collapse(request: CollapseRequest): BoxGraph {
  const { view, folded, hidden } = request;
  const cover = coverOf(view, folded);
  const frames = new Frames(view);
  const boxes: Box[] = [];
  const boxOfNode = new Int32Array(view.nodes.count).fill(kNone);
  const boxOfGroup = new Int32Array(view.groups.length).fill(kNone);
  for (let node = 0; node < view.nodes.count; node += 1) {
    if (hidden?.[node] === 1) continue;
    const group = view.groupOfNode[node] ?? kNone;
    const covering = group === kNone ? kNone : (cover[group] ?? kNone);
    if (covering === kNone) {
      boxOfNode[node] = boxes.length;
      boxes.push({ node, group: kNone, frame: group === kNone ? kNone : frames.of(group) });
      continue;
    }
    if (boxOfGroup[covering] === kNone) {
      const parent = view.groups[covering]?.parent ?? kNone;
      boxOfGroup[covering] = boxes.length;
      boxes.push({
        node: kNone,
        group: covering,
        frame: parent === kNone ? kNone : frames.of(parent),
      });
    }
    boxOfNode[node] = boxOfGroup[covering] ?? kNone;
  }
  return { boxes, edges: boxEdges(request, boxes, boxOfNode), frames: frames.list, boxOfNode };
}

// Edges of more tensors than this between two boxes, one of them a folded group, are one.
const kMaxParallelEdges = 4;

type OpenEdge = { -readonly [K in keyof BoxEdge]: BoxEdge[K] };

function boxEdges(
  { view, tensorOf }: CollapseRequest,
  boxes: readonly Box[],
  boxOfNode: Int32Array,
): readonly BoxEdge[] {
  // By the two boxes and the kind, then by what flows.
  const bundles = new Map<string, Map<number | string | null, OpenEdge>>();
  for (let edge = 0; edge < view.edges.count; edge += 1) {
    const from = boxOfNode[view.edges.from[edge] ?? kNone] ?? kNone;
    const to = boxOfNode[view.edges.to[edge] ?? kNone] ?? kNone;
    if (from === kNone || to === kNone || from === to) continue;
    const key = `${String(from)} ${String(to)} ${view.edges.kind[edge] ?? ''}`;
    let bundle = bundles.get(key);
    if (bundle === undefined)
      bundles.set(key, (bundle = new Map<number | string | null, OpenEdge>()));
    const tensor = tensorOf(edge);
    const before = bundle.get(tensor);
    if (before === undefined) bundle.set(tensor, { from, to, edge, count: 1 });
    else before.count += 1;
  }
  const isFolded = (box: number): boolean => boxes[box]?.node === kNone;
  const edges: BoxEdge[] = [];
  for (const bundle of bundles.values()) {
    const own = [...bundle.values()];
    const [first] = own;
    if (first === undefined) continue;
    const isMerged = own.length > kMaxParallelEdges && (isFolded(first.from) || isFolded(first.to));
    // The first is that of the lowest edge.
    if (isMerged) edges.push({ ...first, count: own.reduce((sum, e) => sum + e.count, 0) });
    else edges.push(...own);
  }
  // By target; a folded group's nodes need not stand together.
  return edges.sort((a, b) => a.to - b.to || a.edge - b.edge);
}
