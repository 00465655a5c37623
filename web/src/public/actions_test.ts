import { describe, expect, it } from 'vitest';

import type { Action } from '../model/report_types.ts';
import { savingOf, savingText } from './actions.ts';

const action = (low: number | null, high: number | null): Action => ({
  rank: 1,
  what: 'Do it.',
  kind: 'edit',
  layers: [],
  estimated_ms: high,
  saving_low_ms: low,
  saving_high_ms: high,
  certainty: 'likely',
  command: null,
  findings: [0],
});

describe('what actions save', () => {
  it('is the sum of what is known', () => {
    const all = savingOf([action(0.25, 0.5), action(null, 0.25), action(null, null)]);
    expect(all).toEqual({ low: 0.25, high: 0.75 });
    expect(savingOf([action(null, 1)])).toEqual({ low: null, high: 1 });
    expect(savingOf([action(null, null)])).toEqual({ low: null, high: null });
  });

  it('is a range, and never zero where it is not known', () => {
    expect(savingText(0.112, 0.16)).toBe('0.112 to 0.160 ms');
    expect(savingText(null, 0.0614)).toBe('up to 0.0614 ms');
    expect(savingText(null, null)).toBe('not known');
  });
});
