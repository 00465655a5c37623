// Convolutions & GEMMs: the page says what `planex explain speed` says of the same engine;
// single.speed.json, beside the report, is what it wrote.

import { expect, type Page } from '@playwright/test';

import { expectFits, explained, same } from './explained.ts';
import { csvByColumn, figure, saved } from './figure.ts';
import { first, hashOf, open, test } from './page.ts';

interface Group {
  readonly type?: string;
  readonly count: number;
  readonly time_ms: number;
  readonly bound_ms: number;
  readonly headroom_ms: number;
  readonly reached: number;
  readonly memory_count: number;
  readonly compute_count: number;
}
interface Layer {
  readonly layer_id: number;
  readonly layer: string;
  readonly time_ms: number;
  readonly bound_ms: number;
  readonly headroom_ms: number;
  readonly reached: number;
  readonly limit: string;
  readonly rate_type: string;
  readonly flops_per_s: number | null;
  readonly bytes_per_s: number | null;
}
interface Speed {
  readonly device: { readonly limits: { readonly name: string; readonly bytes_per_s: number } };
  readonly total: Group;
  readonly by_type: readonly Group[];
  readonly layers: readonly Layer[];
}

// How many rings lie over a picture: pixels that are near one another are of one.
async function rings(page: Page, id: string): Promise<number> {
  const over = figure(page, id).locator('canvas.plot-over');
  return over.evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext('2d');
    copy?.drawImage(canvas, 0, 0);
    const { data } = copy?.getImageData(0, 0, width, height) ?? {};
    const found: (readonly [number, number])[] = [];
    for (let i = 3; i < (data?.length ?? 0); i += 4) {
      if (data?.[i] === 0) continue;
      const [x, y] = [((i - 3) / 4) % width, Math.floor((i - 3) / 4 / width)];
      if (found.every((one) => Math.hypot(one[0] - x, one[1] - y) > 24)) found.push([x, y]);
    }
    return found.length;
  });
}

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

test('the page says what the terminal says', async ({ page }) => {
  const { device, total, by_type: byType, layers } = explained('single', 'speed') as Speed;
  await open(page, 'single', 'v=work');
  await expect(page.locator('.conclusion')).toContainText(
    `${(total.reached * 100).toFixed(1)} % of the device's limit is reached: ${total.headroom_ms.toFixed(3)} of ${total.time_ms.toFixed(3)} ms are above the limit.`,
  );
  const held = figure(page, 'speed-by-type');
  await expect(held).toContainText(device.limits.name);
  await expect(held).toContainText(
    `Σ layers ${total.time_ms.toFixed(3)} ms = ${total.bound_ms.toFixed(3)} ms at the limit + ${total.headroom_ms.toFixed(3)} ms above it`,
  );
  const types = await csvByColumn(page, 'speed-by-type');
  for (const group of [...byType, { ...total, type: 'all' }]) {
    const row = types.find((r) => r.type === group.type);
    same(row?.layers, group.count, 'layers');
    same(row?.ms, group.time_ms, 'ms');
    same(row?.['limit ms'], group.bound_ms, 'limit');
    same(row?.['above limit ms'], group.headroom_ms, 'above limit');
    same(row?.['% of limit'], group.reached * 100, '% of limit');
    expect([Number(row?.['limited by compute']), Number(row?.['by memory'])]).toEqual([
      group.compute_count,
      group.memory_count,
    ]);
  }
  // The same order, the same figures.
  const ranked = await csvByColumn(page, 'headroom');
  expect(ranked.map((r) => Number(r.layer_id))).toEqual(layers.map((layer) => layer.layer_id));
  for (const [i, layer] of layers.entries()) {
    const row = ranked[i];
    expect(row).toMatchObject({
      layer: layer.layer,
      'limited by': layer.limit,
      'computes in': layer.rate_type,
    });
    same(row?.['limit ms'], layer.bound_ms, layer.layer);
    expect(Number(row?.['above limit ms'])).toBeCloseTo(layer.headroom_ms, 6);
  }
  const points = await csvByColumn(page, 'roofline');
  expect(points.length).toBeGreaterThan(10);
  for (const point of points) {
    const layer = layers.find((one) => one.layer_id === Number(point.layer_id));
    same(point['TFLOP/s'], (layer?.flops_per_s ?? 0) / 1e12, 'rate');
    same(point['% of limit'], (layer?.reached ?? 0) * 100, '% of limit');
  }
  const products = await csvByColumn(page, 'products');
  expect(products).toHaveLength(points.length);
  for (const row of products) {
    const layer = layers.find((one) => one.layer_id === Number(row.layer_id));
    same(row.bytes_per_s, layer?.bytes_per_s ?? 0, 'bytes/s');
  }
});

test('M, N and K multiply to the MACs that the table of layers has', async ({ page }) => {
  await open(page, 'single', 'v=work');
  const { columns } = first('single').tables.layers;
  const products = await csvByColumn(page, 'products');
  for (const row of products) {
    const at = columns.layer_id?.values.indexOf(Number(row.layer_id)) ?? -1;
    const macs = columns.macs?.values[at] ?? 0;
    expect(Number(row.gemm_m) * Number(row.gemm_n) * Number(row.gemm_k)).toBe(macs);
  }
});

test('a layer is the same in every figure, and the link remembers it', async ({ page }) => {
  const [most] = (explained('single', 'speed') as Speed).layers;
  if (most === undefined) throw new Error('no layers');
  await open(page, 'single', 'v=work');
  const row = figure(page, 'headroom').locator('tbody tr[data-row]').first();
  await row.hover();
  // One ring in the roofline, one in each of the cells.
  await expect.poll(() => rings(page, 'roofline')).toBe(1);
  await expect.poll(() => rings(page, 'work-multiples')).toBe(8);
  await row.click();
  await expect.poll(() => hashOf(page)).toContain(`sel=${String(most.layer_id)}`);
  await expect(figure(page, 'products').locator('tr.selected')).toHaveCount(1);
  // What is chosen keeps its ring when the pointer is elsewhere.
  await page.mouse.move(2, 2);
  await expect.poll(() => rings(page, 'roofline')).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => rings(page, 'roofline')).toBe(0);
  await expect(figure(page, 'roofline').locator('canvas').first()).toBeVisible();
  await page.reload();
  await row.click();
  await expect(figure(page, 'products').locator('tr.selected')).toHaveCount(1);
});

test('a rectangle over a cell keeps its layers, everywhere', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1400 });
  await open(page, 'single', 'v=work');
  const box = await figure(page, 'roofline').locator('.scatter-body').boundingBox();
  if (box === null) throw new Error('no roofline');
  const all = await csvByColumn(page, 'products');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height * 0.5, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => hashOf(page)).toContain('f=layer:');
  const kept = await csvByColumn(page, 'products');
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(all.length);
  await expect(page.locator('.tally')).toContainText(`${String(kept.length)} of 35 layers`);
  await expect(figure(page, 'headroom')).toContainText(`${String(kept.length)} layers`);
  // What the filter leaves is summed again.
  const sums = await csvByColumn(page, 'speed-by-type');
  const ms = kept.reduce((sum, r) => sum + Number(r.median_ms), 0);
  expect(Number(sums.at(-1)?.ms)).toBeCloseTo(ms, 6);
});

test('what is up, what colors and what groups stand in the link', async ({ page }) => {
  await open(page, 'single', 'v=work');
  const multiples = figure(page, 'work-multiples');
  await multiples.getByRole('combobox', { name: 'up' }).selectOption('rate');
  for (const colour of ['output', 'type', 'tactic', 'kernel', 'reached']) {
    await multiples.getByRole('combobox', { name: 'color' }).selectOption(colour);
    await expect.poll(() => hashOf(page)).toContain(`work.colour=${colour}`);
    expect(await multiples.locator('.legend-entry').count()).toBeGreaterThan(0);
  }
  await figure(page, 'work-bars').getByRole('combobox', { name: 'by' }).selectOption('kernel');
  await expect.poll(() => hashOf(page)).toContain('work.by=kernel');
  await expect.poll(() => hashOf(page)).toContain('work.against=rate');
  const groups = new Set((await csvByColumn(page, 'work-bars')).map((row) => row.group));
  expect(groups).toEqual(new Set(['3×3', '7×7', '1×1']));
  await page.reload();
  await expect(multiples.getByRole('combobox', { name: 'up' })).toHaveValue('rate');
});

test('pictures have a table beside them and can be saved', async ({ page }) => {
  await open(page, 'single', 'v=work');
  for (const [id, words] of [
    ['roofline', 'INT8 624'],
    ['work-multiples', 'MACs'],
    ['work-bars', 'µs'],
  ] as const) {
    const one = figure(page, id);
    await expect(one.getByRole('img')).toHaveAttribute('aria-label', /\w+ \w+/);
    expect((await saved(page, id, 'SVG')).toString()).toContain(words);
    expect((await saved(page, id, 'PNG')).subarray(1, 4).toString()).toBe('PNG');
    await one.getByRole('button', { name: 'table' }).click();
    await expect(one.locator('.figure-twin tbody tr')).toHaveCount(21);
  }
});

test('unknown device: no roof, and the command that gives one', async ({ page }) => {
  await open(page, 'no-device', 'v=work');
  await expect(page.locator('.conclusion')).toContainText('the limits of the device are unknown');
  const held = figure(page, 'speed-by-type');
  await expect(held).toContainText('No roof');
  await expect(held.locator('code').first()).toContainText('--device NAME -o report.html');
  await expect(held).not.toContainText('% of limit');
  await expect(figure(page, 'headroom')).toContainText('best rates in this engine');
  // The command does what the page says of it.
  await open(page, 'held', 'v=work');
  await expect(figure(page, 'speed-by-type')).toContainText('A10');
  await expect(page.locator('.conclusion')).toContainText("of the device's limit is reached");
});

test('a CPU is asked to be measured', async ({ page }) => {
  await open(page, 'quantized-cpu', 'v=work');
  await expect(figure(page, 'speed-by-type').locator('code').first()).toContainText('--probe');
});

test('without times: what is known, and how to measure', async ({ page }) => {
  await open(page, 'no-times', 'v=work');
  await expect(page.locator('.conclusion')).toContainText(
    '60 convolutions and products, not measured.',
  );
  await expect(page.locator('.missing-details code').first()).toContainText('--exportProfile');
  await expect(page.locator('.view')).not.toContainText('NaN');
  await expect(figure(page, 'work-bars')).toHaveCount(0);
});

test('names only: no bound and no rate, and how to get them', async ({ page }) => {
  await open(page, 'names-only', 'v=work');
  await expect(page.locator('.conclusion')).toContainText('not measured');
  await expect(page.locator('.view-note')).toContainText('need a profile');
  // Types are known by name, and nothing else is.
  const rows = page.locator('.chart-figure tbody tr').filter({ hasText: 'not known' });
  expect(await rows.count()).toBeGreaterThan(0);
  await expect(page.locator('.chart-figure canvas')).toHaveCount(0);
});

for (const name of ['single', 'no-device', 'quantized-cpu', 'rtx', 'large', 'hostile']) {
  test(`${name}: fits, wide and narrow`, async ({ page }) => {
    for (const [width, height] of [
      [1440, 900],
      [900, 1100],
      [640, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await open(page, name, 'v=work');
      await expect(page.locator('.view.work')).toBeVisible();
      await expectFits(page);
    }
  });
}
