// What a reader must be able to read: no number is cut, no names of blocks touch, and no view is
// wider than its window, on engines of every kind.

import { expect } from '@playwright/test';

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
        const found = await page.evaluate(() => {
          const list: string[] = [];
          const shown = (node: Element): boolean => node.getClientRects().length > 0;
          const wide = document.documentElement.scrollWidth - window.innerWidth;
          if (wide > 0) list.push(`the page is ${String(wide)} px wider than its window`);
          for (const cell of document.querySelectorAll('td.right, th.right, td.by')) {
            if (shown(cell) && cell.scrollWidth > cell.clientWidth + 1) {
              list.push(`cut: ${cell.textContent.slice(0, 40)} (${cell.className})`);
            }
          }
          // Each tells where it ends; the names in them must not run into one another.
          let end = Number.NEGATIVE_INFINITY;
          for (const bracket of document.querySelectorAll('.bracket')) {
            const range = document.createRange();
            range.selectNodeContents(bracket);
            const box = range.getBoundingClientRect();
            if (box.width === 0) continue;
            if (box.left < end + 2) list.push(`touches the one before: ${bracket.textContent}`);
            end = box.right;
          }
          return [...new Set(list)].slice(0, 8);
        });
        faults.push(...found.map((fault) => `${view} at ${String(width)}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
}
