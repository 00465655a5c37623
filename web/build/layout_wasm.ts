// Compiles the layout (src/graph/layout, C++) to WebAssembly and gives it to the page as deflate in
// base64, in the module "virtual:planex-layout". The program and the page share one implementation.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Plugin } from 'vite';

import { packed, virtualModule } from './virtual_module.ts';

const kRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');
const kLayoutFolder = join(kRoot, 'src/graph/layout');
const kEntry = join(kRoot, 'web/src/layout/native/layout_wasm.cc');

// One file of module bytes, whatever the processor: the compiler is deterministic.
const kFlags = [
  '--target=wasm32-wasi',
  '-std=c++23',
  '-O2',
  '-fno-exceptions',
  '-fno-rtti',
  '-fno-math-errno',
  '-ffp-contract=off',
  '-DNDEBUG',
  '-stdlib=libc++',
  '-mexec-model=reactor',
  // A page that asks for no input and no output needs no more than this.
  '-Wl,--strip-all',
  '-Wl,-z,stack-size=1048576',
] as const;

export function layoutSources(): readonly string[] {
  const own = readdirSync(kLayoutFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cc') && !name.endsWith('_test.cc'))
    .sort()
    .map((name) => join(kLayoutFolder, name));
  return [...own, kEntry];
}

function headers(): readonly string[] {
  return readdirSync(kLayoutFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.h'))
    .map((name) => join(kLayoutFolder, name));
}

function isNewer(output: string, inputs: readonly string[]): boolean {
  try {
    const time = statSync(output).mtimeMs;
    return inputs.every((input) => statSync(input).mtimeMs <= time);
  } catch {
    return false;
  }
}

export function compileLayout(): Buffer {
  const folder = join(kRoot, 'web/.cache');
  const output = join(folder, 'layout.wasm');
  const sources = layoutSources();
  const own = fileURLToPath(import.meta.url);
  if (!isNewer(output, [...sources, ...headers(), own])) {
    mkdirSync(folder, { recursive: true });
    const compiler = process.env.PLANEX_WASM_CXX ?? 'clang++-19';
    try {
      execFileSync(compiler, [...kFlags, '-I', join(kRoot, 'src'), ...sources, '-o', output], {
        stdio: ['ignore', 'inherit', 'pipe'],
        encoding: 'utf8',
      });
    } catch (error) {
      throw new Error(
        `the layout did not compile to WebAssembly; tools/setup.sh installs the packages it needs\n${String(error)}`,
        { cause: error },
      );
    }
  }
  return readFileSync(output);
}

export function layoutWasm(): Plugin {
  return {
    name: 'planex-layout-wasm',
    ...virtualModule('virtual:planex-layout', (watch) => {
      for (const file of [...layoutSources(), ...headers()]) watch(file);
      return packed(compileLayout());
    }),
  };
}
