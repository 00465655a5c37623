// What the tests share: where the reports are, what is in them, and a page that notes every complaint.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';

import { kViewIds } from '../src/views/order.ts';
import { kFixtures, readData } from './fixtures.ts';

export const kFolder = process.env.PLANEX_REPORT_DIR ?? kFixtures;

export interface Column {
  readonly values: readonly (number | null)[];
}
export interface WireEngine {
  readonly label?: string;
  readonly summary: {
    readonly engine: { readonly name: string };
    readonly layer_count: number;
    readonly time: {
      readonly layers_median_ms: number | null;
      readonly layers_mean_ms: number | null;
      readonly end_to_end: { readonly median_ms: number } | null;
    };
    readonly by_type: readonly { readonly type: string; readonly count: number }[];
    readonly missing: readonly { readonly command: string | null }[];
  };
  readonly strings: readonly string[];
  readonly tables: { readonly layers: { readonly columns: Readonly<Record<string, Column>> } };
}
export interface WireReport {
  readonly engines: readonly WireEngine[];
}

// Everything behind the # of the address.
export const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

export function pathOf(name: string): string {
  return join(kFolder, `${name}.html`);
}

export function dataOf(name: string): WireReport {
  return readData(readFileSync(pathOf(name), 'utf8')) as WireReport;
}

export function first(name: string): WireEngine {
  const [engine] = dataOf(name).engines;
  if (engine === undefined) throw new Error(`${name} holds no engine`);
  return engine;
}

// What the page complained about, and whether it reached for anything but its own file.
export interface Watch {
  readonly problems: string[];
}

export const test = base.extend<{ readonly watch: Watch }>({
  watch: [
    async ({ page, context }, use) => {
      const watch: Watch = { problems: [] };
      await guard(context, watch);
      page.on('console', (m) => {
        if (m.type() === 'error' || m.type() === 'warning')
          watch.problems.push(`console: ${m.text()}`);
      });
      page.on('pageerror', (e) => watch.problems.push(`error: ${e.message}`));
      page.on('dialog', (d) => {
        watch.problems.push(`dialog: ${d.message()}`);
        void d.dismiss();
      });
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (e) => {
          console.error(`CSP: ${e.violatedDirective} ${e.blockedURI}`);
        });
      });
      await use(watch);
      expect(watch.problems).toEqual([]);
    },
    { auto: true },
  ],
});

async function guard(context: BrowserContext, watch: Watch): Promise<void> {
  await context.route(
    (url) => !['file:', 'data:', 'blob:'].includes(url.protocol),
    (route) => {
      watch.problems.push(`network: ${route.request().url()}`);
      return route.abort();
    },
  );
}

// A hundred thousand layers, on a machine with other work.
const kOpening = 120_000;

export async function open(page: Page, name: string, hash = ''): Promise<void> {
  await page.goto(`${pathToFileURL(pathOf(name)).href}${hash === '' ? '' : `#${hash}`}`);
  await expect(page.locator('.frame')).toBeVisible({ timeout: kOpening });
  await expect(page.locator('#static')).toHaveCount(0, { timeout: kOpening });
  // The frame stands before its view does, and keys are for the view.
  await expect(page.locator('.view > *').first()).toBeAttached({ timeout: kOpening });
}

// The views that the open page has, as addresses name them.
export const viewsOf = (page: Page): Promise<readonly string[]> =>
  page
    .locator('nav.tabs a.tab')
    .evaluateAll((tabs) =>
      tabs.map((tab) => /[#&]v=([a-z-]+)/.exec(tab.getAttribute('href') ?? '')?.[1] ?? ''),
    );

// Of the reports of the program, those that have views that others have not.
const kAlone = ['sweep', 'optimize', 'accuracy', 'tactics', 'carried'] as const;

// Opens each view of these reports and looks at it, and each other view that the page's registry has in a
// report that has it: none is left out.
export async function everyView(
  page: Page,
  names: readonly string[],
  look: (view: string, name: string) => Promise<void>,
  more: (name: string) => string = () => '',
): Promise<void> {
  const seen = new Set<string>();
  const isReal = kFolder !== kFixtures;
  for (const name of isReal ? [...names, ...kAlone] : names) {
    await open(page, name);
    const there = await viewsOf(page);
    const views = names.includes(name) ? there : there.filter((view) => !seen.has(view));
    for (const view of views) {
      seen.add(view);
      await open(page, name, `v=${view}${more(name)}`);
      await expect(page.locator(`nav.tabs [aria-current='page'][href*='v=${view}']`)).toBeVisible();
      await look(view, name);
    }
  }
  if (isReal) expect([...seen].sort()).toEqual([...kViewIds].sort());
}

// As the page writes counts.
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
