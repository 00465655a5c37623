// What is on paper, whatever view is on screen: overview, findings with their fixes, the slowest
// layers, the comparison; and nothing of it on screen afterwards.

import { expect } from '@playwright/test';

import { first, open, test } from './page.ts';

const kMaxLayers = 50;

for (const view of ['graph', 'overview', 'findings', 'compare'] as const) {
  test(`on paper, ${view} on screen: every part once`, async ({ page }) => {
    await open(page, 'compare', `v=${view}`);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const paper = page.locator('.printed-report');

    // Each in its own place, or as the view that is on screen.
    for (const part of ['.strip', '.finding-printed, .findings-printed', '.compare-verdict']) {
      await expect(page.locator(part).filter({ visible: true })).not.toHaveCount(0);
    }
    await expect(page.locator('.strip').filter({ visible: true })).toHaveCount(1);
    await expect(page.locator('.compare-verdict').filter({ visible: true })).toHaveCount(1);

    const rows = paper.locator('.printed-layers tbody tr');
    const { layer_count: all } = first('compare').summary;
    await expect(rows).toHaveCount(Math.min(kMaxLayers, all));
    const times = await rows.locator('td:nth-child(5)').allTextContents();
    expect(times.map(Number)).toEqual([...times.map(Number)].sort((a, b) => b - a));

    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await expect(paper.locator('*')).toHaveCount(0);
  });
}

test('a printed report has the fix of each kind of finding, and fills more than one page', async ({
  page,
}) => {
  await open(page, 'single', 'v=timing');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const printed = page.locator('.printed-report .findings-printed');
  await expect(printed).toContainText('int8-conv-writes-float');
  await expect(printed).toContainText('Q/DQ');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect((pdf.match(/\/Type\s*\/Page\b/g) ?? []).length).toBeGreaterThan(1);
});
