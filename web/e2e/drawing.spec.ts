// Drawings of `planex draw` in a browser: they show, are searched and hovered, and run nothing.
// PLANEX_BIN is the program; without it, or without the real engines, these tests are skipped.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect, test, type Page } from '@playwright/test';

const kHere = dirname(fileURLToPath(import.meta.url));
const kProgram = resolve(process.env.PLANEX_BIN ?? join(kHere, '../../build/release/planex'));
const kData = resolve(process.env.PLANEX_TEST_DATA ?? join(kHere, '../../../shared/data'));
const kEngine = join(kData, 'engines/resnet18-a100-qat');
const folder = mkdtempSync(join(tmpdir(), 'planex-drawing-'));

test.beforeEach(() => {
  test.skip(!existsSync(kProgram), 'no program');
  test.skip(!existsSync(kEngine), 'no engines');
});

// Opens what the words draw; a file of its own for each test.
async function openDrawing(page: Page, name: string, plan: string, ...words: string[]) {
  const file = join(folder, `${name}.svg`);
  execFileSync(kProgram, ['draw', plan, '-o', file, ...words]);
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) problems.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  return problems;
}

const found = (page: Page, words: string) =>
  page.evaluate((text) => {
    getSelection()?.removeAllRanges();
    // Not in the types, as no standard has it; every browser does.
    return (window as unknown as { find(text: string): boolean }).find(text);
  }, words);

test('a layer is found by its whole name, which stands where its box is', async ({ page }) => {
  const problems = await openDrawing(page, 'find', kEngine);
  expect(await found(page, 'layer1.0.conv2.weight + QuantizeLinear_32 + Conv_34')).toBe(true);
  const hit = await page.evaluate(() => {
    const range = getSelection()?.getRangeAt(0).getBoundingClientRect();
    const box = document.getElementById('layer-6')?.getBoundingClientRect();
    return { range: { x: range?.x, y: range?.y }, box: { x: box?.x, y: box?.y } };
  });
  expect(Math.abs((hit.range.x ?? 0) - (hit.box.x ?? 0))).toBeLessThan(40);
  expect(Math.abs((hit.range.y ?? 0) - (hit.box.y ?? 0))).toBeLessThan(40);
  expect(await found(page, 'no layer is called so')).toBe(false);
  expect(problems).toEqual([]);
});

test('hover text has everything, edges too', async ({ page }) => {
  await openDrawing(page, 'hover', kEngine);
  const title = await page.locator('#layer-6 > title').textContent();
  expect(title).toContain('layer1.0.conv2.weight + QuantizeLinear_32 + Conv_34 + Add_36 + Relu_37');
  expect(title).toContain('Kernel: [3');
  expect(title).toContain('tactic: sm80_xmma');
  expect(await page.locator('[id^=edge-] > title').first().textContent()).toContain('32×3×224×224');
});

test('what is drawn can be seen: no box hides another, words are inside', async ({ page }) => {
  await openDrawing(page, 'seen', kEngine, '--depth', '0');
  const overlaps = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('[id^=layer-] > rect:first-of-type')].map((rect) =>
      rect.getBoundingClientRect(),
    );
    const texts = [...document.querySelectorAll('[id^=layer-]')].flatMap((group) => {
      const box = group.querySelector('rect')?.getBoundingClientRect();
      return [...group.querySelectorAll('text:not(.z)')].filter((text) => {
        const words = text.getBoundingClientRect();
        return box !== undefined && (words.left < box.left || words.right > box.right + 0.5);
      });
    });
    let count = 0;
    for (const [i, a] of boxes.entries()) {
      for (const b of boxes.slice(i + 1)) {
        if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) ++count;
      }
    }
    return { boxes: boxes.length, count, outside: texts.map((text) => text.textContent) };
  });
  expect(overlaps.boxes).toBe(35);
  expect(overlaps.count).toBe(0);
  expect(overlaps.outside).toEqual([]);
});

test('auto follows the system, light does not', async ({ page }) => {
  const background = () =>
    page.evaluate(() => {
      const rect = document.querySelector('svg > rect');
      return rect === null ? '' : getComputedStyle(rect).fill;
    });
  await page.emulateMedia({ colorScheme: 'dark' });
  await openDrawing(page, 'auto', kEngine);
  expect(await background()).toBe('rgb(20, 23, 27)');
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await background()).toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await openDrawing(page, 'light', kEngine, '--theme', 'light');
  expect(await background()).toBe('rgb(255, 255, 255)');
});

test('names that want to break out run nothing', async ({ page }) => {
  const names = [
    '</text></title><script>alert(1)</script>',
    '" onload="alert(2)" onclick=\'alert(3)\'',
    ']]></style><svg onload=alert(4)><foreignObject><iframe src="javascript:alert(5)">',
    'right \u202e to left',
    'x'.repeat(100_000),
  ];
  const port = (name: string) => ({ Name: name, Dimensions: [1], 'Format/Datatype': 'FP16' });
  const layers = names.map((name, i) => ({
    Name: name,
    LayerType: name,
    Inputs: [port(`${i}${name}`)],
    Outputs: [port(`${i + 1}${names[i + 1] ?? ''}`)],
    [name]: name,
  }));
  const plan = join(folder, 'hostile.graph.json');
  writeFileSync(plan, JSON.stringify({ Layers: layers, Bindings: [`0${names[0] ?? ''}`] }));
  const words = ['--edges', 'name', '--details', '--sources'];
  const problems = await openDrawing(page, 'hostile', plan, ...words);
  await page.waitForTimeout(100);
  expect(problems).toEqual([]);
  expect(await page.locator('script, foreignObject, iframe, parsererror').count()).toBe(0);
  expect(await page.locator('[id^=layer-]').count()).toBe(names.length);
  expect(await found(page, '<script>alert(1)</script>')).toBe(true);
});
