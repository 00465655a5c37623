// planex.timing/2 as the view works with it.

import {
  asArray,
  asNumber,
  asNumbers,
  asObject,
  asText,
  isNumber,
  type Json,
  type JsonObject,
} from '../../public/index.ts';

export interface Figures {
  readonly count: number | null;
  readonly mean_ms: number | null;
  readonly median_ms: number | null;
  readonly min_ms: number | null;
  readonly max_ms: number | null;
  readonly p90_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

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

export interface Bins {
  readonly start_ms: number;
  readonly step_ms: number;
  readonly counts: readonly number[];
  readonly trusted: readonly number[];
  readonly below: number;
  readonly above: number;
}

// One row a part of the samples; NaN where a part has no usable sample.
export interface Course {
  readonly first: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly running: Float64Array;
  // In ms since the first sample; null where the file has no starts.
  readonly start: Float64Array | null;
}

export interface Field {
  readonly field: string;
  readonly isEndToEnd: boolean;
  readonly sameAs: string | null;
  readonly all: Figures | null;
  readonly trusted: Figures | null;
  readonly step_ms: number | null;
  readonly bins: Bins | null;
  // Finer, of the middle alone; null where that has room enough.
  readonly middle: Bins | null;
  readonly course: Course | null;
}

export interface Range {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
}

export interface Phase {
  readonly range: Range;
  readonly isWarmUp: boolean;
  readonly isTrusted: boolean;
  readonly median_ms: number | null;
  readonly spread: number | null;
  readonly change: number | null;
  readonly spikes: number | null;
}

export interface Trusted extends Figures {
  readonly range: Range;
  readonly share: number | null;
  readonly low_ms: number | null;
  readonly high_ms: number | null;
  readonly variation: number | null;
  readonly autocorrelation: number | null;
  readonly effective_count: number | null;
}

export interface SteadyState {
  readonly field: string;
  readonly count: number;
  readonly duration_ms: number | null;
  readonly warmUp: (Range & { readonly from_ms: number | null }) | null;
  readonly phases: readonly Phase[];
  readonly steps: readonly { readonly at: number; readonly change: number | null }[];
  readonly excursions: readonly { readonly range: Range; readonly change: number | null }[];
  readonly trusted: Trusted | null;
}

export interface EndToEnd extends Figures {
  readonly source: string | null;
  readonly field: string | null;
}

export interface Step {
  readonly kind: string;
  readonly isSum: boolean;
  readonly type: string | null;
  readonly family: string | null;
  readonly count: number | null;
  readonly from_ms: number;
  readonly to_ms: number;
}

export interface Timing {
  readonly conclusion: { readonly headline: string; readonly text: string | null } | null;
  readonly remarks: readonly { readonly id: string; readonly text: string }[];
  readonly endToEnd: EndToEnd | null;
  readonly steady: SteadyState | null;
  // Of all samples, usable or not.
  readonly sampleCount: number;
  readonly fields: readonly Field[];
  readonly waterfall: readonly Step[];
}

function figures(o: JsonObject): Figures {
  return {
    count: asNumber(o.count),
    mean_ms: asNumber(o.mean_ms),
    median_ms: asNumber(o.median_ms),
    min_ms: asNumber(o.min_ms),
    max_ms: asNumber(o.max_ms),
    p90_ms: asNumber(o.p90_ms),
    p95_ms: asNumber(o.p95_ms),
    p99_ms: asNumber(o.p99_ms),
  };
}

function maybe<T>(json: Json | undefined, read: (o: JsonObject) => T): T | null {
  return json === null || json === undefined ? null : read(asObject(json));
}

function range(o: JsonObject): Range {
  return {
    first: asNumber(o.first) ?? 0,
    last: asNumber(o.last) ?? 0,
    count: asNumber(o.count) ?? 0,
    start_ms: asNumber(o.start_ms),
    end_ms: asNumber(o.end_ms),
  };
}

const counts = (json: Json | undefined): readonly number[] => asNumbers(json).map((n) => n ?? 0);

function bins(o: JsonObject): Bins | null {
  const start = asNumber(o.start_ms);
  const step = asNumber(o.step_ms);
  const all = counts(o.counts);
  if (start === null || step === null || !(step > 0) || all.length === 0) return null;
  const trusted = counts(o.trusted);
  return {
    start_ms: start,
    step_ms: step,
    counts: all,
    trusted: all.map((_, i) => trusted[i] ?? 0),
    below: asNumber(o.below) ?? 0,
    above: asNumber(o.above) ?? 0,
  };
}

function column(json: Json | undefined, length: number): Float64Array {
  const values = asNumbers(json);
  return Float64Array.from({ length }, (_, i) => values[i] ?? Number.NaN);
}

function course(o: JsonObject): Course | null {
  const { length } = asArray(o.first);
  if (length === 0) return null;
  const min = column(o.min_ms, length);
  return {
    first: column(o.first, length),
    min,
    // Absent where each part is one sample.
    max: o.max_ms === undefined ? min : column(o.max_ms, length),
    running: column(o.running_ms, length),
    start: o.start_ms === undefined ? null : column(o.start_ms, length),
  };
}

function field(json: Json): Field {
  const o = asObject(json);
  return {
    field: asText(o.field) ?? '',
    isEndToEnd: o.is_end_to_end === true,
    sameAs: asText(o.same_as),
    all: maybe(o.all, figures),
    trusted: maybe(o.trusted, figures),
    step_ms: asNumber(o.step_ms),
    bins: maybe(o.bins, bins),
    middle: maybe(o.middle_bins, bins),
    course: maybe(o.series, course),
  };
}

function phase(json: Json): Phase {
  const o = asObject(json);
  return {
    range: range(o),
    isWarmUp: o.is_warm_up === true,
    isTrusted: o.is_trusted === true,
    median_ms: asNumber(o.median_ms),
    spread: asNumber(o.spread_ratio),
    change: asNumber(o.change_ratio),
    spikes: asNumber(o.spike_count),
  };
}

function steadyState(o: JsonObject): SteadyState {
  return {
    field: asText(o.field) ?? '',
    count: asNumber(o.sample_count) ?? 0,
    duration_ms: asNumber(o.duration_ms),
    warmUp: maybe(o.warm_up, (w) => ({ ...range(w), from_ms: asNumber(w.from_ms) })),
    phases: asArray(o.phases).map(phase),
    steps: asArray(o.steps).map((json) => {
      const step = asObject(json);
      return { at: asNumber(step.at) ?? 0, change: asNumber(step.change_ratio) };
    }),
    excursions: asArray(o.excursions).map((json) => {
      const one = asObject(json);
      return { range: range(one), change: asNumber(one.change_ratio) };
    }),
    trusted: maybe(o.trusted, (t) => ({
      ...figures(t),
      range: range(t),
      share: asNumber(t.share),
      low_ms: asNumber(t.median_low_ms),
      high_ms: asNumber(t.median_high_ms),
      variation: asNumber(t.variation),
      autocorrelation: asNumber(t.autocorrelation),
      effective_count: asNumber(t.effective_count),
    })),
  };
}

function step(json: Json): Step {
  const o = asObject(json);
  return {
    kind: asText(o.kind) ?? '',
    isSum: o.is_sum === true,
    type: asText(o.type),
    family: asText(o.family),
    count: asNumber(o.count),
    from_ms: asNumber(o.from_ms) ?? 0,
    to_ms: asNumber(o.to_ms) ?? 0,
  };
}

export function readTiming(document: JsonObject): Timing {
  const samples = asObject(document.samples);
  return {
    conclusion: maybe(document.conclusion, (o) => ({
      headline: asText(o.headline) ?? '',
      text: asText(o.text),
    })),
    remarks: asArray(document.remarks).map((json) => {
      const o = asObject(json);
      return { id: asText(o.id) ?? '', text: asText(o.text) ?? '' };
    }),
    endToEnd: maybe(document.end_to_end, (o) => ({
      ...figures(o),
      source: asText(o.source),
      field: asText(o.field),
    })),
    steady: maybe(document.steady_state, steadyState),
    sampleCount: asNumber(samples.count) ?? 0,
    fields: asArray(samples.fields).map(field),
    waterfall: asArray(document.waterfall).map(step),
  };
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
