// What quantizing lost: the view says what the data say, in both themes and at every width.

import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { cutThings, graveViolations } from './faults.ts';
import { niceRange } from '../src/base/format.ts';
import { kFixtures, makeFixtures } from './fixtures.ts';
import { dataOf, kFolder, open, test } from './page.ts';

interface Accuracy {
  readonly sentences: readonly string[];
  readonly tensors: readonly {
    readonly tensor: string;
    readonly op_name: string | null;
    readonly layer_id: number | null;
    readonly engine_db: number | null;
    readonly tap: string;
  }[];
  readonly outputs: readonly unknown[];
  readonly front: readonly {
    readonly kept: readonly string[];
    readonly float_layers: number;
    readonly judged_sqnr_db: number;
    readonly is_chosen: number;
  }[];
  readonly maps: readonly {
    readonly tensor: string;
    readonly shown: string;
    readonly step: number;
    readonly cells: readonly number[];
  }[];
}

const accuracy = (): Accuracy => {
  const [engine] = dataOf('accuracy').engines as unknown as readonly {
    readonly explain: { readonly accuracy: Accuracy };
  }[];
  if (engine === undefined) throw new Error('no engine');
  return engine.explain.accuracy;
};

const figure = (page: Page, id: string) => page.locator(`[data-figure="${id}"]`);

test.beforeAll(() => {
  if (kFolder === kFixtures) makeFixtures();
});

for (const theme of ['light', 'dark'] as const) {
  test(`what was lost, where and by whom, ${theme}`, async ({ page }) => {
    const { sentences, tensors, outputs } = accuracy();
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await open(page, 'accuracy', 'v=accuracy');
    await expect(page.locator('.conclusion')).toHaveText(sentences[0] ?? '?');
    await expect(page.locator('.sentences li')).toHaveCount(sentences.length - 1);
    await expect(page.locator('.accuracy-badges .chip').first()).toContainText('OpenVINO');
    await expect(page.locator('.accuracy-outputs tbody tr')).toHaveCount(outputs.length);
    for (const id of ['accuracy-curve', 'accuracy-histogram']) {
      await expect(figure(page, id).locator('.chart-body')).toBeVisible();
    }
    // The worst first; a row selects its layer, and the values drawn are the chosen tensor's.
    const table = figure(page, 'accuracy');
    await table.locator('th[data-column="engine"] button').click();
    await table.locator('th[data-column="engine"] button').click();
    const worst = tensors
      .filter(({ engine_db }) => engine_db !== null)
      .reduce((a, b) => ((b.engine_db ?? 0) < (a.engine_db ?? 0) ? b : a));
    const row = table.locator('tbody tr[data-index="0"]');
    await expect(row.locator('td.name').first()).toHaveAttribute(
      'title',
      worst.op_name ?? worst.tensor,
    );
    await row.click();
    await expect(row).toHaveClass(/selected/);
    if (worst.layer_id !== null) await expect(page.locator('.panel-name')).toBeVisible();
    await expect(figure(page, 'accuracy-histogram').locator('.explain')).toContainText(
      worst.op_name ?? worst.tensor,
    );
    expect(await graveViolations(page)).toEqual([]);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) await page.screenshot({ path: join(shots, `accuracy-${theme}.png`) });
  });
}

test('the numbers behind the curve are those of the data', async ({ page }) => {
  const { tensors } = accuracy();
  await open(page, 'accuracy', 'v=accuracy');
  const curve = figure(page, 'accuracy-curve');
  await curve.getByRole('button', { name: 'table' }).click();
  const cells = await curve.locator('.figure-twin tbody td:nth-child(5)').allTextContents();
  const written = tensors.map(
    ({ engine_db }) => engine_db?.toFixed(2).replace('-', '\u2212') ?? '–',
  );
  expect(cells).toEqual(written);
});

test('the front has a point for each model, under it a row', async ({ page }) => {
  const { front } = accuracy();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'accuracy', 'v=accuracy');
  const chart = figure(page, 'accuracy-front');
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.locator('.chart-body')).toBeVisible();
  await expect(chart.locator('.explain')).toContainText(`${String(front.length)} models`);
  const rows = page.locator('.accuracy-front tbody tr');
  await expect(rows).toHaveCount(front.length);
  const chosen = front.findIndex(({ is_chosen }) => is_chosen === 1);
  await expect(rows.nth(chosen)).toHaveClass(/chosen/);
  await expect(rows.nth(chosen)).toContainText('written');
  // The axis is in the link.
  await chart.getByRole('button', { name: 'layers', exact: true }).click();
  await expect(page).toHaveURL(/accuracy\.cost=layers/);
  await expect(chart.getByRole('button', { name: 'layers', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await chart.getByRole('button', { name: 'table' }).click();
  const cells = await chart.locator('.figure-twin tbody td:nth-child(2)').allTextContents();
  expect(cells).toEqual(front.map(({ judged_sqnr_db: db }) => db.toFixed(2)));
});

test('hovering a point names the layers that stay in float', async ({ page }) => {
  const { front } = accuracy();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'accuracy', 'v=accuracy&accuracy.cost=layers');
  const chart = figure(page, 'accuracy-front').locator('.chart-body');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('no chart');
  // Its column is known by the axis, which begins at nothing; the row is looked for.
  const last = front.at(-1);
  const range = niceRange(0, Math.max(1, ...front.map((point) => point.float_layers)), 5);
  const x = box.x + 44 + ((last?.float_layers ?? 0) / range.max) * (box.width - 64);
  const tooltip = page.locator('.tooltip');
  for (let y = box.y + 26; y < box.y + 230 && !(await tooltip.isVisible()); y += 10) {
    await page.mouse.move(x, y);
    await page.waitForTimeout(150);
  }
  await expect(tooltip).toContainText(/layers? in float/);
  await expect(tooltip).toContainText(last?.kept[0] ?? 'in float');
});

test('maps say where a tensor differs, in numbers too', async ({ page }) => {
  const { maps } = accuracy();
  expect(maps.length).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1440, height: 1000 });
  await open(page, 'accuracy', 'v=accuracy');
  const chart = figure(page, 'accuracy-maps');
  await chart.scrollIntoViewIfNeeded();
  const canvas = chart.locator('.chart-body');
  await expect(canvas).toBeVisible();
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.tooltip')).toContainText('simulated');
  await expect(page.locator('.tooltip')).toContainText('row 0');
  const tensors = [...new Set(maps.map(({ tensor }) => tensor))];
  await expect(chart.locator('select option')).toHaveCount(tensors.length);
  if (tensors[1] !== undefined) {
    await chart.locator('select').selectOption(tensors[1]);
    await expect(page).toHaveURL(/accuracy\.tensor=/);
  }
  const last = tensors[1] ?? tensors[0];
  const float = maps.find(({ tensor, shown }) => tensor === last && shown === 'float');
  await chart.getByRole('button', { name: 'table' }).click();
  const cell = await chart
    .locator('.figure-twin tbody tr')
    .first()
    .locator('td')
    .nth(2)
    .innerText();
  expect(Number(cell.replace('\u2009', ''))).toBeCloseTo(
    (float?.cells[0] ?? 0) * (float?.step ?? 0),
    4,
  );
});

test('a layer that is selected elsewhere is shown here', async ({ page }) => {
  const { tensors } = accuracy();
  const last = tensors.findLast(({ layer_id }) => layer_id !== null);
  await open(page, 'accuracy', `v=accuracy&sel=${String(last?.layer_id)}`);
  await expect(figure(page, 'accuracy').locator('tr.selected')).toHaveCount(1);
  await expect(figure(page, 'accuracy').locator('tr.selected td.name')).toHaveAttribute(
    'title',
    last?.op_name ?? '?',
  );
});

test('nothing is cut at 1440, 1024 and 390 pixels', async ({ page }) => {
  test.setTimeout(120_000);
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'accuracy', 'v=accuracy');
    expect.soft(await cutThings(page), String(width)).toEqual([]);
    expect.soft(await graveViolations(page), String(width)).toEqual([]);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) {
      await page.screenshot({ path: join(shots, `accuracy-${String(width)}.png`) });
    }
  }
});

test('on paper it stands on its own', async ({ page }) => {
  await open(page, 'accuracy', 'v=accuracy');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('.accuracy .conclusion')).toBeVisible();
  await expect(figure(page, 'accuracy-curve').locator('.chart-body')).toBeVisible();
});

test('an engine without a record has no such tab', async ({ page }) => {
  await open(page, 'single');
  await expect(page.locator('.tab', { hasText: 'Layers' })).toHaveCount(1);
  await expect(page.locator('.tab', { hasText: 'Accuracy' })).toHaveCount(0);
});

test('pairs of two engines have what was lost, the worst first', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, 'accuracy-pair', 'v=compare&compare.only=all');
  const heads = page.locator('.aligned-table thead th');
  await expect(heads.filter({ hasText: 'A dB' })).toHaveCount(1);
  const delta = heads.filter({ hasText: 'B − A, dB' });
  await delta.getByRole('button').click();
  await expect(delta).toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/compare\.sort=db/);
  const numbers = (await page.locator('.aligned-table tbody tr').allTextContents()).length;
  expect(numbers).toBeGreaterThan(3);
  const at = await delta.evaluate((cell) => (cell as HTMLTableCellElement).cellIndex);
  const column = page.locator(`.aligned-table tbody tr > td:nth-child(${String(at + 1)})`);
  const shown = (await column.allTextContents())
    .filter((text) => text !== '–' && text !== '')
    .map((text) => Number(text.replace('\u2212', '-')));
  expect(shown.length).toBeGreaterThan(1);
  expect(shown).toEqual([...shown].sort((a, b) => a - b));
  // The panel of a pair has all four.
  await page.locator('.aligned-table tbody tr[data-pair]').first().locator('td.name').click();
  await expect(page.locator('.pair-facts')).toContainText('engine dB');
  expect(await graveViolations(page)).toEqual([]);
  const shots = process.env.PLANEX_SHOTS;
  if (shots !== undefined) await page.screenshot({ path: join(shots, 'accuracy-pair.png') });
  for (const width of [1024, 640]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'accuracy-pair', 'v=compare&compare.only=all');
    await expect(page.locator('.aligned-table thead')).toContainText('B − A, dB');
    expect.soft(await cutThings(page), String(width)).toEqual([]);
    if (shots !== undefined) {
      await page.screenshot({ path: join(shots, `accuracy-pair-${String(width)}.png`) });
    }
  }
});

test('a finding about Q/DQ has the command that names the edits', async ({ page }) => {
  const [engine] = dataOf('accuracy').engines as unknown as readonly {
    readonly rules: readonly {
      readonly id: string;
      readonly count: number;
      readonly command?: string | null;
    }[];
  }[];
  const rule = engine?.rules.find(({ command, count }) => (command ?? '') !== '' && count > 0);
  if (rule === undefined) throw new Error('no finding with a command');
  await open(page, 'accuracy', `v=findings&findings.rule=${rule.id}`);
  await page.locator('.rule-doc summary').click();
  const box = page.locator('.rule-doc .command').first();
  await expect(box).toContainText('planex advise');
  await expect(box.getByRole('button', { name: 'Copy the command' })).toBeVisible();
  // In the panel of one finding, under what to do.
  await page.locator('tr[data-finding]').first().click();
  const panel = page.getByRole('complementary', { name: 'Selection' });
  await expect(panel.locator('.command').first()).toContainText('planex advise');
  expect(await graveViolations(page)).toEqual([]);
});
