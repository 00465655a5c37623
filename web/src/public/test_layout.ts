// The layout module as tests run it: compiled, and without a worker.

import { compileLayout } from '../../build/layout_wasm.ts';
import { run } from '../layout/wasm.ts';
import type { RunLayout } from './layout.ts';

export function testLayout(): RunLayout {
  const module = new WebAssembly.Module(new Uint8Array(compileLayout()));
  return (name, input) => run({ module, name, input });
}
