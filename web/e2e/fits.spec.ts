// What a reader must be able to read: no number is cut, no names of blocks touch, and no view is
// wider than its window, on engines of every kind.

import { expect } from '@playwright/test';

import { cutThings } from './faults.ts';
import { kViews, open, test } from './page.ts';

const kEngines = ['single', 'openvino', 'names-only', 'no-device', 'large', 'compare'] as const;

for (const name of kEngines) {
  test(`${name}: nothing is cut at 1440, 1024 and 390 pixels`, async ({ page }) => {
    test.setTimeout(120_000);
    const faults: string[] = [];
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const view of kViews) {
        await open(page, name, `v=${view}`);
        const found = await cutThings(page);
        faults.push(...found.map((fault) => `${view} at ${String(width)}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
}
