// A part of a finding in the panel.

import { el, span, type Child } from '../../public/index.ts';

export function section(title: string, right: Child, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title, span('grow'), right), ...children);
}
