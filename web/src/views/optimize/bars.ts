// The bars of the waterfall: the model as it is, each kept step, the best.

import { isNumber, type Optimize, type OptimizeStep } from '../../public/index.ts';
import { aimOf, type Aim } from './aim.ts';
import { changeText, gainIntervalText, intervalText, keptSteps, rangeText } from './record.ts';

export interface Bar {
  readonly name: string;
  // Null: an end.
  readonly step: OptimizeStep | null;
  // In the unit of the aim.
  readonly from: number;
  readonly to: number;
  // The 95 % interval of its end.
  readonly interval: readonly [number, number] | null;
  readonly value: string;
  // Where there is room for it.
  readonly range: string | null;
}

function endBar(aim: Aim, record: Optimize, which: 'first' | 'best'): readonly Bar[] {
  const time = record[which];
  const figure = aim.figure(time);
  if (figure === null) return [];
  const isBest = which === 'best';
  const { change_ratio: change } = record;
  const gain = isBest && isNumber(change) ? `, ${aim.gain(change).join(' ')}` : '';
  return [
    {
      name: isBest ? 'best' : 'as it is',
      step: null,
      from: 0,
      to: figure,
      interval: aim.interval(time),
      value: `${aim.text(figure)}${gain}`,
      range: isBest ? gainIntervalText(aim, record) : rangeText(aim, time),
    },
  ];
}

// Both ends of a step are from the same turns, and its interval is that of their ratio.
function stepBar(aim: Aim, step: OptimizeStep): readonly Bar[] {
  const { before, after, low_ratio: low, high_ratio: high } = step;
  const [from, to] = [aim.figure(before), aim.figure(after)];
  if (from === null || to === null) return [];
  const ends = [low, high].filter(isNumber).map((ratio) => aim.changed(from, ratio));
  const [one, other] = ends.sort((a, b) => a - b);
  return [
    {
      name: step.id,
      step,
      from,
      to,
      interval: one === undefined || other === undefined ? null : [one, other],
      value: changeText(step.change_ratio),
      range: intervalText(step),
    },
  ];
}

// Without the best where nothing was kept: it is the model as it is.
export function waterfallBars(record: Optimize): readonly Bar[] {
  const aim = aimOf(record);
  const kept = keptSteps(record);
  return [
    ...endBar(aim, record, 'first'),
    ...kept.flatMap((step) => stepBar(aim, step)),
    ...(kept.length === 0 ? [] : endBar(aim, record, 'best')),
  ];
}
