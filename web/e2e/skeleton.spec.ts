// A view that tools/new_view.sh adds works as it is: it passes the compiler, is built into the page,
// and shows layers as a picture and a table.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { expect } from '@playwright/test';

import { fill, readData } from './fixtures.ts';
import { kFolder, test } from './page.ts';

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');
test.setTimeout(180_000);

const kRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');
const kLeftOut = ['node_modules', 'dist', 'test-results', 'e2e'];

test('a view of the skeleton is one folder and one line', async ({ page }) => {
  // Not in the folder of results, which lies in what is copied.
  const copy = mkdtempSync(join(tmpdir(), 'planex-skeleton-'));
  cpSync(join(kRoot, 'web'), join(copy, 'web'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !kLeftOut.includes(path.slice(kRoot.length + 1).split(sep)[1] ?? ''),
  });
  cpSync(join(kRoot, 'tools/new_view.sh'), join(copy, 'tools/new_view.sh'));
  for (const place of ['web/node_modules', 'src', 'data', 'examples']) {
    symlinkSync(join(kRoot, place), join(copy, place));
  }
  const web = join(copy, 'web');
  const registry = (): string[] =>
    readFileSync(join(web, 'src/views/order.ts'), 'utf8').split('\n');
  const before = registry();
  execFileSync(join(copy, 'tools/new_view.sh'), ['longest-layers', "What's longest"]);
  expect(registry().filter((line) => !before.includes(line))).toEqual(["  'longest-layers',"]);
  expect(registry().length).toBe(before.length + 1);
  // What `npm run typecheck` does, of the sources alone.
  writeFileSync(join(web, 'tsconfig.copy.json'), '{"extends":"./tsconfig.json","include":["src"]}');
  const run = (tool: string, ...words: readonly string[]): void => {
    execFileSync(join(web, 'node_modules/.bin', tool), words, { cwd: web, stdio: 'pipe' });
  };
  run('tsc', '--project', 'tsconfig.copy.json');
  run('vite', 'build');

  const data = readData(readFileSync(join(kFolder, 'single.html'), 'utf8'));
  const file = join(copy, 'report.html');
  writeFileSync(file, fill(data, 'deflate-base64', join(web, 'dist/report.html')));
  await page.goto(`${pathToFileURL(file).href}#v=longest-layers`);
  await expect(page.locator('.tab[aria-current="page"]')).toContainText("What's longest");
  await expect(page.locator('.conclusion')).toContainText('% of Σ');
  await expect(page.locator('[data-figure="longest-layers-longest"] canvas').first()).toBeVisible();
  await expect(page.getByRole('table').getByRole('row').nth(10)).toBeVisible();
  rmSync(copy, { recursive: true });
});
