// What a layer launches, in its details: the same as `planex explain kernels` says of the same trace.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import { kFixtures } from './fixtures.ts';
import { kFolder, open, test } from './page.ts';

interface Explained {
  readonly layers: readonly {
    readonly layer_id: number;
    readonly name: string;
    readonly kernel_ms: number;
    readonly kernels: readonly {
      readonly name: string;
      readonly median_us: number;
      readonly count: number;
      readonly grid: readonly number[] | null;
    }[];
  }[];
}

const kDocument = join(kFolder, 'kernels.explain.json');

test.skip(kFolder === kFixtures, 'made by tools/make_test_reports.sh only');

for (const theme of ['light', 'dark'] as const) {
  test(`kernels stand in a layer's details, ${theme}`, async ({ page }) => {
    const explained = JSON.parse(readFileSync(kDocument, 'utf8')) as Explained;
    const layer = explained.layers.find((l) => l.kernels.length > 1);
    if (layer === undefined) throw new Error('no layer launches two kernels');
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, 'kernels', `v=layers&sel=${String(layer.layer_id)}`);
    await expect(page.locator('.panel-name')).toHaveText(layer.name);
    const section = page.locator('.panel section').filter({ has: page.locator('.kernel') });
    await expect(section.locator('h3')).toContainText('Kernels');
    const rows = section.locator('.kernel');
    await expect(rows).toHaveCount(layer.kernels.length);
    for (const [i, kernel] of layer.kernels.entries()) {
      await expect(rows.nth(i).locator('.port-name')).toHaveAttribute('title', kernel.name);
      const facts = rows.nth(i).locator('.port-facts');
      await expect(facts).toContainText(`${kernel.median_us.toFixed(1)} µs`);
      await expect(facts).toContainText(`${String(kernel.count)} launches`);
      if (kernel.grid !== null) await expect(facts).toContainText(kernel.grid.join('×'));
    }
    const overflow = await page.evaluate(
      () =>
        (document.querySelector('.panel-body')?.scrollWidth ?? 0) -
        (document.querySelector('.panel-body')?.clientWidth ?? 0),
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await section.scrollIntoViewIfNeeded();
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: join(shots, `kernels-${theme}.png`) });
  });
}
