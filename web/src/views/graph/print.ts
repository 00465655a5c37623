// On paper, a drawing of the visible part replaces the canvas: sharp, and in light colours.

import { el } from '../../public/index.ts';

export function printedGraph(svg: () => string | null, signal: AbortSignal): HTMLElement {
  const node = el('img', { class: 'graph-printed print-only', attrs: { alt: '' } });
  const show = (): void => {
    const text = svg();
    if (text === null) return;
    // Not a blob address: that would load after the page is printed.
    node.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };
  window.addEventListener('beforeprint', show, { signal });
  window.addEventListener('afterprint', () => node.removeAttribute('src'), { signal });
  return node;
}
