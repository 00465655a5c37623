import { describe, expect, it } from 'vitest';

import { compileLayout } from '../../build/layout_wasm.ts';
import { kNoIndex, packInput, type BoxInput, type EdgeInput } from './layout.ts';
import { runLayout } from './wasm.ts';

const box = (frame = kNoIndex): BoxInput => ({ width: 100, height: 30, frame, weight: 1 });
const edge = (from: number, to: number): EdgeInput => ({
  from,
  to,
  fromSlot: kNoIndex,
  toSlot: kNoIndex,
  labelWidth: 80,
  labelHeight: 12,
  stroke: 1.4,
  isBack: false,
});

describe('the layout module', () => {
  const module = new WebAssembly.Module(new Uint8Array(compileLayout()));
  const diamond = packInput(
    [box(), box(0), box(0), box()],
    [edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)],
    [{ parent: kNoIndex, titleWidth: 60, titleHeight: 12 }],
  );

  it('gives every box, frame and edge its place', async () => {
    const result = await runLayout(module, diamond);
    expect(result.boxes).toHaveLength(16);
    expect(result.frames).toHaveLength(4);
    expect(result.rank).toHaveLength(4);
    expect(result.labels).toHaveLength(8);
    expect(result.firstPoint).toHaveLength(5);
    expect(result.points).toHaveLength(2 * (result.firstPoint[4] ?? 0));
    const [, frameTop = 0, , frameHeight = 0] = result.frames;
    for (const i of [1, 2]) {
      const [top = 0, , height = 0] = result.boxes.subarray(4 * i + 1);
      expect(top).toBeGreaterThanOrEqual(frameTop);
      expect(top + height).toBeLessThanOrEqual(frameTop + frameHeight);
    }
    for (let e = 0; e < 4; e += 1) {
      expect(result.rank[diamond.indices[4 + 5 * e] ?? 0]).toBeLessThan(
        result.rank[diamond.indices[4 + 5 * e + 1] ?? 0] ?? 0,
      );
    }
  });

  it('gives the same every time', async () => {
    expect(await runLayout(module, diamond)).toEqual(await runLayout(module, diamond));
  });

  it('lays out nothing', async () => {
    const result = await runLayout(module, packInput([], [], []));
    expect(result.boxes).toHaveLength(0);
    expect([...result.firstPoint]).toEqual([0]);
  });

  it('grows its memory with the graph', async () => {
    const boxes = Array.from({ length: 50_000 }, () => box());
    const edges = boxes.slice(1).map((_, i) => edge(i, i + 1));
    const result = await runLayout(module, packInput(boxes, edges, []));
    expect(result.boxes).toHaveLength(200_000);
    expect(result.height).toBeGreaterThan(50_000 * 30);
  });
});
