// Ways out of the page: what is copied and saved is what is on screen, and the copied command gives
// the same layers in a terminal. PLANEX_BIN is the program; without it these tests are skipped.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, type Page } from '@playwright/test';

import { downloaded } from './download.ts';
import { cutThings, graveViolations } from './faults.ts';
import { open, test } from './page.ts';

const kHere = dirname(fileURLToPath(import.meta.url));
const kProgram = resolve(process.env.PLANEX_BIN ?? join(kHere, '../../build/release/planex'));

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function copied(page: Page, item: string): Promise<string> {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: {
        writeText: (text: string) => {
          document.body.dataset.copied = text;
          return Promise.resolve();
        },
      },
    });
  });
  await choose(page, item);
  return page.evaluate(() => document.body.dataset.copied ?? '');
}

// A condition from each kind of chip.
const kFilters = [
  'type:Reformat',
  'not type:Reformat',
  'precision:INT8,out:FP16|FP32',
  'name~layer1',
  'name~/conv[12]/',
  "name~it's",
  'ms>0.03',
  'share>=2.5',
  'layer:3-9|20',
  'layer<4',
  'finding:any',
  'not finding:reformat-changes-type',
  'role:any',
  'tactic:–',
];

test('the copied command lists the layers on screen', async ({ page }) => {
  test.skip(!existsSync(kProgram), 'no program');
  for (const filter of kFilters) {
    await open(page, 'single', `v=layers&f=${encodeURIComponent(filter).replace(/%2C/g, ',')}`);
    const command = await copied(page, 'Copy command');
    expect(command).toMatch(/^planex layers /);
    const script = `${command.replace(/^planex/, `'${kProgram}'`)} --columns layer_id --format json`;
    const rows = (
      JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8' })) as {
        rows: readonly (readonly number[])[];
      }
    ).rows;
    const ids = await page
      .locator('tr[data-row] td:first-child')
      .evaluateAll((cells) => cells.map((cell) => Number(cell.textContent)));
    expect(
      rows.map(([id]) => id),
      filter,
    ).toEqual(ids);
  }
});

test('layers are saved as they are filtered', async ({ page }) => {
  await open(page, 'single', 'v=layers&f=type:Reformat');
  const shown = await page.locator('tr[data-row]').count();
  const download = await downloaded(page, () => choose(page, 'Layers as JSON'));
  const file = await download.path();
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly type: string }[];
  expect(rows).toHaveLength(shown);
  expect(new Set(rows.map((row) => row.type))).toEqual(new Set(['Reformat']));
});

test('the copied link opens the same view', async ({ page }) => {
  await open(page, 'single', 'v=layers&f=type:Reformat&layers.group=type');
  const link = await copied(page, 'Copy link');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.locator('tr[data-group]')).toHaveCount(1);
});

test('the menu is walked by keys', async ({ page }) => {
  await open(page, 'single', '');
  const button = page.getByRole('button', { name: 'Export' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem').last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(page.getByRole('menuitem').first()).toBeHidden();
});

test('whole engines are exported by a command, where the page has no core', async ({ page }) => {
  await open(page, 'single', '');
  await choose(page, 'Whole engine');
  const form = page.getByRole('dialog', { name: 'Export' });
  await form.getByRole('combobox', { name: 'Format' }).selectOption('node-data');
  await form.getByRole('combobox', { name: 'Value' }).selectOption('share');
  const command = form.locator('code');
  await expect(command).toContainText('--value share');
  await expect(command).toContainText('.node-data.json');
  expect(await graveViolations(page)).toEqual([]);
  expect(await cutThings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
});
