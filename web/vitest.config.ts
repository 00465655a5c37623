import { defineConfig } from 'vitest/config';

import { deviceTable } from './build/devices.ts';
import { layoutWasm } from './build/layout_wasm.ts';
import { noSkips } from './build/no_skips.ts';

export default defineConfig({
  plugins: [layoutWasm(), deviceTable()],
  test: {
    reporters: ['default', noSkips()],
    include: ['src/**/*_test.ts', 'build/**/*_test.ts'],
    environment: 'node',
  },
});
