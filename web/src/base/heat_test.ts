import { describe, expect, it } from 'vitest';

import { heatScale, heatStep } from './heat.ts';

describe('heat', () => {
  it('gives each step as many values as the others', () => {
    const values = Array.from({ length: 600 }, (_, i) => (i + 1) ** 3);
    const scale = heatScale(values);
    if (scale === null) throw new Error('no scale');
    const counts = [0, 0, 0, 0, 0, 0];
    for (const value of values) {
      const step = heatStep(scale, value);
      counts[step] = (counts[step] ?? 0) + 1;
    }
    expect(counts).toEqual([100, 100, 100, 100, 100, 100]);
  });
  it('is not whitened by one slow layer', () => {
    const scale = heatScale([1, 2, 3, 4, 5, 1e6]);
    if (scale === null) throw new Error('no scale');
    expect(new Set([1, 2, 3, 4, 5, 1e6].map((v) => heatStep(scale, v))).size).toBe(6);
  });
  it('knows nothing of what is not there', () => {
    expect(heatScale([])).toBeNull();
    expect(heatScale([Number.NaN])).toBeNull();
    expect(heatStep(heatScale([0, 0]) ?? { bounds: [-1], least: 0, greatest: 0 }, 0)).toBe(0);
  });
});
