// What a reader must be able to read: no number is cut, no names of blocks touch, and no view is
// wider than its window, on engines of every kind.

import { expect } from '@playwright/test';

import { someOf } from './chosen.ts';
import { cutThings } from './faults.ts';
import { everyView, test } from './page.ts';

const kEngines = someOf(
  ['single', 'compare', 'openvino', 'names-only', 'no-device', 'large'] as const,
  2,
);

for (const width of [1440, 1024, 390]) {
  test(`every view: nothing is cut at ${String(width)} pixels`, async ({ page }) => {
    test.setTimeout(360_000);
    const faults: string[] = [];
    await page.setViewportSize({ width, height: 900 });
    await everyView(page, kEngines, async (view, name) => {
      faults.push(...(await cutThings(page)).map((fault) => `${name}, ${view}: ${fault}`));
    });
    expect(faults).toEqual([]);
  });
}
