// Files of whole engines that the page writes: to the byte those of the command that it shows beside.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, type Locator, type Page } from '@playwright/test';

import { downloaded } from './download.ts';
import { choose, kEngines, kMissing, kProgram, test } from './explorer_page.ts';
import { cutThings, graveViolations } from './faults.ts';

const kExamples = resolve(import.meta.dirname, '../../examples/engines');
const kMinute = 60_000;
const kFormats = ['csv', 'jsonl', 'plan', 'trace', 'onnx', 'node-data'];

test.describe.configure({ timeout: kMinute });

async function exportForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Whole engine' }).click();
  return page.getByRole('dialog', { name: 'Export' });
}

async function expectSame(page: Page, form: Locator, place: string): Promise<void> {
  const command = (await form.locator('code').innerText()).replace(/\s+/g, ' ').trim();
  const saved = await downloaded(page, () => form.getByRole('button', { name: 'Save' }).click());
  const folder = mkdtempSync(join(tmpdir(), 'planex-export-'));
  try {
    const name = saved.suggestedFilename();
    expect(command.replaceAll("'", '')).toContain(` -o ${name}`);
    const script = `planex() { '${kProgram}' "$@"; }; ${command.replace(/ -o /, ` -o '${folder}'/`)}`;
    execFileSync('sh', ['-c', script], { cwd: place });
    const written = readFileSync(join(folder, name));
    expect(readFileSync(await saved.path()).equals(written), command).toBe(true);
    expect(written.length).toBeGreaterThan(100);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skip(kMissing !== null || kProgram === '', kMissing ?? 'needs PLANEX_BIN');

for (const [place, name] of [
  [kExamples, 'resnet18-a100-qat'],
  [kEngines, 'resnet50-rtx3090-qat'],
  [kEngines, 'openvino2026.4-resnet18-qdq-naive-b8'],
] as const) {
  test(`all formats of ${name}`, async ({ open: page, problems }) => {
    test.skip(!existsSync(join(place, name)), `needs ${name} of PLANEX_TEST_DATA`);
    await choose(page, join(place, name));
    await expect(page.locator('main.view > *').first()).toBeVisible({ timeout: kMinute });
    const form = await exportForm(page);
    for (const format of kFormats) {
      await form.getByRole('combobox', { name: 'Format' }).selectOption(format);
      await expectSame(page, form, place);
    }
    await form.getByRole('combobox', { name: 'Value' }).selectOption('share');
    await expectSame(page, form, place);
    await form.getByRole('combobox', { name: 'Format' }).selectOption('csv');
    await form.getByRole('combobox', { name: 'Table' }).selectOption('ports');
    await expectSame(page, form, place);
    expect(problems).toEqual([]);
  });
}

test('several engines in one file', async ({ open: page }) => {
  for (const [i, name] of ['resnet18-a100-qat', 'resnet18-a100-qat-residual'].entries()) {
    if (i > 0) await page.getByRole('button', { name: 'Open engines' }).click();
    await choose(page, join(kExamples, name));
    await expect(page.locator('main.view > *').first()).toBeVisible({ timeout: kMinute });
  }
  await expect(page.locator('.engine-switch option')).toHaveCount(2, { timeout: kMinute });
  const form = await exportForm(page);
  await form.getByRole('checkbox', { name: 'all 2' }).check();
  await expectSame(page, form, kExamples);
  await form.getByRole('combobox', { name: 'Format' }).selectOption('trace');
  await expectSame(page, form, kExamples);
  // It takes one.
  await form.getByRole('combobox', { name: 'Format' }).selectOption('onnx');
  await expectSame(page, form, kExamples);
});

test('what can’t be written is told', async ({ open: page }) => {
  await choose(page, [join(kExamples, 'resnet18-a100-qat/resnet-qat.onnx.engine.graph.json')]);
  await expect(page.locator('main.view > *').first()).toBeVisible({ timeout: kMinute });
  const form = await exportForm(page);
  await form.getByRole('combobox', { name: 'Format' }).selectOption('trace');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('no layer has a time');
  // What takes a library that a page has not.
  await form.getByRole('combobox', { name: 'Format' }).selectOption('xlsx');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(form.locator('code')).toContainText('.xlsx');
  expect(await graveViolations(page)).toEqual([]);
  expect(await cutThings(page)).toEqual([]);
});
