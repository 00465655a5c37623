// Runs the layout module. A new instance for every graph: memory of the last one goes with it.

import type { LayoutInput, LayoutResult } from './layout.ts';

interface LayoutExports {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly allocate: (bytes: number) => number;
  readonly lay_out: (
    boxes: number,
    edges: number,
    frames: number,
    numbers: number,
    indices: number,
  ) => void;
  readonly numbers: () => number;
  readonly number_count: () => number;
  readonly indices: () => number;
  readonly index_count: () => number;
}

// The module does no input or output, but its C library could: every such call answers "not
// supported" (WASI's errno 58).
function imports(module: WebAssembly.Module): WebAssembly.Imports {
  const result: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`the layout module wants ${from}.${name}`);
    (result[from] ??= {})[name] = () => 58;
  }
  return result;
}

export async function runLayout(
  module: WebAssembly.Module,
  input: LayoutInput,
): Promise<LayoutResult> {
  const instance = await WebAssembly.instantiate(module, imports(module));
  const wasm = instance.exports as unknown as LayoutExports;
  wasm._initialize();
  const numbersAt = wasm.allocate(input.numbers.byteLength);
  const indicesAt = wasm.allocate(input.indices.byteLength);
  if (numbersAt === 0 || indicesAt === 0) throw new Error('no memory for the layout');
  // After both allocations: growing memory detaches views of it.
  new Float64Array(wasm.memory.buffer, numbersAt).set(input.numbers);
  new Uint32Array(wasm.memory.buffer, indicesAt).set(input.indices);
  wasm.lay_out(input.boxCount, input.edgeCount, input.frameCount, numbersAt, indicesAt);
  const { buffer } = wasm.memory;
  return unpack(
    input,
    // Copies: the instance's whole memory would be kept or sent otherwise.
    new Float64Array(buffer, wasm.numbers(), wasm.number_count()).slice(),
    new Uint32Array(buffer, wasm.indices(), wasm.index_count()).slice(),
  );
}

function unpack(input: LayoutInput, numbers: Float64Array, indices: Uint32Array): LayoutResult {
  const { boxCount, edgeCount, frameCount } = input;
  let number = 2;
  const takeNumbers = (count: number): Float64Array => {
    const part = numbers.subarray(number, number + count);
    number += count;
    return part;
  };
  let index = 0;
  const takeIndices = (count: number): Uint32Array => {
    const part = indices.subarray(index, index + count);
    index += count;
    return part;
  };
  return {
    width: numbers[0] ?? 0,
    height: numbers[1] ?? 0,
    boxes: takeNumbers(4 * boxCount),
    frames: takeNumbers(4 * frameCount),
    labels: takeNumbers(2 * edgeCount),
    points: takeNumbers(numbers.length - number),
    firstPoint: takeIndices(edgeCount + 1),
    inLane: takeIndices(edgeCount),
    rank: takeIndices(boxCount),
  };
}
