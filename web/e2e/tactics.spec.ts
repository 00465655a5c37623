// What the builder tried: the same as `planex explain tactics` says of the same log.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import { kFixtures } from './fixtures.ts';
import { kFolder, open, test } from './page.ts';

interface Explained {
  readonly sentences: readonly string[];
  readonly phases: readonly { readonly phase: string }[];
  readonly skipped: readonly unknown[];
  readonly layers: readonly {
    readonly name: string;
    readonly margin_share: number | null;
    readonly formats: readonly unknown[];
    readonly tactics: readonly unknown[];
  }[];
}

const kDocument = join(kFolder, 'tactics.explain.json');
const kMaxCandidates = 40;

test.skip(kFolder === kFixtures, 'made by tools/make_test_reports.sh only');

for (const theme of ['light', 'dark'] as const) {
  test(`choices stand beside their runners-up, ${theme}`, async ({ page }) => {
    const explained = JSON.parse(readFileSync(kDocument, 'utf8')) as Explained;
    const closest = explained.layers
      .filter(({ margin_share }) => margin_share !== null)
      .sort((a, b) => (a.margin_share ?? 0) - (b.margin_share ?? 0))[0];
    if (closest === undefined) throw new Error('no layer has a runner-up');
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, 'tactics', 'v=tactics');
    await expect(page.locator('.conclusion')).toContainText(explained.sentences[0] ?? '?');
    await expect(page.locator('.sentences li')).toHaveCount(explained.sentences.length - 1);
    await expect(page.locator('.build-phases tbody tr')).toHaveCount(explained.phases.length);
    await expect(page.locator('.skipped-tactics tbody tr')).toHaveCount(explained.skipped.length);
    const rows = page.locator('.tactic-layer');
    await expect(rows).toHaveCount(explained.layers.length);
    const first = rows.first();
    await expect(first.locator('td').first()).toHaveAttribute('title', closest.name);
    await first.locator('button').click();
    await expect(page.locator('.tactic-formats tbody tr')).toHaveCount(closest.formats.length);
    await expect(page.locator('.tactic-candidates tbody tr')).toHaveCount(
      Math.min(closest.tactics.length, kMaxCandidates),
    );
    await expect(page.locator('.panel-name')).toHaveText(closest.name);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: join(shots, `tactics-${theme}.png`) });
    await first.locator('button').click();
    await expect(page.locator('.tactic-formats')).toHaveCount(0);
  });
}

test('an engine without a log of its build has no such tab', async ({ page }) => {
  await open(page, 'single');
  await expect(page.locator('.tab', { hasText: 'Layers' })).toHaveCount(1);
  await expect(page.locator('.tab', { hasText: 'Tactics' })).toHaveCount(0);
});
