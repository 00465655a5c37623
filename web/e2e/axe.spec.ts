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

// On a busy machine somebody is there before the charts are.
test('charts have their names before they are drawn', async ({ page }) => {
  // Their drawing is a task without a delay (painted.ts), put off when they are there.
  await page.addInitScript(() => {
    const start = window.setTimeout.bind(window);
    window.setTimeout = ((work: () => void, delay?: number) =>
      delay === undefined && document.querySelector('.chart-body') !== null
        ? 0
        : start(work, delay)) as typeof window.setTimeout;
  });
  for (const view of ['overview', 'timing', 'memory'] as const) {
    await open(page, 'single', `v=${view}`);
    await expect(page.locator('.chart-body').first()).toBeAttached();
    await expect(page.locator('.chart-body canvas')).toHaveCount(0);
    const grave = (await graveViolations(page)).map((one) => `${view}: ${one}`);
    expect.soft(grave).toEqual([]);
  }
});
