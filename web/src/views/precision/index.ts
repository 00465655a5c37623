// Precision: where does the type change, and what does it cost?

import {
  missingPieces,
  replace,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';

class PrecisionView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('precision');
    this.#draw();
  }

  update(): void {
    this.#draw();
  }

  #draw(): void {
    replace(this.#host, missingPieces(this.#context));
  }

  destroy(): void {
    this.#host.classList.remove('precision');
  }
}

export const precisionView: View = {
  id: 'precision',
  title: 'Precision',
  needs: ['types'],
  mount: (host, context) => new PrecisionView(host, context),
};
