// The colours of the page, in one place: the style sheet, the canvases and the tests that recompute
// contrast all read these. The values come from the design page, which checks them for colour
// blindness; they are in palette.json, which the program's own drawings use too.

import palette from './palette.json';

export type ThemeName = 'light' | 'dark';

export const kUiColours = palette.ui;

export type UiColour = keyof (typeof kUiColours)['light'];

// Hue encodes the width, shade the kind: 32 bits rust, 16 amber, 8 blue and green, 4 pink and
// violet.
export const kPrecisionColours = palette.precision;

export type PrecisionKey = keyof (typeof kPrecisionColours)['light'] | 'unknown';

// Muted, so that precision stays louder.
export const kFamilyColours = palette.family;

export type FamilyKey = keyof (typeof kFamilyColours)['light'];

export const kHeatColours = palette.heat;

// The predecessor's colours, the same in both themes: to match old pictures; not for readers who
// confuse red and green.
export const kTrexPrecisionColours = palette.precision.trex;
export const kTrexFamilyColours = palette.family.trex;

// 45 degrees, 5 px pitch, 1.7 px in the background colour.
export const kHatch = { pitchPx: 5, strokePx: 1.7 } as const;

const kPrecisionKeys: Readonly<Record<string, PrecisionKey>> = {
  FP32: 'fp32',
  TF32: 'tf32',
  FP16: 'fp16',
  BF16: 'bf16',
  FP8: 'fp8',
  INT8: 'int8',
  UINT8: 'int8',
  FP4: 'fp4',
  INT4: 'int4',
  INT32: 'index',
  INT64: 'index',
  BOOL: 'index',
};

// The prototype's own properties ("constructor") are not precisions, hence hasOwn.
export function precisionKey(precision: string | null): PrecisionKey {
  if (precision === null || !Object.hasOwn(kPrecisionKeys, precision)) return 'unknown';
  return kPrecisionKeys[precision] ?? 'unknown';
}

export function familyKey(family: string | null | undefined): FamilyKey {
  if (family === null || family === undefined || !Object.hasOwn(kFamilyColours.light, family))
    return 'other';
  return family as FamilyKey;
}
