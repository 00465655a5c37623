// The explorer as a server gives it, and what is dropped on it. tools/page.sh builds it.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve, sep } from 'node:path';

import { expect, test as base, type Page } from '@playwright/test';

import type { PlanexConsole } from '../src/engines/console.ts';
import { isChosen } from './chosen.ts';
import { complaintsOf } from './faults.ts';

export const kBuilt = resolve(import.meta.dirname, '../../dist/explorer');
export const kData = resolve(
  process.env.PLANEX_TEST_DATA ?? join(import.meta.dirname, '../../../shared/data'),
);
export const kEngines = join(kData, 'engines');
export const kProgram = process.env.PLANEX_BIN ?? '';

export const kMissing =
  (process.env.PLANEX_CORE ?? '') === '' || !existsSync(join(kBuilt, 'index.html'))
    ? 'needs PLANEX_CORE, the core as WebAssembly, and the page that tools/page.sh builds with it'
    : null;

export const enginesOf = (place: string): readonly string[] =>
  existsSync(place)
    ? readdirSync(place, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .filter(isChosen)
    : [];

const kTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  wasm: 'application/wasm',
};

function serve(extra: Readonly<Record<string, string>>): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').replace(/[?#].*/, ''));
    const place = extra[path] ?? join(kBuilt, path.endsWith('/') ? `${path}index.html` : path);
    if (extra[path] === undefined && !place.startsWith(kBuilt + sep)) {
      response.writeHead(404).end();
      return;
    }
    try {
      const type = kTypes[place.split('.').pop() ?? ''] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type }).end(readFileSync(place));
    } catch {
      response.writeHead(404).end();
    }
  });
}

export interface Explorer {
  readonly url: string;
  // Files elsewhere that the server has, too, by their address.
  readonly extra: Record<string, string>;
}

export const test = base.extend<
  { readonly problems: string[]; readonly open: Page },
  { readonly explorer: Explorer }
>({
  explorer: [
    // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
    async ({}, use) => {
      const extra: Record<string, string> = {};
      const server = serve(extra);
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      const { port } = server.address() as AddressInfo;
      await use({ url: `http://127.0.0.1:${String(port)}/`, extra });
      await new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      });
    },
    { scope: 'worker' },
  ],
  // Complaints of the page, and requests to anybody but its own server.
  problems: async ({ page, explorer }, use) => {
    const isOwn = (address: string): boolean =>
      address.startsWith(explorer.url) || address.startsWith('file:');
    await use(complaintsOf(page, isOwn));
  },
  // With nothing open yet.
  open: async ({ page, explorer }, use) => {
    await page.goto(explorer.url);
    await use(page);
  },
});

// What the page offers in the console.
export function ask(
  page: Page,
  verb: string,
  options: Readonly<Record<string, string>> = {},
  engine: number | 'all' = 0,
): Promise<string> {
  return page.evaluate(
    ([name, words, which]) =>
      (globalThis as unknown as { planex: PlanexConsole }).planex.call(name, words, which),
    [verb, options, engine] as const,
  );
}

// Chooses files, or a folder, with the browser's own dialog. A page that is being drawn may lose a click.
export async function choose(page: Page, paths: string | readonly string[]): Promise<void> {
  const isFolder = typeof paths === 'string';
  const button = page
    .getByRole('button', { name: isFolder ? 'Choose a folder' : 'Choose files' })
    .first();
  const timeout = 5000;
  await expect(async () => {
    const [opened] = await Promise.all([
      page.waitForEvent('filechooser', { timeout }),
      button.click({ timeout }),
    ]);
    await opened.setFiles(isFolder ? paths : [...paths]);
  }).toPass({ timeout: 60_000 });
}

// Drops files as a browser would: their names and contents, without a disk.
export async function drop(
  page: Page,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  const packed = Object.entries(files).map(
    ([name, content]) => [name, Buffer.from(content).toString('base64')] as const,
  );
  const transfer = await page.evaluateHandle((contents) => {
    const made = new DataTransfer();
    for (const [name, text] of contents) {
      made.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    return made;
  }, packed);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
