import { describe, expect, it } from 'vitest';

import { csvField, middleEllipsis, visible } from './text.ts';

const kMono = (text: string): number => text.length;

describe('middleEllipsis', () => {
  it('keeps what fits', () => {
    expect(middleEllipsis('conv1', 5, kMono)).toBe('conv1');
  });
  it('keeps more of the head than of the tail', () => {
    const cut = middleEllipsis('a'.repeat(50) + 'z'.repeat(50), 21, kMono);
    expect(cut).toBe(`${'a'.repeat(11)}…${'z'.repeat(9)}`);
  });
  it('measures little of an endless name', () => {
    let measured = 0;
    const name = 'x'.repeat(100_000);
    const cut = middleEllipsis(name, 40, (text) => {
      measured = Math.max(measured, text.length);
      return text.length;
    });
    expect(cut.length).toBeLessThanOrEqual(40);
    expect(measured).toBeLessThan(3000);
  });
  it('does not cut a character in half', () => {
    for (let width = 2; width < 30; width += 1) {
      expect(middleEllipsis('🙂'.repeat(30), width, kMono)).not.toMatch(
        /[\ud800-\udbff](?![\udc00-\udfff])/,
      );
    }
  });
});

describe('visible', () => {
  it('shows what would reorder or hide', () => {
    expect(visible('a\u202Eb\nc\u0000')).toBe('a⟨U+202E⟩b⟨U+000A⟩c⟨U+0000⟩');
    expect(visible('漢字 é 🙂')).toBe('漢字 é 🙂');
  });
});

describe('csvField', () => {
  it('disarms formulas and keeps numbers', () => {
    expect(csvField('=1+1')).toBe("'=1+1");
    expect(csvField('-0.5')).toBe('-0.5');
    expect(csvField('a,"b"')).toBe('"a,""b"""');
  });
});
