// A figure of a view, and what it saves.

import { expect, type Locator, type Page } from '@playwright/test';

import { savedBy } from './download.ts';

export function figure(page: Page, id: string): Locator {
  return page.locator(`[data-figure=${id}]`);
}

export async function saved(
  page: Page,
  id: string,
  button: 'CSV' | 'SVG' | 'PNG',
): Promise<Buffer> {
  return savedBy(figure(page, id).getByRole('button', { name: button, exact: true }));
}

// RFC 4180: a quoted field may hold commas and quotes, and here no line break.
function fields(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

async function records(page: Page, id: string): Promise<readonly (readonly string[])[]> {
  return (await saved(page, id, 'CSV')).toString('utf8').trim().split('\n').map(fields);
}

// Without its head.
export async function csv(page: Page, id: string): Promise<readonly (readonly string[])[]> {
  return (await records(page, id)).slice(1);
}

export async function csvByColumn(
  page: Page,
  id: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const [names = [], ...rows] = await records(page, id);
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i] ?? '', cell])));
}

// It has a name, a table in its place, lines that are XML, and pixels.
export async function expectTwins(page: Page, id: string, minRows: number): Promise<void> {
  const one = figure(page, id);
  await expect(one.getByRole('img').first()).toHaveAttribute('aria-label', /table/);
  await one.getByRole('button', { name: 'table', exact: true }).click();
  expect(await one.locator('tbody tr').count()).toBeGreaterThan(minRows);
  await expect(one.getByRole('img').first()).toBeHidden();
  await one.getByRole('button', { name: 'chart', exact: true }).click();
  await expect(one.getByRole('img').first()).toBeVisible();
  const svg = (await saved(page, id, 'SVG')).toString('utf8');
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toContain('NaN');
  // On a page without a policy against the picture's styles.
  const blank = await page.context().newPage();
  const fault = await blank.evaluate(
    (text) =>
      new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')
        ?.textContent ?? null,
    svg,
  );
  await blank.close();
  expect(fault).toBeNull();
  expect((await saved(page, id, 'PNG')).subarray(1, 4).toString('latin1')).toBe('PNG');
}
