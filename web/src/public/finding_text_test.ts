import { describe, expect, it } from 'vitest';

import { evidenceFacts, fixParts, sentence } from './finding_text.ts';

describe('fixParts', () => {
  it('keeps line breaks and tells code from words', () => {
    expect(fixParts('Do this:\nthen that\n  a = 1\n    b = 2\n\nAfterwards.')).toEqual([
      { kind: 'words', text: 'Do this:\nthen that' },
      { kind: 'code', text: 'a = 1\n  b = 2' },
      { kind: 'words', text: 'Afterwards.' },
    ]);
  });

  it('takes what is fenced as code, also unindented', () => {
    expect(fixParts('```python\nx = q(y)\n```\nDone')).toEqual([
      { kind: 'code', text: 'x = q(y)' },
      { kind: 'words', text: 'Done' },
    ]);
    expect(fixParts('')).toEqual([]);
    expect(fixParts('\n  \n')).toEqual([]);
  });

  it('is fast with long texts', () => {
    const long = `${' '.repeat(50_000)}x\n`.repeat(20);
    expect(fixParts(long)).toHaveLength(1);
  });
});

describe('evidenceFacts', () => {
  it('parts facts, and leaves names whole', () => {
    expect(evidenceFacts('"a; b" FP16; read by "c\\"; d"; 3 µs')).toEqual([
      '"a; b" FP16',
      'read by "c\\"; d"',
      '3 µs',
    ]);
    expect(evidenceFacts('')).toEqual([]);
    expect(evidenceFacts('one fact;')).toEqual(['one fact;']);
  });
});

describe('sentence', () => {
  it('begins large and ends', () => {
    expect(sentence('a phrase')).toBe('A phrase.');
    expect(sentence('Is it? ')).toBe('Is it?');
    expect(sentence('')).toBe('');
  });
});
