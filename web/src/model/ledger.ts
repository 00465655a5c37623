// The time of all engines by operation of the source model. Times are whole femtoseconds, so that
// the rows of an engine are its last line to the last digit.

import { asArray, asNumber, asObject, type Json, type Key, type JsonObject } from './json_value.ts';
import { differences, measures } from './wire_columns.ts';

export interface LedgerCell {
  // As this engine calls the operation: numbers in names change from export to export.
  readonly name: string | null;
  readonly layers: number;
  // Null where no layer of it has a time.
  readonly fs: number | null;
  // The part of layers that only reformat for the operation.
  readonly reformatFs: number;
  // How a layer's time was split among its operations: sole, flops, bytes, even.
  readonly spread: string;
}

export type LedgerKind = 'operation' | 'remainder' | 'no-work';

const kKinds: readonly LedgerKind[] = ['operation', 'remainder', 'no-work'];
const kFsPerNs = 1e6;

type EngineColumns = ReturnType<typeof engineColumns>;

function engineColumns(json: Json | undefined, count: number, spreads: number) {
  const o = asObject(json);
  const time = (name: Key): Float64Array => {
    const whole = measures(o[`${name}_ns`], count);
    const rest = measures(o[`${name}_fs`], count);
    return whole.map((ns, i) => {
      const fs = rest[i] ?? Number.NaN;
      return ns * kFsPerNs + (Number.isNaN(fs) ? 0 : fs);
    });
  };
  return {
    layers: differences(o.layers, count, 1),
    fs: time('time'),
    reformatFs: time('reformats'),
    spread: differences(o.spread, count, spreads - 1),
    name: differences(o.name, count, -1),
  };
}

export class Ledger {
  readonly count: number;
  readonly totalFs: readonly (number | null)[];
  readonly #kind: Int32Array;
  readonly #name: Int32Array;
  readonly #type: Int32Array;
  readonly #parameter: Int32Array;
  readonly #engines: readonly EngineColumns[];
  readonly #strings: readonly string[];
  readonly #spreads: readonly string[];

  constructor(json: JsonObject, strings: readonly string[], spreads: readonly string[]) {
    this.#strings = strings;
    this.#spreads = spreads;
    // As many rows as texts could name, however many are claimed.
    const columns = [json.kind, json.name, json.type];
    const most = Math.max(...columns.map((column) => asArray(column).length));
    const count = Math.max(0, Math.min(asNumber(json.count) ?? 0, most));
    this.count = count;
    this.totalFs = asArray(json.total_fs).map(asNumber);
    this.#kind = differences(json.kind, count, 0);
    this.#name = differences(json.name, count, -1);
    this.#type = differences(json.type, count, -1);
    this.#parameter = differences(json.parameter, count, -1);
    this.#engines = asArray(json.engines).map((engine) =>
      engineColumns(engine, count, spreads.length),
    );
  }

  kind(row: number): LedgerKind {
    return kKinds[this.#kind[row] ?? 0] ?? 'operation';
  }

  #text(indices: Int32Array, row: number): string | null {
    return this.#strings[indices[row] ?? -1] ?? null;
  }

  name(row: number): string | null {
    return this.#text(this.#name, row);
  }

  type(row: number): string | null {
    return this.#text(this.#type, row);
  }

  // The weight or bias in front of it: tells which convolution it is.
  parameter(row: number): string | null {
    return this.#text(this.#parameter, row);
  }

  // Null where the engine does not have the operation.
  cell(row: number, engine: number): LedgerCell | null {
    const columns = this.#engines[engine];
    const layers = columns?.layers[row] ?? 0;
    if (columns === undefined || layers === 0) return null;
    const fs = columns.fs[row] ?? Number.NaN;
    const reformatFs = columns.reformatFs[row] ?? Number.NaN;
    return {
      name: this.#text(columns.name, row) ?? this.name(row),
      layers,
      fs: Number.isNaN(fs) ? null : fs,
      reformatFs: Number.isNaN(reformatFs) ? 0 : reformatFs,
      spread: this.#spreads[columns.spread[row] ?? -1] ?? '',
    };
  }
}
