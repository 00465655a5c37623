// A module that the build makes: what plugins that give one have in common.

import { deflateSync } from 'node:zlib';

import type { Plugin } from 'vite';

// `value` is what the module exports, as JSON; it may name files whose change makes it again.
export function virtualModule(
  id: string,
  value: (watch: (file: string) => void) => unknown,
): Pick<Plugin, 'resolveId' | 'load'> {
  const own = `\0${id}`;
  return {
    resolveId: (asked) => (asked === id ? own : null),
    load(asked) {
      if (asked !== own) return null;
      return `export default ${JSON.stringify(value((file) => this.addWatchFile(file)))};`;
    },
  };
}

// As the page unpacks it (src/base/inflate.ts): deflate in base64.
export function packed(bytes: Uint8Array): string {
  return deflateSync(bytes, { level: 9 }).toString('base64');
}
