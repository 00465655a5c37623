// A figure's body that is HTML and no chart: drawn anew at every change.

import { div, replace, type FigureBody } from '../../public/index.ts';

export class HtmlBody implements FigureBody {
  readonly node: HTMLElement;
  readonly #make: (width: number) => readonly HTMLElement[];

  constructor(className: string, make: (width: number) => readonly HTMLElement[]) {
    this.node = div(className);
    this.#make = make;
  }

  draw(width: number): void {
    const scrolled = this.node.scrollLeft;
    replace(this.node, ...this.#make(width));
    this.node.scrollLeft = scrolled;
  }

  svg(): string | null {
    return null;
  }

  destroy(): void {
    this.node.replaceChildren();
  }
}
