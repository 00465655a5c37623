import { describe, expect, it } from 'vitest';

import { aimOf } from './aim.ts';
import { waterfallBars } from './bars.ts';
import { measuresOf, pointsOf } from './points.ts';
import {
  changeText,
  gainIntervalText,
  intervalText,
  keptSteps,
  lossText,
  stateText,
  stepLines,
} from './record.ts';
import { kSteps, recordOf, stepOf } from './test_record.ts';

const kAim = aimOf(recordOf());

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
    expect(gainIntervalText(kAim, { low_ratio: -0.8, high_ratio: -0.5 })).toBe('2.00 to 5.00');
    expect(gainIntervalText(kAim, { low_ratio: null, high_ratio: -0.5 })).toBeNull();
  });

  it('fit into a tooltip', () => {
    expect(stepLines(kAim, stepOf('denormals=zero'))).toEqual([
      'denormals=zero: not faster',
      'Treat denormal numbers as zero',
      '+0.3 % (95 %: −7.7 to +8.3)',
      '4.100 ms → 4.110 ms',
      'within the noise: +0.3 % (-7.8 to +9.1)',
    ]);
    expect(stepLines(kAim, stepOf('clean')).length).toBeLessThanOrEqual(6);
  });

  it('name a state that a newer planex wrote as it is', () => {
    expect(stateText({ ...stepOf('clean'), state: 'pending' })).toBe('pending');
  });
});

describe('the waterfall', () => {
  it('goes from the model as it is over the kept steps to the best', () => {
    const bars = waterfallBars(recordOf());
    expect(bars.map(({ name, from, to }) => [name, from, to])).toEqual([
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
    expect(points.map(({ name, figure, value, isKept }) => [name, figure, value, isKept])).toEqual([
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

describe('other aims', () => {
  it('of throughput are rates, and more is better', () => {
    const record = recordOf({ aim: 'throughput' });
    const bars = waterfallBars(record);
    expect(bars.map(({ name, from, to }) => [name, Math.round(from), Math.round(to)])).toEqual([
      ['as it is', 0, 53],
      ['clean', 50, 100],
      ['int8', 95, 238],
      ['best', 0, 250],
    ]);
    expect(bars.map(({ interval }) => interval?.map(Math.round))).toEqual([
      [52, 53],
      [96, 104],
      [232, 244],
      [248, 253],
    ]);
    expect(bars.at(-1)?.value).toBe('250/s, 4.74 × as many inferences');
    expect(aimOf(record).isBetter(50, 100)).toBe(true);
    expect(stepLines(aimOf(record), stepOf('clean', record))).toContain('50/s → 100/s');
  });

  it('of memory are bytes, without intervals', () => {
    const bytes = (count: number) => ({ median_ms: 1, run_count: 1, memory_bytes: count });
    const [clean] = kSteps;
    const record = recordOf({
      aim: 'memory',
      change_ratio: -0.75,
      low_ratio: null,
      high_ratio: null,
      first: bytes(8e6),
      best: bytes(2e6),
      steps: [
        {
          ...clean,
          change_ratio: -0.75,
          low_ratio: null,
          high_ratio: null,
          before: bytes(8e6),
          after: bytes(2e6),
        },
      ],
    });
    const bars = waterfallBars(record);
    expect(bars.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['as it is', 0, 8],
      ['clean', 8, 2],
      ['best', 0, 2],
    ]);
    expect(bars.every(({ interval }) => interval === null)).toBe(true);
    expect(bars.map(({ value }) => value)).toEqual(['8.00 MB', '−75.0 %', '2.00 MB, 75.0 % less']);
    expect(pointsOf(record, 'sqnr').map(({ figure }) => figure)).toEqual([8, 2]);
  });
});
