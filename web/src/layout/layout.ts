// What is laid out and what comes back: the arrays of graph/layout/layout.h, flat. Pixels at scale 1,
// y grows downwards.

export const kNoIndex = 0xffffffff;

export interface LayoutOptions {
  // Ends of edges in the order of their slots, instead of as crosses least.
  readonly portsInOrder: boolean;
  readonly rankGap: number;
  readonly boxGap: number;
  readonly laneGap: number;
  readonly portGap: number;
  readonly framePad: number;
}

export const kLayoutOptions: LayoutOptions = {
  portsInOrder: false,
  rankGap: 20,
  boxGap: 28,
  laneGap: 10,
  portGap: 8,
  framePad: 12,
};

export interface LayoutInput {
  readonly boxCount: number;
  readonly edgeCount: number;
  readonly frameCount: number;
  // In the order that native/layout_wasm.cc states.
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
}

export interface LayoutResult {
  readonly width: number;
  readonly height: number;
  // x, y, width, height of each.
  readonly boxes: Float64Array;
  readonly frames: Float64Array;
  // x, y of the words of each edge.
  readonly labels: Float64Array;
  // Edge i: points[2 * firstPoint[i]] up to points[2 * firstPoint[i + 1]].
  readonly points: Float64Array;
  readonly firstPoint: Uint32Array;
  readonly inLane: Uint32Array;
  readonly rank: Uint32Array;
}

export interface BoxInput {
  readonly width: number;
  readonly height: number;
  readonly frame: number;
  readonly weight: number;
}

export interface EdgeInput {
  readonly from: number;
  readonly to: number;
  readonly fromSlot: number;
  readonly toSlot: number;
  readonly labelWidth: number;
  readonly labelHeight: number;
  readonly stroke: number;
  readonly isBack: boolean;
}

export interface FrameInput {
  readonly parent: number;
  readonly titleWidth: number;
  readonly titleHeight: number;
}

export function packInput(
  boxes: readonly BoxInput[],
  edges: readonly EdgeInput[],
  frames: readonly FrameInput[],
  options: LayoutOptions = kLayoutOptions,
): LayoutInput {
  const numbers = new Float64Array(3 * boxes.length + 3 * edges.length + 2 * frames.length + 5);
  const indices = new Uint32Array(boxes.length + 5 * edges.length + frames.length + 1);
  let number = 0;
  let index = 0;
  for (const box of boxes) {
    numbers.set([box.width, box.height, box.weight], number);
    number += 3;
    indices[index++] = box.frame;
  }
  for (const edge of edges) {
    numbers.set([edge.labelWidth, edge.labelHeight, edge.stroke], number);
    number += 3;
    indices.set([edge.from, edge.to, edge.fromSlot, edge.toSlot, edge.isBack ? 1 : 0], index);
    index += 5;
  }
  for (const frame of frames) {
    numbers.set([frame.titleWidth, frame.titleHeight], number);
    number += 2;
    indices[index++] = frame.parent;
  }
  const { rankGap, boxGap, laneGap, portGap, framePad } = options;
  numbers.set([rankGap, boxGap, laneGap, portGap, framePad], number);
  indices[index] = options.portsInOrder ? 1 : 0;
  return {
    boxCount: boxes.length,
    edgeCount: edges.length,
    frameCount: frames.length,
    numbers,
    indices,
  };
}
