// The time of all engines by operation of the source model. Times are whole femtoseconds, so that
// the rows of an engine add up exactly to its last line.

import { kFsPerMs } from '../base/format.ts';
import { asArray, asNumber, asObject, type Json, type Key, type JsonObject } from './json_value.ts';
import { differences, measures } from './wire_columns.ts';

export interface LedgerCell {
  // This engine's name of the operation: numbers in names change from export to export.
  readonly name: string | null;
  readonly layers: number;
  // Null if none of its layers has a time.
  readonly fs: number | null;
  // The part of layers that only reformat for the operation.
  readonly reformatFs: number;
  // How a layer's time was divided among its operations: sole, flops, bytes, even.
  readonly spread: string;
}

export type LedgerKind = 'operation' | 'remainder' | 'no-work';

const kKinds: readonly LedgerKind[] = ['operation', 'remainder', 'no-work'];
const kFsPerNs = 1e6;

function engineColumns(json: Json | undefined, count: number, spreads: number) {
  const o = asObject(json);
  const time = (name: Key, missing?: number): Float64Array => {
    const rest = measures(o[`${name}_fs`], count, 0);
    return measures(o[`${name}_ns`], count, missing).map((ns, i) => ns * kFsPerNs + (rest[i] ?? 0));
  };
  return {
    layers: differences(o.layers, count, 1),
    fs: time('time'),
    reformatFs: time('reformats', 0),
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
  readonly #engines: readonly ReturnType<typeof engineColumns>[];
  readonly #strings: readonly string[];
  readonly #spreads: readonly string[];

  constructor(json: JsonObject, strings: readonly string[], spreads: readonly string[]) {
    this.#strings = strings;
    this.#spreads = spreads;
    // No more rows than there are texts to name them, whatever count the file claims.
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

  // The weight or bias in front of it, which identifies the convolution.
  parameter(row: number): string | null {
    return this.#text(this.#parameter, row);
  }

  // Null if the engine does not have the operation.
  cell(row: number, engine: number): LedgerCell | null {
    const columns = this.#engines[engine];
    const layers = columns?.layers[row] ?? 0;
    if (columns === undefined || layers === 0) return null;
    const fs = columns.fs[row] ?? Number.NaN;
    return {
      name: this.#text(columns.name, row) ?? this.name(row),
      layers,
      fs: Number.isNaN(fs) ? null : fs,
      reformatFs: columns.reformatFs[row] ?? 0,
      spread: this.#spreads[columns.spread[row] ?? -1] ?? '',
    };
  }

  // Of two engines: A's name for the operation, else B's, else any engine's.
  label(row: number, a: number, b: number): string {
    const kind = this.kind(row);
    if (kind === 'no-work') return 'records without work';
    if (kind === 'remainder') return `${this.type(row) ?? 'layers'} (source operation unknown)`;
    const name = this.cell(row, a)?.name ?? this.cell(row, b)?.name ?? this.name(row) ?? '';
    const parameter = this.parameter(row);
    return parameter === null ? name : `${parameter} · ${name}`;
  }

  // B − A, with 0 for an operation that one engine lacks; null if both do, or a time is missing.
  deltaMs(row: number, a: number, b: number): number | null {
    const [one, other] = [this.cell(row, a), this.cell(row, b)];
    if ((one === null && other === null) || one?.fs === null || other?.fs === null) return null;
    return ((other?.fs ?? 0) - (one?.fs ?? 0)) / kFsPerMs;
  }
}
