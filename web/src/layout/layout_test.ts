import { describe, expect, it } from 'vitest';

import { testLayout } from '../public/test_layout.ts';
import type { Flat } from './wasm.ts';

// Boxes in frames, edges between boxes.
function packed(boxes: readonly number[], edges: readonly (readonly number[])[], frames = 0): Flat {
  const numbers = [
    ...boxes.flatMap(() => [100, 30, 1]),
    ...edges.flatMap(() => [80, 12, 1.4]),
    ...Array.from({ length: frames }, () => [60, 12]).flat(),
  ];
  const indices = [
    ...[boxes.length, edges.length, frames],
    ...boxes,
    ...edges.flatMap((ends) => [...ends, -1, 0]),
    ...Array.from({ length: frames }, () => -1),
  ];
  return { numbers: Float64Array.from(numbers), indices: Int32Array.from(indices) };
}

describe('the layout module', () => {
  const run = testLayout();
  const edges = [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ];
  const diamond = packed([-1, 0, 0, -1], edges, 1);

  it('gives every box, frame and edge its place', async () => {
    const { numbers, indices } = await run('lay_out', diamond);
    expect(indices).toHaveLength(5);
    const boxes = numbers.subarray(2, 18);
    expect(numbers).toHaveLength(2 + 16 + 4 + 8 + 2 * (indices[4] ?? 0));
    const [, frameTop = 0, , frameHeight = 0] = numbers.subarray(18);
    for (const i of [1, 2]) {
      const [top = 0, , height = 0] = boxes.subarray(4 * i + 1);
      expect(top).toBeGreaterThanOrEqual(frameTop);
      expect(top + height).toBeLessThanOrEqual(frameTop + frameHeight);
    }
    for (const [from = 0, to = 0] of edges) {
      expect(boxes[4 * from + 1]).toBeLessThan(boxes[4 * to + 1] ?? 0);
    }
  });

  it('gives the same every time', async () => {
    expect(await run('lay_out', diamond)).toEqual(await run('lay_out', diamond));
  });

  it('lays out nothing', async () => {
    const { numbers, indices } = await run('lay_out', packed([], []));
    expect(numbers).toHaveLength(2);
    expect([...indices]).toEqual([0]);
  });

  it('grows its memory with the graph', async () => {
    const boxes = Array.from({ length: 50_000 }, () => -1);
    const chain = boxes.slice(1).map((_, i) => [i, i + 1]);
    const { numbers } = await run('lay_out', packed(boxes, chain));
    expect(numbers.length).toBeGreaterThan(200_000);
    expect(numbers[1]).toBeGreaterThan(50_000 * 30);
  });
});
