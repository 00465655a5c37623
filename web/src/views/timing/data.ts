// planex.timing/2 as the view works with it.

import {
  fixed,
  isNumber,
  type FieldSamples,
  type MachineCause,
  type SampleBins,
  type SampleFigures,
  type SampleSeries,
  type Timing as TimingDocument,
} from '../../public/index.ts';

export type Figures = {
  readonly [Name in keyof SampleFigures]: SampleFigures[Name] | null;
};

const kPercentiles = [
  ['median', 0.5, 'median_ms'],
  ['p90', 0.9, 'p90_ms'],
  ['p95', 0.95, 'p95_ms'],
  ['p99', 0.99, 'p99_ms'],
] as const;

// Whether a percentile lies between samples: beyond it there is one at least. The 99th of four
// samples is the largest of them and nothing else.
export function isResolved(key: string, count: number | null): boolean {
  const found = kPercentiles.find(([, , name]) => name === key);
  return found === undefined || count === null || count * (1 - found[1]) >= 1 - 1e-9;
}

// Those that the samples are enough for, by name.
export function percentilesOf(figures: Figures | null): readonly (readonly [string, number])[] {
  if (figures === null) return [];
  return kPercentiles.flatMap(([name, , key]) => {
    const value = figures[key];
    return isNumber(value) && isResolved(key, figures.count) ? [[name, value] as const] : [];
  });
}

export type Bins = SampleBins;

// One row a part of the samples; NaN where a part has no usable sample.
export interface Course {
  readonly first: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly running: Float64Array;
  // In ms since the first sample; null where the file has no starts.
  readonly start: Float64Array | null;
}

export interface Field extends Omit<FieldSamples, 'bins' | 'middle_bins' | 'series'> {
  readonly bins: Bins | null;
  // Finer, of the middle alone; null where that has room enough.
  readonly middle: Bins | null;
  readonly course: Course | null;
}

export interface Timing extends Omit<TimingDocument, 'samples'> {
  // Of all samples, usable or not.
  readonly sampleCount: number;
  readonly fields: readonly Field[];
}

// Null where they can't be drawn.
function bins(of: SampleBins | null): Bins | null {
  if (of === null || !(of.step_ms > 0) || of.counts.length === 0) return null;
  return { ...of, trusted: of.counts.map((_, i) => of.trusted[i] ?? 0) };
}

function course(of: SampleSeries | undefined): Course | null {
  if (of === undefined || of.first.length === 0) return null;
  const column = (values: readonly (number | null)[]): Float64Array =>
    Float64Array.from(of.first, (_, i) => values[i] ?? Number.NaN);
  const min = column(of.min_ms);
  return {
    first: column(of.first),
    min,
    // Absent where each part is one sample.
    max: of.max_ms === undefined ? min : column(of.max_ms),
    running: column(of.running_ms),
    start: of.start_ms === undefined ? null : column(of.start_ms),
  };
}

export function timingOf(document: TimingDocument): Timing {
  return {
    ...document,
    sampleCount: document.samples.count,
    fields: document.samples.fields.map((field) => ({
      ...field,
      bins: bins(field.bins),
      middle: bins(field.middle_bins),
      course: course(field.series),
    })),
  };
}

const kCauseNames: Readonly<Record<MachineCause['kind'], string>> = {
  'gpu-clock': 'GPU clock',
  'cpu-clock': 'processor clock',
  'other-load': 'other programs',
  stolen: 'other machines',
};
// Short enough for a chart; the document has it in a sentence.
export function causeLabel({ kind, from, to }: MachineCause): string {
  const isClock = kind === 'gpu-clock' || kind === 'cpu-clock';
  const [decimals, unit] = isClock ? [0, 'MHz'] : [1, 'processors'];
  return `${kCauseNames[kind]} ${fixed(from, decimals)} → ${fixed(to, decimals)} ${unit}`;
}

// As they are called on screen.
const kFieldNames: Readonly<Record<string, string>> = {
  compute: 'compute',
  latency: 'latency',
  enqueue: 'enqueue',
  h2d: 'H2D',
  d2h: 'D2H',
};
const kFieldWords: Readonly<Record<string, string>> = {
  compute: 'compute time on the device',
  latency: 'latency: transfers and compute',
  enqueue: 'the host starts the inference',
  h2d: 'transfer to the device',
  d2h: 'transfer from the device',
};
export const fieldName = (name: string): string => kFieldNames[name] ?? name;
export const fieldWords = (name: string): string => kFieldWords[name] ?? name;

// Every time is 0: nothing was transferred, or it was not measured apart.
export const isAllZero = (one: Field): boolean => one.all?.max_ms === 0;

// As many decimals as show changes of a thousandth of the level.
export function levelDecimals(level: number | null): number {
  if (level === null) return 3;
  return level < 0.1 ? 5 : level < 1 ? 4 : 3;
}
