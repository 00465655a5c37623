// Runs the layout module (native/layout_wasm.cc): flat arrays in, flat arrays out. Every call uses
// a new instance, so that its memory is freed afterwards.

export interface Flat {
  readonly numbers: Float64Array<ArrayBuffer>;
  // -1 is the module's kNone.
  readonly indices: Int32Array<ArrayBuffer>;
}

export type Function = 'collapse' | 'lay_out';

export interface Call {
  readonly module: WebAssembly.Module;
  readonly name: Function;
  readonly input: Flat;
}

type LayoutExports = Readonly<Record<Function, (numbers: number, indices: number) => void>> & {
  readonly memory: WebAssembly.Memory;
  readonly _initialize: () => void;
  readonly allocate: (bytes: number) => number;
  readonly numbers: () => number;
  readonly number_count: () => number;
  readonly indices: () => number;
  readonly index_count: () => number;
};

// The module does no I/O, but its C library could: every such call returns "not supported" (WASI's
// errno 58).
function imports(module: WebAssembly.Module): WebAssembly.Imports {
  const result: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`the layout module needs ${from}.${name}`);
    (result[from] ??= {})[name] = () => 58;
  }
  return result;
}

export async function run({ module, name, input }: Call): Promise<Flat> {
  const instance = await WebAssembly.instantiate(module, imports(module));
  const wasm = instance.exports as unknown as LayoutExports;
  wasm._initialize();
  const numbersAt = wasm.allocate(input.numbers.byteLength);
  const indicesAt = wasm.allocate(input.indices.byteLength);
  if (numbersAt === 0 || indicesAt === 0) throw new Error('no memory for the layout');
  // After both allocations: growing memory detaches views of it.
  new Float64Array(wasm.memory.buffer, numbersAt).set(input.numbers);
  new Int32Array(wasm.memory.buffer, indicesAt).set(input.indices);
  wasm[name](numbersAt, indicesAt);
  const { buffer } = wasm.memory;
  return {
    // Copies: otherwise the instance's whole memory would be kept or sent.
    numbers: new Float64Array(buffer, wasm.numbers(), wasm.number_count()).slice(),
    indices: new Int32Array(buffer, wasm.indices(), wasm.index_count()).slice(),
  };
}
