import { defineConfig } from '@playwright/test';

import { kChromiumArgs, kChromiumPath } from './e2e/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // One a core of the machines that test; a browser waits for half of its time.
  workers: 2,
  timeout: 30_000,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: kChromiumPath, args: [...kChromiumArgs] },
  },
});
