import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { edgeWidth, labelLines, type EdgeFacts, type LabelLine } from './edge_facts.ts';

const facts: EdgeFacts = {
  kind: 'data',
  dims: '32×64×56×56',
  dtype: 'FP16',
  layout: 'NC/32HW32',
  bytes: 12_845_056,
  width: 2,
};
const text = (lines: readonly LabelLine[]): readonly string[] =>
  lines.map((line) => line.map((part) => part.text).join(''));

describe('edges', () => {
  it('are as wide as those of the program', () => {
    const file = join(import.meta.dirname, '../../../tests/data/number_cases.json');
    const cases = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly edge_width: readonly (readonly [number, number])[];
    };
    for (const [bytes, width] of cases.edge_width) expect(edgeWidth(bytes)).toBeCloseTo(width);
    expect(edgeWidth(null)).toBe(edgeWidth(0));
  });
  it('say what flows', () => {
    const request = { facts, count: 1, isCompact: false, isResidual: false };
    expect(text(labelLines(request))).toEqual(['32×64×56×56 FP16 NC/32HW32 · 12.8 MB']);
    expect(text(labelLines({ ...request, isCompact: true, isResidual: true }))).toEqual([
      'residual FP16',
      '32×64×56×56',
      'NC/32HW32 · 12.8 MB',
    ]);
  });
  it('say how many they stand for, and what they are where no tensor flows', () => {
    const request = { facts, count: 3, isCompact: true, isResidual: false };
    expect(text(labelLines(request))[0]).toBe('FP16 ×3');
    const signal: EdgeFacts = {
      ...facts,
      kind: 'event',
      dims: '',
      dtype: null,
      layout: '',
      bytes: null,
    };
    expect(text(labelLines({ ...request, facts: signal }))).toEqual(['waits for']);
  });
  it('say the same in more and shorter lines where there is little room', () => {
    const request = { facts, count: 1, isCompact: false, isResidual: false };
    expect(text(labelLines(request, true))).toEqual(['32×64×56×56 FP16 ', 'NC/32HW32 · 12.8 MB']);
    expect(text(labelLines({ ...request, isCompact: true }, true))).toEqual([
      'FP16',
      '32×64×56×56',
      'NC/32HW32',
      '12.8 MB',
    ]);
  });
  it('leave out what is not known', () => {
    const unknown = { ...facts, dtype: null, layout: '', bytes: null };
    const request = { facts: unknown, count: 1, isCompact: true, isResidual: true };
    expect(text(labelLines(request))).toEqual(['residual', '32×64×56×56']);
  });
});
