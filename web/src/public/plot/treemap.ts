// Places of nested areas that are proportional to their values (squarified: Bruls, Huizing, van
// Wijk 2000).

import { hierarchy, treemap } from 'd3-hierarchy';

import type { Size } from './plot.ts';

export interface Rect {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface FramedAreas {
  readonly frame: Rect;
  readonly areas: readonly Rect[];
}

export interface AreaGaps {
  // Above the areas of a frame.
  readonly head: number;
  readonly rim: number;
  readonly betweenFrames: number;
  readonly betweenAreas: number;
}

interface Node {
  readonly value: number;
  readonly children: readonly Node[];
}

// The values of each frame's areas; in the order of the values.
export function framedAreas(
  frames: readonly (readonly number[])[],
  { width, height }: Size,
  { head, rim, betweenFrames, betweenAreas }: AreaGaps,
): readonly FramedAreas[] {
  const children = frames.map((values): Node => {
    return { value: 0, children: values.map((value) => ({ value, children: [] })) };
  });
  const root = hierarchy<Node>({ value: 0, children }, (node) => [...node.children]);
  const placed = treemap<Node>()
    .size([width, height])
    .paddingOuter(({ depth }) => (depth === 1 ? rim : 0))
    .paddingTop(({ depth }) => (depth === 1 ? head : 0))
    .paddingInner(({ depth }) => (depth === 0 ? betweenFrames : betweenAreas))(
    root.sum(({ value }) => value),
  );
  return (placed.children ?? []).map((frame) => ({ frame, areas: frame.children ?? [] }));
}
