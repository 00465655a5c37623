// A sweep: the grid's figures are the program's, and what stands out is marked where it is.

import { join } from 'node:path';

import { expect, type Locator, type Page } from '@playwright/test';

import { cutThings, graveViolations } from './faults.ts';
import { csv, expectTwins, figure, saved } from './figure.ts';
import { kFixtures } from './fixtures.ts';
import { dataOf, hashOf, kFolder, open, test } from './page.ts';

interface Cell {
  readonly id: string;
  readonly values: readonly string[];
  readonly state: string;
  readonly latency_ms: number | null;
  readonly latency_low_ms: number | null;
  readonly latency_high_ms: number | null;
  readonly items_per_s: number | null;
  readonly error: string | null;
  readonly engine_file: string | null;
  readonly report_engine?: number;
}
interface Sweep {
  readonly axes: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly cells: readonly Cell[];
  readonly done_count: number;
  readonly failed_count: number;
  readonly sentences: readonly string[];
  readonly cliffs: readonly {
    readonly a: number;
    readonly b: number;
    readonly time_ratio: number;
    readonly changed: readonly { readonly layer: string; readonly b_tactic: string }[];
  }[];
  readonly throughput_front: readonly number[];
  readonly lottery: readonly {
    readonly cell: number;
    readonly layers: readonly { readonly tactics: readonly unknown[] }[];
  }[];
}

test.skip(kFolder === kFixtures, 'made by tools/make_test_reports.sh only');

function sweepOf(): Sweep {
  return (dataOf('sweep') as unknown as { readonly sweep: Sweep }).sweep;
}

function cellOf(page: Page, id: string): Locator {
  return page.locator(`.sweep-grid [data-cell="${id}"]`);
}

function cellAt(sweep: Sweep, index: number): Cell {
  const cell = sweep.cells[index];
  if (cell === undefined) throw new Error(`no cell ${String(index)}`);
  return cell;
}

// Three decimals from 0.1 ms on, then three digits.
const msText = (ms: number): string => (ms >= 0.1 ? ms.toFixed(3) : ms.toPrecision(3));

for (const theme of ['light', 'dark'] as const) {
  test(`the view of a sweep comes first and says what matters, ${theme}`, async ({ page }) => {
    const sweep = sweepOf();
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await open(page, 'sweep');
    await expect(page.locator('.tab').first()).toHaveText('Sweep');
    await expect(page.locator('.tab.on')).toHaveText('Sweep');
    for (const sentence of sweep.sentences) {
      await expect(page.locator('.conclusion')).toContainText(sentence);
    }
    const strip = page.locator('.sweep-strip .figure');
    const fastest = cellAt(sweep, sweep.throughput_front[0] ?? -1);
    await expect(strip.nth(0)).toContainText(msText(fastest.latency_ms ?? 0));
    await expect(strip.nth(2)).toContainText(`${String(sweep.done_count)}of`);
    await expect(strip.nth(2)).toContainText(`${String(sweep.failed_count)} failed`);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: join(shots, `sweep-${theme}.png`) });
    expect(await graveViolations(page)).toEqual([]);
  });
}

test('the heat map has the figures of the data, with their intervals', async ({ page }) => {
  const sweep = sweepOf();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const shown = sweep.cells.filter(({ values }) => values[2] === 'f32');
  await expect(page.locator('.sweep-grid .sweep-cell')).toHaveCount(shown.length);
  for (const cell of shown) {
    const button = cellOf(page, cell.id);
    await expect(button.locator('b')).toHaveText(msText(cell.latency_ms ?? 0));
    const label = (await button.getAttribute('aria-label')) ?? '';
    const [, low, high] = /95 % interval ([\d.]+) to ([\d.]+) ms/.exec(label) ?? [];
    expect(Number(low)).toBeCloseTo(cell.latency_low_ms ?? 0, 3);
    expect(Number(high)).toBeCloseTo(cell.latency_high_ms ?? 0, 3);
  }
  const slowest = cellOf(page, 'batch-4_threads-1_precision-f32');
  await slowest.hover();
  await expect(page.locator('.tooltip')).toContainText('95 % interval');
  await expect(page.locator('.tooltip')).toContainText('cliff: 3.55× as long');
  const rows = await csv(page, 'sweep-heat');
  expect(rows.map((row) => Number(row[4]))).toEqual(shown.map(({ latency_ms }) => latency_ms));
  await expectTwins(page, 'sweep-lines', 2);
  await expectTwins(page, 'sweep-front-throughput', 2);
});

test('a cliff is marked between its cells, and said in the table', async ({ page }) => {
  const sweep = sweepOf();
  const [cliff] = sweep.cliffs;
  if (cliff === undefined) throw new Error('no cliff');
  const [a, b] = [cellAt(sweep, cliff.a), cellAt(sweep, cliff.b)];
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const mark = page.locator('.cliff-mark');
  await expect(mark).toHaveCount(1);
  const [from, to, at] = await Promise.all(
    [cellOf(page, a.id), cellOf(page, b.id), mark].map((one) => one.boundingBox()),
  );
  if (!from || !to || !at) throw new Error('not on screen');
  expect(at.x).toBeGreaterThanOrEqual(from.x + from.width - 1);
  expect(at.x + at.width).toBeLessThanOrEqual(to.x + 1);
  expect(at.y).toBeLessThanOrEqual(to.y);

  // From another slice its row leads to both cells.
  await open(page, 'sweep', 'v=sweep&sweep.x=precision&sweep.y=threads&sweep.at0=1');
  await expect(mark).toHaveCount(0);
  const row = page.locator('.cliff-row');
  await expect(row).toHaveCount(sweep.cliffs.length);
  await expect(row).toContainText(`${cliff.time_ratio.toPrecision(3)}×`);
  await row.getByRole('button', { name: 'batch 2 to 4' }).click();
  const changed = page.locator('.sweep-details .changed-tactics tbody tr');
  await expect(changed).toHaveCount(cliff.changed.length);
  await expect(changed.first()).toContainText(cliff.changed[0]?.b_tactic ?? '?');
  await row.getByRole('button', { name: 'show' }).click();
  await expect(mark).toHaveCount(1);
  await expect(cellOf(page, b.id)).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.panel-name')).toHaveText('batch 4, threads 1, precision f32');
  await row.getByRole('button', { name: 'compare' }).click();
  await expect(page.locator('.tab.on')).toContainText('Compare');
});

test('axes, figure and values are chosen, and the link keeps them', async ({ page }) => {
  const sweep = sweepOf();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const pick = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  await pick('show').selectOption({ label: 'throughput, items/s' });
  await pick('down').selectOption({ label: 'precision' });
  await pick('threads').focus();
  await pick('threads').selectOption({ label: '2' });
  const cell = sweep.cells.find(({ id }) => id === 'batch-2_threads-2_precision-f32');
  await expect(cellOf(page, cell?.id ?? '').locator('b')).toHaveText(
    (cell?.items_per_s ?? 0).toFixed(0).replace(/(\d{3})$/, '\u2009$1'),
  );
  await expect(pick('threads')).toBeFocused();
  // Across and down change places.
  await pick('across').selectOption({ label: 'precision' });
  await expect(page.locator('.sweep-grid thead th')).toHaveText(['f32', 'int8']);
  await expect(pick('down')).toHaveValue('0');
  await cellOf(page, cell?.id ?? '').click();
  await expect.poll(() => hashOf(page)).toContain('sweep.cell=batch-2');
  const hash = (await hashOf(page)).slice(1);
  await open(page, 'sweep', `${hash}&again=1`);
  await expect(pick('show')).toHaveValue('throughput');
  await expect(page.locator('.sweep-grid thead th')).toHaveText(['f32', 'int8']);
  await expect(pick('threads')).toHaveValue('1');
  await expect(cellOf(page, cell?.id ?? '')).toHaveAttribute('aria-pressed', 'true');
});

test('failed cells say why, in the heat map and in the table', async ({ page }) => {
  const sweep = sweepOf();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep', 'v=sweep&sweep.x=batch&sweep.y=precision');
  const failed = page.locator('.sweep-grid .sweep-cell.failed.hatched');
  await expect(failed).toHaveCount(3);
  await expect(failed.first()).toHaveText('failed');
  const one = sweep.cells.find(({ state }) => state === 'failed');
  await failed.first().click();
  await expect(page.locator('.panel')).toContainText(one?.error ?? '?');
  await page.keyboard.press('Escape');
  await expect(page.locator('.panel')).toBeHidden();
  const table = figure(page, 'sweep-cells');
  await expect(table.locator('tbody tr[data-index]')).toHaveCount(sweep.cells.length);
  await expect(table.locator('tbody').getByText('failed: --precision')).toHaveCount(
    sweep.failed_count,
  );
  const rows = await csv(page, 'sweep-cells');
  expect(rows.map((row) => row.slice(0, 4))).toEqual(
    sweep.cells.map((cell) => [...cell.values, cell.state]),
  );
  expect(rows.map((row) => row.at(-2))).toEqual(
    sweep.cells.map(({ engine_file }) => (engine_file === null ? '' : `planex ${engine_file}`)),
  );
});

test('the table sorts, and what is unknown stays last', async ({ page }) => {
  const sweep = sweepOf();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const table = figure(page, 'sweep-cells');
  const byLatency = sweep.cells
    .filter(({ latency_ms }) => latency_ms !== null)
    .sort((x, y) => (y.latency_ms ?? 0) - (x.latency_ms ?? 0));
  const head = table.getByRole('button', { name: 'Sort by median latency' });
  await head.click();
  const first = table.locator('tbody tr[data-index="0"]');
  await expect(first).toContainText(msText(byLatency[0]?.latency_ms ?? 0));
  await head.click();
  await expect(first).toContainText(msText(byLatency.at(-1)?.latency_ms ?? 0));
  await expect(table.locator('th[aria-sort="ascending"]')).toHaveCount(1);
  await expect(table.locator('tbody tr[data-index="11"]')).toContainText('failed');
  await first.locator('.cell-button').focus();
  await page.keyboard.press('Enter');
  await expect(cellOf(page, byLatency.at(-1)?.id ?? '')).toHaveAttribute('aria-pressed', 'true');
});

test('lines are drawn from 0 or by powers of ten', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const ticks = async (): Promise<readonly string[]> => {
    const svg = (await saved(page, 'sweep-lines', 'SVG')).toString('utf8');
    return [...svg.matchAll(/text-anchor="end"[^>]*>([\d.]+)</g)].map(([, tick = '']) => tick);
  };
  expect(await ticks()).toEqual(['0.0', '0.5', '1.0', '1.5']);
  await figure(page, 'sweep-lines').getByRole('button', { name: 'logarithmic' }).click();
  await expect.poll(() => hashOf(page)).toContain('sweep.scale=log');
  expect(await ticks()).toEqual(['0.2', '0.5', '1']);
});

test('keys go from cell to cell', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const id = (batch: number, threads: number): string =>
    `batch-${String(batch)}_threads-${String(threads)}_precision-f32`;
  // One stop for all cells.
  await expect(page.locator('.sweep-grid .sweep-cell[tabindex="0"]')).toHaveCount(1);
  await page.getByRole('combobox', { name: 'precision' }).focus();
  for (let i = 0; i < 8; i += 1) {
    await page.keyboard.press('Tab');
    if (await cellOf(page, id(1, 1)).evaluate((node) => node === document.activeElement)) break;
  }
  await expect(cellOf(page, id(1, 1))).toBeFocused();
  await expect(page.locator('.tooltip')).toContainText('95 % interval');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(cellOf(page, id(2, 2))).toBeFocused();
  await page.keyboard.press('End');
  await expect(cellOf(page, id(4, 2))).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(cellOf(page, id(4, 2))).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('.panel-name')).toHaveText('batch 4, threads 2, precision f32');
  await expect(cellOf(page, id(4, 2))).toBeFocused();
  // No layer was walked to.
  expect(await hashOf(page)).not.toContain('sel=');
});

test('a cell leads to the other views of its engine', async ({ page }) => {
  const sweep = sweepOf();
  const cell = sweep.cells.find(({ id }) => id === 'batch-4_threads-1_precision-f32');
  const engine = dataOf('sweep').engines[cell?.report_engine ?? -1];
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep', `v=sweep&sweep.cell=${cell?.id ?? ''}`);
  await expect(page.locator('.panel .command')).toContainText(cell?.engine_file ?? '?');
  await page.locator('.panel').getByRole('button', { name: 'Layers', exact: true }).click();
  await expect(page.locator('.tab.on')).toContainText('Layers');
  await expect(page.locator('.engine-switch select')).toContainText(engine?.label ?? '?');
  await expect.poll(() => hashOf(page)).toContain('e=batch');
});

test('kernels that changed from build to build', async ({ page }) => {
  const [lottery] = sweepOf().lottery;
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'sweep');
  const row = page.locator('.lottery-row');
  await expect(row).toHaveCount(sweepOf().lottery.length);
  await row.getByRole('button', { name: /^▸/ }).click();
  const kernels = page.locator('.sweep-details tbody tr');
  await expect(kernels).toHaveCount(
    lottery?.layers.reduce((sum, { tactics }) => sum + tactics.length, 0) ?? -1,
  );
});

test('nothing is cut at 1440, 1024 and 390 pixels', async ({ page }) => {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'sweep');
    await expect(page.locator('.sweep-grid')).toBeVisible();
    expect(await cutThings(page)).toEqual([]);
  }
});

test('nothing is written that is no text, whatever is shown', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  for (const value of ['latency', 'item', 'throughput', 'memory', 'layers', 'reformats-ms']) {
    for (const axes of ['x=batch&sweep.y=threads', 'x=precision&sweep.y=batch']) {
      await open(page, 'sweep', `v=sweep&sweep.value=${value}&sweep.${axes}`);
      await expect(page.locator('.sweep-grid')).toBeVisible();
      const text = await page.locator('.view').innerText();
      expect(text).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
      const svg = (await saved(page, 'sweep-heat', 'SVG')).toString('utf8');
      expect(svg).toMatch(/^<svg /);
      expect(svg).not.toMatch(/NaN|undefined/);
    }
  }
});

test('on paper, the sweep comes first', async ({ page }) => {
  await open(page, 'sweep', 'v=files');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const parts = page.locator('.printed-report > .printed-part');
  await expect(parts.first().locator('.sweep-grid .sweep-cell')).toHaveCount(6);
  await expect(parts.first().locator('.sweep-controls-place')).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.locator('.printed-report *')).toHaveCount(0);
});

test('a report of engines has no such tab', async ({ page }) => {
  await open(page, 'single');
  await expect(page.locator('.tab', { hasText: 'Layers' })).toHaveCount(1);
  await expect(page.locator('.tab', { hasText: 'Sweep' })).toHaveCount(0);
});
