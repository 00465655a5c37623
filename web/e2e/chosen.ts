// Which engines a test of every engine takes: those of tests/chosen_engines.txt, or all of them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const kTakesAll = process.env.PLANEX_TEST_ENGINES === 'all';

const kChosen = new Set(
  readFileSync(resolve(import.meta.dirname, '../../tests/chosen_engines.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

export const isChosen = (folder: string): boolean => kTakesAll || kChosen.has(folder);
