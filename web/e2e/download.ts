// What a page saves.

import { readFileSync } from 'node:fs';

import type { Download, Locator, Page } from '@playwright/test';

// Chromium drops, in silence, what a page saves more than ten times in a second; no user clicks so fast.
const kSavedInASecond = 10;
const kSecondMs = 1100;
const savedAt: number[] = [];

export async function downloaded(page: Page, click: () => Promise<void>): Promise<Download> {
  const free = (savedAt.at(-kSavedInASecond) ?? 0) + kSecondMs;
  if (free > Date.now()) await page.waitForTimeout(free - Date.now());
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  // Now, not at the click: what is saved first can take a second to be made, and the rest no time.
  savedAt.push(Date.now());
  return download;
}

export async function savedBy(button: Locator): Promise<Buffer> {
  const download = await downloaded(button.page(), () => button.click());
  return readFileSync(await download.path());
}
