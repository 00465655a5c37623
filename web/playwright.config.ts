import { defineConfig } from '@playwright/test';

import { kChromiumArgs, kChromiumPath } from './e2e/browser.ts';

export default defineConfig({
  testDir: 'e2e',
  // Pictures for the documents are made by tools/docs_pictures.sh.
  testIgnore: process.env.PLANEX_PICTURES === undefined ? ['**/pictures.spec.ts'] : [],
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  // One a core of the machines that test; a browser waits for half of its time.
  workers: 2,
  timeout: 30_000,
  reporter: [['list'], ['./e2e/no_skips.ts']],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: kChromiumPath, args: [...kChromiumArgs] },
  },
});
