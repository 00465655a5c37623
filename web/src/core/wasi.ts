// The operating system that the core sees (files, time, random numbers, standard streams): WASI
// preview 1 over a Tree.

import { ConsoleStdout, File, OpenFile, WASI } from '@bjorn3/browser_wasi_shim';

import { OpenFolder, type Tree } from './tree.ts';

export { WASIProcExit as Ended } from '@bjorn3/browser_wasi_shim';

export class Wasi {
  readonly #wasi: WASI;

  // `say` receives lines of the standard streams.
  constructor(tree: Tree, say: (line: string) => void = () => undefined) {
    const streams = ConsoleStdout.lineBuffered(say);
    const input = new OpenFile(new File([]));
    const files = [input, streams, streams, new OpenFolder(tree.root)];
    this.#wasi = new WASI([], [], files, { debug: false });
  }

  bind(memory: WebAssembly.Memory): void {
    this.#wasi.inst = { exports: { memory } };
  }

  // Addresses and sizes are unsigned, but arrive as negative numbers above 2 GB.
  imports(): WebAssembly.ModuleImports {
    const unsigned = (word: unknown): unknown => (typeof word === 'number' ? word >>> 0 : word);
    return Object.fromEntries(
      Object.entries(this.#wasi.wasiImport).map(([name, call]) => [
        name,
        (...words: readonly unknown[]) => call(...words.map(unsigned)),
      ]),
    );
  }
}
