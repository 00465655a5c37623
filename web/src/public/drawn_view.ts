// A view that is redrawn at every change and keeps its scroll position; if only the selection
// changed, it is only marked.

import type { Change, StateKey } from '../model/store.ts';
import type { RowsFigure } from './grid/index.ts';
import type { MountedView } from './page/view.ts';

export interface DrawnView {
  draw(change: Change): void;
  mark(): void;
  // The figure that determines the view's order of rows; null: currently none.
  rows?(): RowsFigure | null;
  destroy?(): void;
}

const kSelection: ReadonlySet<StateKey> = new Set(['selected', 'more', 'item']);

// `name` is the class of its element.
export function drawnView(host: HTMLElement, name: string, view: DrawnView): MountedView {
  let width = 0;
  const update = (change: Change): void => {
    const scroll = host.scrollTop;
    const isSelection = change.size > 0 && [...change].every((key) => kSelection.has(key));
    if (isSelection && width === host.clientWidth) view.mark();
    else {
      width = host.clientWidth;
      view.draw(change);
    }
    host.scrollTop = scroll;
  };
  host.classList.add(name);
  update(new Set());
  return {
    update,
    reveal: (row) => view.rows?.()?.reveal(row),
    order: () => view.rows?.()?.order() ?? new Int32Array(),
    destroy: () => {
      view.destroy?.();
      host.classList.remove(name);
    },
  };
}
