import { describe, expect, it } from 'vitest';

import { Palette } from '../page/palette.ts';
import { linear, rangeTicks, ticksTo } from './axes.ts';
import { Plot } from './plot.ts';

const plotOf = (): Plot => new Plot(new Palette('light'), { width: 100, height: 50 });

describe('a plot', () => {
  it('finds the topmost mark under the pointer', () => {
    const plot = plotOf();
    plot.hit(0, 0, 100, 50, { row: 1 });
    plot.rect(20, 40, 10, 10, { fill: 'red' }, { row: 2 });
    plot.circle(60, 25, 5, { fill: 'red' }, { row: 3 });
    expect(plot.at(15, 15)?.row).toBe(2);
    expect(plot.at(60, 29)?.row).toBe(3);
    // The corner of the circle's bounding square is outside the circle.
    expect(plot.at(64.9, 29.9)?.row).toBe(1);
    expect(plot.at(90, 5)?.row).toBe(1);
    expect(plot.at(101, 5)).toBeNull();
  });

  it('outlines the marks of a layer that are seen', () => {
    const plot = plotOf();
    plot.hit(0, 0, 100, 50, { row: 1 });
    plot.rect(10, 10, 20, 20, {}, { row: 1 });
    plot.rect(30, 10, 40, 20, {}, { row: 2 });
    const rects: number[][] = [];
    const pen = { rect: (...at: number[]) => void rects.push(at.slice(0, 4)) };
    plot.outline(pen as never, 1);
    expect(rects).toEqual([[10, 10, 10, 10]]);
  });

  it('draws again what it drew, in the same order', () => {
    const plot = plotOf();
    const seen: string[] = [];
    plot.rect(0, 0, 1, 1, { opacity: 0.5 });
    plot.line([0, 0, 1, 1], 'red');
    // A line of one point is not drawn.
    plot.line([0, 0], 'red');
    const pen = new Proxy({} as never, {
      get: (_, name) => () => void seen.push(String(name)),
    });
    plot.replay(pen);
    plot.replay(pen);
    const once = ['alpha', 'rect', 'alpha', 'lines'];
    expect(seen).toEqual([...once, ...once]);
  });
});

describe('axes', () => {
  it('have round numbers at both ends of a range', () => {
    const { values, text } = rangeTicks({ min: 0.2, max: 0.6, step: 0.2, decimals: 1 });
    expect(values.map(text)).toEqual(['0.2', '0.4', '0.6']);
    expect(ticksTo(10, 2).values).toEqual([0, 5, 10]);
  });

  it('place values', () => {
    expect(linear(0, 10, 100, 0)(2.5)).toBe(75);
    expect(linear(1, 1, 5, 9)(1)).toBe(5);
  });
});
