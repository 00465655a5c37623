import { defineConfig } from 'vite';

import { layoutWasm } from './build/layout_wasm.ts';
import { singleFile } from './build/single_file.ts';

export default defineConfig({
  // The page is one file: nothing is copied beside it.
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    reportCompressedSize: false,
    rolldownOptions: { input: 'src/main.ts' },
  },
  plugins: [layoutWasm(), singleFile({ template: 'template.html', output: 'report.html' })],
});
