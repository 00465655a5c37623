// The index of `planex serve`, against a server of the program itself. Needs PLANEX_BIN, and the real
// engines in PLANEX_TEST_DATA; without them the tests are skipped.

import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';

import { savedBy } from './download.ts';
import { complaintsOf } from './faults.ts';

const kProgram = process.env.PLANEX_BIN ?? '';
const kEngines = resolve(process.env.PLANEX_TEST_DATA ?? '../../shared/data', 'engines');

function hasEngines(): boolean {
  try {
    return readdirSync(kEngines).length > 0;
  } catch {
    return false;
  }
}

const kHostile = '<img src=x onerror="window.hostile=1">"&\u202e' + 'n'.repeat(300);

interface Served {
  readonly url: string;
  readonly folder: string;
  // An engine of the real ones, as a folder of the served ones.
  add(engine: string, as: string): void;
  stop(): Promise<void>;
}

async function start(
  folder: string,
): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const process = spawn(kProgram, ['serve', 'runs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((done, fail) => {
    process.stdout.once('data', (text: Buffer) => done(text.toString().trim()));
    process.once('exit', () => fail(new Error('planex serve ended')));
  });
  return { process, url };
}

const test = base.extend<{ readonly served: Served; readonly problems: string[] }>({
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  served: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'planex-serve-'));
    mkdirSync(join(folder, 'runs'));
    const add = (engine: string, as: string): void => {
      cpSync(join(kEngines, engine), join(folder, 'runs', as), { recursive: true });
    };
    add('resnet18-a100-fp32', 'fp32');
    add('resnet18-a100-qat', 'qat');
    add('openvino2026.4-resnet18-fp32-b8', 'openvino');
    add('mnist-trt8.6.0-names-only', 'names only');
    mkdirSync(join(folder, 'runs/broken'));
    writeFileSync(join(folder, 'runs/broken/x.graph.json'), '{"Layers": [{"Name": "a", "LayerT');
    mkdirSync(join(folder, 'runs/hostile'));
    writeFileSync(
      join(folder, 'runs/hostile/x.plan.json'),
      JSON.stringify({
        schema: 'planex.plan/1',
        engine: { name: kHostile, producer: kHostile, device: kHostile },
        layers: [{ name: kHostile, type: 'convolution' }],
      }),
    );
    const { process, url } = await start(folder);
    const stop = async (): Promise<void> => {
      if (process.exitCode !== null) return;
      const ended = new Promise((done) => process.once('exit', done));
      process.kill('SIGINT');
      expect(await ended).toBe(0);
    };
    await use({ url, folder, add, stop });
    await stop();
    rmSync(folder, { recursive: true, force: true });
  },
  // Complaints of the page; and whether it asked anybody but its server.
  problems: async ({ page, served }, use) => {
    await use(complaintsOf(page, (address) => address.startsWith(served.url)));
  },
});

test.skip(kProgram === '' || !hasEngines(), 'needs PLANEX_BIN and the real engines');

const names = (page: Page): Promise<string[]> => page.locator('tbody td.c-name').allInnerTexts();
const places = (page: Page): Promise<string[]> => page.locator('tbody td.c-place').allInnerTexts();

// With all engines read.
async function openIndex(page: Page, served: Served, hash = ''): Promise<void> {
  await page.goto(served.url + hash);
  const read = '6 engines · 1 can’t be read';
  await expect(page.locator('.index-tally')).toHaveText(read, { timeout: 30_000 });
}

const row = (page: Page, place: string) =>
  page.locator('tbody tr', { has: page.locator(`td.c-place >> text="${place}"`) });

test('lists the engines with their figures', async ({ page, served, problems }) => {
  await openIndex(page, served);
  const listed = (await (await page.request.get(`${served.url}api/engines`)).json()) as {
    readonly engines: readonly { readonly place: string; readonly end_to_end_median_ms: number }[];
  };
  const qat = listed.engines.find((engine) => engine.place === 'runs/qat');
  await expect(row(page, 'qat').locator('td.c-end')).toHaveText(
    qat?.end_to_end_median_ms.toFixed(3) ?? '',
  );
  await expect(row(page, 'qat').locator('td.c-device')).toContainText('A100');
  // What is not known is not 0.
  await expect(row(page, 'hostile').locator('td.c-end')).toHaveText('–');
  await expect(row(page, 'broken')).toContainText('x.graph.json');
  await row(page, 'broken').locator('summary').click();
  await expect(row(page, 'broken').locator('pre')).toBeVisible();
  expect(problems).toEqual([]);
});

test('searches and sorts, and the address says so', async ({ page, served, problems }) => {
  await openIndex(page, served);
  await page.keyboard.press('/');
  await page.keyboard.type('openvino');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await expect(page.locator('.index-tally')).toContainText('1 of 6 engines');
  expect(new URL(page.url()).hash).toBe('#q=openvino');
  await page.getByRole('searchbox').fill('no such engine');
  await expect(page.locator('.index-empty')).toContainText('No matches in name, place or device');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'End to end' }).click();
  expect(new URL(page.url()).hash).toBe('#sort=-end');
  const slowest = (await places(page))[0];
  await expect(page.locator('th.c-end')).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'End to end' }).click();
  expect((await places(page))[0]).not.toBe(slowest);
  // What has no time stays last.
  expect((await places(page)).at(-1)).toMatch(/names only|broken|hostile/);
  await page.goto(`${served.url}#q=runs%2Fqat&sort=name`);
  await page.reload();
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await expect(page.getByRole('searchbox')).toHaveValue('runs/qat');
  expect(problems).toEqual([]);
});

test('opens a report, which leads back', async ({ page, served, problems }) => {
  await openIndex(page, served);
  await row(page, 'qat').locator('td.c-name a').click();
  await expect(page.locator('.ribbon').first()).toBeVisible();
  await expect(page).toHaveTitle(/resnet/);
  const back = page.getByRole('link', { name: 'all engines' });
  await expect(back).toBeVisible();
  await back.click();
  await expect(page.locator('.index-table')).toBeVisible();
  expect(problems).toEqual([]);
});

test('a report on disk has no link to an index', async ({ page, served }) => {
  await openIndex(page, served);
  const address = await row(page, 'qat').locator('td.c-name a').getAttribute('href');
  const html = await (await page.request.get(new URL(address ?? '', served.url).href)).text();
  const file = join(served.folder, 'saved.html');
  writeFileSync(file, html);
  await page.goto(`file://${file}`);
  await expect(page.locator('.top-bar')).toBeVisible();
  await expect(page.getByRole('link', { name: 'all engines' })).toHaveCount(0);
});

test('compares what is ticked', async ({ page, served, problems }) => {
  await openIndex(page, served, '#sort=name');
  await row(page, 'fp32').getByRole('checkbox').check();
  await expect(page.locator('.chosen-bar')).toContainText('1 engine chosen');
  await row(page, 'qat').getByRole('checkbox').check();
  const link = page.getByRole('link', { name: 'Compare 2' });
  await link.click();
  await expect(page.getByRole('combobox', { name: 'Engine' })).toBeVisible();
  expect(new URL(page.url()).searchParams.getAll('e')).toHaveLength(2);
  expect(problems).toEqual([]);
});

test('keys and ranges', async ({ page, served }) => {
  await openIndex(page, served, '#sort=place');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.locator('tbody tr.selected')).toHaveCount(1);
  const boxes = page.locator('tbody input');
  await boxes.nth(3).click({ modifiers: ['Shift'] });
  await expect(page.locator('tbody tr.selected')).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(page.locator('tbody tr.selected')).toHaveCount(0);
  await page.getByRole('searchbox').fill('runs/qat');
  await page.getByRole('searchbox').press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/report\?e=[0-9a-f]{32}/);
});

test('asks in SQL', async ({ page, served, problems }) => {
  await openIndex(page, served);
  await row(page, 'qat').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'SQL', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'SQL' });
  await text.fill('select name, median_ms from work_layers order by median_ms desc limit 3');
  await text.press('Control+Enter');
  await expect(page.locator('.sql-table tbody tr')).toHaveCount(3);
  await expect(page.locator('.sql-table th').nth(1)).toHaveText('median_ms');
  await expect(page.locator('.sql-message')).toContainText('3 rows');
  const saved = (await savedBy(page.getByRole('button', { name: 'CSV' }))).toString('utf8');
  expect(saved.trimEnd().split('\n')).toHaveLength(4);
  expect(saved).toMatch(/^name,median_ms/);

  // The examples go for one engine, and for several.
  for (const count of [1, 2]) {
    if (count === 2) await row(page, 'fp32').getByRole('checkbox').check();
    const examples = page.getByRole('combobox', { name: 'Examples' });
    for (const title of (await examples.locator('option').allInnerTexts()).slice(1)) {
      await examples.selectOption(title);
      await text.press('Control+Enter');
      await expect(page.locator('.sql-message')).toContainText(/^[\d\s]+ rows? · /);
    }
  }

  await text.fill('delete from layers');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('.sql-message')).toContainText('may not be modified');
  await text.fill('select nme from layers');
  await text.press('Control+Enter');
  await expect(page.locator('.sql-message')).toContainText('name');

  // The two refusals are the server's, and the browser notes them.
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('stops a query', async ({ page, served }) => {
  await openIndex(page, served);
  await page.keyboard.press('q');
  const text = page.getByRole('textbox', { name: 'SQL' });
  await text.fill(
    'with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n',
  );
  await text.press('Control+Enter');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.sql-message')).toHaveText('Stopped.');
  await text.fill('select 42 as answer');
  await text.press('Control+Enter');
  await expect(page.locator('.sql-table td')).toHaveText('42');
});

// Drops files as a browser would: their names and contents, without a disk.
async function drop(page: Page, files: Readonly<Record<string, string>>): Promise<void> {
  const transfer = await page.evaluateHandle((contents) => {
    const made = new DataTransfer();
    for (const [name, content] of Object.entries(contents))
      made.items.add(new File([content], name));
    return made;
  }, files);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await expect(page.locator('.drop-overlay')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(page.locator('.drop-overlay')).toBeHidden();
}

test('opens what is dropped', async ({ page, served, problems }) => {
  await openIndex(page, served);
  const folder = join(kEngines, 'resnet18-a100-fp16');
  const files = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  await drop(page, files);
  await expect(page).toHaveURL(/\/report\?e=/);
  await expect(page.locator('.ribbon').first()).toBeVisible();
  await page.getByRole('link', { name: 'all engines' }).click();
  await expect(page.locator('td.c-place', { hasText: 'dropped on this page' })).toHaveCount(1);
  expect(problems).toEqual([]);
});

test('says what dropped files lack', async ({ page, served }) => {
  await openIndex(page, served);
  await drop(page, { 'notes.txt': 'nothing' });
  await expect(page.locator('.index-notice')).toContainText('no layer information');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.locator('.index-notice')).toBeHidden();
});

test('follows the folder', async ({ page, served, problems }) => {
  await openIndex(page, served, '#sort=place');
  await row(page, 'qat').getByRole('checkbox').check();
  served.add('resnet50-rtx3090-fp16', 'resnet50');
  await expect(row(page, 'resnet50').locator('td.c-name a')).toBeVisible();
  rmSync(join(served.folder, 'runs/broken'), { recursive: true });
  await expect(row(page, 'broken')).toHaveCount(0);
  // Who works with the page is not disturbed.
  await expect(row(page, 'qat').getByRole('checkbox')).toBeChecked();
  await expect(row(page, 'qat').getByRole('checkbox')).toBeFocused();
  expect(problems).toEqual([]);
});

// Halves the times of an engine's profile.
function halve(folder: string): void {
  const name = readdirSync(folder).find((file) => file.endsWith('.profile.json')) ?? '';
  const rows = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, number>[];
  for (const row of rows) if (row.medianMs !== undefined) row.medianMs /= 2;
  writeFileSync(join(folder, name), JSON.stringify(rows));
}

test('a report follows its files, and stays where it was', async ({ page, served, problems }) => {
  await openIndex(page, served);
  await row(page, 'qat').locator('td.c-name a').click();
  await expect(page.locator('.ribbon').first()).toBeVisible();
  // A link deep into it opens there.
  const address = `${page.url().replace(/#.*/, '')}#v=layers&sel=6`;
  await page.goto('about:blank');
  await page.goto(address);
  const view = page.locator('[aria-current=page]');
  await expect(view).toContainText('Layers');
  const version = page.locator('meta[name=planex-version]');
  const first = (await version.getAttribute('content')) ?? '';
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  halve(join(served.folder, 'runs/qat'));
  await expect(version).not.toHaveAttribute('content', first);
  await expect(view).toContainText('Layers');
  expect(page.url()).toBe(address);

  // What can't be read does not take away what is shown.
  const broken = readdirSync(join(served.folder, 'runs/qat')).find((name) =>
    name.endsWith('.graph.json'),
  );
  writeFileSync(join(served.folder, 'runs/qat', broken ?? ''), '{"Layers": [');
  await expect(page.locator('.served-state')).toHaveText('files changed and can’t be read');
  await expect(page.locator('.ribbon').first()).toBeVisible();
  expect(problems).toEqual([]);
  rmSync(join(served.folder, 'runs/qat'), { recursive: true });
  await expect(page.locator('.served-state')).toHaveText('files are gone');
  await served.stop();
  await expect(page.locator('.served-state')).toHaveText('planex serve has stopped');
  await expect(page.locator('.ribbon').first()).toBeVisible();
});

test('runs of one engine are a line', async ({ page, served }) => {
  served.add('resnet18-a100-qat', 'again');
  const day = 86_400;
  for (const [place, age] of [
    ['qat', 3],
    ['again', 1],
  ] as const) {
    const folder = join(served.folder, 'runs', place);
    const seconds = Date.now() / 1000 - age * day;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), seconds, seconds);
  }
  await page.goto(served.url);
  await expect(row(page, 'again').locator('.sparkline')).toHaveCount(1);
  await expect(row(page, 'again').locator('.trend')).toContainText('0.0 %');
  await expect(row(page, 'fp32').locator('.sparkline')).toHaveCount(0);
});

test('names of strangers stay text', async ({ page, served, problems }) => {
  await openIndex(page, served);
  await expect(row(page, 'hostile').locator('td.c-name')).toContainText('<img src=x');
  await expect(row(page, 'hostile').locator('td.c-name')).toContainText('⟨U+202E⟩');
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect(problems).toEqual([]);
});

test('says when the server is gone', async ({ page, served }) => {
  await openIndex(page, served);
  await served.stop();
  await expect(page.locator('.index-notice')).toContainText('no longer answers');
  await expect(page.locator('tbody tr')).toHaveCount(6);
});

for (const theme of ['light', 'dark'] as const) {
  test(`can be used by all, ${theme}`, async ({ page, served }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openIndex(page, served);
    await row(page, 'qat').getByRole('checkbox').check();
    await page.keyboard.press('q');
    await page.getByRole('textbox', { name: 'SQL' }).press('Control+Enter');
    await expect(page.locator('.sql-table tbody tr').first()).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    expect(await names(page)).toHaveLength(6);
  });
}
