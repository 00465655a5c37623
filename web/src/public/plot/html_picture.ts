// A picture to save of something the page draws with HTML: its fills, frames and words, at their
// places on screen. Marks of the pointer and the selection, such as outlines, are left out.

import type { Palette } from '../page/palette.ts';
import { kHatchFill } from './pen.ts';
import { svgLook, SvgPen } from './svg_pen.ts';

const kMargin = 4;

const isSeen = (colour: string): boolean => colour !== 'transparent' && !colour.endsWith(', 0)');

// The lines that a text wraps into, each with its position.
function linesOf(text: Text): readonly { readonly words: string; readonly box: DOMRect }[] {
  const lines: { words: string; box: DOMRect }[] = [];
  const range = document.createRange();
  for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const box = range.getBoundingClientRect();
    const last = lines.at(-1);
    if (box.width === 0) continue;
    if (last?.box.top === box.top) last.words += ` ${word}`;
    else lines.push({ words: word, box });
  }
  return lines;
}

// Empty if nothing of it is visible.
export function htmlSvg(node: HTMLElement, title: string, palette: Palette): string {
  const pen = new SvgPen(svgLook(palette), 1);
  let [right, bottom] = [0, 0];
  const draw = (part: Element, place: DOMRect, above: number): void => {
    const style = getComputedStyle(part);
    const box = part.getBoundingClientRect();
    if (box.width === 0 || style.visibility === 'hidden' || part.matches('.offscreen')) return;
    const [left, top] = [box.left - place.left, box.top - place.top];
    right = Math.max(right, left + box.width);
    bottom = Math.max(bottom, top + box.height);
    const alpha = above * Number(style.opacity);
    pen.alpha(alpha);
    const line = Number.parseFloat(style.borderTopWidth);
    const radius = Number.parseFloat(style.borderTopLeftRadius);
    if (isSeen(style.backgroundColor)) {
      const isHatched = style.backgroundImage !== 'none';
      const fill = isHatched ? kHatchFill : style.backgroundColor;
      pen.rect(left, top, box.width, box.height, { fill, radius });
    }
    if (line > 0 && isSeen(style.borderTopColor)) {
      const dash = style.borderTopStyle === 'dashed' ? { dash: [3, 2] } : {};
      const look = { stroke: style.borderTopColor, width: line, radius, ...dash };
      pen.rect(left + line / 2, top + line / 2, box.width - line, box.height - line, look);
    }
    for (const child of part.childNodes) {
      if (child instanceof Element) draw(child, place, alpha);
      if (!(child instanceof Text)) continue;
      pen.alpha(alpha);
      const size = Number.parseFloat(style.fontSize);
      const weight = Number(style.fontWeight) >= 600 ? 600 : 400;
      for (const { words, box: at } of linesOf(child)) {
        // The baseline is a third of the font size below the middle.
        const y = (at.top + at.bottom) / 2 - place.top + size * 0.35;
        pen.text(words, at.left - place.left, y, { font: { size, weight }, colour: style.color });
      }
    }
  };
  // It keeps its place while a table is shown instead.
  const hidden = node.closest<HTMLElement>('[hidden]');
  if (hidden !== null) hidden.hidden = false;
  draw(node, node.getBoundingClientRect(), 1);
  if (hidden !== null) hidden.hidden = true;
  if (right === 0) return '';
  const at = -kMargin;
  return pen.document(title, at, at, right + 2 * kMargin, bottom + 2 * kMargin);
}
