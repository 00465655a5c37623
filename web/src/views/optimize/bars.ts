// The bars of the waterfall: the model as it is, each kept step, the best.

import { isNumber, msText, type Optimize, type OptimizeStep } from '../../public/index.ts';
import {
  changeText,
  intervalText,
  keptSteps,
  rangeText,
  timesIntervalText,
  timesOf,
} from './record.ts';

export interface Bar {
  readonly name: string;
  // Null: an end.
  readonly step: OptimizeStep | null;
  readonly fromMs: number;
  readonly toMs: number;
  // The 95 % interval of its end.
  readonly interval: readonly [number, number] | null;
  readonly value: string;
  // Where there is room for it.
  readonly range: string | null;
}

const pair = (low: number | null, high: number | null): readonly [number, number] | null =>
  isNumber(low) && isNumber(high) ? [low, high] : null;

function endBar(record: Optimize, which: 'first' | 'best'): readonly Bar[] {
  const time = record[which];
  const { median_ms: ms, low_ms: low, high_ms: high } = time;
  if (!isNumber(ms)) return [];
  const isBest = which === 'best';
  const { change_ratio: change } = record;
  const gain = isBest && isNumber(change) ? `, ${timesOf(change).toFixed(2)} × as fast` : '';
  return [
    {
      name: isBest ? 'best' : 'as it is',
      step: null,
      fromMs: 0,
      toMs: ms,
      interval: pair(low, high),
      value: `${msText(ms)} ms${gain}`,
      range: isBest ? timesIntervalText(record) : rangeText(time),
    },
  ];
}

// Both ends of a step are from the same turns, and its interval is that of their ratio.
function stepBar(step: OptimizeStep): readonly Bar[] {
  const { before, after, low_ratio: low, high_ratio: high } = step;
  const [from, to] = [before.median_ms, after.median_ms];
  if (!isNumber(from) || !isNumber(to)) return [];
  const ends = isNumber(low) && isNumber(high) ? pair(from * (1 + low), from * (1 + high)) : null;
  return [
    {
      name: step.id,
      step,
      fromMs: from,
      toMs: to,
      interval: ends,
      value: changeText(step.change_ratio),
      range: intervalText(step),
    },
  ];
}

// Without the best where nothing was kept: it is the model as it is.
export function waterfallBars(record: Optimize): readonly Bar[] {
  const kept = keptSteps(record);
  return [
    ...endBar(record, 'first'),
    ...kept.flatMap(stepBar),
    ...(kept.length === 0 ? [] : endBar(record, 'best')),
  ];
}
