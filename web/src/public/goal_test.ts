import { expect, it } from 'vitest';

import { goalDb } from './goal.ts';

it('is a line in a picture where it is in dB', () => {
  expect(goalDb('20 dB')).toBe(20);
  expect(goalDb('-3.5 dB')).toBe(-3.5);
  expect([goalDb('top1=99%'), goalDb('same'), goalDb('1.2.3 dB'), goalDb(null)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
