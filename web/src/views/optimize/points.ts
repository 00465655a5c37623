// The aim against accuracy: a point for each step that has both.

import { isNumber, type Optimize, type OptimizeStep } from '../../public/index.ts';
import { aimOf } from './aim.ts';
import { isKept } from './record.ts';

export type Measure = 'sqnr' | 'top1';

export interface Point {
  readonly name: string;
  // Null: the model as it is.
  readonly step: OptimizeStep | null;
  // In the unit of the aim.
  readonly figure: number;
  readonly interval: readonly [number, number] | null;
  // dB or a ratio; null: the same results, or so near that only the order of sums differs.
  readonly value: number | null;
  readonly isKept: boolean;
}

// From here on planex calls results the same: differences are those of the order of sums.
export const kSameDb = 80;

// Undefined: it is not known.
function valueOf(record: Optimize, step: OptimizeStep, by: Measure): number | null | undefined {
  const { is_equal: isEqual, sqnr_db: db, top1_ratio: top1, kind, basis } = step;
  if (by === 'top1' && isNumber(top1)) return top1;
  if (isEqual) return by === 'top1' ? 1 : null;
  if (by === 'sqnr' && isNumber(db)) return db >= kSameDb ? null : db;
  // Options of the engine leave results as they are in what they are tried on.
  if (kind !== 'options') return undefined;
  if (basis === null) return by === 'top1' ? 1 : null;
  const at = record.steps.indexOf(step);
  const before = record.steps.slice(0, at).findLast((one) => one.id === basis && isKept(one));
  return before === undefined ? undefined : valueOf(record, before, by);
}

// The measures of which some step has a figure.
export function measuresOf({ steps }: Optimize): readonly Measure[] {
  return [
    ...(steps.some(({ sqnr_db: db }) => isNumber(db)) ? (['sqnr'] as const) : []),
    ...(steps.some(({ top1_ratio: ratio }) => isNumber(ratio)) ? (['top1'] as const) : []),
  ];
}

export function pointsOf(record: Optimize, by: Measure): readonly Point[] {
  const { first, steps } = record;
  const aim = aimOf(record);
  const points: Point[] = [];
  const start = aim.figure(first);
  if (start !== null) {
    points.push({
      name: 'as it is',
      step: null,
      figure: start,
      interval: aim.interval(first),
      value: by === 'top1' ? 1 : null,
      isKept: true,
    });
  }
  for (const step of steps) {
    const figure = aim.figure(step.after);
    const value = valueOf(record, step, by);
    if (figure === null || value === undefined) continue;
    const interval = aim.interval(step.after);
    points.push({ name: step.id, step, figure, interval, value, isKept: isKept(step) });
  }
  return points;
}
