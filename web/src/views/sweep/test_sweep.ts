// A sweep of batch, threads and precision, for tests: latency is batch × 10 + threads.

import { readAs, readSweep } from '../../public/test_engine.ts';
import { SweepGrid } from './grid.ts';

export const kBatches = ['4', '1', '2'] as const;
const kThreads = ['1', '2'] as const;
const kPrecisions = ['f32', 'int8'] as const;

// `part`: members of the sweep that differ from the default.
export function gridOf(part: Readonly<Record<string, unknown>> = {}): SweepGrid {
  const cells = kBatches.flatMap((batch) =>
    kThreads.flatMap((threads) => {
      const ms = Number(batch) * 10;
      const measured = {
        state: 'done',
        run_count: 3,
        latency_ms: ms + Number(threads),
        latency_low_ms: ms,
        latency_high_ms: ms + 3,
        engine_file: `my cells/${batch}`,
      };
      return kPrecisions.map((precision) => ({
        id: `${batch}-${threads}-${precision}`,
        values: [batch, threads, precision],
        ...(precision === 'f32' ? measured : { state: 'failed', error: 'no such type' }),
      }));
    }),
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
