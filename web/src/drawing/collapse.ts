// The graph as it is shown: open nodes, folded groups as one box each, frames around open groups.
// The layout module folds it by the rules of the program's drawings (src/graph/layout/collapse.h).

import { kEdgeKinds, kNone, type Engine, type GraphView } from '../public/index.ts';
import type { RunLayout } from '../public/layout.ts';

export interface Box {
  // kNone for a folded group.
  readonly node: number;
  // kNone for a node.
  readonly group: number;
  // Index of the innermost open group around it, in `frames`.
  readonly frame: number;
}

export interface BoxEdge {
  readonly from: number;
  readonly to: number;
  // The first of the edges it represents, and their number. kNone: it only keeps its boxes one
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

// The port that describes what flows along an edge: the reader's, else the writer's, else kNone.
export function portOf({ edges }: GraphView, edge: number): number {
  const toPort = edges.toPort[edge] ?? kNone;
  return toPort === kNone ? (edges.fromPort[edge] ?? kNone) : toPort;
}

export interface CollapseRequest {
  readonly engine: Pick<Engine, 'tensorOf'>;
  readonly view: GraphView;
  // One value per group: 1 is folded. Groups inside folded ones don't matter.
  readonly folded: Uint8Array;
  // One value per node: 1 leaves it out, with its edges.
  readonly hidden: Uint8Array;
}

export async function collapse(run: RunLayout, request: CollapseRequest): Promise<BoxGraph> {
  const { engine, view, folded, hidden } = request;
  const { nodes, edges, groups } = view;
  const indices = new Int32Array(3 + 2 * nodes.count + 2 * groups.length + 4 * edges.count);
  let at = 0;
  // Called for each of a hundred thousand nodes: no lists.
  const add = (a = kNone, b = kNone): void => {
    indices[at++] = a;
    indices[at++] = b;
  };
  add(nodes.count, groups.length);
  indices[at++] = edges.count;
  for (let node = 0; node < nodes.count; node += 1) add(view.groupOfNode[node], hidden[node]);
  for (const { parent, index } of groups) add(parent, folded[index]);
  // A tensor that has only a name gets a number below those of ids.
  const names = new Map<string, number>();
  for (let edge = 0; edge < edges.count; edge += 1) {
    const port = portOf(view, edge);
    let tensor = port === kNone ? kNone : (engine.tensorOf(port) ?? kNone);
    if (typeof tensor === 'string') {
      if (!names.has(tensor)) names.set(tensor, kNone - 1 - names.size);
      tensor = names.get(tensor) ?? kNone;
    }
    add(edges.from[edge], edges.to[edge]);
    add(kEdgeKinds.indexOf(edges.kind[edge] ?? 'other'), tensor);
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
