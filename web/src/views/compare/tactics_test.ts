import { describe, expect, it } from 'vitest';

import type { TacticDifference } from '../../public/index.ts';
import { reasonText } from './tactics.ts';

const kLayer: TacticDifference = {
  layer: 'conv',
  a_runner: 'Cask',
  a_tactic: '1',
  a_tactic_name: null,
  a_ms: 0.01,
  b_runner: 'Cask',
  b_tactic: '2',
  b_tactic_name: null,
  b_ms: 0.01,
  are_formats_same: true,
  are_candidates_same: true,
  a_margin_ms: 0.0002,
  b_margin_ms: 0.0003,
  is_within_noise: null,
};

describe('why builds chose other kernels', () => {
  it('is by how much the other winner lost in each', () => {
    expect(reasonText(kLayer)).toBe(
      'same candidates, a different winner by 200 ns in A, 300 ns in B',
    );
    expect(reasonText({ ...kLayer, is_within_noise: true })).toMatch(/, within the noise$/);
  });

  it('is the formats, where those differ', () => {
    const other = {
      ...kLayer,
      are_formats_same: false,
      are_candidates_same: false,
      a_margin_ms: null,
      b_margin_ms: null,
    };
    expect(reasonText(other)).toBe('other formats');
  });

  it('is the candidates, where a build did not have the winner of the other', () => {
    const other = { ...kLayer, are_candidates_same: false, b_margin_ms: null };
    expect(reasonText(other)).toBe('other candidates, a different winner by 200 ns in A');
  });
});
