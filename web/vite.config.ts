import { defineConfig, type Plugin } from 'vite';

import { coreModule, kCoreFile, type Packing } from './build/core.ts';
import { deviceTable } from './build/devices.ts';
import { exampleEngines } from './build/examples.ts';
import { layoutWasm } from './build/layout_wasm.ts';
import { serviceWorker } from './build/service_worker.ts';
import { kExplorer, kExplorerAlone, kIndex, kReport, singleFile } from './build/single_file.ts';

interface Page {
  readonly folder: string;
  readonly input: string;
  readonly plugins: readonly Plugin[];
}

function explorer(packing: Packing): Page {
  const isAlone = packing === 'inside';
  return {
    folder: '../dist/explorer',
    input: 'src/explorer/main.ts',
    plugins: [
      layoutWasm(),
      coreModule(packing),
      deviceTable(),
      exampleEngines(packing),
      singleFile({
        template: 'explorer_template.html',
        output: isAlone ? 'planex.html' : 'index.html',
        page: isAlone ? kExplorerAlone : kExplorer,
        beside: (name) => name === kCoreFile || name.startsWith('examples/'),
      }),
      ...(isAlone ? [] : [serviceWorker()]),
    ],
  };
}

// By vite's --mode; each page is one file, but for what the explorer has beside it.
const kPages: Readonly<Record<string, () => Page>> = {
  production: () => ({
    folder: 'dist',
    input: 'src/main.ts',
    plugins: [
      layoutWasm(),
      deviceTable(),
      singleFile({ template: 'template.html', output: 'report.html', page: kReport }),
    ],
  }),
  index: () => ({
    folder: 'dist',
    input: 'src/index_page/main.ts',
    plugins: [singleFile({ template: 'index_template.html', output: 'index.html', page: kIndex })],
  }),
  explorer: () => explorer('beside'),
  'explorer-alone': () => explorer('inside'),
};

export default defineConfig(({ mode }) => {
  const page = kPages[mode]?.();
  if (page === undefined) throw new Error(`--mode is one of ${Object.keys(kPages).join(', ')}`);
  return {
    // Nothing is copied beside the page.
    publicDir: false,
    build: {
      outDir: page.folder,
      // No build takes another's file.
      emptyOutDir: false,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      reportCompressedSize: false,
      rolldownOptions: { input: page.input },
    },
    plugins: [...page.plugins],
  };
});
