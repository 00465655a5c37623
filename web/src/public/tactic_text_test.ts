import { describe, expect, it } from 'vitest';

import { kernelText, tacticTimeText } from './tactic_text.ts';

describe('texts of tactics', () => {
  it('give short times the digits that tell tactics apart', () => {
    expect(tacticTimeText(0.000041)).toBe('41 ns');
    expect(tacticTimeText(0.00207)).toBe('2.07 µs');
    expect(tacticTimeText(0.1834)).toBe('183 µs');
    expect(tacticTimeText(-0.00207)).toBe('−2.07 µs');
    expect(tacticTimeText(58.81)).toBe('58.8 ms');
    expect(tacticTimeText(null)).toBe('–');
  });

  it('name a kernel by its name, else by its number', () => {
    expect(kernelText('sm80_a', 'CaskConvolution', '0x1')).toBe('sm80_a');
    expect(kernelText(null, 'CaskConvolution', '0x1')).toBe('CaskConvolution 0x1');
    expect(kernelText(null, null, null)).toBe('–');
  });
});
