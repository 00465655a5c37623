// Rows of a table of which only those near the window exist. The window is an element that scrolls
// more than the table.

import { el } from '../../public/index.ts';

// Of the scroller, while the page is laid out for paper.
export const kPrinting = 'printing';

const kRowHeight = 23;
const kTouchRowHeight = 32;
// Rows made beyond either edge, so that a flick of the wheel meets made rows.
const kOverscan = 20;
// On paper there is no window: the first of them.
const kMaxPrinted = 400;

export class VirtualRows {
  readonly body = el('tbody');
  readonly rowHeight: number;
  readonly #scroller: HTMLElement;
  readonly #head: HTMLElement;
  readonly #foot: HTMLElement;
  readonly #above = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #below = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  #made = new Map<number, HTMLTableRowElement>();
  #count = 0;
  #make: (index: number) => HTMLTableRowElement = () => el('tr');
  #frame = 0;
  readonly #onScroll = (): void => {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => this.draw());
  };

  // `head` and `foot`: what lies over the rows above and below.
  constructor(scroller: HTMLElement, head: HTMLElement, foot: HTMLElement) {
    this.#scroller = scroller;
    this.#head = head;
    this.#foot = foot;
    this.rowHeight = window.matchMedia('(pointer: coarse)').matches ? kTouchRowHeight : kRowHeight;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
  }

  show(count: number, make: (index: number) => HTMLTableRowElement): void {
    this.#count = count;
    this.#make = make;
    this.#made.clear();
    this.body.replaceChildren(this.#above, this.#below);
    this.draw();
  }

  get made(): Iterable<HTMLTableRowElement> {
    return this.#made.values();
  }

  // How far the first row stands below the top of the window, in px.
  get #offset(): number {
    return this.body.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  get #range(): { readonly first: number; readonly last: number } {
    if (this.#isPrinting) return { first: 0, last: Math.min(this.#count, kMaxPrinted) };
    const h = this.rowHeight;
    const offset = this.#offset;
    const first = Math.min(this.#count, Math.max(0, Math.floor(-offset / h) - kOverscan));
    const seen = Math.ceil((this.#scroller.clientHeight - offset) / h);
    return { first, last: Math.max(first, Math.min(this.#count, Math.max(0, seen) + kOverscan)) };
  }

  get #isPrinting(): boolean {
    return this.#scroller.classList.contains(kPrinting);
  }

  draw(): void {
    if (!this.body.isConnected) return;
    const h = this.rowHeight;
    const { first, last } = this.#range;
    // What leaves goes first: rows that stay then stand where they are, and are not laid out anew.
    for (const [i, node] of this.#made) if (i < first || i >= last) node.remove();
    const kept = new Map<number, HTMLTableRowElement>();
    let after: ChildNode = this.#above;
    for (let i = first; i < last; i += 1) {
      const node = this.#made.get(i) ?? this.#make(i);
      kept.set(i, node);
      if (after.nextSibling !== node) after.after(node);
      after = node;
    }
    this.#made = kept;
    setHeight(this.#above, first * h);
    setHeight(this.#below, this.#isPrinting ? 0 : (this.#count - last) * h);
  }

  // Scrolls so that a row is where it was, in px from the top of the page.
  keep(index: number, top: number): void {
    const now = this.body.getBoundingClientRect().top + index * this.rowHeight;
    if (Math.abs(now - top) >= 1) this.#scroller.scrollTop += now - top;
  }

  reveal(index: number): void {
    const h = this.rowHeight;
    const window_ = this.#scroller.getBoundingClientRect();
    const top = this.#offset + index * h;
    const least = Math.max(0, this.#head.getBoundingClientRect().bottom - window_.top);
    const most = this.#scroller.clientHeight - this.#foot.offsetHeight - h;
    if (top < least && this.#scroller.scrollTop > 0) this.#scroller.scrollTop += top - least - h;
    else if (top > most) this.#scroller.scrollTop += top - most + h;
  }

  destroy(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#scroller.removeEventListener('scroll', this.#onScroll);
  }
}

function setHeight(spacer: HTMLElement, height: number): void {
  spacer.style.height = `${String(height)}px`;
  spacer.hidden = height === 0;
}
