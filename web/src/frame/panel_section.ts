// A part of the details panel: a heading, something short at its right, and what it is about.

import { el, span, type Child } from '../base/dom.ts';

export function section(title: string, right: Child, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title, span('grow'), right), ...children);
}
