// Gives the explorer its core, in the module "virtual:planex-core": in the page itself as deflate in
// base64, or as a file beside it. PLANEX_CORE is the core as WebAssembly, as tools/core.sh builds it.

import { readFileSync } from 'node:fs';

import type { Plugin } from 'vite';

import { packed, virtualModule } from './virtual_module.ts';

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
    ...virtualModule('virtual:planex-core', () => ({
      packed: packing === 'inside' ? packed(coreBytes()) : null,
      file: kCoreFile,
    })),
    generateBundle() {
      if (packing === 'inside') return;
      this.emitFile({ type: 'asset', fileName: kCoreFile, source: coreBytes() });
    },
  };
}
