// The drawing interface: a canvas on screen, SVG text for export. Coordinates are those of the
// plane; the pen maps them to the screen.

import type { FamilyKey } from '../../base/tokens.ts';
import type { Palette } from '../page/palette.ts';

export interface Font {
  readonly size: number;
  readonly weight: 400 | 500 | 600;
}

// "hatch" is the one of reformats.
export type Fill = string | { readonly kind: 'hatch' };
export const kHatchFill = { kind: 'hatch' } as const;

export function familyFill(palette: Palette, family: FamilyKey): Fill {
  return family === 'reformat' ? kHatchFill : palette.family(family);
}

export interface RectStyle {
  readonly fill?: Fill;
  readonly stroke?: string;
  readonly width?: number;
  readonly radius?: number;
  readonly dash?: readonly number[];
}

export interface LineStyle {
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
  // Corners are not rounded.
  readonly isSharp?: boolean;
}

export interface TextStyle {
  readonly font: Font;
  readonly colour: string;
  readonly align?: 'left' | 'middle' | 'right';
  // Clockwise around the given point, in degrees.
  readonly turned?: number;
  // A rim in this colour, for words that cross marks.
  readonly rim?: string;
}

// x and y of corners, one after the other.
export type Path = readonly number[];

export interface Pen {
  readonly zoom: number;
  rect(x: number, y: number, width: number, height: number, style: RectStyle): void;
  circle(x: number, y: number, radius: number, style: RectStyle): void;
  // Corners are rounded if there is room, unless they must be sharp.
  lines(paths: readonly Path[], style: LineStyle): void;
  // Closed and filled.
  shapes(paths: readonly Path[], colour: string): void;
  // The baseline's point.
  text(text: string, x: number, y: number, style: TextStyle): void;
  // Opacity of everything until the next call.
  alpha(value: number): void;
  // Draws `inner`, shifted to the right and down.
  moved(dx: number, dy: number, inner: () => void): void;
  // Draws `inner` only inside the rounded rectangle.
  clipped(
    x: number,
    y: number,
    width: number,
    height: number,
    radius: number,
    inner: () => void,
  ): void;
}

export const kCorner = 8;

// The radius that fits a corner between two segments of these lengths.
export function cornerRadius(before: number, after: number): number {
  return Math.max(0, Math.min(kCorner, before / 2, after / 2));
}
