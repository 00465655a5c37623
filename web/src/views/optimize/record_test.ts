import { describe, expect, it } from 'vitest';

import { waterfallBars } from './bars.ts';
import { measuresOf, pointsOf } from './points.ts';
import {
  changeText,
  intervalText,
  keptSteps,
  lossText,
  stateText,
  stepLines,
  timesIntervalText,
} from './record.ts';
import { kSteps, recordOf, stepOf } from './test_record.ts';

describe('words of a step', () => {
  it('have real minus signs, and no interval where there is none', () => {
    expect(changeText(-0.534)).toBe('−53.4 %');
    expect(changeText(null)).toBe('–');
    expect(intervalText(stepOf('clean'))).toBe('−52.0 to −48.0');
    expect(intervalText(stepOf('isa=avx2'))).toBeNull();
  });

  it('say how near results are', () => {
    expect(lossText(stepOf('int8'))).toBe('39.7 dB, top-1 98.5 %');
    expect(lossText(stepOf('denormals=zero'))).toBeNull();
    expect(lossText({ ...stepOf('int8'), is_equal: true, top1_ratio: null })).toBe('equal');
  });

  it('turn changes into times as fast, the ends in their order', () => {
    expect(timesIntervalText({ low_ratio: -0.8, high_ratio: -0.5 })).toBe('2.00 to 5.00');
    expect(timesIntervalText({ low_ratio: null, high_ratio: -0.5 })).toBeNull();
  });

  it('fit into a tooltip', () => {
    expect(stepLines(stepOf('denormals=zero'))).toEqual([
      'denormals=zero: not faster',
      'Treat denormal numbers as zero',
      '+0.3 % (95 %: −7.7 to +8.3)',
      '4.100 → 4.110 ms',
      'within the noise: +0.3 % (-7.8 to +9.1)',
    ]);
    expect(stepLines(stepOf('clean')).length).toBeLessThanOrEqual(6);
  });

  it('name a state that a newer planex wrote as it is', () => {
    expect(stateText({ ...stepOf('clean'), state: 'pending' })).toBe('pending');
  });
});

describe('the waterfall', () => {
  it('goes from the model as it is over the kept steps to the best', () => {
    const bars = waterfallBars(recordOf());
    expect(bars.map(({ name, fromMs, toMs }) => [name, fromMs, toMs])).toEqual([
      ['as it is', 0, 19],
      ['clean', 20, 10],
      ['int8', 10.5, 4.2],
      ['best', 0, 4],
    ]);
    expect(bars.map(({ value }) => value)).toEqual([
      '19.000 ms',
      '−50.0 %',
      '−60.0 %',
      '4.000 ms, 4.74 × as fast',
    ]);
  });

  it('has the interval of a step at the level that it was measured on', () => {
    const [, clean] = waterfallBars(recordOf());
    expect(clean?.interval?.map((ms) => ms.toFixed(2))).toEqual(['9.60', '10.40']);
  });

  it('has no best where nothing was kept, and no ends where none was measured', () => {
    const steps = kSteps.slice(2);
    expect(waterfallBars(recordOf({ steps })).map(({ name }) => name)).toEqual(['as it is']);
    const stopped = recordOf({ first: {}, best: {} });
    expect(waterfallBars(stopped).map(({ name }) => name)).toEqual(['clean', 'int8']);
    expect(keptSteps(recordOf({ steps }))).toEqual([]);
  });
});

describe('time against accuracy', () => {
  it('has what is the same as the float model apart, and options where they were tried', () => {
    const points = pointsOf(recordOf(), 'sqnr');
    expect(points.map(({ name, ms, value, isKept }) => [name, ms, value, isKept])).toEqual([
      ['as it is', 19, null, true],
      ['clean', 10, null, true],
      ['int8', 4.2, 39.7, true],
      ['denormals=zero', 4.11, 39.7, false],
    ]);
  });

  it('can be by classes', () => {
    expect(pointsOf(recordOf(), 'top1').map(({ value }) => value)).toEqual([1, 1, 0.985, 0.985]);
  });

  it('offers the measures that some step has', () => {
    expect(measuresOf(recordOf())).toEqual(['sqnr', 'top1']);
    expect(measuresOf(recordOf({ steps: kSteps.slice(2) }))).toEqual([]);
  });
});
