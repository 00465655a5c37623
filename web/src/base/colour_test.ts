import { describe, expect, it } from 'vitest';

import { contrast, distance, inkOn, type Vision } from './colour.ts';
import { kFamilyColours, kHeatColours, kPrecisionColours, kUiColours } from './tokens.ts';

const kThemes = ['light', 'dark'] as const;

function pairs<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b] as const));
}

describe('arithmetic', () => {
  it('gives the extremes of WCAG contrast', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#777777')).toBe(1);
  });
  it('puts text in a fill only where it can be read', () => {
    const { ink, bg } = kUiColours.light;
    expect(inkOn(kPrecisionColours.light.int8, ink, bg)).toBe(bg);
    // The design: on light FP16, FP8, FP4 and INT4 the text is ink, not white.
    for (const key of ['fp16', 'fp8', 'fp4', 'int4'] as const) {
      expect(inkOn(kPrecisionColours.light[key], ink, bg), key).toBe(ink);
    }
  });
});

describe.each(kThemes)('tokens, %s', (theme) => {
  const ui = kUiColours[theme];
  const texts = [
    'ink',
    'ink2',
    'ink3',
    'link',
    'error',
    'warning',
    'info',
    'faster',
    'slower',
  ] as const;

  it.each(texts)('%s has 4.5 : 1 on the grounds it stands on', (text) => {
    for (const ground of ['bg', 's1'] as const) {
      expect(contrast(ui[text], ui[ground]), ground).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('keeps text readable in chips and selected rows', () => {
    for (const text of ['ink', 'ink2'] as const) {
      expect(contrast(ui[text], ui.s2)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ui[text], ui.sel)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('has fills of 3 : 1 against the background', () => {
    const { other, ...families } = kFamilyColours[theme];
    // "other" is exempt in the design: it has an outline.
    expect(other).toMatch(/^#/);
    for (const [name, fill] of Object.entries({ ...families, ...kPrecisionColours[theme] })) {
      expect(contrast(fill, ui.bg), name).toBeGreaterThanOrEqual(3);
    }
  });

  it('keeps text on the heat steps readable', () => {
    for (const [step, fill] of kHeatColours[theme].entries()) {
      expect(contrast(fill, step <= 3 ? ui.ink : ui.bg), String(step)).toBeGreaterThanOrEqual(4.5);
    }
  });

  // The minimum distances that the design page requires, times 100 in OKLab.
  const least: Readonly<
    Record<'light' | 'dark', Readonly<Record<Exclude<Vision, 'normal'>, number>>>
  > = {
    light: { protanopia: 9.7, deuteranopia: 7.7, tritanopia: 6.6 },
    dark: { protanopia: 8.9, deuteranopia: 8.1, tritanopia: 7.6 },
  };

  it.each(['protanopia', 'deuteranopia', 'tritanopia'] as const)(
    'tells precisions apart with %s',
    (vision) => {
      const all = pairs(Object.values(kPrecisionColours[theme]));
      const smallest = Math.min(...all.map(([a, b]) => distance(a, b, vision)));
      expect(smallest).toBeGreaterThanOrEqual(least[theme][vision] - 0.06);
    },
  );

  it.each(['protanopia', 'deuteranopia', 'tritanopia'] as const)(
    'tells families apart with %s',
    (vision) => {
      const families = Object.entries(kFamilyColours[theme]).filter(([name]) => name !== 'other');
      const smallest = Math.min(
        ...pairs(families.map(([, colour]) => colour)).map(([a, b]) => distance(a, b, vision)),
      );
      expect(smallest).toBeGreaterThanOrEqual(4.4);
    },
  );
});
