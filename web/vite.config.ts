import { defineConfig } from 'vite';

import { layoutWasm } from './build/layout_wasm.ts';
import { kIndex, kReport, singleFile } from './build/single_file.ts';

// Two pages, each one file: the report, and with --mode index that of `planex serve`.
export default defineConfig(({ mode }) => ({
  // The page is one file: nothing is copied beside it.
  publicDir: false,
  build: {
    outDir: 'dist',
    // Neither build takes the other's file.
    emptyOutDir: false,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    reportCompressedSize: false,
    rolldownOptions: { input: mode === 'index' ? 'src/index_page/main.ts' : 'src/main.ts' },
  },
  plugins:
    mode === 'index'
      ? [singleFile({ template: 'index_template.html', output: 'index.html', page: kIndex })]
      : [
          layoutWasm(),
          singleFile({ template: 'template.html', output: 'report.html', page: kReport }),
        ],
}));
