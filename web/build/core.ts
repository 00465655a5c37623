// Gives the explorer its core, in the module "virtual:planex-core": in the page itself as deflate in
// base64, or as a file beside it. PLANEX_CORE is the core as WebAssembly, as tools/core.sh builds it.

import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

import type { Plugin } from 'vite';

const kModuleId = 'virtual:planex-core';
export const kCoreFile = 'planex.wasm';

export type Packing = 'inside' | 'beside';

function coreBytes(): Buffer {
  const file = process.env.PLANEX_CORE;
  if (file === undefined || file === '') {
    throw new Error('PLANEX_CORE must name the core as WebAssembly; tools/page.sh builds both');
  }
  return readFileSync(file);
}

export function coreModule(packing: Packing): Plugin {
  return {
    name: 'planex-core',
    resolveId: (id) => (id === kModuleId ? `\0${kModuleId}` : null),
    load(id) {
      if (id !== `\0${kModuleId}`) return null;
      const packed =
        packing === 'inside' ? deflateSync(coreBytes(), { level: 9 }).toString('base64') : null;
      return `export default ${JSON.stringify({ packed, file: kCoreFile })};`;
    },
    generateBundle() {
      if (packing === 'inside') return;
      this.emitFile({ type: 'asset', fileName: kCoreFile, source: coreBytes() });
    },
  };
}
