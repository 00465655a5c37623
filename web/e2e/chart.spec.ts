// The chart of the overview, its pictures, and what else the page offers beside the tables.

import { pathToFileURL } from 'node:url';

import { expect, type Page } from '@playwright/test';

import { savedBy } from './download.ts';
import { makeFixtures } from './fixtures.ts';
import { first, open, pathOf, test } from './page.ts';

test.beforeAll(() => {
  if (process.env.PLANEX_REPORT_DIR === undefined) makeFixtures();
});

const saved = (page: Page, name: string): Promise<Buffer> =>
  savedBy(page.getByRole('button', { name, exact: true }).first());

test('numbers and pictures of the chart', async ({ page }) => {
  await open(page, 'single');
  const { summary } = first('single');
  const lines = (await saved(page, 'CSV')).toString('utf8').trim().split('\n');
  expect(lines).toHaveLength(summary.layer_count + 1);
  const sum = lines.slice(1).reduce((all, line) => all + Number(line.split(',').at(-1)), 0);
  expect(sum).toBeCloseTo(summary.time.layers_median_ms ?? Number.NaN, 6);
  const svg = (await saved(page, 'SVG')).toString('utf8');
  expect(svg).toMatch(/^<svg /);
  // A bar for every layer with a time, and no colour but those of the theme.
  expect(svg.match(/<rect /g)?.length ?? 0).toBeGreaterThan(summary.layer_count);
  const png = await saved(page, 'PNG');
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
});

test('blocks filter, original names are a switch', async ({ page }) => {
  await open(page, 'single');
  const bracket = page.locator('.bracket', { hasText: 'layer2' });
  await expect(bracket).toBeVisible();
  const picture = async () => (await saved(page, 'SVG')).toString('utf8');
  const short = await picture();
  await page.getByRole('button', { name: 'original names' }).click();
  expect(await picture()).not.toBe(short);
  await page.getByRole('button', { name: 'short names' }).click();
  expect(await picture()).toBe(short);
  await bracket.click();
  await expect(page.locator('.chip-text')).toContainText('layer:');
});

test('to the producer and back to the consumer', async ({ page }) => {
  await open(page, 'single', 'v=layers&sel=5');
  const name = page.locator('.panel-name');
  const here = await name.textContent();
  await page.keyboard.press('[');
  await expect(name).not.toHaveText(here ?? '');
  await page.keyboard.press(']');
  await expect(name).toHaveText(here ?? '');
});

test("the predecessor's palette", async ({ page }) => {
  await page.goto(`${pathToFileURL(pathOf('single')).href}?palette=trex`);
  const swatch = page.locator('.swatch.p-int8').first();
  await expect(swatch).toBeVisible();
  const colours = await swatch.evaluate((n) => getComputedStyle(n).getPropertyValue('--fill'));
  expect(colours.trim().toLowerCase()).toBe('#76b900');
});
