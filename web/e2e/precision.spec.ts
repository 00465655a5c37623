// Precision: the page says what `planex explain precision` and `explain reformats` say of the same
// engine; single.precision.json and single.reformats.json, beside the report, are what they wrote.

import { expect } from '@playwright/test';

import { expectFits, explained, same } from './explained.ts';
import { csvByColumn, figure, saved } from './figure.ts';
import { hashOf, open, test } from './page.ts';

interface Totals {
  readonly count: number;
  readonly time_ms: number | null;
  readonly share: number | null;
  readonly io_bytes: number | null;
}
interface Precision {
  readonly totals: { readonly all: Totals; readonly changing: Totals };
  readonly transitions: readonly {
    readonly from: string;
    readonly to: string;
    readonly all: Totals;
    readonly conversions: Totals;
    readonly matrix: Totals;
  }[];
  readonly islands: readonly {
    readonly tensor: string;
    readonly wide_bytes: number;
    readonly narrow_bytes: number;
    readonly totals: Totals;
    readonly layers: readonly { readonly layer_id: number; readonly role: string }[];
  }[];
}
interface Reformats {
  readonly totals: Readonly<Record<'all' | 'avoidable_in_model' | 'avoidable_by_caller', Totals>>;
  readonly by_kind: readonly { readonly kind: string; readonly totals: Totals }[];
  readonly by_origin: readonly { readonly origin: string; readonly totals: Totals }[];
  readonly reformats: readonly {
    readonly layer_id: number;
    readonly name: string;
    readonly time_ms: number;
    readonly verdict: string;
    readonly changed_by: string | null;
    readonly reason: string;
    readonly cause: string;
    readonly advice: string | null;
  }[];
}

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

const ms = (totals: Totals): string => `${(totals.time_ms ?? 0).toFixed(3)} ms`;
const share = (totals: Totals): string => `${((totals.share ?? 0) * 100).toFixed(1)} %`;

test('the page says what the terminal says', async ({ page }) => {
  const precision = explained('single', 'precision') as Precision;
  const reformats = explained('single', 'reformats') as Reformats;
  await open(page, 'single', 'v=precision');

  const { all, changing } = precision.totals;
  const conclusion = page.locator('.conclusion');
  await expect(conclusion).toContainText(
    `${String(changing.count)} of ${String(all.count)} layers write a different type than they read: ${ms(changing)}, ${share(changing)} of Σ layers.`,
  );
  await expect(conclusion).toContainText(
    `${String(reformats.totals.all.count)} layers only convert: ${ms(reformats.totals.all)}`,
  );
  for (const key of ['avoidable_in_model', 'avoidable_by_caller'] as const) {
    await expect(conclusion).toContainText(`(${ms(reformats.totals[key])})`);
  }

  for (const { from, to, all: cell } of precision.transitions) {
    const node = page.locator(`.matrix-cell[data-from=${from}][data-to=${to}]`);
    await expect(node).toContainText(ms(cell));
    await expect(node).toContainText(`${String(cell.count)} layer`);
  }
  await expect(page.locator('.matrix-cell')).toHaveCount(precision.transitions.length);
  const cells = await csvByColumn(page, 'precision-transitions');
  expect(cells).toHaveLength(precision.transitions.length);
  for (const cell of precision.transitions) {
    const row = cells.find((r) => r.reads === cell.from && r.writes === cell.to);
    same(row?.ms, cell.all.time_ms, 'ms');
    same(row?.layers, cell.all.count, 'layers');
    same(row?.['conversions ms'], cell.conversions.time_ms, 'conversions ms');
    same(row?.['their ms'], cell.matrix.time_ms, 'ms of products');
  }

  const rows = await csvByColumn(page, 'reformats');
  expect(rows).toHaveLength(reformats.reformats.length);
  for (const one of reformats.reformats) {
    const row = rows.find((r) => r.layer_id === String(one.layer_id));
    expect(row).toMatchObject({ layer: one.name, verdict: one.verdict, reason: one.reason });
    same(row?.ms, one.time_ms, one.name);
  }

  const islands = await csvByColumn(page, 'precision-islands');
  for (const [i, island] of precision.islands.entries()) {
    const own = islands.filter((r) => r.island === String(i + 1));
    expect(own.map((r) => [Number(r.layer_id), r.role])).toEqual(
      island.layers.map((layer) => [layer.layer_id, layer.role]),
    );
    same(own[0]?.['wide bytes of the island'], island.wide_bytes, 'wide bytes');
    const sum = own.reduce((total, r) => total + Number(r.ms), 0);
    expect(sum).toBeCloseTo(island.totals.time_ms ?? 0, 9);
  }

  for (const { origin, totals } of reformats.by_origin) {
    const row = figure(page, 'reformats-by-origin').locator('tbody tr', { hasText: origin });
    await expect(row.first()).toContainText((totals.time_ms ?? 0).toFixed(3));
    await expect(row.first()).toContainText(String(totals.count));
  }
  for (const { kind, totals } of reformats.by_kind) {
    const row = figure(page, 'reformats-by-origin').locator('tbody tr', { hasText: kind });
    await expect(row.first()).toContainText((totals.time_ms ?? 0).toFixed(3));
  }
});

test('roll-up: each side adds up to all layers and their time', async ({ page }) => {
  const { all } = (explained('single', 'precision') as Precision).totals;
  await open(page, 'single', 'v=precision');
  const rows = await csvByColumn(page, 'precision-roll-up');
  for (const side of ['reads', 'writes', 'computes in']) {
    const own = rows.filter((r) => r.side === side);
    expect(own.reduce((sum, r) => sum + Number(r.layers), 0)).toBe(all.count);
    expect(own.reduce((sum, r) => sum + Number(r.ms), 0)).toBeCloseTo(all.time_ms ?? 0, 9);
  }
  const byType = await csvByColumn(page, 'precision-by-type');
  expect(byType.reduce((sum, r) => sum + Number(r.ms), 0)).toBeCloseTo(all.time_ms ?? 0, 9);
});

test('a conversion tells why it is there, and is selected everywhere', async ({ page }) => {
  const { reformats } = explained('single', 'reformats') as Reformats;
  await open(page, 'single', 'v=precision');
  const [first] = [...reformats].sort((a, b) => b.time_ms - a.time_ms);
  if (first === undefined) throw new Error('no conversions');
  const row = figure(page, 'reformats').locator('tbody tr[data-row]').first();
  await row.click();
  await expect(row).toHaveClass(/selected/);
  await expect.poll(() => hashOf(page)).toContain(`sel=${String(first.layer_id)}`);
  const reason = page.locator('.reformat-reason');
  await expect(reason).toContainText(first.cause.slice(1));
  if (first.advice !== null) await expect(reason).toContainText(first.advice);
  await expect(page.locator('.matrix-cell.chosen')).toHaveCount(1);
  await expect(page.locator('.panel')).toBeVisible();
  // The next row by key.
  await page.keyboard.press('j');
  await expect.poll(() => hashOf(page)).not.toContain(`sel=${String(first.layer_id)}&`);
  await expect(figure(page, 'reformats').locator('tr.selected')).toHaveCount(1);
});

test('hovering a layer lights its cell and its box', async ({ page }) => {
  await open(page, 'single', 'v=precision');
  const box = page.locator('.chain-box').first();
  await box.hover();
  await expect(page.locator('.matrix-cell.lit')).toHaveCount(1);
  await expect(box).toHaveClass(/lit/);
});

test('a cell filters; what it leaves out stays as faint ink', async ({ page }) => {
  const { transitions, totals } = explained('single', 'precision') as Precision;
  const cell = transitions.find((one) => one.from === 'FP16' && one.to === 'INT8');
  if (cell === undefined) throw new Error('no such cell');
  await open(page, 'single', 'v=precision');
  await page.locator('.matrix-cell[data-from=FP16][data-to=INT8]').click();
  await expect(page.locator('.tally')).toContainText(
    `${String(cell.all.count)} of ${String(totals.all.count)} layers`,
  );
  await expect.poll(() => hashOf(page)).toContain('precision:FP16,out:INT8');
  const out = page.locator('td.faded .matrix-cell');
  await expect(out).toHaveCount(transitions.length - 1);
  expect(
    await page
      .locator('td.faded')
      .first()
      .evaluate((n) => getComputedStyle(n).opacity),
  ).toBe('0.25');
  await expect(figure(page, 'reformats').locator('tbody tr[data-row]')).toHaveCount(
    cell.conversions.count,
  );
  // A second click takes it back.
  await page.locator('.matrix-cell[data-from=FP16][data-to=INT8]').click();
  await expect(page.locator('td.faded')).toHaveCount(0);
});

test('pictures have a table beside them and can be saved', async ({ page }) => {
  await open(page, 'single', 'v=precision');
  for (const id of ['precision-transitions', 'precision-roll-up']) {
    const one = figure(page, id);
    await one.getByRole('button', { name: 'table' }).click();
    expect(await one.locator('.figure-twin tbody tr').count()).toBeGreaterThan(3);
    // The picture can be saved while the table stands in its place.
    expect((await saved(page, id, 'SVG')).toString()).toContain('INT8');
    await one.getByRole('button', { name: 'chart' }).click();
    const svg = (await saved(page, id, 'SVG')).toString();
    expect(svg).toContain('INT8');
    expect(svg).toContain('FP16');
    expect((await saved(page, id, 'PNG')).subarray(1, 4).toString()).toBe('PNG');
  }
});

test('without times it goes by layers and bytes, and says so', async ({ page }) => {
  await open(page, 'no-times', 'v=precision');
  await expect(page.locator('.conclusion')).toContainText(
    'No layer changes the type it reads (FP16).',
  );
  await expect(page.locator('.view-note')).toContainText('No times');
  await expect(page.locator('.matrix-cell')).toHaveCount(1);
  await expect(page.locator('.view')).not.toContainText('NaN');
  await expect(figure(page, 'pointwise-operations').locator('tbody tr').first()).toBeVisible();
});

test('names only, with the types that a log has: by layers', async ({ page }) => {
  await open(page, 'names-only', 'v=precision');
  await expect(page.locator('.conclusion')).toContainText(
    '2 of 10 layers write a different type than they read',
  );
  await expect(page.locator('.matrix-cell[data-from=FP16][data-to=FP16]')).toHaveText('7 layers');
  await page.locator('.missing-details summary').click();
  await expect(page.locator('.missing-details code').first()).toContainText('detailed');
});

test('names only: lists what is missing and how to get it', async ({ page }) => {
  await open(page, 'names', 'v=precision');
  await expect(page.locator('.conclusion')).toContainText('do not record the types of layers');
  await expect(page.locator('.missing code').first()).toContainText('detailed');
  await expect(page.locator('.chart-figure')).toHaveCount(0);
});

for (const name of ['single', 'no-device', 'quantized-cpu', 'rtx', 'large', 'hostile']) {
  test(`${name}: fits, wide and narrow`, async ({ page }) => {
    for (const [width, height] of [
      [1440, 900],
      [900, 1100],
      [640, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await open(page, name, 'v=precision');
      await expect(page.locator('.matrix')).toBeVisible();
      await expectFits(page);
    }
  });
}
