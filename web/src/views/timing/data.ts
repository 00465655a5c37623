// planex.timing/2 in the form that the view uses.

import {
  fixed,
  isNumber,
  type FieldSamples,
  type MachineCause,
  type SampleBins,
  type SampleFigures,
  type SampleSeries,
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

// Whether a percentile is between samples, with at least one above it. The 99th percentile of four
// samples is just their maximum.
export function isResolved(key: string, count: number | null): boolean {
  const found = kPercentiles.find(([, , name]) => name === key);
  return found === undefined || count === null || count * (1 - found[1]) >= 1 - 1e-9;
}

// Those with enough samples, by name.
export function percentilesOf(figures: Figures | null): readonly (readonly [string, number])[] {
  if (figures === null) return [];
  return kPercentiles.flatMap(([name, , key]) => {
    const value = figures[key];
    return isNumber(value) && isResolved(key, figures.count) ? [[name, value] as const] : [];
  });
}

// Null if they can't be drawn.
export function drawnBins(bins: SampleBins | null): SampleBins | null {
  return bins === null || !(bins.step_ms > 0) || bins.counts.length === 0 ? null : bins;
}

export function drawnSeries({ series }: FieldSamples): SampleSeries | null {
  return series === undefined || series.first.length === 0 ? null : series;
}

const kCauseNames: Readonly<Record<MachineCause['kind'], string>> = {
  'gpu-clock': 'GPU clock',
  'cpu-clock': 'processor clock',
  'other-load': 'other programs',
  stolen: 'other machines',
};
// Short enough for a chart; the document has it as a sentence.
export function causeLabel({ kind, from, to }: MachineCause): string {
  const isClock = kind === 'gpu-clock' || kind === 'cpu-clock';
  const [decimals, unit] = isClock ? [0, 'MHz'] : [1, 'processors'];
  return `${kCauseNames[kind]} ${fixed(from, decimals)} → ${fixed(to, decimals)} ${unit}`;
}

// Their names on screen: "compute", "H2D".
export const fieldName = (name: string): string =>
  /^[hd]2[hd]$/.test(name) ? name.toUpperCase() : name;

const kFieldWords: Readonly<Record<FieldSamples['field'], string>> = {
  compute: 'compute time on the device',
  latency: 'latency: transfers and compute',
  enqueue: 'the host starts the inference',
  h2d: 'transfer to the device',
  d2h: 'transfer from the device',
};
export const fieldWords = (name: FieldSamples['field']): string => kFieldWords[name];

// Every time is 0: nothing was transferred, or it was not measured separately.
export const isAllZero = ({ all }: FieldSamples): boolean => all?.max_ms === 0;

// As many decimals as needed to show changes of a thousandth of the level.
export function levelDecimals(level: number | null | undefined): number {
  if (!isNumber(level)) return 3;
  return level < 0.1 ? 5 : level < 1 ? 4 : 3;
}
