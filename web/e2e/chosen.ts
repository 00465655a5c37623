// What a test of everything takes: of engines those of tests/chosen_engines.txt, of pages, sizes and looks
// the first; with PLANEX_TEST_ENGINES=all all of them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const kTakesAll = process.env.PLANEX_TEST_ENGINES === 'all';

const kChosen = new Set(
  readFileSync(resolve(import.meta.dirname, '../../tests/chosen_engines.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

export const isChosen = (folder: string): boolean => kTakesAll || kChosen.has(folder);

export const someOf = <T>(all: readonly T[], count = 1): readonly T[] =>
  kTakesAll ? all : all.slice(0, count);

// Themes with widths of the window: a light wide page and a dark narrow one come first.
export function looksOf(
  widths: readonly number[],
): readonly (readonly ['light' | 'dark', number])[] {
  const wide = Math.max(...widths);
  const narrow = Math.min(...widths);
  const first = [
    ['light', wide],
    ['dark', narrow],
  ] as const;
  const others = widths.flatMap((width) =>
    (['light', 'dark'] as const)
      .filter((theme) => !first.some(([t, w]) => t === theme && w === width))
      .map((theme) => [theme, width] as const),
  );
  return someOf([...first, ...others], first.length);
}
