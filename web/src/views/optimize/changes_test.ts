import { expect, it } from 'vitest';

import type { Ledger } from '../../public/index.ts';
import { changedOperations } from './changes.ts';

it('has the operations that changed most first, and none that did not change', () => {
  const deltas = [0, -0.2, null, 0.5, -0.5];
  const ledger = { count: deltas.length, deltaMs: (row: number) => deltas[row] ?? null };
  expect(changedOperations(ledger as unknown as Ledger, 0, 1)).toEqual([3, 4, 1]);
});
