// The Files view on pages that planex wrote: what was read is what `planex doctor` and `planex query`
// say, and the commands it gives are ones that run. Views whose needs are not met all say so alike.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, type Page } from '@playwright/test';

import { kFixtures, makeFixtures } from './fixtures.ts';
import { first, kFolder, open, test, type Column, type WireEngine } from './page.ts';

const kHere = dirname(fileURLToPath(import.meta.url));
const kProgram = resolve(process.env.PLANEX_BIN ?? join(kHere, '../../build/release/planex'));
const isReal = kFolder !== kFixtures;

function texts(engine: WireEngine, table: string, name: string): readonly string[] {
  const tables = engine.tables as unknown as Readonly<
    Record<string, { readonly columns: Readonly<Record<string, Column>> }>
  >;
  return (tables[table]?.columns[name]?.values ?? []).map((i) => engine.strings[i ?? -1] ?? '');
}

const run = (line: string, cwd: string): string =>
  execFileSync('sh', ['-c', line.replace(/^planex/, `'${kProgram}'`)], { cwd, encoding: 'utf8' });

async function commands(page: Page): Promise<readonly string[]> {
  return page
    .locator('.command code')
    .evaluateAll((nodes) => nodes.map((n) => n.textContent.trim()));
}

test.beforeAll(() => {
  if (!isReal) makeFixtures();
});

test('files, with the hash of what lies there', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const engine = first('single');
  const paths = texts(engine, 'files', 'file');
  await open(page, 'single', 'v=files');
  await expect(page.locator('.tab.on .count')).toHaveText(String(paths.length));
  const rows = page.locator('table.files').first().locator('tbody tr');
  await expect(rows).toHaveCount(paths.length);
  for (const [i, path] of paths.entries()) {
    await expect(rows.nth(i).locator('td').first()).toHaveAttribute('title', path);
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    await expect(rows.nth(i).locator('code')).toHaveText(hash.slice(0, 12));
  }
  await expect(page.locator('.conclusion')).toContainText(`${String(paths.length)} files read`);
});

interface Doctor {
  readonly files: readonly {
    readonly file: string;
    readonly used: boolean;
    readonly kind: string | null;
    readonly record_count: number | null;
    readonly joined_count: number | null;
  }[];
  readonly missing: readonly {
    readonly what: string;
    readonly consequence: string;
    readonly command: string | null;
  }[];
  readonly diagnostics: readonly { readonly code: string; readonly count: number }[];
}

// As the page groups digits.
const digits = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u2009');

for (const name of ['single', 'logs', 'no-profile', 'openvino']) {
  test(`${name}: files, diagnostics and what is missing are those of planex doctor`, async ({
    page,
  }) => {
    test.skip(!isReal, 'needs pages that planex wrote');
    const text = readFileSync(join(kFolder, `${name}.doctor.json`), 'utf8');
    const doctor = JSON.parse(text) as Doctor;
    await open(page, name, 'v=files');
    const used = doctor.files.filter((file) => file.used);
    const rows = page.locator('table.files').first().locator('tbody tr');
    await expect(rows).toHaveCount(used.length);
    for (const [i, file] of used.entries()) {
      const cells = rows.nth(i).locator('td');
      await expect(cells.nth(0)).toHaveAttribute('title', file.file);
      await expect(cells.nth(1)).toHaveText(file.kind ?? '–');
      await expect(cells.nth(3)).toHaveText(
        file.record_count === null ? '–' : digits(file.record_count),
      );
      const joined = file.joined_count === file.record_count ? 'all' : /^\d+ of \d+$/;
      await expect(cells.nth(4)).toHaveText(file.joined_count === null ? '–' : joined);
    }
    for (const piece of doctor.missing) {
      const item = page.locator('.missing-item', { hasText: piece.what }).first();
      await expect(item).toContainText(piece.consequence);
      if (piece.command !== null) {
        expect((await commands(page)).includes(piece.command), piece.command).toBe(true);
      }
    }
    await expect(page.locator('.oddity')).toHaveCount(
      new Set(doctor.diagnostics.map((d) => d.code)).size,
    );
    for (const { code, count } of doctor.diagnostics) {
      const odd = page.locator('.oddity', { hasText: code }).first();
      await expect(odd).toContainText(count > 1 ? `${String(count)} times` : code);
    }
  });
}

test('diagnostics and metadata are all there', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  const engine = first('logs');
  await open(page, 'logs', 'v=files');
  const codes = texts(engine, 'diagnostics', 'code');
  expect(codes.length).toBeGreaterThan(3);
  await expect(page.locator('.oddity')).toHaveCount(new Set(codes).size);
  await expect(page.locator('.files-view')).toContainText(`${String(codes.length)} irregularities`);
  const sections = texts(engine, 'metadata', 'section');
  const headings = page.locator('.metadata-section');
  await expect(headings).toHaveCount(new Set(sections).size);
  const options = sections.filter((section) => section === 'build_options').length;
  const build = headings.filter({ hasText: /^build options \d+ rows/ }).first();
  await build.locator('summary').click();
  await expect(build.locator('tr')).toHaveCount(options);
  // What was open stays open when the filter changes.
  await page.keyboard.press('m');
  await expect(build.locator('tr')).toHaveCount(options);
  // The log's own command line, and files beside it that were left alone.
  expect((await commands(page)).some((line) => line.startsWith('trtexec --onnx=model.onnx'))).toBe(
    true,
  );
  await expect(page.locator('.files-view')).toContainText('Not read');
});

test('the commands run, and give the same', async ({ page }) => {
  test.skip(!isReal || !existsSync(kProgram), 'needs the program');
  await open(page, 'single', 'v=files&f=type:Reformat');
  const lines = await commands(page);
  const folder = mkdtempSync(join(tmpdir(), 'planex-files-'));
  const report = lines.find((line) => line.startsWith('planex report '));
  expect(report).toMatch(/ -o report\.html$/);
  run(report ?? '', folder);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toBe(
    readFileSync(join(kFolder, 'single.html'), 'utf8'),
  );
  const layers = lines.find((line) => line.startsWith('planex layers '));
  const table = JSON.parse(run(`${layers ?? ''} --format json`, folder)) as {
    readonly rows: readonly unknown[];
  };
  await expect(page.locator('.tally')).toContainText(`${String(table.rows.length)} of`);
  for (const line of lines.filter((l) => /^planex (doctor|lint) /.test(l))) run(line, folder);
});

test('with several engines, of the one that is switched to', async ({ page }) => {
  test.skip(!isReal, 'needs pages that planex wrote');
  await open(page, 'compare', 'v=files');
  await expect(page.locator('table.files').first()).toContainText('graph.json');
  const before = await page.locator('.section-title').first().textContent();
  await page.getByRole('combobox', { name: 'Engine' }).selectOption({ index: 2 });
  await expect(page.locator('.section-title').first()).not.toHaveText(before ?? '');
  expect((await commands(page)).filter((line) => line.startsWith('planex report ')).join()).toMatch(
    /fp32.*fp16.*qat /,
  );
});

// They show what there is, and say themselves what is missing.
const kOwnWords = ['Timing', 'Precision', 'Convolutions & GEMMs'];

test('views that lack something say what, and how to get it', async ({ page }) => {
  await open(page, isReal ? 'bare' : 'names-only');
  const off = page.locator('.tab.off');
  const titles = await off.evaluateAll((tabs) =>
    tabs.map((tab) => tab.firstChild?.textContent ?? ''),
  );
  expect(titles.length).toBeGreaterThan(0);
  for (const title of titles) {
    await page.getByRole('link', { name: new RegExp(`^${title.replace('&', '.')}`) }).click();
    await expect(
      page.locator('.view .command:visible, .view .missing code:visible').first(),
    ).toBeVisible();
    await expect(page.locator('.view canvas')).toHaveCount(0);
    if (kOwnWords.includes(title)) continue;
    await expect(page.locator('.view.unmet-view')).toContainText(`${title} needs `);
  }
  // And the overview has the list.
  await page.keyboard.press('1');
  const table = page.locator('table.needs');
  for (const title of titles) {
    await expect(table.locator('tr', { hasText: title }).first()).toContainText('missing');
  }
});
