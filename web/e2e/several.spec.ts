// Several layers selected at once: by Ctrl, by Shift, by link; sums and what they have in common.

import { expect } from '@playwright/test';

import { hashOf, open, test } from './page.ts';

test('Ctrl adds and takes away, Shift takes a range, the link remembers', async ({ page }) => {
  await open(page, 'single', 'v=layers');
  const row = (id: number) => page.locator(`tr[data-row="${String(id)}"]`);
  const panel = page.getByRole('complementary', { name: 'Selection' });
  await row(2).click();
  await row(5).click({ modifiers: ['ControlOrMeta'] });
  await expect(panel).toContainText('2 layers selected');
  await row(5).click({ modifiers: ['ControlOrMeta'] });
  await expect(panel).not.toContainText('layers selected');
  await row(6).click({ modifiers: ['Shift'] });
  await expect(panel).toContainText('5 layers selected');
  await expect(page.locator('tr.selected')).toHaveCount(5);
  await expect.poll(() => hashOf(page)).toContain('more=3,4,5,6');
  await page.reload();
  await expect(panel).toContainText('5 layers selected');
  // The sum is that of the rows.
  const micros = await page
    .locator('tr.selected td.by')
    .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
  const sum = micros.reduce((a, b) => a + b, 0);
  const shown = await panel.locator('.key-figure').innerText();
  expect(Math.abs(Number.parseFloat(shown) - sum)).toBeLessThan(0.5);
  await page.keyboard.press('Escape');
  await expect(page.locator('tr.selected')).toHaveCount(0);
});
