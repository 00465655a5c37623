// Memory: what holds the memory, and when is the peak?

import {
  missingPieces,
  replace,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';

class MemoryView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('memory');
    this.#draw();
  }

  update(): void {
    this.#draw();
  }

  #draw(): void {
    replace(this.#host, missingPieces(this.#context));
  }

  destroy(): void {
    this.#host.classList.remove('memory');
  }
}

export const memoryView: View = {
  id: 'memory',
  title: 'Memory',
  needs: ['layers'],
  mount: (host, context) => new MemoryView(host, context),
};
