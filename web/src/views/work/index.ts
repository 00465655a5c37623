// Convolutions & GEMMs: is the arithmetic well used?

import {
  missingPieces,
  replace,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';

class WorkView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('work');
    this.#draw();
  }

  update(): void {
    this.#draw();
  }

  #draw(): void {
    replace(this.#host, missingPieces(this.#context));
  }

  destroy(): void {
    this.#host.classList.remove('work');
  }
}

export const workView: View = {
  id: 'work',
  title: 'Convolutions & GEMMs',
  needs: ['types'],
  mount: (host, context) => new WorkView(host, context),
};
