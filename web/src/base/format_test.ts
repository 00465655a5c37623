import { describe, expect, it } from 'vitest';

import * as f from './format.ts';

describe('numbers', () => {
  it('groups by thin spaces and uses a real minus', () => {
    expect(f.integer(36160)).toBe('36\u2009160');
    expect(f.fixed(-1234.5, 1)).toBe('\u22121\u2009234.5');
    expect(f.fixed(-0.0001, 1)).toBe('0.0');
    expect(f.signed(0.213, 3)).toBe('+0.213');
    expect(f.signed(0, 1)).toBe('0.0');
  });
  it('lists what is missing', () => {
    expect(f.fixed(null, 3)).toBe('–');
    expect(f.percent(Number.NaN)).toBe('–');
    expect(f.dimsText(null)).toBe('–');
  });
  it('keeps three significant digits', () => {
    expect([0.00123456, 0.0999, 1.234, 12.34, 123.4, 1234].map((v) => f.significant(v))).toEqual([
      '0.00123',
      '0.0999',
      '1.23',
      '12.3',
      '123',
      '1\u2009234',
    ]);
  });
  it('does not write a zero that was not measured', () => {
    expect(f.percent(0.0001)).toBe('<0.1');
    expect(f.percent(0)).toBe('0.0');
    expect(f.oneDecimal(0.01)).toBe('<0.1');
  });
  it('lets the largest time choose the unit', () => {
    expect(f.inUnit(0.0369, f.timeUnit(0.2))).toBe('36.9');
    expect(f.inUnit(1.0469, f.timeUnit(1.1))).toBe('1.047');
  });
  it('has decimal units', () => {
    expect(f.bytesText(601172160)).toBe('601 MB');
    expect(f.bytesText(999_600)).toBe('1.00 MB');
    expect(f.bytesText(12)).toBe('12 B');
    expect(f.quantityText(f.flopsQuantity(116.1e9))).toBe('116 GFLOP');
  });
  it('draws dims', () => {
    expect(f.dimsText([32, 64, 56, 56])).toBe('32×64×56×56');
    expect(f.dimsText([-1, 3])).toBe('?×3');
    expect(f.dimsText([])).toBe('scalar');
  });
});

describe('ticks', () => {
  it('are three to six round numbers', () => {
    for (const max of [0.202, 1.096, 2.124, 7, 35, 999, 12345]) {
      const ticks = f.niceTicks(max);
      expect(ticks.length, String(max)).toBeGreaterThanOrEqual(3);
      expect(ticks.length, String(max)).toBeLessThanOrEqual(6);
      expect(f.coveringTicks(max).at(-1), String(max)).toBeGreaterThanOrEqual(max * 0.999);
    }
    expect(f.niceTicks(0)).toEqual([0]);
  });
  it('need not begin at 0', () => {
    expect(f.niceRange(0.8786, 0.9093)).toEqual({ min: 0.87, max: 0.91, step: 0.01, decimals: 2 });
    const { min, max, step, decimals } = f.niceRange(12.097, 13.018);
    expect([min, max, step, decimals]).toEqual([12, 13.5, 0.5, 1]);
    // All samples equal.
    const flat = f.niceRange(2, 2);
    expect(flat.max).toBeGreaterThan(flat.min);
  });
  it('share their decimals', () => {
    expect(f.tickDecimals([0, 0.05])).toBe(2);
    expect(f.tickDecimals([0, 0.2])).toBe(1);
    expect(f.tickDecimals([0, 50])).toBe(0);
  });
});

it('has a power of a thousand for each unit of bytes', () => {
  expect(['B', 'MB', 'PB', 's'].map(f.bytesPer)).toEqual([1, 1e6, 1e15, 1]);
});
