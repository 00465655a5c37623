import { describe, expect, it } from 'vitest';

import { readAs, readExplainMemory } from '../../public/test_engine.ts';
import type { Timeline } from './data.ts';
import { frameAt, frameEdges, fullestByPixel, layOutTimeline, rectAt } from './timeline_layout.ts';

// first, last, bytes, offset
type Life = readonly [number, number, number, number];

function timeline(frames: number, lives: readonly Life[], height: number): Timeline {
  const ids = Array.from({ length: frames }, (_, i) => i);
  const live = ids.map((i) =>
    lives.reduce((sum, [first, last, bytes]) => sum + (first <= i && i <= last ? bytes : 0), 0),
  );
  return {
    ...readAs(readExplainMemory, {
      peak: { bytes: Math.max(...live), stream_count: 1 },
      height_bytes: height,
      offsets: 'packed',
    }),
    peakFrame: 0,
    rows: ids,
    frames: { layer_id: ids, live_bytes: live, scratch_bytes: ids.map(() => null) },
    tensors: lives.map(([first, last, bytes, offset], id) => ({
      id,
      dtype: 'INT8',
      bytes,
      first,
      last,
      offset: Number.isNaN(offset) ? null : offset,
    })),
  };
}

const kPlot = { left: 10, top: 0, width: 40, height: 100 };

describe('frames', () => {
  it('are alike in order, and as wide as their time', () => {
    expect([...frameEdges(4, 10, 50, null)]).toEqual([10, 20, 30, 40, 50]);
    const times = Float64Array.from([1, Number.NaN, 3, 0]);
    expect([...frameEdges(4, 10, 50, times)]).toEqual([10, 20, 20, 50, 50]);
    // Without any time the widths are equal again.
    expect([...frameEdges(2, 0, 10, Float64Array.from([0, Number.NaN]))]).toEqual([0, 5, 10]);
  });

  it('are found under the pointer', () => {
    const edges = Float64Array.from([10, 20, 20, 50, 50]);
    expect([9, 10, 19.9, 20, 49, 50].map((x) => frameAt(edges, x))).toEqual([
      null,
      0,
      0,
      2,
      2,
      null,
    ]);
    expect(frameAt(new Float64Array(1), 0)).toBeNull();
  });
});

describe('rectangles', () => {
  const one = timeline(
    4,
    [
      [0, 1, 60, 0],
      [1, 3, 40, 60],
      [3, 3, 20, Number.NaN],
    ],
    100,
  );

  it('reach from the first use to the last, from the offset up', () => {
    const { rects, hidden } = layOutTimeline(one, kPlot, null);
    expect(rects.map(({ tensor, ...place }) => ({ ...place, id: tensor.id }))).toEqual([
      { id: 0, x0: 10, x1: 30, y0: 40, y1: 100 },
      { id: 1, x0: 20, x1: 50, y0: 0, y1: 40 },
    ]);
    expect(hidden).toBe(0);
  });

  it('never overlap where the packing does not', () => {
    const { rects } = layOutTimeline(one, kPlot, null);
    const [a, b] = rects;
    expect((a?.x1 ?? 0) <= (b?.x0 ?? 0) || (b?.y1 ?? 0) <= (a?.y0 ?? 0)).toBe(true);
  });

  it('are hit, the thin ones from nearby', () => {
    const layout = layOutTimeline(one, kPlot, null);
    expect(rectAt(layout, 25, 20)?.tensor.id).toBe(1);
    expect(rectAt(layout, 25, 41)?.tensor.id).toBe(0);
    expect(rectAt(layout, 45, 42)?.tensor.id).toBe(1);
    expect(rectAt(layout, 45, 60)).toBeNull();
  });

  it('are the largest only where there are many; an outline holds the rest', () => {
    const layout = layOutTimeline(one, kPlot, null, 1);
    expect(layout.rects.map(({ tensor }) => tensor.id)).toEqual([0]);
    expect(layout.hidden).toBe(1);
    expect(layout.envelope).toHaveLength(40);
    expect([layout.envelope[0], layout.envelope[12], layout.envelope[39]]).toEqual([60, 100, 100]);
  });
});

describe('the live line', () => {
  it('keeps the fullest of what shares a pixel', () => {
    const many = timeline(
      400,
      [
        [0, 399, 10, 0],
        [123, 123, 90, 10],
      ],
      100,
    );
    const layout = layOutTimeline(many, kPlot, null);
    const fullest = fullestByPixel(layout, many.frames.live_bytes);
    expect(fullest).toHaveLength(40);
    expect(fullest.filter((bytes) => bytes === 100)).toHaveLength(1);
    expect(fullest[12]).toBe(100);
    expect(fullest[13]).toBe(10);
  });
});
