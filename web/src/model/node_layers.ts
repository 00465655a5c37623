// Which layer each node of a graph runs in: a layer's own node in that layer; in the ONNX view,
// each operation in the layer that names it as its source.

import { remembered } from '../base/known.ts';
import type { Engine } from './engine.ts';
import { kNone, type GraphView } from './graph.ts';

export class NodeLayers {
  // kNone: unknown.
  readonly #layer: Int32Array;
  // For each layer: its first node in execution order, and the number of its nodes.
  readonly #nodes = new Map<number, { readonly first: number; count: number }>();

  constructor(engine: Engine, view: GraphView) {
    this.#layer = view.nodes.layerId.slice();
    if (view.view === 'source') this.#addOperations(engine, view);
    for (const [node, layer] of this.#layer.entries()) {
      if (layer < 0) continue;
      const known = this.#nodes.get(layer);
      if (known === undefined) this.#nodes.set(layer, { first: node, count: 1 });
      else known.count += 1;
    }
  }

  #addOperations(engine: Engine, view: GraphView): void {
    const layerOf = new Map<string, number>();
    const ids = engine.sources.numbers('layer_id');
    for (const i of engine.sources.rows) {
      const name = engine.sources.text('op_name', i);
      const id = ids[i] ?? Number.NaN;
      if (name === null || engine.rowOf(id) === null || layerOf.has(name)) continue;
      layerOf.set(name, id);
    }
    for (let node = 0; node < view.nodes.count; node += 1) {
      if (view.nodes.kind[node] !== 'operation') continue;
      const name = view.name(node);
      this.#layer[node] = (name === null ? undefined : layerOf.get(name)) ?? kNone;
    }
  }

  // The layer whose work a node shows, or kNone: if several operations became one layer, the first
  // one shows it.
  counted(node: number): number {
    const layer = this.#layer[node] ?? kNone;
    return this.#nodes.get(layer)?.first === node ? layer : kNone;
  }

  // The layer that runs only this node, or kNone: its time is the node's time.
  alone(node: number): number {
    const layer = this.#layer[node] ?? kNone;
    return this.#nodes.get(layer)?.count === 1 ? layer : kNone;
  }
}

const madeOf = remembered((engine: Engine) =>
  remembered((view: GraphView) => new NodeLayers(engine, view)),
);

export function nodeLayers(engine: Engine, view: GraphView): NodeLayers {
  return madeOf(engine)(view);
}
