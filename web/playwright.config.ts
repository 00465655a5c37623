import { defineConfig } from '@playwright/test';

import { kChromiumArgs, kChromiumPath } from './e2e/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // Two cores, shared: one browser at a time.
  workers: 1,
  timeout: 30_000,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: kChromiumPath, args: [...kChromiumArgs] },
  },
});
