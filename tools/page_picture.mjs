// Takes a picture of a page as a reader sees it once everything on it is drawn:
//
//   node tools/page_picture.mjs PAGE_URL OUT.png light|dark
//
// CHROMIUM names the browser. Chromium's own --screenshot does not wait for workers.
import process from 'node:process';

import { chromium } from '../web/node_modules/playwright-core/index.mjs';

const [url, out, colorScheme] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  // A window that Chromium opens as root has no sandbox; the page is our own.
  args: ['--no-sandbox', '--hide-scrollbars'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
await page.goto(url);
await page.getByText('laying out').waitFor({ state: 'hidden' });
await page.evaluate(() => document.fonts.ready);
await page.waitForTimeout(500); // the last frames
await page.screenshot({ path: out });
await browser.close();
