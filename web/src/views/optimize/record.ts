// The record of planex optimize: what its steps and figures say in words.

import {
  fixed,
  isNumber,
  joined,
  kMissing,
  msText,
  percent,
  signed,
  visible,
  type Engine,
  type Optimize,
  type OptimizeStep,
  type OptimizeTime,
  type Report,
} from '../../public/index.ts';

export const isKept = ({ state }: OptimizeStep): boolean => state === 'kept';

export const keptSteps = ({ steps }: Optimize): readonly OptimizeStep[] => steps.filter(isKept);

const kStates: Readonly<Record<string, string>> = {
  'not-faster': 'not faster',
  'not-confirmed': 'not confirmed',
  'too-far': 'too far off',
  'too-late': 'too late',
  unchanged: 'nothing to change',
  'not-tried': 'not tried',
};

export const stateText = ({ state }: OptimizeStep): string => kStates[state] ?? visible(state);

// "−53.4 %"
export const changeText = (ratio: number | null): string =>
  isNumber(ratio) ? `${signed(ratio * 100, 1)} %` : kMissing;

type Interval = Pick<OptimizeStep, 'low_ratio' | 'high_ratio'>;

// "−54.6 to −52.2"; null: there is none.
export function intervalText({ low_ratio: low, high_ratio: high }: Interval): string | null {
  if (!isNumber(low) || !isNumber(high)) return null;
  return `${signed(low * 100, 1)} to ${signed(high * 100, 1)}`;
}

// How many times as fast, from a change of time.
export const timesOf = (ratio: number): number => 1 / (1 + ratio);

// "4.53 to 4.83"; null: there is none.
export function timesIntervalText({ low_ratio: low, high_ratio: high }: Interval): string | null {
  if (!isNumber(low) || !isNumber(high)) return null;
  return `${fixed(timesOf(high), 2)} to ${fixed(timesOf(low), 2)}`;
}

// "18.4 to 19.0 ms": as many digits as tell both ends apart would be more than the times have.
export function rangeText({ low_ms: low, high_ms: high }: OptimizeTime): string | null {
  return isNumber(low) && isNumber(high) ? `${msText(low)} to ${msText(high)} ms` : null;
}

export const dbText = ({ is_equal, sqnr_db }: OptimizeStep): string =>
  is_equal ? 'equal' : isNumber(sqnr_db) ? fixed(sqnr_db, 1) : kMissing;

// "39.7 dB, top-1 100.0 %"; null: not judged.
export function lossText(step: OptimizeStep): string | null {
  const { is_equal, sqnr_db: db, top1_ratio: top1 } = step;
  const parts = [
    is_equal ? 'equal' : isNumber(db) && `${fixed(db, 1)} dB`,
    isNumber(top1) && `top-1 ${percent(top1)} %`,
  ];
  return joined(parts, ', ') || null;
}

// The sentence ends without its full stop, as in a list.
export const whatText = ({ what }: OptimizeStep): string => visible(what.replace(/\.$/, ''));

// What making it came to; null: not recorded.
export const saidText = ({ said }: OptimizeStep): string | null =>
  said === null ? null : visible(said);

// At most six lines.
export function stepLines(step: OptimizeStep): readonly string[] {
  const interval = intervalText(step);
  return [
    `${visible(step.id)}: ${stateText(step)}`,
    whatText(step),
    isNumber(step.change_ratio)
      ? `${changeText(step.change_ratio)}${interval === null ? '' : ` (95 %: ${interval})`}`
      : '',
    isNumber(step.after.median_ms)
      ? `${msText(step.before.median_ms)} → ${msText(step.after.median_ms)} ms`
      : '',
    lossText(step) ?? '',
    step.reason === null ? '' : visible(step.reason),
  ].filter((line) => line !== '');
}

// Engines of the report that the record is about, by the names that planex optimize gives them.
export function placeOf({ engines }: Report, name: 'first' | 'best'): number | null {
  const place = engines.findIndex(({ id }) => id === name);
  return place < 0 ? null : place;
}

export function engineOf(report: Report, name: 'first' | 'best'): Engine | null {
  return report.engines[placeOf(report, name) ?? -1] ?? null;
}

// The best, or, where nothing was kept, the model as it is.
export const bestEngine = (report: Report): Engine | null =>
  engineOf(report, 'best') ?? engineOf(report, 'first');
