// A sweep of batch, threads and precision, for tests: latency is batch × 10 + threads.

import { readAs, readSweep } from '../../public/test_engine.ts';
import { SweepGrid } from './grid.ts';

export const kBatches = ['4', '1', '2'] as const;
const kThreads = ['1', '2'] as const;
const kPrecisions = ['f32', 'int8'] as const;

// `part`: members of the sweep that are other than usual.
export function gridOf(part: Readonly<Record<string, unknown>> = {}): SweepGrid {
  const cells = kBatches.flatMap((batch) =>
    kThreads.flatMap((threads) =>
      kPrecisions.map((precision) => ({
        id: `${batch}-${threads}-${precision}`,
        values: [batch, threads, precision],
        state: precision === 'f32' ? 'done' : 'failed',
        run_count: precision === 'f32' ? 3 : 0,
        latency_ms: precision === 'f32' ? Number(batch) * 10 + Number(threads) : null,
        latency_low_ms: precision === 'f32' ? Number(batch) * 10 : null,
        latency_high_ms: precision === 'f32' ? Number(batch) * 10 + 3 : null,
        error: precision === 'f32' ? null : 'no such type',
        engine_file: precision === 'f32' ? `my cells/${batch}` : null,
      })),
    ),
  );
  return new SweepGrid(
    readAs(readSweep, {
      schema: 'planex.sweep/1',
      axes: [
        { name: 'batch', values: kBatches, is_ordered: true },
        { name: 'threads', values: kThreads, is_ordered: true },
        { name: 'precision', values: kPrecisions, is_ordered: false },
      ],
      cells,
      done_count: 6,
      failed_count: 6,
      pending_count: 0,
      ...part,
    }),
  );
}

// From one cell to another, by their ids.
export function cliffOf(axis: number, a: string, b: string): Readonly<Record<string, unknown>> {
  const ids = gridOf().sweep.cells.map(({ id }) => id);
  return {
    axis,
    a: ids.indexOf(a),
    b: ids.indexOf(b),
    a_ms: 1,
    b_ms: 4,
    time_ratio: 4,
    low_ratio: 3.9,
    high_ratio: 4.1,
    work_ratio: 2,
    basis: 'macs',
    excess_ms: 2,
  };
}
