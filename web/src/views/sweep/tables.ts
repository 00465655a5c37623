// Small tables of this view: heads, cells, and rows that open.

import { el, kMissing, middleEllipsis, msText, visible, type Child } from '../../public/index.ts';

// Names of kernels differ at their ends.
const kKernelLetters = 40;

export function th(text: string, className = '', title: string | null = null): HTMLElement {
  return el('th', { class: className, attrs: { scope: 'col', title } }, text);
}

export function td(className: string, ...children: readonly Child[]): HTMLElement {
  return el('td', { class: className }, ...children);
}

export function nameCell(name: string | null): HTMLElement {
  if (name === null || name === '') return td('dim', kMissing);
  const text = visible(name);
  const short = middleEllipsis(text, kKernelLetters, (part) => part.length);
  return el('td', { class: 'name', attrs: { title: text } }, short);
}

export function msCell(ms: number | null): HTMLElement {
  return td('right', msText(ms));
}

export function plainTable(
  className: string,
  heads: readonly HTMLElement[],
  rows: readonly HTMLElement[],
): HTMLElement {
  return el(
    'table',
    { class: `plain ${className}` },
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...rows),
  );
}

// The button of a row with details below it.
export function toggle(text: string, isOpen: boolean, onClick: () => void): HTMLElement {
  return el(
    'button',
    {
      class: 'sweep-toggle',
      attrs: { type: 'button', 'aria-expanded': isOpen ? 'true' : 'false' },
      on: { click: onClick },
    },
    `${isOpen ? '▾' : '▸'} ${text}`,
  );
}

export function linkButton(text: string, title: string, onClick: () => void): HTMLElement {
  return linkButton(text, title, onClick);
}

// Which rows of a table are open, and drawing it anew when one is.
export class OpenRows {
  readonly #open = new Set<string>();
  readonly #redraw: () => void;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  turn(id: string): void {
    if (!this.#open.delete(id)) this.#open.add(id);
    this.#redraw();
  }
}
