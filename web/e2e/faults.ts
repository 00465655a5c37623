// What is wrong with the page as it stands, whatever it shows.

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

export async function graveViolations(page: Page): Promise<readonly string[]> {
  // To list what passes takes longer than to find what does not. In legacy mode, as the other one
  // lists it between frames, which the page has none of.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map(
      (v) =>
        `${v.id}: ${v.help}: ${v.nodes
          .map((n) => n.html.slice(0, 120))
          .slice(0, 3)
          .join(' | ')}`,
    );
}

// What the page complains of from now on, and whatever it asks of anybody else; texts that it made itself
// are nobody's.
export function complaintsOf(page: Page, isOwn: (address: string) => boolean): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!/^(blob|data):/.test(address) && !isOwn(address)) problems.push(address);
  });
  return problems;
}

// Numbers that are cut, names of blocks that touch, and a page that is wider than its window.
export function cutThings(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const list: string[] = [];
    const shown = (node: Element): boolean => node.getClientRects().length > 0;
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) list.push(`the page is ${String(wide)} px wider than its window`);
    for (const cell of document.querySelectorAll('td.right, th.right, td.by')) {
      if (shown(cell) && cell.scrollWidth > cell.clientWidth + 1) {
        list.push(`cut: ${cell.textContent.slice(0, 40)} (${cell.className})`);
      }
    }
    // Each tells where it ends; the names in them must not run into one another.
    let end = Number.NEGATIVE_INFINITY;
    for (const bracket of document.querySelectorAll('.bracket')) {
      const range = document.createRange();
      range.selectNodeContents(bracket);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      if (box.left < end + 2) list.push(`touches the one before: ${bracket.textContent}`);
      end = box.right;
    }
    return [...new Set(list)].slice(0, 8);
  });
}
