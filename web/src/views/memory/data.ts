// planex.explain-memory/2 as the view works with it. Layers become places in the timeline: frames.

import { visible, type Engine, type ExplainMemory } from '../../public/index.ts';

// One row a memory of activations, by tensor.
export interface TimelineTensors {
  readonly count: number;
  readonly tensorId: Float64Array;
  readonly dtype: readonly (string | null)[];
  readonly bytes: Float64Array;
  // Frames that touch it first and last.
  readonly first: Int32Array;
  readonly last: Int32Array;
  // NaN where it is not placed.
  readonly offset: Float64Array;
}

export interface Timeline extends Pick<
  ExplainMemory,
  | 'conclusion'
  | 'other_memory_text'
  | 'other_memory'
  | 'peak'
  | 'contributors'
  | 'offsets'
  | 'height_bytes'
> {
  // Null where nothing is held.
  readonly peakFrame: number | null;
  // By frame, in execution order.
  readonly layerIds: Float64Array;
  // Rows of the layers table, −1 where it has none.
  readonly rows: Int32Array;
  readonly live: Float64Array;
  // NaN where a layer tells none.
  readonly scratch: Float64Array;
  readonly tensors: TimelineTensors;
}

const orNaN = (values: readonly (number | null)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN);

function tensors(
  of: ExplainMemory['tensors'],
  frameOf: ReadonlyMap<number, number>,
): TimelineTensors {
  const frame = (layer: number | undefined): number | undefined => frameOf.get(layer ?? -1);
  // A row whose layers are not understood is no rectangle.
  const kept = of.tensor_id
    .map((_, i) => i)
    .filter(
      (i) =>
        frame(of.first_layer_id[i]) !== undefined &&
        frame(of.last_layer_id[i]) !== undefined &&
        of.bytes[i] !== undefined,
    );
  return {
    count: kept.length,
    tensorId: Float64Array.from(kept, (i) => of.tensor_id[i] ?? -1),
    dtype: kept.map((i) => of.dtype[i] ?? null),
    bytes: Float64Array.from(kept, (i) => of.bytes[i] ?? 0),
    first: Int32Array.from(kept, (i) => frame(of.first_layer_id[i]) ?? 0),
    last: Int32Array.from(kept, (i) => frame(of.last_layer_id[i]) ?? 0),
    offset: Float64Array.from(kept, (i) => of.offset_bytes[i] ?? Number.NaN),
  };
}

export function readTimeline(document: ExplainMemory, engine: Engine): Timeline {
  const { frames, peak } = document;
  const ids = frames.layer_id;
  const frameOf = new Map(ids.map((id, frame) => [id, frame]));
  return {
    ...document,
    peakFrame: peak.layer_id === null ? null : (frameOf.get(peak.layer_id) ?? null),
    layerIds: Float64Array.from(ids),
    rows: Int32Array.from(ids, (id) => engine.rowOf(id) ?? -1),
    live: orNaN(ids.map((_, i) => frames.live_bytes[i] ?? null)),
    scratch: orNaN(ids.map((_, i) => frames.scratch_bytes[i] ?? null)),
    tensors: tensors(document.tensors, frameOf),
  };
}

// Names of tensors and the layers that touch them, from the table of ports; made once an engine.
export class TensorIndex {
  readonly #engine: Engine;
  readonly #names = new Map<number, string>();
  readonly #rows = new Map<number, number[]>();

  constructor(engine: Engine) {
    this.#engine = engine;
    const ids = engine.ports.numbers('tensor_id');
    const layers = engine.ports.numbers('layer_id');
    for (let port = 0; port < ids.length; port += 1) {
      const id = ids[port] ?? Number.NaN;
      const row = engine.rowOf(layers[port] ?? -1);
      if (Number.isNaN(id) || row === null) continue;
      if (!this.#names.has(id)) this.#names.set(id, engine.ports.text('tensor', port) ?? '');
      const rows = this.#rows.get(id);
      if (rows === undefined) this.#rows.set(id, [row]);
      else if (rows.at(-1) !== row) rows.push(row);
    }
  }

  name(tensorId: number): string {
    return visible(this.#names.get(tensorId) ?? `tensor ${String(tensorId)}`);
  }

  // Layers that read or write it.
  rows(tensorId: number): readonly number[] {
    return this.#rows.get(tensorId) ?? [];
  }

  of(row: number): ReadonlySet<number> {
    return new Set(
      this.#engine.portsOf(row).flatMap((port) => {
        const id = this.#engine.ports.number('tensor_id', port);
        return id === null ? [] : [id];
      }),
    );
  }
}
