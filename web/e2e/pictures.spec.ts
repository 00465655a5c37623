// Takes pictures of the fixtures to look at. Off by default:
//   PLANEX_PICTURES=/tmp/shots PLANEX_SHOTS="single compare@v=layers&sel=6@900@1100@dark" npm run e2e -- pictures
// Each shot is page@link@width@height@theme.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { test } from '@playwright/test';

import { kFixtures, makeFixtures } from './fixtures.ts';

const folder = process.env.PLANEX_PICTURES;
const kDefault =
  'single single@v=layers&sel=6 single@@900@1100@dark compare names-only blocks@v=layers&sort=-time&sel=12@1440@900@dark large no-times';

test('pictures', async ({ browser }) => {
  test.skip(folder === undefined, 'PLANEX_PICTURES is not set');
  test.setTimeout(120_000);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  makeFixtures();
  for (const shot of (process.env.PLANEX_SHOTS ?? kDefault).split(' ')) {
    const [page = '', hash = '', width = '1440', height = '900', theme = 'light'] = shot.split('@');
    const context = await browser.newContext({
      viewport: { width: Number(width), height: Number(height) },
      colorScheme: theme === 'dark' ? 'dark' : 'light',
    });
    const tab = await context.newPage();
    tab.on('console', (message) => process.stderr.write(`${page}: ${message.text()}\n`));
    tab.on('pageerror', (error) =>
      process.stderr.write(`${page}: ${error.stack ?? error.message}\n`),
    );
    await tab.goto(`${pathToFileURL(join(kFixtures, `${page}.html`)).href}#${hash}`);
    await tab.waitForSelector('.frame');
    await tab.waitForTimeout(200);
    const name = `${page}-${hash.replace(/[^a-z0-9]+/gi, '_')}-${width}-${theme}.png`;
    await tab.screenshot({ path: join(folder, name) });
    await context.close();
  }
});
