// Colour arithmetic: contrast as WCAG 2.1 defines it, and distance in OKLab as seen with full
// dichromacy. Used to choose the ink on a fill, and by the test that checks the tokens against the
// design.

export type Rgb = readonly [number, number, number];

export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

// sRGB transfer function, IEC 61966-2-1.
function toLinear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function linear(hex: string): Rgb {
  const [r, g, b] = parseHex(hex);
  return [toLinear(r), toLinear(g), toLinear(b)];
}

export function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const la = luminance(a);
  const lb = luminance(b);
  return (Math.max(la, lb) + 0.05) / (Math.min(la, lb) + 0.05);
}

// The ink that is readable on a fill: the page's ink or its background, whichever contrasts more;
// null if neither reaches 4.5 : 1, so the text belongs next to the fill.
export function inkOn(fill: string, ink: string, background: string): string | null {
  const best = contrast(fill, ink) >= contrast(fill, background) ? ink : background;
  return contrast(fill, best) >= 4.5 ? best : null;
}

export type Vision = 'normal' | 'protanopia' | 'deuteranopia' | 'tritanopia';

type Matrix = readonly [Rgb, Rgb, Rgb];

// Machado, Oliveira and Fernandes 2009, severity 1.0, applied to linear sRGB.
const kVision: Readonly<Record<Exclude<Vision, 'normal'>, Matrix>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function multiply(matrix: Matrix, [x, y, z]: Rgb): Rgb {
  const row = (m: Rgb): number => m[0] * x + m[1] * y + m[2] * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

// Björn Ottosson's OKLab, from linear sRGB.
function toOklab(rgb: Rgb): Rgb {
  const [l, m, s] = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  );
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  );
}

// Distance in OKLab times 100.
export function distance(a: string, b: string, vision: Vision = 'normal'): number {
  const seen = (hex: string): Rgb => {
    const rgb = linear(hex);
    if (vision === 'normal') return toOklab(rgb);
    const [r, g, bl] = multiply(kVision[vision], rgb);
    const clamp = (v: number): number => Math.min(1, Math.max(0, v));
    return toOklab([clamp(r), clamp(g), clamp(bl)]);
  };
  const [l1, a1, b1] = seen(a);
  const [l2, a2, b2] = seen(b);
  return 100 * Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}
