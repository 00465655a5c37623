// The colours of the page, in one place: the style sheet, the canvases and the tests that recompute
// contrast all read these. Values are those of the design page, checked there for colour blindness.

export type ThemeName = 'light' | 'dark';

export const kUiColours = {
  light: {
    bg: '#FFFFFF',
    s1: '#F6F7F8',
    s2: '#ECEEF1',
    line: '#DFE2E6',
    line2: '#C2C7CD',
    ink: '#15181C',
    ink2: '#454C55',
    ink3: '#646C76',
    sel: '#FFF1B8',
    selb: '#15181C',
    link: '#0B57B7',
    error: '#B3261E',
    warning: '#8A5300',
    info: '#4A5560',
    faster: '#00705A',
    slower: '#B3350E',
  },
  dark: {
    bg: '#14171B',
    s1: '#1A1E23',
    s2: '#242930',
    line: '#2B3138',
    line2: '#454D57',
    ink: '#E8EAED',
    ink2: '#B6BDC6',
    ink3: '#8F98A3',
    sel: '#40360F',
    selb: '#F4D35E',
    link: '#7CB2FF',
    error: '#FF8A80',
    warning: '#F2B84B',
    info: '#A9B2BC',
    faster: '#4FD1B0',
    slower: '#FF9A76',
  },
} as const;

export type UiColour = keyof (typeof kUiColours)['light'];

// Hue is the width, shade is the kind: 32 bits rust, 16 amber, 8 blue and green, 4 pink and violet.
export const kPrecisionColours = {
  light: {
    fp32: '#BE4D1C',
    tf32: '#562025',
    fp16: '#C28702',
    bf16: '#544413',
    fp8: '#39A57F',
    int8: '#104BA1',
    fp4: '#DF60C0',
    int4: '#A46DFB',
    index: '#636970',
  },
  dark: {
    fp32: '#E55913',
    tf32: '#AB5A59',
    fp16: '#FDC44D',
    bf16: '#A8AE86',
    fp8: '#52EEEA',
    int8: '#619EFD',
    fp4: '#EA68C8',
    int4: '#8E54D8',
    index: '#7E8891',
  },
} as const;

export type PrecisionKey = keyof (typeof kPrecisionColours)['light'] | 'unknown';

// Muted, so that precision stays louder.
export const kFamilyColours = {
  light: {
    convolution: '#3F619A',
    gemm: '#292A5B',
    opaque: '#7C5A3C',
    pointwise: '#819C65',
    norm: '#AC73C8',
    pool: '#167C7A',
    shuffle: '#82868D',
    plugin: '#3F4A10',
    reformat: '#CB0F52',
    other: '#A3A9B1',
  },
  dark: {
    convolution: '#7C9ED3',
    gemm: '#526ABB',
    opaque: '#B98D68',
    pointwise: '#C9E36A',
    norm: '#CBB1EA',
    pool: '#81E9EF',
    shuffle: '#636A70',
    plugin: '#93611F',
    reformat: '#F46A91',
    other: '#555C64',
  },
} as const;

export type FamilyKey = keyof (typeof kFamilyColours)['light'];

export const kHeatColours = {
  light: ['#F4F5F6', '#FBE7C6', '#F6C88B', '#EA9A55', '#B9501F', '#7E2A18'],
  dark: ['#1E2329', '#3C2C1C', '#6B431F', '#965421', '#E08A3C', '#FFC978'],
} as const;

// The predecessor's colours, on both themes: for old pictures, not for eyes that confuse red and green.
export const kTrexPrecisionColours = {
  fp32: '#FF0000',
  tf32: '#808080',
  fp16: '#FFA500',
  bf16: '#808080',
  fp8: '#00BFFF',
  int8: '#76B900',
  fp4: '#F4D03F',
  int4: '#CC66FF',
  index: '#D3D3D3',
} as const;

export const kTrexFamilyColours = {
  convolution: '#4682B4',
  gemm: '#1E90FF',
  opaque: '#B39C4D',
  pointwise: '#9ACD32',
  norm: '#8FBC8B',
  pool: '#3CB371',
  shuffle: '#BC8F8F',
  plugin: '#C71585',
  reformat: '#00FFFF',
  other: '#808080',
} as const;

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

export function familyKey(family: string | null): FamilyKey {
  if (family === null || !Object.hasOwn(kFamilyColours.light, family)) return 'other';
  return family as FamilyKey;
}
