// Accessibility as axe sees it: every view, light and dark, with a panel open, wide and narrow.

import { expect } from '@playwright/test';

import { graveViolations } from './faults.ts';
import { kViews, open, test } from './page.ts';

const kPages = ['single', 'compare', 'names-only'] as const;

for (const name of kPages) {
  for (const theme of ['light', 'dark'] as const) {
    test(`${name}, ${theme}: nothing serious`, async ({ page }) => {
      test.setTimeout(120_000);
      await page.emulateMedia({ colorScheme: theme });
      for (const view of kViews) {
        await page.setViewportSize(
          theme === 'light' ? { width: 1440, height: 900 } : { width: 900, height: 1100 },
        );
        await open(page, name, `v=${view}${name === 'single' ? '&sel=6' : ''}`);
        const grave = (await graveViolations(page)).map((one) => `${view}: ${one}`);
        expect.soft(grave).toEqual([]);
      }
    });
  }
}
