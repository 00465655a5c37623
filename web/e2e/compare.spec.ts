// Compare, on the reports that the program wrote (PLANEX_REPORT_DIR): compare has five engines, engine-pair
// two, strangers two of different models, without-times two without any. What the page shows is held
// to what `planex compare --format json` said of the same engines.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Locator, type Page } from '@playwright/test';

import { savedBy } from './download.ts';
import { figure } from './figure.ts';
import { kFixtures } from './fixtures.ts';
import { hashOf, kFolder, open, test } from './page.ts';

interface Pair {
  readonly a_ms: number | null;
  readonly b_ms: number | null;
  readonly delta_ms: number | null;
  readonly exceeds_noise: boolean | null;
  readonly cause: string;
  readonly changes: readonly string[];
  readonly a_layers: readonly number[];
  readonly b_layers: readonly number[];
}

interface Cause {
  readonly cause: string;
  readonly clause: string;
  readonly a_layers: number;
  readonly b_layers: number;
  readonly delta_ms: number;
}

interface Difference {
  readonly verdict_sentence: string;
  readonly delta_ms: number | null;
  readonly counts: Readonly<Record<'matched' | 'only_a' | 'only_b', number>>;
  readonly causes: readonly Cause[];
  readonly tactics: {
    readonly sentence: string;
    readonly layers: readonly { readonly layer: string; readonly b_margin_ms: number }[];
  } | null;
}

interface Group {
  readonly type?: string;
  readonly precision?: string;
  readonly median_ms: readonly (number | null)[];
  readonly count: readonly (number | null)[];
}

interface Terminal {
  readonly engines: readonly { readonly label: string; readonly layer_count: number }[];
  readonly totals: readonly { readonly metric: string; readonly values: readonly number[] }[];
  readonly by_type: readonly Group[];
  readonly by_precision: readonly Group[];
  readonly differences: readonly Difference[];
  readonly pairs: readonly Pair[];
  readonly ledger: {
    readonly rows: readonly { readonly time_fs: readonly (number | null)[] }[];
    readonly total_fs: readonly number[];
  };
}

function terminal(name: string): Terminal {
  return JSON.parse(readFileSync(join(kFolder, `${name}.compare.json`), 'utf8')) as Terminal;
}

// By the folder and not by a file: a renamed file must fail, not be skipped.
test.skip(kFolder === kFixtures, 'needs pages that planex wrote');

const kAll = 'v=compare&compare.only=all';

// Written independently of the page's own code.
const plain = (text: string): string =>
  text
    .replace(/\u2009/g, '')
    .replace(/\u2212/g, '-')
    .trim();
const micros = (ms: number | null): string => (ms === null ? '·' : (ms * 1e3).toFixed(1));
function change(ms: number | null): string {
  const text = ((ms ?? 0) * 1e3).toFixed(1);
  return Number(text) === 0 ? '0.0' : (ms ?? 0) > 0 ? `+${text}` : text;
}

async function tall(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1600, height: 2600 });
}

async function texts(cells: Locator): Promise<readonly string[]> {
  return (await cells.allInnerTexts()).map(plain);
}

const rows = (page: Page): Locator => page.locator('.aligned-table tbody tr[data-pair]');
const pairRow = (page: Page, pair: number): Locator =>
  page.locator(`.aligned-table tr[data-pair="${String(pair)}"]:not(.member)`);
const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Selection' });
const mode = (page: Page, name: string): Locator =>
  page.locator('.compare-bar').getByRole('button', { name });

test('two engines: the page says what planex compare says', async ({ page }) => {
  const said = terminal('engine-pair');
  const [difference] = said.differences;
  if (difference === undefined) throw new Error('no difference');
  await tall(page);
  await open(page, 'engine-pair', kAll);
  const verdict = page.locator('.compare-verdict');
  await expect(verdict).toContainText(difference.verdict_sentence);
  for (const cause of difference.causes) await expect(verdict).toContainText(cause.clause);
  const { counts } = difference;
  await expect(page.locator('.tally')).toContainText(
    `${String(counts.only_a)} only in A · ${String(counts.only_b)} only in B`,
  );
  // Each pair in one row: both times, the difference, and grey within the noise.
  expect(said.pairs.length).toBeGreaterThan(20);
  for (const [i, pair] of said.pairs.entries()) {
    const row = pairRow(page, i);
    const times = await texts(row.locator('td.chosen .time'));
    expect(times).toEqual([micros(pair.a_ms), micros(pair.b_ms)]);
    const delta = plain(await row.locator('.delta').innerText());
    expect(delta.replace('≈ ', '')).toBe(change(pair.delta_ms));
    expect(delta.startsWith('≈')).toBe(pair.exceeds_noise === false);
    const tinted = await row.locator('.delta').getAttribute('class');
    const way = (pair.delta_ms ?? 0) < 0 ? 'faster' : 'slower';
    if (pair.exceeds_noise === true) expect(tinted).toContain(way);
    else expect(tinted).not.toMatch(/faster|slower/);
    const chips = pair.changes.filter((name) => name !== 'time');
    if (chips.length === 0) await expect(row.locator('.chip')).toHaveCount(0);
    else await expect(row.locator('.chip').first()).toBeVisible();
  }
  await expect(page.locator('.aligned-table .sum-row .delta')).toHaveText(
    new RegExp(`${change(difference.delta_ms).replace(/[-+]/, '.')}$`),
  );
  // The causes add up to the difference of the layers.
  const causes = await texts(figure(page, 'causes').locator('tbody td:nth-child(3)'));
  // Within the noise, what unchanged layers differ by is approximate.
  const numbers = causes.map((text) => text.replace('≈ ', ''));
  expect(numbers).toEqual(difference.causes.map((cause) => change(cause.delta_ms)));
  const sum = numbers.reduce((total, text) => total + Number(text), 0);
  expect(Math.abs(sum - (difference.delta_ms ?? 0) * 1e3)).toBeLessThan(0.1 * causes.length);
});

test('five engines: the figures of all are those of planex compare', async ({ page }) => {
  const said = terminal('compare');
  await tall(page);
  await open(page, 'compare', 'v=compare&compare.mode=engines');
  const totals = figure(page, 'totals');
  await expect(totals.locator('thead th')).toHaveCount(said.engines.length + 1);
  const value = (metric: string): readonly number[] =>
    said.totals.find((total) => total.metric === metric)?.values ?? [];
  const row = async (head: string): Promise<readonly string[]> =>
    texts(totals.locator('tr', { has: page.locator('th', { hasText: head }) }).locator('td'));
  const ms = (numbers: readonly number[]): readonly string[] => numbers.map((n) => n.toFixed(3));
  expect(await row('end to end, ms')).toEqual(ms(value('end_to_end_median_ms')));
  expect(await row('Σ layers, ms')).toEqual(ms(value('layers_time_ms')));
  expect(await row('speed-up over')).toEqual(value('speed_up_ratio').map((n) => n.toFixed(2)));
  expect(await row('weights, MB')).toEqual(
    value('weight_bytes').map((n) => (n / 1e6).toFixed(n >= 1e8 ? 0 : 1)),
  );
  // The picture's numbers are in its table.
  for (const [id, groups, of, decimals] of [
    ['time-by-type', said.by_type, 'median_ms', 3],
    ['layers-by-type', said.by_type, 'count', 0],
    ['layers-by-precision', said.by_precision, 'count', 0],
    ['time-by-precision', said.by_precision, 'median_ms', 3],
  ] as const) {
    await figure(page, id).getByRole('button', { name: 'table' }).click();
    const heads = await texts(figure(page, id).locator('.figure-twin thead th'));
    for (const group of groups) {
      const name = group.type ?? group.precision ?? '';
      const at = heads.findIndex((head) => head.replace(/, ms$/, '') === name);
      expect(at, `${id} ${name}`).toBeGreaterThan(0);
      const column = await texts(
        figure(page, id).locator(`.figure-twin tbody td:nth-child(${String(at + 1)})`),
      );
      expect(column).toEqual(
        group[of].map((n) =>
          n === null || (of === 'count' && n === 0) ? '–' : n.toFixed(decimals),
        ),
      );
    }
  }
});

test('any two of five: A and B are chosen, swapped, and in the link', async ({ page }) => {
  await tall(page);
  const said = terminal('compare');
  const labels = said.engines.map((engine) => engine.label);
  await open(page, 'compare', 'v=compare');
  const sides = ['A', 'B'].map((side) => page.getByRole('combobox', { name: `Engine ${side}` }));
  const [a, b] = sides;
  if (a === undefined || b === undefined) throw new Error('no sides');
  // Against the first engine the terminal has compared all of them in one go.
  for (const [i, difference] of said.differences.entries()) {
    await b.selectOption({ index: i + 1 });
    await expect(page.locator('.compare-verdict b')).toContainText(difference.verdict_sentence);
  }
  await a.selectOption({ index: 2 });
  await b.selectOption({ index: 3 });
  await expect.poll(() => hashOf(page)).toContain(`a=${labels[2] ?? ''}&b=${labels[3] ?? ''}`);
  const verdict = terminal('engine-pair').differences[0]?.verdict_sentence ?? '';
  await expect(page.locator('.compare-verdict b')).toContainText(verdict);
  await expect(page.locator('.ribbon canvas')).toHaveAttribute('aria-label', /A: .*; b: /i);
  // Of a pair that only A has, the other side has it after a swap.
  await page.locator('.view').focus();
  await page.keyboard.press('x');
  await expect.poll(() => hashOf(page)).toContain(`a=${labels[3] ?? ''}&b=${labels[2] ?? ''}`);
  await expect(page.locator('.compare-verdict b')).toContainText('slower');
  await expect(page.locator('.changes .chip', { hasText: 'added' }).first()).toBeVisible();
  await page.goBack();
  await expect(page.locator('.compare-verdict b')).toContainText(verdict);
  // The same engine on both sides would compare nothing: they change places.
  await b.selectOption({ index: 2 });
  await expect(a.locator('option:checked')).toHaveText(labels[3] ?? '');
});

test('a selected pair is lit everywhere, and in the link', async ({ page }) => {
  await tall(page);
  const pairs = terminal('engine-pair').pairs;
  const at = pairs.findIndex((pair) => pair.a_layers.length === 1 && pair.b_layers.length === 1);
  await open(page, 'engine-pair', kAll);
  await pairRow(page, at).locator('td.chosen').nth(1).click();
  await expect(pairRow(page, at)).toHaveClass(/selected/);
  const own = pairs[at];
  const times = [own?.a_ms ?? 0, own?.b_ms ?? 0].map((ms) => `${(ms * 1e3).toFixed(1)} µs`);
  for (const time of times) await expect(panel(page)).toContainText(time);
  // It was selected in B, and A and B stay as they were.
  await expect.poll(() => hashOf(page)).toContain(`sel=${String(own?.b_layers[0])}`);
  await page.reload();
  await expect(pairRow(page, at)).toHaveClass(/selected/);
  for (const time of times) await expect(panel(page)).toContainText(time);
  // Side by side in the graphs, and back.
  await mode(page, 'Graphs').click();
  await expect(page.locator('.graph-pane canvas').first()).toBeVisible();
  await expect(page.locator('.graph-pane')).toHaveCount(2);
  await expect(panel(page)).toContainText(times[0] ?? '');
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
});

test('hovering a row lights it, and the pair of its layers', async ({ page }) => {
  await tall(page);
  await open(page, 'engine-pair', kAll);
  await pairRow(page, 4).hover();
  await expect(pairRow(page, 4)).toHaveClass(/hovered/);
  await expect(page.locator('.tooltip')).toBeVisible();
  // From the ribbon: the last layer of the upper lane.
  const box = await page.locator('.ribbon canvas').boundingBox();
  if (box === null) throw new Error('no ribbon');
  await page.mouse.move(box.x + box.width - 18, box.y + 12);
  await expect(page.locator('tr.hovered').first()).toBeVisible();
  await expect(pairRow(page, 4)).not.toHaveClass(/hovered/);
});

test('a cause filters the rows to its pairs', async ({ page }) => {
  await tall(page);
  const { pairs, differences } = terminal('engine-pair');
  await open(page, 'engine-pair', 'v=compare');
  const changed = pairs.filter((pair) => pair.changes.length > 0).length;
  await expect(page.locator('.compare-bar')).toContainText(
    `${String(changed)} of ${String(pairs.length)} rows changed`,
  );
  for (const cause of differences[0]?.causes ?? []) {
    await figure(page, 'causes')
      .locator('button.cause')
      .nth(differences[0]?.causes.indexOf(cause) ?? 0)
      .click();
    const wanted = pairs.flatMap((pair, i) => (pair.cause === cause.cause ? [String(i)] : []));
    await expect(page.locator('.aligned-table tr[data-pair]:not(.member)')).toHaveCount(
      wanted.length,
    );
    await expect.poll(() => hashOf(page)).toContain('compare.only=');
    await figure(page, 'causes').locator('button.cause[aria-pressed="true"]').click();
  }
});

test('keys walk the rows, open a pair, and sort by difference', async ({ page }) => {
  await tall(page);
  const { pairs } = terminal('engine-pair');
  await open(page, 'engine-pair', kAll);
  await page.locator('.view').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(pairRow(page, 1)).toHaveClass(/selected/);
  const members = page.locator('.aligned-table tr.member[data-pair="1"]');
  const several = (pairs[1]?.a_layers.length ?? 0) + (pairs[1]?.b_layers.length ?? 0);
  expect(several).toBeGreaterThan(2);
  await expect(members).toHaveCount(several);
  await page.keyboard.press('o');
  await expect(members).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(pairRow(page, 0)).toHaveClass(/selected/);
  await page.keyboard.press('Escape');
  await expect(page.locator('tr.selected')).toHaveCount(0);
  const head = page.getByRole('button', { name: /B − A/ });
  await head.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('th[aria-sort="descending"]')).toHaveCount(1);
  const order = await rows(page).evaluateAll((all) =>
    all.filter((row) => !row.classList.contains('member')).map((row) => row.dataset.pair),
  );
  const size = (at: string | undefined): number => Math.abs(pairs[Number(at)]?.delta_ms ?? 0);
  expect(order.every((at, i) => i === 0 || size(order[i - 1]) >= size(at))).toBe(true);
});

test('operations: the ledger of planex compare, its rows are its last line', async ({ page }) => {
  await page.setViewportSize({ width: 1600, height: 3200 });
  const { ledger } = terminal('engine-pair');
  await open(page, 'engine-pair', 'v=compare&compare.mode=operations');
  const operations = page.locator('.ledger-table tbody tr[data-operation]');
  await expect(operations).toHaveCount(ledger.rows.length);
  const shown = await operations.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td.chosen .time')].map((cell) => cell.textContent)),
  );
  for (const [i, row] of ledger.rows.entries()) {
    const wanted = row.time_fs.map((fs) => {
      const us = (fs ?? 0) / 1e9;
      return fs === null ? '·' : us > 0 && us < 0.05 ? '<0.1' : us.toFixed(1);
    });
    expect(shown[i]?.map(plain), `row ${String(i)}`).toEqual(wanted);
  }
  const sums = await texts(page.locator('.ledger-table .sum-row td.chosen .time'));
  expect(sums).toEqual(ledger.total_fs.map((fs) => (fs / 1e9).toFixed(1)));
});

test('engines of different models: the page says so', async ({ page }) => {
  await open(page, 'strangers', 'v=compare');
  const verdict = page.locator('.compare-verdict');
  await expect(verdict).toContainText('Not comparable layer by layer');
  await expect(verdict).toContainText('Inputs differ');
  // What became of layers would be told of layers that have nothing to do with one another.
  await expect(verdict.locator('.clause')).toHaveCount(0);
  await expect(page.locator('.tally')).toContainText('0 pairs');
});

test('without times: what changed, and no empty columns', async ({ page }) => {
  await open(page, 'without-times', 'v=compare');
  await expect(page.locator('.compare-verdict')).toContainText('There are no times to compare');
  await expect(page.locator('.aligned-table .time')).toHaveCount(0);
  await expect(page.locator('.aligned-table thead')).not.toContainText('B − A');
  await expect(page.locator('.changes .chip', { hasText: 'in FP16 → FP32' }).first()).toBeVisible();
  await expect(figure(page, 'time-by-type')).toHaveCount(0);
  await expect(page.locator('.ribbon')).toBeVisible();
});

test('hostile names stay text in every mode', async ({ page }) => {
  for (const shown of ['layers', 'operations', 'graphs', 'engines']) {
    await open(page, 'hostile-engine-pair', `${kAll}&compare.mode=${shown}`);
    await page.locator('.view').focus();
    for (let i = 0; i < 12; i += 1) await page.keyboard.press('j');
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond, shown).toBeLessThanOrEqual(0);
  }
  // Graphs have a picture of their own, for paper.
  await expect(page.locator('.view script, .view img:not(.graph-printed)')).toHaveCount(0);
});

test('one engine: what to do, and what the page can do itself', async ({ page }) => {
  await open(page, 'single', 'v=compare');
  await expect(page.locator('.command').first()).toContainText(/planex report .* OTHER/);
  await page.getByLabel('Another report').setInputFiles(join(kFolder, 'engine-pair.html'));
  await expect(page.locator('.compare-verdict')).toContainText('are not aligned');
  await expect(figure(page, 'totals').locator('thead th')).toHaveCount(4);
  await expect(page.locator('.ribbon canvas')).toHaveAttribute('aria-label', /B: /i);
  await page.getByRole('combobox', { name: 'Engine B' }).selectOption({ index: 1 });
  await expect(page.locator('.command').first()).toContainText('planex report');
});

test('a deep link opens what it names, and says what is not there', async ({ page }) => {
  await tall(page);
  const link = 'v=compare&a=fp16&b=fp32&compare.only=slower&compare.sort=-size';
  await open(page, 'compare', link);
  await expect(page.locator('.compare-verdict b')).toContainText('fp32 is slower than fp16');
  await expect(page.getByRole('combobox', { name: 'Rows' })).toHaveValue('slower');
  await expect(page.locator('.aligned-table .delta.faster')).toHaveCount(0);
  expect(await page.locator('.aligned-table .delta.slower').count()).toBeGreaterThan(10);
  await open(page, 'compare', 'v=compare&a=nobody&b=fp32');
  await page.reload();
  await expect(page.locator('.note')).toContainText('nobody');
  await expect(page.locator('.aligned-table')).toBeVisible();
});

test('each figure can be saved', async ({ page }) => {
  await open(page, 'engine-pair', 'v=compare');
  const saved = async (id: string, name: string): Promise<string> => {
    const button = figure(page, id).getByRole('button', { name, exact: true });
    return (await savedBy(button)).toString('utf8');
  };
  expect(await saved('time-by-type', 'SVG')).toMatch(/^<svg/);
  expect(await saved('time-by-type', 'CSV')).toMatch(/^engine,/);
  expect(await saved('layers-by-precision', 'CSV')).toMatch(/^engine,/);
  const causes = (await saved('causes', 'CSV')).trim().split('\n');
  const { differences, pairs } = terminal('engine-pair');
  expect(causes).toHaveLength(1 + (differences[0]?.causes.length ?? 0));
  expect(await saved('totals', 'CSV')).toContain('end to end');
  await page.getByRole('combobox', { name: 'Rows' }).selectOption('all');
  const table = page.locator('.compare-bar').getByRole('button', { name: 'CSV' });
  const lines = (await savedBy(table)).toString('utf8').trim().split('\n');
  expect(lines).toHaveLength(1 + pairs.length);
});

for (const width of [900, 640]) {
  test(`${String(width)} px: nothing is cut`, async ({ page }) => {
    await page.setViewportSize({ width, height: 1100 });
    for (const shown of ['layers', 'operations', 'engines', 'graphs']) {
      await open(page, 'compare', `v=compare&compare.mode=${shown}`);
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(beyond, shown).toBeLessThanOrEqual(0);
    }
    await open(page, 'compare', 'v=compare');
    const cut = await page
      .locator('.aligned-table td.changes')
      .evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).length);
    expect(cut).toBe(0);
  });
}

test('on paper: all rows, in the width of a page', async ({ page }) => {
  const { pairs } = terminal('engine-pair');
  await open(page, 'engine-pair', kAll);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.locator('.aligned-table tr[data-pair]:not(.member)')).toHaveCount(pairs.length);
  const width = await page.locator('.aligned-table').evaluate((node) => node.clientWidth);
  expect(width).toBeLessThanOrEqual(700);
  await expect(page.locator('.compare-bar .segments')).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  const after = await page.locator('.aligned-table').evaluate((node) => node.clientWidth);
  expect(after).toBeGreaterThan(1000);
});

for (const theme of ['light', 'dark'] as const) {
  test(`two builds that chose another kernel, ${theme}`, async ({ page }) => {
    const tactics = terminal('tactic-pair').differences[0]?.tactics;
    const [layer] = tactics?.layers ?? [];
    if (!tactics || layer === undefined) throw new Error('the builds chose the same kernels');
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, 'tactic-pair', 'v=compare');
    const part = page.locator('.compare-tactics');
    await expect(part).toContainText(tactics.sentence.slice(1));
    const rows = part.locator('tbody tr');
    await expect(rows).toHaveCount(tactics.layers.length);
    await expect(rows.first().locator('td').first()).toHaveAttribute('title', layer.layer);
    const margin = `${(layer.b_margin_ms * 1e6).toFixed(0)} ns in B`;
    await expect(rows.first()).toContainText('same candidates, a different winner by');
    await expect(rows.first()).toContainText(margin);
    const shots = process.env.PLANEX_SHOTS;
    if (shots !== undefined) {
      await page.screenshot({ path: join(shots, `compare-tactics-${theme}.png`) });
    }
    await page.locator('.aligned-table tr[data-pair]').first().click();
    await expect(page.locator('.panel')).toContainText(`The builders chose: same candidates`);
    // From the other side B is A.
    await page.keyboard.press('x');
    await expect(rows.first()).toContainText(margin.replace('in B', 'in A'));
    await open(page, 'tactic-pair', 'v=compare&compare.mode=operations');
    await expect(part).toBeHidden();
  });
}

test('builds without logs say nothing of kernels that were chosen', async ({ page }) => {
  await open(page, 'engine-pair', 'v=compare');
  await expect(page.locator('.aligned-table')).toBeVisible();
  await expect(page.locator('.compare-tactics')).toBeHidden();
});
