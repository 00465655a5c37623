// On paper, what is seen stands as a drawing instead of the canvas: sharp, and light.

import { el } from '../../public/index.ts';

export class PrintedGraph {
  readonly node = el('img', { class: 'graph-printed', attrs: { alt: '' } });
  readonly #svg: () => string | null;

  constructor(svg: () => string | null) {
    this.#svg = svg;
    window.addEventListener('beforeprint', this.#before);
    window.addEventListener('afterprint', this.#after);
  }

  readonly #before = (): void => {
    const svg = this.#svg();
    if (svg === null) return;
    // Not an address of a blob: that would load after the page is printed.
    this.node.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  };

  readonly #after = (): void => {
    this.node.removeAttribute('src');
  };

  destroy(): void {
    window.removeEventListener('beforeprint', this.#before);
    window.removeEventListener('afterprint', this.#after);
  }
}
