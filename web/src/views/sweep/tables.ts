// What the small tables of this view have in common: cells, and rows that open.

import { column, el, kMissing, middleEllipsis, visible, type Column } from '../../public/index.ts';

// Names of kernels differ at their ends.
const kKernelLetters = 40;

export function kernelColumn<Item>(
  head: string,
  nameOf: (item: Item) => string | null,
): Column<Item> {
  const text = (item: Item): string => visible(nameOf(item) ?? '');
  const short = (item: Item): string =>
    middleEllipsis(text(item), kKernelLetters, (part) => part.length) || kMissing;
  return column(head, short, {
    cellClass: (item) => (text(item) === '' ? 'dim' : 'name'),
    title: text,
  });
}

// Rows of a table that open: which are, and the button that does it.
export class OpenRows {
  readonly #open = new Set<string>();
  readonly #redraw: () => void;

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  toggle(id: string, text: string): HTMLElement {
    const isOpen = this.has(id);
    const click = (): void => {
      if (!this.#open.delete(id)) this.#open.add(id);
      this.#redraw();
    };
    const attrs = { type: 'button', 'aria-expanded': String(isOpen) };
    const props = { class: 'sweep-toggle', attrs, on: { click } };
    return el('button', props, `${isOpen ? '▾' : '▸'} ${text}`);
  }
}
