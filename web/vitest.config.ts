import { defineConfig } from 'vitest/config';

import { layoutWasm } from './build/layout_wasm.ts';

export default defineConfig({
  plugins: [layoutWasm()],
  test: { include: ['src/**/*_test.ts', 'build/**/*_test.ts'], environment: 'node' },
});
