// Reports that carry the core: what the page then says of its own engines is what the program says of the
// files, others are opened beside them, and the same report without the core is the page that only shows.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test as base, type Page } from '@playwright/test';

import { ask, drop } from './explorer_page.ts';
import { complaintsOf } from './faults.ts';

const kProgram = process.env.PLANEX_BIN ?? '';
const kExamples = resolve(import.meta.dirname, '../../examples');
const kEngines = join(kExamples, 'engines');
const kMinute = 60_000;

interface Made {
  // A report of these examples, made with these words.
  report(words: readonly string[], ...engines: readonly string[]): string;
}

const planex = (...words: readonly string[]): string =>
  execFileSync(kProgram, words, { cwd: kEngines, encoding: 'utf8' });

const test = base.extend<{ readonly problems: string[] }, { readonly made: Made }>({
  made: [
    // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'planex-carried-'));
      let count = 0;
      await use({
        report: (words, ...engines) => {
          count += 1;
          const file = join(folder, `${String(count)}.html`);
          planex('report', ...engines, ...words, '-o', file);
          return file;
        },
      });
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  // Complaints of the page, and whatever it asks of anybody.
  problems: async ({ page }, use) => {
    await use(complaintsOf(page, (address) => address.startsWith('file:')));
  },
});

test.skip(kProgram === '', 'needs PLANEX_BIN');
// The core is unpacked and compiled in each test.
test.describe.configure({ timeout: kMinute });

const carries = (file: string): boolean => readFileSync(file, 'utf8').includes('id="planex-core"');

async function open(page: Page, file: string): Promise<void> {
  test.skip(!carries(file), 'the program was built without the core (tools/build.sh --core)');
  await page.goto(pathToFileURL(file).href);
  await expect(page.locator('main.view > *').first()).toBeVisible();
}

const switched = (page: Page) => page.locator('.engine-switch option');

test('says of its engine what the program says', async ({ page, made, problems }) => {
  await open(page, made.report([], 'resnet18-a100-qat'));
  const said = (verb: string): unknown =>
    JSON.parse(planex(verb, 'resnet18-a100-qat', '--format', 'json'));
  // Of the plan that it carries: what the summary says of files is the plan's.
  const own = (text: string) => JSON.parse(text) as Record<string, unknown>;
  for (const part of ['time', 'by_type', 'by_precision', 'memory', 'findings']) {
    expect(own(await ask(page, 'summary'))[part], part).toEqual(
      (said('summary') as Record<string, unknown>)[part],
    );
  }
  expect(own(await ask(page, 'lint')).findings).toEqual(
    (said('lint') as Record<string, unknown>).findings,
  );
  expect(problems).toEqual([]);
});

test('opens another engine beside its own', async ({ page, made, problems }) => {
  await open(page, made.report([], 'resnet18-a100-qat'));
  const place = join(kEngines, 'resnet18-a100-qat-residual');
  const names = execFileSync('ls', [place], { encoding: 'utf8' }).trim().split('\n');
  await drop(
    page,
    Object.fromEntries(names.map((name) => [name, readFileSync(join(place, name), 'utf8')])),
  );
  await expect(switched(page)).toHaveCount(2, { timeout: kMinute });
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.locator('.view')).toContainText('1.6 × as fast');
  // What is known of its files is what was known of them.
  await page.getByRole('link', { name: 'Files' }).click();
  await expect(page.locator('.view')).toContainText('resnet18-a100-qat');
  await expect(page.locator('.view')).not.toContainText('this-report');
  expect(problems).toEqual([]);
});

test('judges with the waivers that it was made with', async ({ page, made, problems }) => {
  const waivers = join(kExamples, 'lint/waivers.json');
  const words = ['--waivers', waivers, '--today', '2026-10-01'];
  await open(page, made.report(words, 'resnet18-a100-qat'));
  await page.getByRole('link', { name: 'Findings' }).click();
  const waived = page.getByText(/\d+ findings? waived/).first();
  const before = await waived.innerText();
  await drop(page, { 'tiny.graph.json': '{"Layers": ["a"], "Bindings": []}' });
  await expect(switched(page)).toHaveCount(2, { timeout: kMinute });
  await expect(waived).toHaveText(before);
  expect(problems).toEqual([]);
});

test('is judged again, with the waivers that it was made with', async ({
  page,
  made,
  problems,
}) => {
  const waivers = join(kExamples, 'lint/waivers.json');
  const words = ['--waivers', waivers, '--today', '2026-10-01'];
  await open(page, made.report(words, 'resnet18-a100-qat'));
  await page.getByRole('link', { name: 'Findings' }).click();
  const count = page.locator('.tab', { hasText: 'Findings' }).locator('.count');
  const judging = page.locator('.judging');
  const said = (...more: readonly string[]): string => {
    const text = planex('lint', 'resnet18-a100-qat', ...more, '--format', 'json');
    const { counts } = JSON.parse(text) as { counts: Readonly<Record<string, number>> };
    return String(Object.values(counts).reduce((a, b) => a + b, 0));
  };
  await expect(count).toHaveText(said(...words));
  await expect(judging).toContainText('waivers.json');
  await page.getByRole('button', { name: 'Choose rules' }).click();
  await page.getByRole('checkbox', { name: 'Rule int8-conv-writes-float' }).uncheck();
  const without = ['--no-rule', 'int8-conv-writes-float'];
  await expect(count).toHaveText(said(...words, ...without), { timeout: kMinute });
  await judging.getByRole('button', { name: 'remove' }).click();
  await expect(count).toHaveText(said(...without), { timeout: kMinute });
  await judging.getByRole('button', { name: 'reset' }).click();
  await expect(count).toHaveText(said(), { timeout: kMinute });
  expect(problems).toEqual([]);
});

test('names no folder that it was told not to', ({ made }) => {
  const absolute = join(kEngines, 'resnet18-a100-qat');
  const html = readFileSync(made.report(['--no-paths'], absolute), 'utf8');
  expect(html).not.toContain(kEngines);
});

test('without the core it only shows', async ({ page, made, problems }) => {
  const file = made.report(['--light'], 'resnet18-a100-qat');
  expect(carries(file)).toBe(false);
  expect(readFileSync(file, 'utf8')).not.toContain('planex-file');
  await page.goto(pathToFileURL(file).href);
  await expect(page.locator('main.view > *').first()).toBeVisible();
  expect(await page.evaluate(() => 'planex' in globalThis)).toBe(false);
  expect(problems).toEqual([]);
});
