// Each view looks as it did: a picture at the size of the design, kept in looks/. What differs by fonts
// and their smoothing is tolerated; a part that is gone, moved or in another colour is not.
//
// After an intended change, look at what changed, and write them again:
//   npm --prefix web run e2e -- looks.spec.ts --update-snapshots

import { expect } from '@playwright/test';

import { open, test } from './page.ts';

test.skip(process.env.PLANEX_REPORT_DIR === undefined, 'needs reports of the program');

const kLooks = [
  ['overview', 'single', 'v=overview', 'light'],
  ['layers', 'single', 'v=layers&sel=6', 'light'],
  ['graph', 'single', 'v=graph&sel=6', 'dark'],
  ['timing', 'single', 'v=timing', 'light'],
  ['memory', 'single', 'v=memory', 'dark'],
  ['precision', 'single', 'v=precision', 'light'],
  ['work', 'single', 'v=work', 'light'],
  ['findings', 'single', 'v=findings', 'dark'],
  ['compare', 'compare', 'v=compare', 'light'],
  ['files', 'single', 'v=files', 'light'],
  ['sweep', 'sweep', 'v=sweep', 'light'],
  ['sweep-cell', 'sweep', 'v=sweep&sweep.cell=batch-4_threads-1_precision-f32', 'dark'],
  ['optimize', 'optimize', 'v=optimize', 'light'],
  ['names-only', 'names-only', 'v=overview', 'light'],
] as const;

for (const [look, name, link, theme] of kLooks) {
  test(`${look}, ${theme}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await open(page, name, link);
    // Where the engines lie on this machine is nobody's business, and differs.
    await page.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        text.data = text.data.replaceAll(/\/\S*\/engines\//g, 'engines/');
      }
    });
    await expect(page).toHaveScreenshot(`${look}.png`, {
      animations: 'disabled',
      caret: 'hide',
      maxDiffPixelRatio: 0.04,
      threshold: 0.3,
    });
  });
}
