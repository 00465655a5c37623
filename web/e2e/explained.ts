// What the tests of views share: the documents that planex wrote of the same engine beside the report,
// and that all fits.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import { kFolder } from './page.ts';

// `planex explain TOPIC --format json` of the engine of NAME.html.
export function explained(name: string, topic: string): unknown {
  return JSON.parse(readFileSync(join(kFolder, `${name}.${topic}.json`), 'utf8'));
}

// A number of a document and one of the page or a CSV: figures of bounds are rounded to seven digits.
export function same(shown: string | undefined, value: number | null, what: string): void {
  if (value === null) expect(shown, what).toBe('');
  else expect(Number(shown) / value || (value === 0 ? 1 : 0), what).toBeCloseTo(1, 6);
}

// Nothing is wider than its place: not the page, not the view, not a figure's head.
export async function expectFits(page: Page): Promise<void> {
  const over = await page.evaluate(() => {
    const view = document.querySelector('.view');
    const wide = (node: Element | null): number =>
      node === null ? 0 : node.scrollWidth - node.clientWidth;
    return {
      page: document.documentElement.scrollWidth - window.innerWidth,
      view: wide(view),
      heads: [...document.querySelectorAll('.view .section-title')].filter((n) => wide(n) > 1)
        .length,
    };
  });
  expect(over).toEqual({ page: 0, view: 0, heads: 0 });
}
