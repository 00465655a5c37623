// planex.explain-memory/2 in the form that the view uses. Layers become positions in the timeline:
// frames.

import { visible, type Engine, type ExplainMemory } from '../../public/index.ts';

// A memory of activations.
export interface TimelineTensor {
  readonly id: number;
  readonly dtype: string | null;
  readonly bytes: number;
  // Frames that touch it first and last.
  readonly first: number;
  readonly last: number;
  // Null if it is not placed.
  readonly offset: number | null;
}

export interface Timeline extends Omit<ExplainMemory, 'tensors'> {
  // Null if no activations are allocated.
  readonly peakFrame: number | null;
  // By frame, in execution order: rows of the layers table, null if it has none.
  readonly rows: readonly (number | null)[];
  readonly tensors: readonly TimelineTensor[];
}

export function readTimeline(document: ExplainMemory, engine: Engine): Timeline {
  const { frames, peak, tensors: of } = document;
  const frameOf = new Map(frames.layer_id.map((id, frame) => [id, frame]));
  return {
    ...document,
    peakFrame: frameOf.get(peak.layer_id ?? -1) ?? null,
    rows: frames.layer_id.map((id) => engine.rowOf(id)),
    tensors: of.tensor_id.flatMap((id, i): readonly TimelineTensor[] => {
      const first = frameOf.get(of.first_layer_id[i] ?? -1);
      const last = frameOf.get(of.last_layer_id[i] ?? -1);
      const bytes = of.bytes[i];
      // A row with unknown layers has no rectangle.
      if (first === undefined || last === undefined || bytes === undefined) return [];
      const [dtype = null, offset = null] = [of.dtype[i], of.offset_bytes[i]];
      return [{ id, dtype, bytes, first, last, offset }];
    }),
  };
}

// Names of tensors and the layers that use them, from the table of ports; computed once per engine.
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
