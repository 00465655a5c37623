// The graph as it is seen: open nodes, folded groups as one box each, frames around open groups. The
// layout module folds it by the rules of the program's drawings (src/graph/layout/collapse.h).

import { kEdgeKinds, kNone, type Engine, type GraphView } from '../public/index.ts';
import type { RunLayout } from '../public/layout.ts';

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

// The port that tells what flows along an edge: the reader's, else the writer's, else kNone.
export function portOf({ edges }: GraphView, edge: number): number {
  const toPort = edges.toPort[edge] ?? kNone;
  return toPort === kNone ? (edges.fromPort[edge] ?? kNone) : toPort;
}

export interface CollapseRequest {
  readonly engine: Pick<Engine, 'tensorOf'>;
  readonly view: GraphView;
  // One value a group: 1 is folded. Groups inside folded ones don't matter.
  readonly folded: Uint8Array;
  // One value a node: 1 is left out, with its edges.
  readonly hidden: Uint8Array;
}

export async function collapse(run: RunLayout, request: CollapseRequest): Promise<BoxGraph> {
  const { engine, view, folded, hidden } = request;
  const { nodes, edges, groups } = view;
  const indices = new Int32Array(3 + 2 * nodes.count + 2 * groups.length + 4 * edges.count);
  let at = 0;
  const add = (...values: readonly (number | undefined)[]): void => {
    for (const value of values) indices[at++] = value ?? kNone;
  };
  add(nodes.count, groups.length, edges.count);
  for (const [node, group] of view.groupOfNode.entries()) add(group, hidden[node]);
  for (const { parent, index } of groups) add(parent, folded[index]);
  // A tensor that has only a name gets a number.
  const numbers = new Map<number | string, number>();
  for (const [edge, kind] of edges.kind.entries()) {
    const port = portOf(view, edge);
    const tensor = port === kNone ? null : engine.tensorOf(port);
    if (tensor !== null && !numbers.has(tensor)) numbers.set(tensor, numbers.size);
    const number = tensor === null ? kNone : numbers.get(tensor);
    add(edges.from[edge], edges.to[edge], kEdgeKinds.indexOf(kind), number);
  }
  const { indices: seen } = await run('collapse', { numbers: new Float64Array(), indices });
  at = 0;
  const take = (): number => seen[at++] ?? kNone;
  const list = <T>(length: number, row: () => T): readonly T[] => Array.from({ length }, row);
  const [boxCount, edgeCount, frameCount] = [take(), take(), take()];
  return {
    boxes: list(boxCount, () => ({ node: take(), group: take(), frame: take() })),
    edges: list(edgeCount, () => ({ from: take(), to: take(), edge: take(), count: take() })),
    frames: list(frameCount, () => ({ group: take(), parent: take() })),
    boxOfNode: seen.subarray(at),
  };
}
