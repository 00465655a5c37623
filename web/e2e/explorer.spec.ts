// The explorer with the real core: what it says is what the program says, to the byte; whatever is
// dropped on it, it goes on; it needs no network but its own server, and once opened none.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, type Page } from '@playwright/test';

import { looksOf } from './chosen.ts';
import {
  ask,
  choose,
  drop,
  enginesOf,
  kBuilt,
  kData,
  kEngines,
  kMissing,
  kProgram,
  test,
} from './explorer_page.ts';
import { graveViolations, cutThings } from './faults.ts';

const kExamples = resolve(import.meta.dirname, '../../examples/engines');
const kMinute = 60_000;

test.skip(kMissing !== null, kMissing ?? '');
// Each test compiles the core again.
test.describe.configure({ timeout: kMinute });

const shown = (page: Page) => page.locator('main.view > *').first();
const problemsShown = (page: Page) => page.locator('.problems');

async function openExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await expect(shown(page)).toBeVisible({ timeout: kMinute });
}

for (const place of ['engines', 'engines-2']) {
  const names = enginesOf(join(kData, place));
  for (const [i, name] of names.entries()) {
    test(`says of ${name} what the program says`, async ({ open: page, problems }) => {
      test.skip(kProgram === '', 'needs PLANEX_BIN');
      const folder = join(kData, place);
      const saidOf = (verb: string, ...engines: readonly string[]) => {
        const words = [verb, ...engines, '--format', 'json'];
        return spawnSync(kProgram, words, { cwd: folder, encoding: 'utf8' });
      };
      const said = (verb: string) => saidOf(verb, name);
      await choose(page, join(folder, name));
      const summary = said('summary');
      if ((summary.status ?? 0) > 1) {
        // Several engines, each a file: the report is of all of them.
        await expect(page.locator('.engine-switch option')).toHaveCount(2, { timeout: kMinute });
        return;
      }
      await expect(shown(page)).toBeVisible({ timeout: kMinute });
      expect(await ask(page, 'summary')).toBe(summary.stdout);
      expect(await ask(page, 'lint')).toBe(said('lint').stdout);
      // The ledger, of it and the one after it.
      const next = names[i + 1] ?? names[0] ?? '';
      if ((saidOf('summary', next).status ?? 2) <= 1) {
        await page.getByRole('button', { name: 'Open engines' }).click();
        await choose(page, join(folder, next));
        await expect(page.locator('.engine-switch option')).toHaveCount(2, { timeout: kMinute });
        const compared = await ask(page, 'compare', {}, 'all');
        expect(compared).toBe(saidOf('compare', name, next).stdout);
      }
      expect(problems).toEqual([]);
    });
  }
}

test('opens an example, adds one, compares, closes', async ({ open: page, problems }) => {
  await openExample(page, 'ResNet-18, INT8');
  await page.getByRole('button', { name: 'Open engines' }).click();
  await choose(page, join(kExamples, 'resnet18-a100-qat-residual'));
  await expect(page.locator('.engine-switch option')).toHaveCount(2);
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect(page.locator('.view')).toContainText('qat-residual is 1.6 × as fast as qat');
  const compared = await ask(page, 'compare', {}, 'all');
  const folders = ['resnet18-a100-qat', 'resnet18-a100-qat-residual'];
  if (kProgram !== '') {
    const words = ['compare', ...folders, '--format', 'json'];
    const said = execFileSync(kProgram, words, { cwd: kExamples, encoding: 'utf8' });
    expect(compared).toBe(said);
  }
  // The other way round.
  await page.keyboard.press('x');
  await expect(page.locator('.view')).toContainText(/^qat (takes|is|needs)/);
  await page.getByRole('button', { name: 'Close this engine' }).click();
  await expect(page.locator('.engine-switch option')).toHaveCount(0);
  await expect(page.locator('.view')).toContainText('Drop another engine');
  await page.getByRole('button', { name: 'Close this engine' }).click();
  await expect(page.getByRole('button', { name: 'Choose files' }).first()).toBeVisible();
  expect(problems).toEqual([]);
});

test('a folder of many engines is one to choose from', async ({ open: page }) => {
  test.setTimeout(2 * kMinute);
  await choose(page, kExamples);
  const dialog = page.getByRole('dialog', { name: 'Engines to open' });
  await expect(dialog.locator('tbody tr')).toHaveCount(10, { timeout: kMinute });
  expect(await graveViolations(page)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'qdq-naive' }).check();
  await dialog.getByRole('checkbox', { name: 'fp32' }).check();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.locator('.engine-switch option')).toHaveText(['fp32', 'qdq-naive'], {
    timeout: kMinute,
  });
});

test('what can’t be read is told, and the page goes on', async ({ open: page, problems }) => {
  await drop(page, { 'x.graph.json': '{"Layers": [{"Name": "a", "LayerT' });
  await expect(problemsShown(page)).toContainText('x.graph.json');
  await drop(page, {
    'y.plan.json': JSON.stringify({ schema: 'planex.plan/1', engine: {}, layers: [{ name: 7 }] }),
  });
  await expect(problemsShown(page)).toContainText('/layers/0/name');
  await drop(page, { 'notes.txt': 'nothing' });
  await expect(problemsShown(page)).toContainText('notes.txt');
  expect(await graveViolations(page)).toEqual([]);
  await drop(page, {
    'h.plan.json': JSON.stringify({
      schema: 'planex.plan/1',
      engine: { name: '<img src=x onerror="window.hostile=1">', producer: 'x' },
      layers: [{ name: '<b>\u202e', type: 'convolution' }],
    }),
  });
  await expect(shown(page)).toBeVisible();
  await expect(problemsShown(page)).toBeHidden();
  expect(await page.locator('img').count()).toBe(0);
  expect(problems).toEqual([]);
  // The page that is open stays as it is.
  await drop(page, { 'notes.txt': 'nothing' });
  await expect(problemsShown(page)).toContainText('notes.txt');
  await expect(shown(page)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(problemsShown(page)).toBeHidden();
});

test('files of one drop are one engine, archives and reports are read', async ({ open: page }) => {
  test.skip(kProgram === '', 'needs PLANEX_BIN');
  const folder = mkdtempSync(join(tmpdir(), 'planex-explorer-'));
  const run = (...words: string[]) => execFileSync(kProgram, words, { cwd: kExamples });
  run('archive', 'resnet18-a100-qat', '-o', join(folder, 'run.planex'));
  run('report', 'resnet18-a100-qat-residual', '-o', join(folder, 'other.html'));
  const engine = join(kEngines, 'resnet18-a100-fp16');
  test.skip(enginesOf(kEngines).length === 0, 'needs the real engines');
  cpSync(engine, join(folder, 'fp16'), { recursive: true });
  await choose(page, join(folder, 'fp16'));
  await expect(shown(page)).toBeVisible();
  await page.getByRole('button', { name: 'Open engines' }).click();
  await choose(page, [join(folder, 'run.planex')]);
  await expect(page.locator('.engine-switch option')).toHaveCount(2);
  await page.getByRole('button', { name: 'Open engines' }).click();
  await choose(page, [join(folder, 'other.html')]);
  await expect(page.locator('.engine-switch option')).toHaveCount(3);
  rmSync(folder, { recursive: true });
});

test('the core is started again after it ended', async ({ page, explorer, problems }) => {
  // The first request is one that no core survives.
  await page.addInitScript(() => {
    const prototype = Worker.prototype as unknown as {
      postMessage(message: Readonly<Record<string, unknown>>): void;
    };
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its worker
    const post = prototype.postMessage;
    let isBroken = true;
    prototype.postMessage = function (message) {
      const isFirst = isBroken && message.kind === 'task';
      if (isFirst) isBroken = false;
      post.call(this, isFirst ? { ...message, task: { kind: 'open', session: {} } } : message);
    };
  });
  await page.goto(explorer.url);
  await page.getByRole('button', { name: 'A log of trtexec' }).click();
  await expect(problemsShown(page)).toContainText('the core crashed');
  await openExample(page, 'A log of trtexec');
  await expect(problemsShown(page)).toBeHidden();
  expect(problems).toEqual([]);
});

test('opens files of its own server, of no other', async ({ page, explorer, problems }) => {
  const log = join(kExamples, 'mnist-trtexec-log/mnist-fp32.log.gz');
  explorer.extra['/runs/mnist.log.gz'] = log;
  await page.goto(`${explorer.url}?url=runs/mnist.log.gz`);
  await expect(shown(page)).toBeVisible({ timeout: kMinute });
  await page.goto(`${explorer.url}?url=https://example.com/x.json`);
  await expect(problemsShown(page)).toContainText('another server');
  expect(problems).toEqual([]);
});

test('works without a network once it was opened', async ({ page, context, explorer }) => {
  test.setTimeout(2 * kMinute);
  await page.goto(explorer.url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true);
  await context.setOffline(true);
  await page.reload();
  await openExample(page, 'ONNX Runtime');
  await context.setOffline(false);
});

test('one file does all of it without a server', async ({ page, problems }) => {
  test.setTimeout(2 * kMinute);
  const address = pathToFileURL(join(kBuilt, 'planex.html')).href;
  const html = readFileSync(join(kBuilt, 'planex.html'), 'utf8');
  expect(html.slice(0, 2000)).not.toContain('connect-src');
  await page.goto(address);
  await openExample(page, 'The same, with the residual');
  await expect(page.locator('.engine-switch option')).toHaveCount(2);
  expect(await page.evaluate(() => fetch('x').then(String, String))).toContain('TypeError');
  expect(problems.filter((text) => !/Content Security Policy|violates/.test(text))).toEqual([]);
});

test('reading can be stopped', async ({ open: page }) => {
  test.setTimeout(2 * kMinute);
  const folder = mkdtempSync(join(tmpdir(), 'planex-explorer-'));
  const layers = Array.from({ length: 60_000 }, (_, i) => ({
    name: `layer ${String(i)}`,
    type: 'convolution',
    inputs: [{ tensor: `t${String(i)}`, dims: [1, 64, 8, 8], dtype: 'FP16' }],
    outputs: [{ tensor: `t${String(i + 1)}`, dims: [1, 64, 8, 8], dtype: 'FP16' }],
  }));
  const file = join(folder, 'large.plan.json');
  writeFileSync(
    file,
    JSON.stringify({ schema: 'planex.plan/1', engine: { name: 'large', producer: 'x' }, layers }),
  );
  await choose(page, [file]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.busy')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Choose files' }).first()).toBeVisible();
  await openExample(page, 'A log of trtexec');
  rmSync(folder, { recursive: true });
});

for (const [theme, width] of looksOf([1280, 390])) {
  test(`can be used by all, ${theme}, ${width} px`, async ({ page, explorer }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(explorer.url);
    expect(await graveViolations(page)).toEqual([]);
    expect(await cutThings(page)).toEqual([]);
    await openExample(page, 'A log of trtexec');
    expect(await graveViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open engines' }).click();
    await expect(page.getByRole('dialog', { name: 'Open engines' })).toBeVisible();
    expect(await graveViolations(page)).toEqual([]);
  });
}
