// Timing: the page says what `planex summary --timing` says of the same engine; single.timing.json
// and unsteady.timing.json, beside the reports, are what it wrote.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import { someOf } from './chosen.ts';
import { csv, expectTwins, figure, saved } from './figure.ts';
import { kFixtures } from './fixtures.ts';
import { first, grouped, hashOf, kFolder, open, test } from './page.ts';

interface Figures {
  readonly count: number;
  readonly median_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}
interface Timing {
  readonly conclusion: { readonly headline: string; readonly text: string | null };
  readonly remarks: readonly { readonly id: string; readonly text: string }[];
  readonly steady_state: {
    readonly sample_count: number;
    readonly phases: readonly { readonly count: number; readonly median_ms: number }[];
    readonly trusted: { readonly median_ms: number; readonly median_low_ms: number };
  };
  readonly samples: {
    readonly count: number;
    readonly fields: readonly {
      readonly field: string;
      readonly same_as: string | null;
      readonly all: Figures;
      readonly trusted: Figures;
      readonly bins: { readonly counts: readonly number[] } | null;
    }[];
  };
  readonly machine?: {
    readonly causes: readonly {
      readonly kind: string;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    }[];
  };
  readonly waterfall: readonly {
    readonly kind: string;
    readonly type: string | null;
    readonly count: number | null;
    readonly from_ms: number;
    readonly to_ms: number;
  }[];
}

const said = (name: string): Timing =>
  JSON.parse(readFileSync(join(kFolder, `${name}.timing.json`), 'utf8')) as Timing;

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

// As many decimals as show changes of a thousandth.
const decimals = (level: number): number => (level < 0.1 ? 5 : level < 1 ? 4 : 3);

for (const name of ['single', 'unsteady']) {
  test(`${name}: the page says what the terminal says`, async ({ page }) => {
    const timing = said(name);
    await open(page, name, 'v=timing');
    await expect(page.locator('.conclusion')).toHaveText(
      `${timing.conclusion.headline} ${timing.conclusion.text ?? ''}`.trim(),
    );
    const shown = await page
      .locator('.remarks dd')
      .evaluateAll((all) => all.map((node) => node.textContent));
    expect(shown).toEqual(timing.remarks.map(({ text }) => text));
    const { trusted, sample_count: count } = timing.steady_state;
    const ms = (value: number): string => value.toFixed(decimals(trusted.median_ms));
    await expect(page.locator('.verdict .key-figure')).toHaveText(`${ms(trusted.median_ms)}ms`);
    await expect(page.locator('.verdict')).toContainText(ms(trusted.median_low_ms));
    await expect(figure(page, 'samples')).toContainText(grouped(count));

    // Percentiles: a column a field, the end-to-end one twice.
    const rows = await csv(page, 'percentiles');
    const drawn = timing.samples.fields.filter((f) => f.same_as === null && f.all.max_ms > 0);
    const columns = drawn.flatMap((f, i) => (i === 0 ? [f.trusted, f.all] : [f.trusted]));
    const row = (head: string): readonly number[] =>
      (rows.find(([cell]) => cell === head) ?? []).slice(1).map(Number);
    expect(row('samples')).toEqual(columns.map((c) => c.count));
    expect(row('median ms')).toEqual(columns.map((c) => c.median_ms));
    expect(row('p99 ms')).toEqual(columns.map((c) => c.p99_ms));
    expect(row('max ms')).toEqual(columns.map((c) => c.max_ms));

    const bins = await csv(page, 'distribution');
    expect(bins.map(([, samples]) => Number(samples))).toEqual(drawn[0]?.bins?.counts);

    const steps = await csv(page, 'waterfall');
    expect(steps.map(([, , from, to]) => [Number(from), Number(to)])).toEqual(
      timing.waterfall.map((step) => [step.from_ms, step.to_ms]),
    );
    const phases = await csv(page, 'phases');
    expect(phases.map(([, samples, , , median]) => [Number(samples), Number(median)])).toEqual(
      timing.steady_state.phases.map((phase) => [phase.count, phase.median_ms]),
    );
  });
}

test('no spike is lost on the way to the page', async ({ page }) => {
  const [compute] = said('unsteady').samples.fields;
  await open(page, 'unsteady', 'v=timing');
  const rows = await csv(page, 'samples');
  expect(rows.length).toBeLessThanOrEqual(2000);
  const greatest = Math.max(...rows.map((cells) => Number(cells[3])));
  expect(greatest).toBe(compute?.all.max_ms);
});

test('a step says what changed on the machine', async ({ page }) => {
  test.skip(kFolder === kFixtures, 'made by tools/make_test_reports.sh only');
  const { machine } = said('machine');
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'machine', 'v=timing');
  const causes = page.locator('.facts-list', { hasText: 'Causes' });
  const svg = (await saved(page, 'samples', 'SVG')).toString('utf8');
  // Ticks are moved to their place, words of our own are drawn at theirs.
  const heightOf = (text: string): number => {
    const place = String.raw`(?:translate\([\d.]+ |\by=")([\d.]+)`;
    return Number(new RegExp(`<text[^>]*${place}[^>]*>${text}<`).exec(svg)?.[1] ?? Number.NaN);
  };
  for (const { text, from, to, kind } of machine?.causes ?? []) {
    await expect(causes).toContainText(text);
    const label =
      kind === 'cpu-clock'
        ? `processor clock ${grouped(from)} → ${grouped(to)} MHz`
        : `other programs ${from.toFixed(1)} → ${to.toFixed(1)} processors`;
    expect(svg).toContain(label);
    // The times rose to the top of the chart: the words lie below them.
    expect(heightOf(label)).toBeGreaterThan(heightOf('11'));
    expect(heightOf(label)).toBeLessThan(heightOf('9'));
  }
  expect(machine?.causes.map(({ kind }) => kind)).toEqual(['cpu-clock', 'other-load']);
});

test('axes are a choice that the link remembers', async ({ page }) => {
  await open(page, 'unsteady', 'v=timing');
  const samples = figure(page, 'samples');
  await samples.getByRole('button', { name: 'by time' }).click();
  await samples.getByRole('button', { name: 'scale: steady samples' }).click();
  await expect.poll(() => hashOf(page)).toContain('timing.x=time');
  await expect.poll(() => hashOf(page)).toContain('timing.scale=steady');
  await page.reload();
  await expect(samples.getByRole('button', { name: 'by sample' })).toBeVisible();
  await expect(samples.getByRole('button', { name: 'scale: all samples' })).toBeVisible();
});

test('every chart has a name, a table, lines and pixels', async ({ page }) => {
  await open(page, 'single', 'v=timing');
  for (const id of ['samples', 'distribution', 'waterfall', 'layer-times']) {
    await expectTwins(page, id, 3);
  }
});

test('a type of the waterfall and a bin of layers filter', async ({ page }) => {
  await open(page, 'single', 'v=timing');
  const type = said('single').waterfall[0]?.type ?? '';
  await figure(page, 'waterfall')
    .locator('.chart-body')
    .click({ position: { x: 150, y: 11 } });
  await expect(page.locator('.chip-text')).toContainText(`type:${type}`);
  await page.keyboard.press('Shift+F');
  // Some bin is under one of these places.
  const canvas = figure(page, 'layer-times').locator('.chart-body');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  for (let x = 60; x < (box?.width ?? 0); x += 30) {
    await canvas.click({ position: { x, y: 110 } });
    if ((await page.locator('.chip-text').count()) > 0) break;
  }
  await expect(page.locator('.chip-text').first()).toContainText('ms');
  const { layer_count: all } = first('single').summary;
  await expect(page.locator('.tally')).toContainText(`of ${grouped(all)} layers`);
});

test('without samples: the figures that there are, and the command', async ({ page }) => {
  await open(page, 'openvino', 'v=timing');
  const timing = said('openvino');
  await expect(page.locator('.conclusion')).toContainText('only their statistics');
  await expect(figure(page, 'samples')).toHaveCount(0);
  const rows = await csv(page, 'percentiles');
  const median = timing.waterfall.at(-1)?.to_ms ?? Number.NaN;
  expect(rows.find(([head]) => head === 'median ms')?.[1]).toBe(String(median));
  await expect(page.locator('.missing .command')).toContainText('planex process');
  // The layers were timed in the same inferences: nothing is called profiling.
  const steps = await csv(page, 'waterfall');
  expect(steps.map(([name]) => name)).toContain('beyond end to end');
  expect(steps.some(([name]) => name?.startsWith('profiling') === true)).toBe(false);
});

test('without any time: what is missing, and no empty chart', async ({ page }) => {
  await open(page, 'streams', 'v=timing');
  await expect(page.locator('.conclusion')).toContainText('No inference times');
  await expect(page.locator('[data-figure]')).toHaveCount(0);
  await expect(page.locator('.missing .command').first()).toBeVisible();
});

test('10 000 and 100 000 layers', async ({ page }) => {
  test.setTimeout(120_000);
  for (const name of someOf(['large', 'huge'])) {
    await open(page, name, 'v=timing');
    await expect(figure(page, 'layer-times').locator('.chart-body')).toBeVisible();
    await expect(figure(page, 'waterfall').locator('.chart-body')).toBeVisible();
  }
});
