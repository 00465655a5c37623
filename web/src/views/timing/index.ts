// Timing: is the number trustworthy?

import {
  missingPieces,
  replace,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';

class TimingView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('timing');
    this.#draw();
  }

  update(): void {
    this.#draw();
  }

  #draw(): void {
    replace(this.#host, missingPieces(this.#context));
  }

  destroy(): void {
    this.#host.classList.remove('timing');
  }
}

export const timingView: View = {
  id: 'timing',
  title: 'Timing',
  needs: ['times'],
  mount: (host, context) => new TimingView(host, context),
};
