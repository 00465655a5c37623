// The engines as a table: one row each, sorted, the chosen ones ticked.

import { div, el, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { column, headCell, sortHead, type Column } from '../public/grid/column.ts';
import { plainTable } from '../public/grid/plain_table.ts';
import type { Sort } from '../public/grid/sort.ts';
import { keepFocus } from '../public/page/keep_focus.ts';
import { linkButton } from '../public/page/marks.ts';
import { engineColumns, type ColumnsSpec } from './engine_columns.ts';
import { displayName, turned } from './rows.ts';
import type { ListedEngine } from './wire.ts';

// Number of rows created at once; more are created on request.
const kFirstRows = 500;
const kMoreRows = 2000;

export interface TableActions {
  sort(sort: Sort): void;
  choose(id: string, isChosen: boolean, isRange: boolean): void;
}

export interface TableState extends Pick<ColumnsSpec, 'engines' | 'nowMs' | 'root'> {
  // In the order in which they are.
  readonly shown: readonly ListedEngine[];
  readonly sort: Sort;
}

export class EngineTable {
  readonly node = div('index-scroll');
  readonly #actions: TableActions;
  readonly #open = new Set<string>();
  readonly #narrow = window.matchMedia('(max-width: 1000px)');
  #most = kFirstRows;
  #state: TableState | null = null;
  #chosen: ReadonlySet<string> = new Set();

  constructor(actions: TableActions) {
    this.#actions = actions;
    this.node.tabIndex = -1;
    this.#narrow.addEventListener('change', () => this.#redraw());
  }

  draw(state: TableState): void {
    this.#state = state;
    const isNarrow = this.#narrow.matches;
    const columns = engineColumns({ ...state, open: this.#open, isNarrow });
    const chosen = column<ListedEngine>(
      span('offscreen', 'Chosen'),
      (engine) => this.#box(engine),
      { width: 38 },
    );
    const rows = state.shown.slice(0, this.#most);
    const table = plainTable('index-table sticky', rows, [chosen, ...columns], {
      head: (one) => this.#head(one, state.sort),
      row: ({ id }) => ({ attrs: { 'data-id': id } }),
    });
    const left = state.shown.length - rows.length;
    const more = linkButton(`${integer(left)} more engines`, null, () => {
      this.#most += kMoreRows;
      this.#redraw();
    });
    more.classList.add('index-more');
    // The focus stays on the same engine.
    keepFocus(this.node, () => replace(this.node, table, left > 0 && more));
    this.mark(this.#chosen);
  }

  // Only the choice changed.
  mark(chosen: ReadonlySet<string>): void {
    this.#chosen = chosen;
    for (const row of this.node.querySelectorAll('tbody tr')) {
      const isChosen = chosen.has(row.getAttribute('data-id') ?? '');
      row.classList.toggle('selected', isChosen);
      const box = row.querySelector('input');
      if (box !== null) box.checked = isChosen;
    }
  }

  #redraw(): void {
    if (this.#state !== null) this.draw(this.#state);
  }

  #box(engine: ListedEngine): HTMLElement {
    const box = el('input', {
      attrs: {
        type: 'checkbox',
        'aria-label': `Choose ${visible(displayName(engine))}`,
      },
      on: {
        click: (event) =>
          this.#actions.choose(engine.id, box.checked, (event as MouseEvent).shiftKey),
      },
    });
    return box;
  }

  #head(one: Column<ListedEngine>, sort: Sort): HTMLElement {
    const { id } = one;
    if (id === undefined) return headCell(one);
    return sortHead(one, sort, () => this.#actions.sort(turned(sort, id)));
  }

  // The row before or after the focused one; the first if none is focused.
  walk(by: 1 | -1): void {
    const rows = [...this.node.querySelectorAll('tbody tr')];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    next?.querySelector('input')?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }

  // The engine of the focused row.
  focused(): string | null {
    const row = this.node.contains(document.activeElement)
      ? document.activeElement?.closest('tr')
      : null;
    return row?.getAttribute('data-id') ?? null;
  }
}
