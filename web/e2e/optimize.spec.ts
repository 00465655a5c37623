// What planex optimize found: its record's figures are on the page, and lead to what they are about.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, type Locator, type Page } from '@playwright/test';

import { cutThings, graveViolations } from './faults.ts';
import { csvByColumn, expectTwins, figure, saved } from './figure.ts';
import { hashOf, open, test } from './page.ts';

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

interface Time {
  readonly median_ms: number | null;
}
interface Step {
  readonly id: string;
  readonly state: string;
  readonly what: string;
  readonly reason: string | null;
  readonly command: string | null;
  readonly change_ratio: number | null;
  readonly sqnr_db: number | null;
  readonly after: Time;
}
interface OptimizeRecord {
  readonly sentences: readonly string[];
  readonly steps: readonly Step[];
  readonly kept: readonly string[];
  readonly first: Time;
  readonly best: Time;
  readonly change_ratio: number;
  readonly command: string;
}

const kFile = fileURLToPath(new URL('../../tests/data/optimize/optimize.json', import.meta.url));

// The file that planex wrote, not what the report has of it.
const recordOf = (): OptimizeRecord => JSON.parse(readFileSync(kFile, 'utf8')) as OptimizeRecord;

const kept = (): readonly Step[] => recordOf().steps.filter(({ state }) => state === 'kept');

const rowOf = (page: Page, place: number): Locator =>
  figure(page, 'optimize-steps').locator(`[data-step="${String(place)}"]`);

const kWide = { width: 1440, height: 1000 } as const;

for (const theme of ['light', 'dark'] as const) {
  test(`the view comes first and says what was gained, ${theme}`, async ({ page }) => {
    const record = recordOf();
    await page.setViewportSize(kWide);
    await page.emulateMedia({ colorScheme: theme });
    await open(page, 'optimize');
    await expect(page.locator('.tab').first()).toHaveText('Optimize');
    await expect(page.locator('.tab.on')).toHaveText('Optimize');
    for (const sentence of record.sentences) {
      // The page begins each with a capital.
      await expect(page.locator('.conclusion')).toContainText(sentence.slice(1));
    }
    const strip = page.locator('.optimize-strip .figure');
    await expect(strip.nth(0)).toContainText((record.first.median_ms ?? 0).toFixed(3));
    await expect(strip.nth(1)).toContainText((record.best.median_ms ?? 0).toFixed(3));
    await expect(strip.nth(2)).toContainText((1 / (1 + record.change_ratio)).toFixed(2));
    const tried = record.steps.filter(({ state }) => state !== 'not-tried');
    await expect(strip.nth(4)).toContainText(
      `${String(record.kept.length)}of ${String(tried.length)} kept`,
    );
    await expect(page.locator('.filter-row')).toContainText('kept');
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: join(shots, `optimize-${theme}.png`) });
    expect(await graveViolations(page)).toEqual([]);
  });
}

test('the charts have the figures of the record', async ({ page }) => {
  const record = recordOf();
  await page.setViewportSize(kWide);
  await open(page, 'optimize');
  const bars = await csvByColumn(page, 'optimize-waterfall');
  expect(bars.map((bar) => bar.step)).toEqual(['as it is', ...record.kept, 'best']);
  expect(bars.map((bar) => Number(bar['after ms']))).toEqual([
    record.first.median_ms,
    ...kept().map(({ after }) => after.median_ms),
    record.best.median_ms,
  ]);
  const points = await csvByColumn(page, 'optimize-front');
  const judged = record.steps.filter(
    ({ sqnr_db: db, after }) => db !== null && after.median_ms !== null,
  );
  for (const { id, after, sqnr_db: db } of judged) {
    const point = points.find((one) => one.step === id);
    expect(Number(point?.['median ms'])).toBe(after.median_ms);
    expect(point?.['SQNR dB']).toBe(db !== null && db < 80 ? String(db) : '');
  }
  await expectTwins(page, 'optimize-waterfall', record.kept.length);
  await expectTwins(page, 'optimize-front', record.kept.length);
});

test('all that was tried is in the table, with its reason and its command', async ({ page }) => {
  const { steps } = recordOf();
  await page.setViewportSize(kWide);
  await open(page, 'optimize');
  const table = figure(page, 'optimize-steps');
  await expect(table.locator('tbody tr[data-index]')).toHaveCount(steps.length);
  const rows = await csvByColumn(page, 'optimize-steps');
  expect(rows.map((row) => [row.step, row.state])).toEqual(
    steps.map(({ id, state }) => [id, state]),
  );
  await expect(table.locator('.optimize-mark')).toHaveCount(kept().length);
  // Sorted by the change, the greatest gain is first; what was not measured stays last.
  await table.getByRole('button', { name: 'change: sort by' }).click();
  const best = steps
    .filter(({ change_ratio: ratio }) => ratio !== null)
    .sort((a, b) => (a.change_ratio ?? 0) - (b.change_ratio ?? 0))[0];
  await expect(table.locator('tbody tr[data-index="0"]')).toContainText(best?.id ?? '?');
});

test('a step is chosen by key, and the panel has all of it', async ({ page }) => {
  const { steps } = recordOf();
  const place = steps.findIndex(({ state }) => state === 'kept');
  const step = steps[place];
  await page.setViewportSize(kWide);
  await open(page, 'optimize');
  await rowOf(page, place).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.panel-name')).toHaveText(step?.id ?? '?');
  await expect(page.locator('.panel')).toContainText(step?.what ?? '?');
  await expect(page.locator('.panel .command')).toContainText('planex');
  await expect.poll(() => hashOf(page)).toContain(`optimize.step=${String(place)}`);
  await page.keyboard.press('Escape');
  await expect(page.locator('.panel')).toBeHidden();
  const refused = steps.findIndex(({ state }) => state === 'not-faster');
  await open(page, 'optimize', `v=optimize&optimize.step=${String(refused)}`);
  await expect(page.locator('.panel')).toContainText(steps[refused]?.reason ?? '?');
});

test('what the steps changed in layers leads to the comparison', async ({ page }) => {
  await page.setViewportSize(kWide);
  await open(page, 'optimize');
  const rows = await csvByColumn(page, 'optimize-kept');
  expect(rows.map((row) => row.step)).toEqual(['as it is', ...recordOf().kept]);
  for (const row of rows) expect(Number(row.layers)).toBeGreaterThan(0);
  const causes = await csvByColumn(page, 'optimize-causes');
  expect(causes.length).toBeGreaterThan(0);
  expect((await csvByColumn(page, 'optimize-operations')).length).toBeGreaterThan(0);
  await figure(page, 'optimize-operations').getByRole('button', { name: 'compare' }).click();
  await expect(page.locator('.tab.on')).toContainText('Compare');
  await expect(page.locator('.ledger-table')).toBeVisible();
});

test('nothing is cut at 1440, 1024 and 390 pixels', async ({ page }) => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'optimize');
    await expect(figure(page, 'optimize-steps')).toBeVisible();
    expect(await cutThings(page)).toEqual([]);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined)
      await page.screenshot({ path: join(shots, `optimize-${String(width)}.png`) });
  }
});

test('nothing is written that is no text', async ({ page }) => {
  await page.setViewportSize(kWide);
  for (const link of ['v=optimize', 'v=optimize&optimize.accuracy=top1']) {
    await open(page, 'optimize', link);
    const text = await page.locator('.view').innerText();
    expect(text).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
    for (const id of ['optimize-waterfall', 'optimize-front']) {
      expect((await saved(page, id, 'SVG')).toString('utf8')).not.toMatch(/NaN|undefined/);
    }
  }
});

test('on paper, it comes first', async ({ page }) => {
  await open(page, 'optimize', 'v=files');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const parts = page.locator('.printed-report > .printed-part');
  await expect(parts.first().locator('[data-figure=optimize-steps]')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
});

test('a report without a record has no such tab', async ({ page }) => {
  await open(page, 'single');
  await expect(page.locator('.tab', { hasText: 'Layers' })).toHaveCount(1);
  await expect(page.locator('.tab', { hasText: 'Optimize' })).toHaveCount(0);
});
