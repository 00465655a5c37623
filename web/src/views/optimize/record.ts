// The record of planex optimize: what its steps and figures say in words.

import {
  fixed,
  isNumber,
  joined,
  kMissing,
  percent,
  signed,
  visible,
  type Engine,
  type Optimize,
  type OptimizeStep,
  type OptimizeTime,
  type Report,
} from '../../public/index.ts';
import type { Aim } from './aim.ts';

export const isKept = ({ state }: OptimizeStep): boolean => state === 'kept';

export const keptSteps = ({ steps }: Optimize): readonly OptimizeStep[] => steps.filter(isKept);

const kStates: Readonly<Record<string, string>> = {
  'not-faster': 'not faster',
  'not-confirmed': 'not confirmed',
  'not-smaller': 'not smaller',
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

// "4.53 to 4.83" of "4.68 × as fast"; null: there is none.
export function gainIntervalText(
  aim: Aim,
  { low_ratio: low, high_ratio: high }: Interval,
): string | null {
  if (!isNumber(low) || !isNumber(high)) return null;
  return `${aim.gain(high)[0]} to ${aim.gain(low)[0]}`;
}

// "18.4 ms to 19.0 ms": as many digits as tell both ends apart would be more than the times have.
export function rangeText(aim: Aim, time: OptimizeTime): string | null {
  const interval = aim.interval(time);
  return interval === null ? null : interval.map((end) => aim.text(end)).join(' to ');
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
export function stepLines(aim: Aim, step: OptimizeStep): readonly string[] {
  const interval = intervalText(step);
  return [
    `${visible(step.id)}: ${stateText(step)}`,
    whatText(step),
    isNumber(step.change_ratio)
      ? `${changeText(step.change_ratio)}${interval === null ? '' : ` (95 %: ${interval})`}`
      : '',
    aim.figure(step.after) === null
      ? ''
      : `${aim.text(aim.figure(step.before))} → ${aim.text(aim.figure(step.after))}`,
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
