import { describe, expect, it } from 'vitest';

import { namePattern } from './equal_layers.ts';

describe('patterns of names', () => {
  it('leave out numbers and hashes', () => {
    expect(namePattern('_gemm_mha_v2_myl0_12')).toBe(namePattern('_gemm_mha_v2_myl0_77'));
    expect(namePattern('__myl_MulAdd_0xdeadbeef12')).toBe(namePattern('__myl_MulAdd_0x12345678ab'));
    expect(namePattern('layer1.0.conv1')).toBe('layer#.#.conv#');
  });
  it('keep words, also those made of hexadecimal letters', () => {
    expect(namePattern('facade.decade')).toBe('facade.decade');
  });
});
