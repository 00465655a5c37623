// The SQL view with the real core: what it gives is what the program gives; what is chosen is in the
// link; nothing but reading comes of a link.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { looksOf } from './chosen.ts';
import { savedBy } from './download.ts';
import {
  choose,
  drop,
  kEngines,
  kMissing,
  kProgram,
  test,
  type Explorer,
} from './explorer_page.ts';
import { cutThings, graveViolations } from './faults.ts';

const kMinute = 60_000;

test.skip(kMissing !== null, kMissing ?? '');
test.skip(!existsSync(kEngines), 'needs the real engines');
test.describe.configure({ timeout: kMinute });

const statement = (page: Page) => page.getByRole('textbox', { name: 'SQL' });
const message = (page: Page) => page.locator('.sql-message');
const rows = (page: Page) => page.locator('table.sql-rows tbody tr[data-index]');
const names = (page: Page) => page.locator('.sql-name');

async function openSql(
  page: Page,
  explorer: Explorer,
  engines: readonly string[],
  options: Readonly<Record<string, string>> = {},
): Promise<void> {
  const parts = Object.entries(options).map(
    ([key, value]) => `${key}=${encodeURIComponent(value)}`,
  );
  await page.goto(`${explorer.url}#${['v=sql', ...parts].join('&')}`);
  for (const [i, engine] of engines.entries()) {
    if (i > 0) await page.getByRole('button', { name: 'Open engines' }).click();
    await choose(page, join(kEngines, engine));
    await expect(page.locator('.view.sql')).toBeVisible({ timeout: kMinute });
    if (i > 0) await expect(page.locator('.engine-switch option')).toHaveCount(i + 1);
  }
  await expect(message(page)).not.toHaveText('Running …');
}

async function run(page: Page, sql: string): Promise<void> {
  await statement(page).fill(sql);
  await statement(page).press('Control+Enter');
  await expect(message(page)).not.toHaveText('Running …');
}

function saved(page: Page, what: 'CSV' | 'JSON' | 'SVG' | 'PNG', figure = 'sql-result') {
  const part = page.locator(`[data-figure="${figure}"]`);
  return savedBy(part.getByRole('button', { name: what, exact: true }));
}

const said = (engines: readonly string[], sql: string, format: string): string =>
  execFileSync(kProgram, ['query', ...engines, sql, '--format', format], {
    cwd: kEngines,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });

const kStatements: readonly string[] = [
  'select * from work_layers',
  'select * from layers order by name desc',
  'select * from engine',
  'select * from metadata',
  'select * from ports',
  'select * from attributes',
  'select * from findings',
  'select * from tensors',
  'select family, count(*) as layers, sum(mean_ms), avg(share), median(mean_ms) from work_layers group by family order by 2 desc, 1',
  "select name, json_extract(value, '$') as v from (select name, '[1,2]' as value from layers) limit 9",
  `select 9007199254740993 as big, -9223372036854775808 as least, 1e5 as a, 1e-5 as b, 1.0/3 as c, -0.0 as d, 1e300 as e,
   5e-324 as f, 123456789012345680000.0 as g, '-x' as h, '' as i, null as j, 'a"b,c' as k, char(10) || 'ü€😀' as l`,
];

const kSets: readonly (readonly string[])[] = [
  ['resnet18-a100-fp16'],
  ['rtx1.7-transformer-fp16'],
  ['openvino2026.4-resnet18-qdq-naive-b8'],
  ['mnist-trt8.6.0-names-only'],
  ['mnist-trt10.14.1-logs'],
  ['resnet18-a100-fp16', 'resnet18-a100-qat', 'openvino2026.4-resnet18-fp32-b8'],
];

for (const engines of kSets) {
  test(`gives the values of the program: ${engines.join(', ')}`, async ({ page, explorer }) => {
    test.skip(kProgram === '', 'needs PLANEX_BIN');
    test.setTimeout(2 * kMinute);
    await openSql(page, explorer, engines);
    const several = engines.length > 1 ? ['select pair, cause, delta_ms from pairs'] : [];
    for (const sql of [...kStatements, ...several]) {
      await run(page, sql);
      await expect(message(page)).toContainText(/^[\d\s]+ rows? · /);
      interface Answer {
        readonly columns: readonly { readonly name: string; readonly unit: string | null }[];
        readonly rows: readonly (readonly unknown[])[];
      }
      const own = (await saved(page, 'JSON')).toString();
      const program = said(engines, sql, 'json');
      // Values, in every bit; whole numbers that no double has are compared as text below.
      const [a, b] = [own, program].map((text) => JSON.parse(text) as Answer);
      expect(a?.rows, sql).toEqual(b?.rows);
      expect(a?.columns.map(({ name, unit }) => [name, unit])).toEqual(
        b?.columns.map(({ name, unit }) => [name, unit]),
      );
      expect((await saved(page, 'CSV')).toString(), sql).toBe(said(engines, sql, 'csv'));
    }
  });
}

test('tables and columns are those of the program', async ({ page, explorer }) => {
  test.skip(kProgram === '', 'needs PLANEX_BIN');
  const engines = ['resnet18-a100-fp16', 'resnet18-a100-qat'];
  await openSql(page, explorer, engines);
  const listed = execFileSync(kProgram, ['query', ...engines, '--format', 'json'], {
    cwd: kEngines,
    encoding: 'utf8',
  });
  const tables = (JSON.parse(listed) as { rows: [string, number, string][] }).rows;
  await expect(page.locator('.sql-schema-tally')).toHaveText(`${String(tables.length)} tables`);
  const search = page.getByRole('searchbox', { name: 'Find a table or column' });
  for (const [table] of tables.slice(0, 4)) {
    const words = ['query', ...engines, '--columns-of', table, '--format', 'json'];
    const told = execFileSync(kProgram, words, { cwd: kEngines, encoding: 'utf8' });
    const columns = (JSON.parse(told) as { rows: (string | null)[][] }).rows;
    await search.fill('');
    await page.getByRole('button', { name: `Columns of ${table}`, exact: true }).click();
    for (const [name, type, unit, description] of columns.slice(0, 5)) {
      const row = page
        .locator('.sql-schema-table tbody tr')
        .filter({ has: page.locator(`.sql-name[title="${description ?? ''}"]`) })
        .filter({ hasText: name ?? '' })
        .first();
      await expect(row).toContainText(type ?? '');
      await expect(row).toContainText(unit ?? '');
    }
    await page.getByRole('button', { name: `Columns of ${table}`, exact: true }).click();
  }
});

test('names are found and put into the statement, by pointer and by keys', async ({
  page,
  explorer,
}) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  const search = page.getByRole('searchbox', { name: 'Find a table or column' });
  const tally = page.locator('.sql-schema-tally');
  await expect(tally).toHaveText(/^\d+ tables$/);
  const all = await tally.innerText();
  await statement(page).fill('select  from ports');
  await statement(page).evaluate((node: HTMLTextAreaElement) => node.setSelectionRange(7, 7));
  await search.fill('index');
  await expect(tally).toContainText('tables');
  await names(page).getByText('index', { exact: true }).first().click();
  await expect(statement(page)).toHaveValue('select "index" from ports');
  // By keys alone: a table opened, its third column put in.
  await search.fill('work_layers');
  await search.press('ArrowDown');
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(names(page).nth(2)).toBeFocused();
  await expect(page.locator('.sql-about')).toContainText('work_layers.role');
  await page.keyboard.press('ArrowLeft');
  await expect(names(page).first()).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(names(page)).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(tally).toHaveText(all);
  await search.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(names(page).last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(statement(page)).toHaveValue('select "index" work_layers from ports');
  await expect(statement(page)).toBeFocused();
});

test('a row selects its layer, in its engine', async ({ page, explorer, problems }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16', 'resnet18-a100-qat']);
  await run(page, 'select engine, layer_id, name from work_layers order by layer_id, engine');
  await rows(page).nth(3).click();
  await expect(page.locator('.panel')).toBeVisible();
  await expect(rows(page).nth(3)).toHaveClass(/selected/);
  await expect(page).toHaveURL(/e=qat.*sel=1|sel=1.*e=qat/);
  await expect(page.locator('.engine-switch select')).toHaveValue(/1|qat/);
  // Next row, by key, stays in the engine.
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/sel=2/);
  await expect(page.locator('table.sql-rows tr.selected')).toHaveCount(1);
  // A row that says of no engine which it is stands for no layer.
  await run(page, 'select layer_id, count(*) as layers from work_layers group by 1');
  await expect(page.locator('table.sql-rows tr.is-layer')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('the link has the statement, the order and the chart', async ({ page, explorer, context }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  // What nobody asked for is not in it.
  expect(page.url()).not.toContain('sql.q');
  const sql =
    "select name, layer_id, median_ms, io_bytes\nfrom work_layers where family = 'convolution'";
  await run(page, sql);
  await page.getByRole('button', { name: /^median_ms/ }).click();
  await page.getByRole('button', { name: /^median_ms/ }).click();
  await page.getByRole('combobox', { name: 'over' }).selectOption('layer_id');
  await page.getByRole('combobox', { name: 'and' }).selectOption('io_bytes');
  await page.getByRole('button', { name: 'points' }).click();
  await expect(page).toHaveURL(/sql\.chart=scatter/);
  const link = page.url().split('#')[1] ?? '';
  const first = await rows(page).first().innerText();
  const other = await context.newPage();
  const options = Object.fromEntries(
    link
      .replace(/^v=sql&/, '')
      .split('&')
      .map((part) => {
        const at = part.indexOf('=');
        return [part.slice(0, at), decodeURIComponent(part.slice(at + 1))];
      }),
  );
  await openSql(other, explorer, ['resnet18-a100-fp16'], options);
  await expect(statement(other)).toHaveValue(sql);
  expect(await rows(other).first().innerText()).toBe(first);
  await expect(other.getByRole('button', { name: 'points' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(other.getByRole('combobox', { name: 'over' })).toHaveValue('1');
  await expect(other.locator('[data-figure="sql-chart"] .explain')).toContainText(
    'median_ms, io_bytes over layer_id',
  );
  // Another statement starts over.
  await run(other, 'select 1 as one union select 2');
  await expect(other).toHaveURL(/sql\.q=select%201/);
  expect(other.url()).not.toMatch(/sql\.(chart|x|y|sort)/);
});

for (const sql of [
  'insert into layers(name) values (1)',
  'delete from layers',
  'create table t(x)',
  "attach database '/x.db' as x",
  'pragma user_version = 3',
  "select load_extension('x')",
  'select 1; select 2',
  'vacuum',
]) {
  test(`a link does not run what writes: ${sql}`, async ({ page, explorer, problems }) => {
    await openSql(page, explorer, ['mnist-trt8.6.0-names-only'], { 'sql.q': sql });
    await expect(message(page)).toHaveClass(/failure/);
    await expect(rows(page)).toHaveCount(0);
    await run(page, 'select count(*) as layers from layers');
    await expect(rows(page)).toHaveCount(1);
    expect(problems).toEqual([]);
  });
}

test('an error is told beside the statement, with its place and a hint', async ({
  page,
  explorer,
}) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(page, 'select name,\n  medan_ms\nfrom layers');
  await expect(message(page)).toContainText('did you mean "mean_ms"?');
  await expect(message(page).locator('pre')).toContainText('at character 16');
  await expect(message(page)).toContainText('Columns of layers');
  await expect(rows(page)).toHaveCount(0);
  expect(await graveViolations(page)).toEqual([]);
});

test('what takes too long is stopped, and the page goes on', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await statement(page).fill(
    'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n',
  );
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(message(page)).toHaveText('Running …');
  // The focus went where it is of use.
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message(page)).toHaveText('Stopped.');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused();
  await run(page, 'select 42 as answer');
  await expect(rows(page).locator('td').first()).toHaveText('42');
});

test('of more rows than it shows it says so, and saves all', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(
    page,
    'with recursive n(i) as (select 1 union all select i + 1 from n limit 12345) select i, i * i as square from n',
  );
  await expect(message(page)).toContainText(/^More than 10\s000 rows/);
  await expect(page.locator('table.sql-rows')).toHaveAttribute('aria-rowcount', '10001');
  // Rows that nobody sees do not exist.
  expect(await rows(page).count()).toBeLessThan(100);
  await page.locator('.row-scroll').evaluate((node) => node.scrollTo(0, 1e9));
  await expect(rows(page).last().locator('td').first()).toHaveText('10\u2009000');
  const lines = (await saved(page, 'CSV')).toString().trimEnd().split('\r\n');
  expect(lines).toHaveLength(12_346);
  expect(lines.at(-1)).toBe('12345,152399025');
});

test('copies exact values', async ({ page, explorer, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(page, "select 1.0/3 as third, 9007199254740993 as big, null as missing, 'a' as text");
  const cells = rows(page).first().locator('td');
  await expect(cells.nth(0)).toHaveText('0.3333');
  await expect(cells.nth(1)).toHaveText('9\u2009007\u2009199\u2009254\u2009740\u2009993');
  await expect(cells.nth(2)).toHaveText('–');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  for (const [at, text] of [
    [0, '0.3333333333333333'],
    [1, '9007199254740993'],
  ] as const) {
    await cells.nth(at).evaluate((node) => window.getSelection()?.selectAllChildren(node));
    await page.keyboard.press('Control+C');
    expect(await clipboard()).toBe(text);
  }
  await page.locator('[data-figure="sql-result"]').getByRole('button', { name: 'copy' }).click();
  await expect
    .poll(clipboard)
    .toBe('third\tbig\tmissing\ttext\n0.3333333333333333\t9007199254740993\t\ta\n');
  await page.getByRole('button', { name: 'command', exact: true }).click();
  await expect
    .poll(clipboard)
    .toBe(
      "planex query resnet18-a100-fp16 'select 1.0/3 as third, 9007199254740993 as big, null as missing, '\\''a'\\'' as text'",
    );
});

test('every example runs, for one engine and for several', async ({ page, explorer, problems }) => {
  test.setTimeout(2 * kMinute);
  const engines = ['resnet18-a100-fp16', 'resnet18-a100-qat'];
  for (const some of [engines.slice(0, 1), engines]) {
    await openSql(page, explorer, some);
    const examples = page.getByRole('combobox', { name: 'Examples' });
    for (const title of (await examples.locator('option').allInnerTexts()).slice(1)) {
      await examples.selectOption(title);
      await expect(message(page)).toContainText(/^[\d\s]+ rows? · /);
      await expect(rows(page).first()).toBeVisible();
    }
    await page.goto('about:blank');
  }
  expect(problems).toEqual([]);
});

test('a chart is a figure as every other', async ({ page, explorer, problems }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16', 'resnet18-a100-qat']);
  const figure = page.locator('[data-figure="sql-chart"]');
  await run(page, 'select engine, "index", compute_ms from iterations');
  await expect(figure.locator('.explain')).toContainText('compute_ms over index');
  await expect(figure.locator('.legend')).toHaveText('fp16qat');
  await run(page, 'select name, median_ms, io_bytes, engine, layer_id from work_layers');
  await expect(figure.locator('.explain')).toContainText('median_ms over name');
  await page.getByRole('combobox', { name: 'and' }).focus();
  await page.getByRole('combobox', { name: 'and' }).selectOption('io_bytes');
  // Who chooses by keys stays where they are.
  await expect(page.getByRole('combobox', { name: 'and', exact: true })).toBeFocused();
  const svg = (await saved(page, 'SVG', 'sql-chart')).toString();
  expect(svg).toContain('<svg');
  expect(svg).toContain('io_bytes');
  expect((await saved(page, 'PNG', 'sql-chart')).subarray(1, 4).toString()).toBe('PNG');
  await figure.getByRole('button', { name: 'table' }).click();
  await expect(figure.locator('.figure-twin tbody tr')).toHaveCount(60);
  await figure.getByRole('button', { name: 'chart' }).click();
  // Nothing to draw: no chart.
  await run(page, "select 'a' as a union select 'b'");
  await expect(figure).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('a bar that is a layer selects it', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(page, 'select layer_id, name, median_ms from work_layers where layer_id in (1, 2)');
  const canvas = page.locator('[data-figure="sql-chart"] canvas').first();
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('no chart');
  await page.mouse.move(box.x + box.width * 0.5, box.y + 15);
  await expect(page.locator('.tooltip')).toContainText('median_ms: 0.111616');
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(/sel=1/);
});

test('hostile texts are shown as they are', async ({ page, explorer, problems }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(
    page,
    `select '<img src=x onerror="window.hostile=1">' as "<b>x</b>", 1.5 as "y_ms" union all select char(8238) || '=1+1', 2.5`,
  );
  await expect(rows(page).first()).toContainText('<img');
  await expect(rows(page).nth(1)).toContainText('⟨U+202E⟩');
  expect(await page.locator('.view img').count()).toBe(0);
  expect((await saved(page, 'SVG', 'sql-chart')).toString()).not.toContain('<img');
  expect(problems).toEqual([]);
});

test('comes back as it was', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(page, 'select name from layers limit 3');
  await statement(page).fill('select not finished');
  await page.getByRole('link', { name: 'Graph' }).click();
  await expect(page.locator('.view.sql')).toHaveCount(0);
  await page.getByRole('link', { name: 'SQL' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(statement(page)).toHaveValue('select not finished');
});

test('engines of a report have nothing to ask', async ({ page, explorer, problems }) => {
  test.skip(kProgram === '', 'needs PLANEX_BIN');
  const folder = mkdtempSync(join(tmpdir(), 'planex-sql-'));
  const file = join(folder, 'other.html');
  execFileSync(kProgram, ['report', 'resnet18-a100-qat', '-o', file], { cwd: kEngines });
  await page.goto(`${explorer.url}#v=sql`);
  await choose(page, [file]);
  await expect(message(page)).toContainText('nothing to query');
  // Beside an engine with its files that one is asked.
  await page.getByRole('button', { name: 'Open engines' }).click();
  await choose(page, join(kEngines, 'resnet18-a100-fp16'));
  await expect(page.locator('.sql-over')).toContainText('1 other opened from a report');
  await expect(rows(page)).toHaveCount(20);
  await run(page, 'select layer_id, name from work_layers limit 5');
  await expect(page.locator('table.sql-rows tr.is-layer')).toHaveCount(5);
  rmSync(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('goes on paper as a statement, rows and a chart', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16']);
  await run(page, 'select layer_id, name, median_ms from layers');
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.sql-printed')).toHaveText(
    'select layer_id, name, median_ms from layers',
  );
  await expect(page.locator('.sql-schema')).toBeHidden();
  await expect(statement(page)).toBeHidden();
  await expect(rows(page)).toHaveCount(36);
  await expect(page.locator('[data-figure="sql-chart"]')).toBeVisible();
});

for (const [theme, width] of looksOf([1440, 1024, 390])) {
  test(`can be used by all, ${theme}, ${String(width)} px`, async ({ page, explorer }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await openSql(page, explorer, ['openvino2026.4-resnet18-qdq-naive-b8']);
    await expect(page.locator('[data-figure="sql-chart"] canvas').first()).toBeVisible();
    expect(await graveViolations(page)).toEqual([]);
    expect(await cutThings(page)).toEqual([]);
    if (width === 390) await page.getByRole('button', { name: 'Tables' }).click();
    await page.getByRole('button', { name: 'Columns of layers', exact: true }).click();
    await run(page, 'select * from layers');
    await rows(page).nth(2).click();
    expect(await graveViolations(page)).toEqual([]);
    expect(await cutThings(page)).toEqual([]);
  });
}

test('a new engine changes the answer', async ({ page, explorer }) => {
  await openSql(page, explorer, ['resnet18-a100-fp16'], { 'sql.q': 'select name from engine' });
  await expect(rows(page)).toHaveCount(1);
  await drop(page, {
    'tiny.plan.json': JSON.stringify({
      schema: 'planex.plan/1',
      engine: { name: 'tiny', producer: 'x' },
      layers: [{ name: 'a', type: 'convolution' }],
    }),
  });
  await expect(rows(page)).toHaveCount(2);
});
