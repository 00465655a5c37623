// Every engine of the test data that is taken (chosen.ts), in every view that it has: nothing is written that is no text, and a figure that
// several views have is one figure. What the terminal and the data say of it is held to each other by
// tests/consistency; this holds what the page makes of them.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { kTakesAll } from './chosen.ts';
import { first, kFolder, open, test, viewsOf, type WireEngine } from './page.ts';

// tools/make_test_reports.sh writes one report an engine.
const kEvery = join(kFolder, 'every');
const kNames = existsSync(kEvery)
  ? readdirSync(kEvery)
      .filter((f) => f.endsWith('.html'))
      .map((f) => `every/${f.slice(0, -'.html'.length)}`)
  : [];

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

test('there are engines', () => {
  expect(kNames.length).toBeGreaterThanOrEqual(kTakesAll ? 50 : 12);
});

// A number as the page writes it, and by how much it may be rounded.
interface Shown {
  readonly value: number;
  readonly step: number;
}

const kNumber = String.raw`\d[\d\u2009]*(?:\.\d+)?`;

function shown(text: string): Shown {
  const plain = text.replaceAll('\u2009', '');
  const [, decimals = ''] = plain.split('.');
  return { value: Number(plain), step: 10 ** -decimals.length };
}

const isRounded = (text: string, value: number): boolean => {
  const { value: said, step } = shown(text);
  return Math.abs(said - value) <= step * (0.5 + 1e-6);
};

// "0.279 ms, 25.4 % of Σ", of which the second follows from the first: both are rounded.
function isShare(ms: string, percent: string, sigma: number): boolean {
  const part = shown(ms);
  const share = shown(percent);
  const low = ((part.value - part.step / 2) / sigma) * 100 - share.step / 2;
  const high = ((part.value + part.step / 2) / sigma) * 100 + share.step / 2;
  return share.value >= low - 1e-6 && share.value <= high + 1e-6;
}

const matches = (text: string, pattern: string): readonly (readonly string[])[] =>
  [...text.matchAll(new RegExp(pattern, 'gu'))].map((m) => [...m]);

function complaints(text: string, engine: WireEngine): readonly string[] {
  const found: string[] = [];
  // Names of layers may have any word in them.
  const names = new Set(engine.strings.flatMap((s) => s.split(/[\s/.:]+/u)));
  for (const [words = '', word = ''] of matches(
    text,
    String.raw`.{0,30}\b(NaN|undefined|Infinity|null|\[object \w+\]).{0,30}`,
  )) {
    if (!names.has(word)) found.push(`no text: ${words}`);
  }

  const { layers_median_ms: median, layers_mean_ms: mean } = engine.summary.time;
  const sigma = median ?? mean;
  if (sigma === null) {
    for (const [words = ''] of matches(text, String.raw`.{0,30}\d % of Σ.{0,30}`))
      found.push(`a share of a sum that is not known: ${words}`);
    return found;
  }
  for (const [words = '', ms = ''] of matches(text, String.raw`Σ layers (${kNumber}) ms.{0,30}`)) {
    if (!isRounded(ms, sigma)) found.push(`Σ layers is ${String(sigma)}: ${words}`);
  }
  for (const [words = '', ms = '', percent = ''] of matches(
    text,
    String.raw`(?<![\d.\u2009])(${kNumber}) ms[,·( ]+(${kNumber}) % of Σ`,
  )) {
    if (!isShare(ms, percent, sigma)) found.push(`not its share of ${String(sigma)} ms: ${words}`);
  }
  return found;
}

// How many layers only convert, in the words of each view.
const kReformats = [
  String.raw`(\d+) of \d+ layers are reformats`,
  String.raw`(\d+) of \d+ layers convert types or layouts`,
  String.raw`(\d+) reformats? takes? `,
  String.raw`(\d+) layers? only converts?`,
  String.raw`(\d+) layers? that only converts?`,
] as const;

async function text(page: Page, view: string): Promise<string> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `v=${view}`);
  await expect(page.locator(`nav.tabs [aria-current='page'][href*='v=${view}']`)).toBeVisible();
  // Figures are drawn a frame or two after the view is there.
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)));
      }),
  );
  return page.evaluate(() => document.body.innerText);
}

for (const name of kNames) {
  test(`${name}: every view`, async ({ page }) => {
    test.slow();
    const engine = first(name);
    await open(page, name);
    const found: string[] = [];
    const reformats = new Map<string, string[]>();
    for (const view of await viewsOf(page)) {
      const said = await text(page, view);
      found.push(...complaints(said, engine).map((c) => `${view}: ${c}`));
      for (const pattern of kReformats) {
        for (const [words = '', count = ''] of matches(said, pattern)) {
          reformats.set(count, [...(reformats.get(count) ?? []), `${view}: ${words}`]);
        }
      }
    }
    expect(found).toEqual([]);
    if (reformats.size > 1) expect(Object.fromEntries(reformats)).toEqual('one number');
  });
}
