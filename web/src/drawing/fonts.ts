// The fonts of boxes and edges, and how wide words are in them.

import { bodyFont, textWidth } from '../public/index.ts';
import { kSmallText } from './camera.ts';
import type { Font } from '../public/plot/pen.ts';

export const kName: Font = { size: 12, weight: 600 };
export const kPlain: Font = { size: 12, weight: 400 };
export const kSmall: Font = { size: kSmallText, weight: 400 };
export const kSmallBold: Font = { size: kSmallText, weight: 600 };
export const kTitle: Font = { size: 11, weight: 600 };

export function widthOf(text: string, { size, weight }: Font): number {
  return textWidth(text, bodyFont(size, weight));
}
