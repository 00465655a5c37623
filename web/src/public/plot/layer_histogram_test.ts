import { describe, expect, it } from 'vitest';

import { layerBins } from './layer_histogram.ts';

const rowsOf = (values: Float64Array): Int32Array => Int32Array.from(values, (_, i) => i);

describe('bins of layers', () => {
  it('have round edges and hold every layer once', () => {
    const values = Float64Array.from([0.012, 0.0149, 0.015, 0.2, 0, Number.NaN]);
    const { bins, zeros, missing } = layerBins(values, rowsOf(values));
    expect(zeros).toBe(1);
    expect(missing).toBe(1);
    expect(bins.map(({ from }) => Number(from.toPrecision(6)))).toEqual([
      0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2,
    ]);
    expect(Number(bins.at(-1)?.to.toPrecision(6))).toBe(0.3);
    expect(bins[0]?.rows).toEqual([0, 1]);
    // A value on an edge belongs to the bin above.
    expect(bins[1]?.rows).toEqual([2]);
    expect(bins.at(-1)?.rows).toEqual([3]);
  });

  it('are none without values, and few even for values that are worlds apart', () => {
    expect(layerBins(new Float64Array([0, Number.NaN]), Int32Array.from([0, 1])).bins).toEqual([]);
    const wide = Float64Array.from([5e-324, 1e-300, 1e300]);
    const { bins } = layerBins(wide, rowsOf(wide));
    expect(bins.length).toBeLessThan(100);
    expect(bins[0]?.rows).toEqual([0, 1]);
    expect(bins.at(-1)?.rows).toEqual([2]);
  });

  it('find a place for every size', () => {
    const values = Float64Array.from({ length: 2000 }, (_, i) => 1.013 ** i * 1e-6);
    const { bins } = layerBins(values, rowsOf(values));
    expect(bins.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(2000);
    for (const { from, to, rows } of bins) {
      for (const row of rows) {
        expect(values[row] ?? 0).toBeGreaterThanOrEqual(from * (1 - 1e-9));
        expect(values[row] ?? 0).toBeLessThan(to * (1 + 1e-9));
      }
    }
  });
});
