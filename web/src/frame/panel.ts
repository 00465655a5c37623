// The details panel: the selection, or what the view on screen shows there. Its edge is draggable.

import { div, el, replace, type Child } from '../base/dom.ts';
import { fitAll, type FittedName } from '../public/page/marks.ts';
import type { ViewContext } from '../public/page/view.ts';
import { itemParts } from './item_panel.ts';
import { layerParts } from './layer_panel.ts';
import { severalParts } from './several_panel.ts';

const kMinWidth = 320;
const kMaxWidth = 560;

// The content that the view on screen provides; null: none.
export type OwnParts = (names: FittedName[]) => readonly Child[] | null;

export class Panel {
  readonly node: HTMLElement;
  readonly #body = div('panel-body');
  readonly #context: ViewContext;
  readonly #own: OwnParts;

  constructor(context: ViewContext, own: OwnParts) {
    this.#context = context;
    this.#own = own;
    const edge = el('div', {
      class: 'panel-edge',
      attrs: {
        role: 'separator',
        'aria-orientation': 'vertical',
        'aria-label': 'Width of the panel',
      },
    });
    edge.addEventListener('pointerdown', (event) => this.#resize(edge, event));
    const attrs = { 'aria-label': 'Selection' };
    this.node = el('aside', { class: 'panel', attrs }, edge, this.#body);
  }

  #resize(edge: HTMLElement, down: PointerEvent): void {
    const from = this.node.offsetWidth;
    edge.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent): void => {
      const width = Math.min(kMaxWidth, Math.max(kMinWidth, from + down.clientX - event.clientX));
      // Set on the surrounding element: views make room for it.
      this.node.parentElement?.style.setProperty('--panel-width', `${width.toFixed(0)}px`);
    };
    const up = (): void => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', up);
      window.dispatchEvent(new Event('resize'));
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', up);
  }

  // Different content: scroll to the top.
  show(): void {
    this.update();
    this.#body.scrollTop = 0;
  }

  update(): void {
    const names: FittedName[] = [];
    const parts = this.#own(names) ?? this.#selected(names);
    this.node.hidden = parts.length === 0;
    if (this.node.hidden) return;
    replace(this.#body, ...parts);
    fitAll(names);
  }

  #selected(names: FittedName[]): readonly Child[] {
    const { store } = this.#context;
    const { selected, more } = store.state;
    if (selected === null) return itemParts(this.#context, names);
    return more.length > 0
      ? severalParts(store, names)
      : layerParts(this.#context, selected, names);
  }
}
