// Accessibility as axe sees it: every view, light and dark, with a panel open, wide and narrow.

import { expect } from '@playwright/test';

import { someOf } from './chosen.ts';
import { graveViolations } from './faults.ts';
import { everyView, open, test } from './page.ts';

const kPages = someOf(['single', 'compare', 'names-only'] as const);

for (const theme of ['light', 'dark'] as const) {
  test(`every view, ${theme}: nothing serious`, async ({ page }) => {
    test.setTimeout(360_000);
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(
      theme === 'light' ? { width: 1440, height: 900 } : { width: 900, height: 1100 },
    );
    const look = async (view: string, name: string): Promise<void> => {
      const grave = (await graveViolations(page)).map((one) => `${name}, ${view}: ${one}`);
      expect.soft(grave).toEqual([]);
    };
    await everyView(page, kPages, look, (name) => (name === 'single' ? '&sel=6' : ''));
  });
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
