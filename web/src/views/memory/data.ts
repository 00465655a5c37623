// planex.explain-memory/2 as the view works with it. Layers become places in the timeline: frames.

import {
  asArray,
  asNumber,
  asNumbers,
  asObject,
  asText,
  visible,
  type Engine,
  type Json,
  type JsonObject,
} from '../../public/index.ts';

export interface Contributor {
  readonly tensorId: number;
  readonly tensor: string;
  readonly bytes: number;
  readonly firstLayer: number | null;
  readonly lastLayer: number | null;
  readonly span: number | null;
  readonly isLiveThrough: boolean;
  readonly peakWithout: number | null;
}

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

export interface Timeline {
  readonly conclusion: { readonly headline: string; readonly text: string | null } | null;
  readonly otherMemoryText: string | null;
  readonly otherMemory: JsonObject;
  readonly peakBytes: number | null;
  // Null where nothing is held.
  readonly peakFrame: number | null;
  readonly withScratchBytes: number | null;
  readonly streamCount: number;
  readonly tensorsWithoutSize: number;
  readonly usedBytes: number | null;
  readonly liveThroughBytes: number | null;
  readonly contributors: readonly Contributor[];
  // By frame, in execution order.
  readonly layerIds: Float64Array;
  // Rows of the layers table, −1 where it has none.
  readonly rows: Int32Array;
  readonly live: Float64Array;
  // NaN where a layer tells none.
  readonly scratch: Float64Array;
  readonly offsets: 'given' | 'packed' | null;
  readonly height: number | null;
  readonly tensors: TimelineTensors;
}

function contributor(json: Json): Contributor {
  const o = asObject(json);
  return {
    tensorId: asNumber(o.tensor_id) ?? -1,
    tensor: asText(o.tensor) ?? '',
    bytes: asNumber(o.bytes) ?? 0,
    firstLayer: asNumber(o.first_layer_id),
    lastLayer: asNumber(o.last_layer_id),
    span: asNumber(o.span),
    isLiveThrough: o.is_live_through === true,
    peakWithout: asNumber(o.peak_without_bytes),
  };
}

function column(json: Json | undefined, length: number): Float64Array {
  const values = asNumbers(json);
  return Float64Array.from({ length }, (_, i) => values[i] ?? Number.NaN);
}

function tensors(json: Json | undefined, frameOf: ReadonlyMap<number, number>): TimelineTensors {
  const o = asObject(json);
  const ids = asNumbers(o.tensor_id);
  const first = asNumbers(o.first_layer_id);
  const last = asNumbers(o.last_layer_id);
  const bytes = asNumbers(o.bytes);
  const offset = asNumbers(o.offset_bytes);
  const dtype = asArray(o.dtype);
  // A row whose layers or bytes are not understood is no rectangle.
  const kept = ids
    .map((_, i) => i)
    .filter(
      (i) =>
        frameOf.has(first[i] ?? -1) && frameOf.has(last[i] ?? -1) && typeof bytes[i] === 'number',
    );
  return {
    count: kept.length,
    tensorId: Float64Array.from(kept, (i) => ids[i] ?? -1),
    dtype: kept.map((i) => asText(dtype[i])),
    bytes: Float64Array.from(kept, (i) => bytes[i] ?? 0),
    first: Int32Array.from(kept, (i) => frameOf.get(first[i] ?? -1) ?? 0),
    last: Int32Array.from(kept, (i) => frameOf.get(last[i] ?? -1) ?? 0),
    offset: Float64Array.from(kept, (i) => offset[i] ?? Number.NaN),
  };
}

export function readTimeline(document: JsonObject, engine: Engine): Timeline {
  const peak = asObject(document.peak);
  const frames = asObject(document.frames);
  const ids = asNumbers(frames.layer_id).map((id) => id ?? -1);
  const frameOf = new Map(ids.map((id, frame) => [id, frame]));
  const conclusion = asObject(document.conclusion);
  const headline = asText(conclusion.headline);
  return {
    conclusion: headline === null ? null : { headline, text: asText(conclusion.text) },
    otherMemoryText: asText(document.other_memory_text),
    otherMemory: asObject(document.other_memory),
    peakBytes: asNumber(peak.bytes),
    peakFrame: frameOf.get(asNumber(peak.layer_id) ?? -1) ?? null,
    withScratchBytes: asNumber(peak.with_scratch_bytes),
    streamCount: asNumber(peak.stream_count) ?? 1,
    tensorsWithoutSize: asNumber(peak.tensors_without_size) ?? 0,
    usedBytes: asNumber(peak.used_bytes),
    liveThroughBytes: asNumber(peak.live_through_bytes),
    contributors: asArray(document.contributors).map(contributor),
    layerIds: Float64Array.from(ids),
    rows: Int32Array.from(ids, (id) => engine.rowOf(id) ?? -1),
    live: column(frames.live_bytes, ids.length),
    scratch: column(frames.scratch_bytes, ids.length),
    offsets:
      document.offsets === 'given' || document.offsets === 'packed' ? document.offsets : null,
    height: asNumber(document.height_bytes),
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
