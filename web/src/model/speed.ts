// Speed of light (planex.report-speed/2): the minimum time of each layer, by layer row, and the
// resulting sums in the time basis on screen.

import { grouped, remembered } from '../base/known.ts';
import type { Basis, Engine } from './engine.ts';
import type { ReportSpeed, SpeedOfType } from './report_types.ts';
import type { Table } from './table.ts';

export type SpeedLimit = 'memory' | 'compute' | 'launch' | null;

// Abbreviations for narrow places.
export const kLimitShort = { memory: 'mem', compute: 'cmp', launch: 'start' } as const;

// Null for the sum of all, and for layers without a type.
export type SpeedGroup = SpeedOfType;

const kMsPerSecond = 1e3;

export class Speed {
  readonly facts: ReportSpeed;
  readonly #engine: Engine;
  readonly #layers: Table;
  #bounds: Float64Array | null = null;

  constructor(engine: Engine, document: ReportSpeed) {
    this.#engine = engine;
    this.facts = document;
    this.#layers = engine.table(document.layers);
  }

  limit(row: number): SpeedLimit {
    const limit = this.#layers.text('limit', row);
    return limit === 'memory' || limit === 'compute' || limit === 'launch' ? limit : null;
  }

  // The type whose peak rate limits it; null if none is known.
  rateType(row: number): string | null {
    return this.#layers.text('rate_type', row);
  }

  memoryMs(row: number): number | null {
    return this.#layers.number('memory_ms', row);
  }

  computeMs(row: number): number | null {
    return this.#layers.number('compute_ms', row);
  }

  // The time of the fastest layer of the engine.
  launchMs(row: number): number | null {
    return this.#layers.number('launch_ms', row);
  }

  // By layer row, NaN if unknown.
  get bounds(): Float64Array {
    if (this.#bounds === null) {
      const bounds = new Float64Array(this.#engine.layers.rowCount).fill(Number.NaN);
      const columns = {
        memory: this.#layers.numbers('memory_ms'),
        compute: this.#layers.numbers('compute_ms'),
        launch: this.#layers.numbers('launch_ms'),
      };
      for (let row = 0; row < bounds.length; row += 1) {
        const limit = this.limit(row);
        if (limit !== null) bounds[row] = columns[limit][row] ?? Number.NaN;
      }
      this.#bounds = bounds;
    }
    return this.#bounds;
  }

  // With the best rates that layers of this engine reached instead of the device's.
  get seenBounds(): Float64Array {
    return this.#layers.numbers('observed_bound_ms');
  }

  // Whether any layer with a time has a bound from the device: then layers are ranked by it.
  get isAgainstDevice(): boolean {
    return this.facts.total.bound_ms !== null;
  }

  // Time above the limit, by layer row; may be negative.
  headroom(basis: Basis): Float64Array {
    const bounds = this.isAgainstDevice ? this.bounds : this.seenBounds;
    return this.#engine.times(basis).map((time, row) => time - (bounds[row] ?? Number.NaN));
  }

  reached(basis: Basis): Float64Array {
    return this.#ratio(this.bounds, basis, 1);
  }

  flopsPerS(basis: Basis): Float64Array {
    return this.#ratio(this.#engine.layers.numbers('flops'), basis, kMsPerSecond);
  }

  bytesPerS(basis: Basis): Float64Array {
    const footprints = this.#engine.layers.numbers('footprint_bytes');
    const moved = this.#layers.numbers('bytes');
    const bytes = footprints.map((all, row) => {
      const own = moved[row] ?? Number.NaN;
      return Number.isNaN(own) ? all : own;
    });
    return this.#ratio(bytes, basis, kMsPerSecond);
  }

  #ratio(amounts: Float64Array, basis: Basis, scale: number): Float64Array {
    return this.#engine.times(basis).map((time, row) => {
      const amount = amounts[row] ?? Number.NaN;
      return time > 0 ? (amount / time) * scale : Number.NaN;
    });
  }

  // The program's sums if the rows are all layers in its basis, else sums of these rows.
  total(rows: Int32Array, basis: Basis, isAll: boolean): SpeedGroup {
    if (isAll && this.#isOf(basis)) return { type: null, ...this.facts.total };
    return this.#groupOf(null, rows, basis);
  }

  #isOf(basis: Basis): boolean {
    return this.facts.basis === null || basis === this.facts.basis;
  }

  groups(rows: Int32Array, basis: Basis, isAll: boolean): readonly SpeedGroup[] {
    if (isAll && this.#isOf(basis)) return this.facts.by_type;
    const byType = grouped(rows, (row) => this.#engine.layers.text('type', row));
    const worth = (g: SpeedGroup): number => g.headroom_ms ?? Number.NEGATIVE_INFINITY;
    return [...byType]
      .map(([type, list]) => this.#groupOf(type, Int32Array.from(list), basis))
      .sort((a, b) =>
        worth(a) === worth(b)
          ? (b.time_ms ?? -1) - (a.time_ms ?? -1)
          : worth(b) > worth(a)
            ? 1
            : -1,
      );
  }

  #groupOf(type: string | null, rows: Int32Array, basis: Basis): SpeedGroup {
    const times = this.#engine.times(basis);
    const { bounds } = this;
    let ms: number | null = null;
    let boundMs: number | null = null;
    let headroomMs: number | null = null;
    let unknownBoundMs = 0;
    const counts = { memory: 0, compute: 0, launch: 0, unknown: 0 };
    for (const row of rows) {
      counts[this.limit(row) ?? 'unknown'] += 1;
      const time = times[row] ?? Number.NaN;
      if (Number.isNaN(time)) continue;
      ms = (ms ?? 0) + time;
      const bound = bounds[row] ?? Number.NaN;
      if (Number.isNaN(bound)) unknownBoundMs += time;
      else {
        boundMs = (boundMs ?? 0) + bound;
        headroomMs = (headroomMs ?? 0) + (time - bound);
      }
    }
    const known = (boundMs ?? 0) + (headroomMs ?? 0);
    return {
      type,
      count: rows.length,
      time_ms: ms,
      bound_ms: boundMs,
      headroom_ms: headroomMs,
      unknown_bound_ms: unknownBoundMs,
      reached: boundMs !== null && known > 0 ? boundMs / known : null,
      memory_count: counts.memory,
      compute_count: counts.compute,
      launch_count: counts.launch,
      unknown_count: counts.unknown,
    };
  }
}

// Null if the program that wrote the report provided none.
export const speedOf = remembered((engine: Engine): Speed | null => {
  const document = engine.document('speed');
  return document && new Speed(engine, document);
});
