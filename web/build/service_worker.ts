// Writes sw.js beside the page: src/explorer/service_worker.ts with the list of the page's files, and a
// name for this state of them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { transformWithOxc, type Plugin } from 'vite';

const kSource = 'src/explorer/service_worker.ts';

export function serviceWorker(): Plugin {
  return {
    name: 'planex-service-worker',
    enforce: 'post',
    buildStart() {
      this.addWatchFile(kSource);
    },
    async generateBundle(_output, bundle) {
      const hash = createHash('sha256');
      const files: string[] = [];
      for (const [name, item] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
        const content = item.type === 'chunk' ? item.code : item.source;
        hash.update(name).update(content);
        files.push(name === 'index.html' ? './' : name);
      }
      const source = readFileSync(kSource, 'utf8');
      const { code } = await transformWithOxc(source, 'service_worker.ts');
      const version = hash.update(code).digest('hex').slice(0, 16);
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: code
          .replace(/^export \{\};?\n?/m, '')
          .replace('BUILD_FILES', () => JSON.stringify(files))
          .replace('BUILD_VERSION', () => JSON.stringify(version)),
      });
    },
  };
}
