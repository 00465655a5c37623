// Findings: what is worth changing?

import {
  missingPieces,
  replace,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';

class FindingsView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('findings');
    this.#draw();
  }

  update(): void {
    this.#draw();
  }

  #draw(): void {
    replace(this.#host, missingPieces(this.#context));
  }

  destroy(): void {
    this.#host.classList.remove('findings');
  }
}

export const findingsView: View = {
  id: 'findings',
  title: 'Findings',
  needs: ['layers'],
  mount: (host, context) => new FindingsView(host, context),
};
