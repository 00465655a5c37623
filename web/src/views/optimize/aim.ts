// What the steps of a record are judged by: how its figures are called, written and drawn.

import {
  bytesText,
  fixed,
  isNumber,
  kMissing,
  msText,
  type Optimize,
  type OptimizeTime,
} from '../../public/index.ts';

export interface Aim {
  // In `unit`, as charts draw it; null: not known.
  readonly figure: (time: OptimizeTime) => number | null;
  // Its 95 % interval; null: there is none.
  readonly interval: (time: OptimizeTime) => readonly [number, number] | null;
  // What a figure becomes by a change ratio of the record.
  readonly changed: (figure: number, ratio: number) => number;
  readonly isBetter: (from: number, to: number) => boolean;
  // "12.3 ms"
  readonly text: (figure: number | null) => string;
  readonly unit: string;
  // Of an axis.
  readonly title: string;
  // Of a table that is saved.
  readonly column: string;
  // In a sentence: "Time against accuracy".
  readonly name: string;
  // "2.41" and "× as fast", by the change ratio.
  readonly gain: (ratio: number) => readonly [string, string];
}

const kMsPerSecond = 1000;
const kMegabyte = 1e6;

const times = (ratio: number): string => fixed(1 / (1 + ratio), 2);
const after = (figure: number, ratio: number): number => figure * (1 + ratio);

const ends = (low: number | null, high: number | null): readonly [number, number] | null =>
  isNumber(low) && isNumber(high) ? [low, high] : null;

const kLatency: Aim = {
  figure: ({ median_ms: ms }) => ms,
  interval: ({ low_ms: low, high_ms: high }) => ends(low, high),
  changed: after,
  isBetter: (from, to) => to <= from,
  text: (ms) => (ms === null ? kMissing : `${msText(ms)} ms`),
  unit: 'ms',
  title: 'median, ms',
  column: 'median ms',
  name: 'time',
  gain: (ratio) => [times(ratio), '× as fast'],
};

const rate = (ms: number | null): number | null => (isNumber(ms) ? kMsPerSecond / ms : null);

const kThroughput: Aim = {
  figure: ({ median_ms: ms }) => rate(ms),
  interval: ({ low_ms: low, high_ms: high }) => ends(rate(high), rate(low)),
  changed: (figure, ratio) => figure / (1 + ratio),
  isBetter: (from, to) => to >= from,
  text: (perSecond) => (perSecond === null ? kMissing : `${String(+perSecond.toPrecision(4))}/s`),
  unit: '1/s',
  title: 'inferences per second',
  column: 'inferences 1/s',
  name: 'throughput',
  gain: (ratio) => [times(ratio), '× as many inferences'],
};

const kMemory: Aim = {
  figure: ({ memory_bytes: bytes }) => (isNumber(bytes) ? bytes / kMegabyte : null),
  // It is the same in each build.
  interval: () => null,
  changed: after,
  isBetter: (from, to) => to <= from,
  text: (megabytes) => (megabytes === null ? kMissing : bytesText(megabytes * kMegabyte)),
  unit: 'MB',
  title: 'memory, MB',
  column: 'memory MB',
  name: 'memory',
  gain: (ratio) => [fixed(-ratio * 100, 1), '% less'],
};

// One that this page does not know is a time.
export function aimOf({ aim }: Optimize): Aim {
  return aim === 'throughput' ? kThroughput : aim === 'memory' ? kMemory : kLatency;
}
