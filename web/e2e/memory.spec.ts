// Memory: the page says what `planex explain memory` says of the same engine; single.memory.json and
// streams.memory.json, beside the reports, are what it wrote.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import { someOf } from './chosen.ts';
import { csv, expectTwins, figure } from './figure.ts';
import { first, hashOf, kFolder, open, test } from './page.ts';

interface Memory {
  readonly conclusion: { readonly headline: string; readonly text: string | null };
  readonly peak: {
    readonly bytes: number;
    readonly layer_id: number;
    readonly used_bytes: number;
  };
  readonly other_memory: Readonly<Record<string, number | null>>;
  readonly contributors: readonly { readonly tensor: string; readonly bytes: number }[];
  readonly tensors: Readonly<
    Record<
      'tensor_id' | 'bytes' | 'first_layer_id' | 'last_layer_id' | 'offset_bytes',
      readonly number[]
    >
  >;
}

const said = (name: string): Memory =>
  JSON.parse(readFileSync(join(kFolder, `${name}.memory.json`), 'utf8')) as Memory;

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

// Three digits with a decimal prefix, written independently of the page's own code.
function scaled(value: number): string {
  const power = Math.floor((Math.log10(value) + 1e-9) / 3);
  const digits = (value / 1000 ** power).toPrecision(3);
  return `${digits} ${['', 'k', 'M', 'G', 'T'][power] ?? ''}B`;
}

for (const name of ['single', 'streams']) {
  test(`${name}: the page says what the terminal says`, async ({ page }) => {
    const memory = said(name);
    await open(page, name, 'v=memory');
    await expect(page.locator('.conclusion')).toHaveText(
      `${memory.conclusion.headline} ${memory.conclusion.text ?? ''}`.trim(),
    );
    await expect(page.locator('.beside')).toContainText(scaled(memory.peak.bytes));
    for (const [key, bytes] of Object.entries(memory.other_memory)) {
      if (bytes !== null && bytes > 0) {
        await expect(page.locator('.beside'), key).toContainText(scaled(bytes));
      }
    }
    const timeline = await csv(page, 'timeline');
    const { tensors } = memory;
    expect(timeline.map(([id]) => Number(id))).toEqual(tensors.tensor_id);
    expect(timeline.map((cells) => Number(cells[3]))).toEqual(tensors.bytes);
    expect(timeline.map((cells) => Number(cells[4]))).toEqual(tensors.first_layer_id);
    expect(timeline.map((cells) => Number(cells[5]))).toEqual(tensors.last_layer_id);
    expect(timeline.map((cells) => Number(cells[6]))).toEqual(tensors.offset_bytes);
    const contributors = await csv(page, 'contributors');
    expect(contributors.map((cells) => [cells[1], Number(cells[2])])).toEqual(
      memory.contributors.map((contributor) => [contributor.tensor, contributor.bytes]),
    );
  });
}

test('the timeline, the ribbon and the tables have one selection', async ({ page }) => {
  const memory = said('single');
  await open(page, 'single', 'v=memory');
  const canvas = figure(page, 'timeline').getByRole('img');
  // A contributor of the peak selects the layer that first uses it.
  const first = figure(page, 'contributors').locator('tbody tr').first();
  await first.click();
  await expect(first).toHaveClass(/selected/);
  const panel = page.locator('.panel-name');
  await expect(panel).toBeVisible();
  const before = await hashOf(page);
  // A click into the timeline selects another layer, and the table follows.
  const box = await canvas.boundingBox();
  await canvas.click({ position: { x: (box?.width ?? 0) * 0.7, y: 200 } });
  await expect.poll(() => hashOf(page)).not.toBe(before);
  await expect.poll(() => hashOf(page)).toMatch(/sel=\d+/);
  await expect(first).not.toHaveClass(/selected/);
  // Arrows go on from there, in execution order.
  const here = Number(/sel=(\d+)/.exec(await hashOf(page))?.[1]);
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => hashOf(page)).toContain(`sel=${String(here + 1)}`);
  expect(memory.contributors.length).toBeGreaterThan(0);
});

test('the pointer says which tensor, and how long it is held', async ({ page }) => {
  const memory = said('single');
  await open(page, 'single', 'v=memory');
  const canvas = figure(page, 'timeline').getByRole('img');
  const box = await canvas.boundingBox();
  const width = (box?.width ?? 0) - 56 - 12;
  const frames = 37;
  // The middle of the peak's frame, just above the bottom: the largest tensor lies there.
  await canvas.hover({
    position: { x: 56 + (width * (memory.peak.layer_id + 0.5)) / frames, y: 58 + 260 },
  });
  const tooltip = page.locator('.tooltip');
  await expect(tooltip).toContainText(memory.contributors[0]?.tensor ?? '');
  await expect(tooltip).toContainText(scaled(memory.contributors[0]?.bytes ?? 0));
  await expect(tooltip).toContainText(`${scaled(memory.peak.bytes)} live`);
});

test('order and time are a choice that the link remembers', async ({ page }) => {
  await open(page, 'single', 'v=memory');
  const timeline = figure(page, 'timeline');
  await timeline.getByRole('button', { name: 'by time' }).click();
  await expect.poll(() => hashOf(page)).toContain('memory.x=time');
  await page.reload();
  await expect(timeline.getByRole('button', { name: 'by order' })).toBeVisible();
});

test('weights add up, by type and by layer', async ({ page }) => {
  await open(page, 'single', 'v=memory');
  const sum = (rows: readonly (readonly string[])[], column: number): number =>
    rows.reduce((all, cells) => all + Number(cells[column]), 0);
  const byType = sum(await csv(page, 'weights-by-type'), 2);
  const byLayer = sum(await csv(page, 'weights-by-layer'), 3);
  const lanes = await csv(page, 'bytes-per-layer');
  expect(byType).toBe(byLayer);
  expect(byType).toBe(sum(lanes, 3));
  expect(sum(lanes, 3) + sum(lanes, 4)).toBe(sum(lanes, 5));
  // Nothing is filtered out unseen: a chip leaves the types' sums and the layers that stay.
  await page.locator('[data-figure=weights-by-type] tbody tr').first().click();
  await expect(page.locator('.chip-text')).toContainText('type:');
});

test('every chart has a name, a table, lines and pixels', async ({ page }) => {
  await open(page, 'single', 'v=memory');
  const ids = [
    'timeline',
    'bytes-per-layer',
    'distribution-weights',
    'distribution-activations',
    'distribution-total',
  ];
  for (const id of ids) {
    await expectTwins(page, id, 2);
  }
});

test('without sizes: why there is no timeline, and the command', async ({ page }) => {
  for (const name of ['names-only', 'no-sizes']) {
    await open(page, name, 'v=memory');
    await expect(page.locator('.conclusion')).toContainText('no activation has a size');
    await expect(figure(page, 'timeline')).toHaveCount(0);
    await expect(figure(page, 'contributors')).toHaveCount(0);
  }
});

test('several streams are called what they are', async ({ page }) => {
  await open(page, 'streams', 'v=memory');
  await expect(figure(page, 'timeline')).toContainText('4 streams run concurrently');
  await expect(page.locator('.conclusion')).toContainText('an upper bound');
});

test('10 000 and 100 000 layers', async ({ page }) => {
  test.setTimeout(120_000);
  for (const name of someOf(['large', 'huge'])) {
    await open(page, name, 'v=memory');
    await expect(figure(page, 'timeline').locator('canvas').first()).toBeVisible();
    // All are in the numbers, whatever a pixel can show.
    expect((await csv(page, 'timeline')).length).toBeGreaterThan(
      first(name).summary.layer_count / 2,
    );
  }
});
