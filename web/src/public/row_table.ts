// A table of layers, or of other things, inside a view: of many rows only those near the window exist.
// Hovering, selecting and the order of rows for next and previous are as everywhere.

import { Names } from '../base/names.ts';
import { el, replace } from '../base/dom.ts';
import { bodyFont, fitName, nameTitle } from './marks.ts';
import type { Figure } from './figure.ts';
import type { ViewContext } from './view.ts';

const kRowHeight = 23;
const kTouchRowHeight = 32;
const kHeadHeight = 24;
const kOverscan = 20;
const kCellPadding = 12;
const kMarkPx = 14;

const kMaxNames = 30_000;

export interface RowColumn<Item> {
  readonly id: string;
  readonly head: string;
  // Of the head: units, of what a percentage is.
  readonly help: string;
  // Null shares what is left: names.
  readonly width: number | null;
  readonly align: 'left' | 'right';
  // Left out, the last first, where the table is too narrow for all; 'late' after all others.
  readonly optional?: boolean | 'late';
  // A text in a column without width is fitted to it.
  cell(item: Item): Node | string;
  // Before a name: a swatch.
  readonly mark?: (item: Item) => HTMLElement;
  // Missing is NaN or ''; without it the column can't be sorted by.
  readonly sortBy?: (item: Item) => number | string;
}

export interface RowTableSpec<Item> {
  readonly label: string;
  readonly columns: () => readonly RowColumn<Item>[];
  // At most this many rows are seen without scrolling.
  readonly visibleRows: number;
  // The layer that an item stands for; null: it is none.
  row(item: Item): number | null;
  // Of items that are no layers: what a click does, and whether it is the one that was clicked.
  pick?(item: Item): void;
  isPicked?(item: Item): boolean;
  // The table's own order, by column and way, and where it is kept.
  readonly sort: () => string | null;
  readonly setSort: (sort: string | null) => void;
  // Under this width optional columns go.
  readonly minName: number;
}

export function sortItems<Item>(
  items: readonly Item[],
  key: (item: Item) => number | string,
  descending: boolean,
): readonly Item[] {
  const keyed = items.map((item, at) => ({ item, at, key: key(item) }));
  const isMissing = (k: number | string): boolean => k === '' || Number.isNaN(k);
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    const missing = Number(isMissing(a.key)) - Number(isMissing(b.key));
    if (missing !== 0) return missing;
    return a.key === b.key ? a.at - b.at : sign * (a.key < b.key ? -1 : 1);
  });
  return keyed.map(({ item }) => item);
}

export class RowTable<Item> {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #spec: RowTableSpec<Item>;
  readonly #rowHeight: number;
  readonly #columnGroup = el('colgroup');
  readonly #head = el('tr');
  readonly #body = el('tbody');
  readonly #table: HTMLTableElement;
  readonly #above = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #below = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #unsubscribe: () => void;
  #items: readonly Item[] = [];
  readonly #names = new Map<string, Names>();
  #columns: readonly RowColumn<Item>[] = [];
  #made = new Map<number, HTMLTableRowElement>();
  #widths: readonly number[] = [];
  #frame = 0;

  constructor(context: ViewContext, spec: RowTableSpec<Item>) {
    this.#context = context;
    this.#spec = spec;
    this.#rowHeight = window.matchMedia('(pointer: coarse)').matches ? kTouchRowHeight : kRowHeight;
    this.#table = el(
      'table',
      { class: 'layers-table row-table' },
      el('caption', { class: 'offscreen' }, spec.label),
      this.#columnGroup,
      el('thead', {}, this.#head),
      this.#body,
    );
    this.node = el(
      'div',
      { class: 'row-scroll', attrs: { tabindex: '0', role: 'region', 'aria-label': spec.label } },
      this.#table,
    );
    this.node.style.setProperty('--row-height', `${String(this.#rowHeight)}px`);
    this.node.addEventListener('scroll', () => this.#schedule(), { passive: true });
    const { store, tooltip } = context;
    this.#body.addEventListener('click', (event) => {
      const item = this.#itemAt(event.target);
      if (item === null || window.getSelection()?.type === 'Range') return;
      if (spec.pick === undefined) store.patch({ selected: spec.row(item) });
      else spec.pick(item);
    });
    this.#body.addEventListener('dblclick', () => {
      if (spec.pick !== undefined) return;
      window.getSelection()?.removeAllRanges();
      store.patch({ view: 'graph' });
    });
    this.#body.addEventListener('mousemove', (event) => {
      const item = this.#itemAt(event.target);
      store.hover(item === null ? null : spec.row(item));
    });
    this.#body.addEventListener('mouseleave', () => {
      store.hover(null);
      tooltip.hide();
    });
    this.#unsubscribe = store.onHover((row) => {
      for (const [i, node] of this.#made) {
        const item = this.#items[i];
        node.classList.toggle(
          'hovered',
          row !== null && item !== undefined && spec.row(item) === row,
        );
      }
    });
  }

  destroy(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#unsubscribe();
  }

  #itemAt(target: EventTarget | null): Item | null {
    const node = target instanceof Element ? target.closest('tr[data-index]') : null;
    return this.#items[Number(node?.getAttribute('data-index') ?? -1)] ?? null;
  }

  // As they stand on screen.
  get items(): readonly Item[] {
    return this.#items;
  }

  get columns(): readonly RowColumn<Item>[] {
    return this.#columns;
  }

  #sortOf(): { readonly id: string; readonly descending: boolean } | null {
    const text = this.#spec.sort();
    if (text === null) return null;
    const descending = text.startsWith('-');
    return { id: descending ? text.slice(1) : text, descending };
  }

  // Items in the table's usual order.
  draw(items: readonly Item[], width: number): void {
    const all = this.#spec.columns();
    this.#columns = this.#fitting(all, width);
    const sort = this.#sortOf();
    const key = all.find((column) => column.id === sort?.id)?.sortBy;
    this.#items =
      key === undefined || sort === null ? items : sortItems(items, key, sort.descending);
    this.#made.clear();
    this.#names.clear();
    this.#body.replaceChildren(this.#above, this.#below);
    this.#measure(width);
    this.#drawHead();
    this.#table.setAttribute('aria-rowcount', String(this.#items.length + 1));
    // Half a row more says that there are more.
    const isCut = this.#items.length > this.#spec.visibleRows;
    const rows = isCut ? this.#spec.visibleRows + 0.5 : this.#items.length;
    this.node.style.height = `${String(kHeadHeight + rows * this.#rowHeight + 2)}px`;
    this.#drawRows();
  }

  // Those of a column, so that cut names stay apart.
  #namesOf(column: RowColumn<Item>): Names | null {
    if (this.#items.length > kMaxNames) return null;
    let names = this.#names.get(column.id);
    if (names === undefined) {
      const items = this.#items;
      names = new Names(() =>
        items.map((item) => column.cell(item)).filter((cell) => typeof cell === 'string'),
      );
      this.#names.set(column.id, names);
    }
    return names;
  }

  #fitting(all: readonly RowColumn<Item>[], width: number): readonly RowColumn<Item>[] {
    const columns = [...all];
    const least = (): number =>
      columns.reduce((sum, c) => sum + (c.width ?? this.#spec.minName), 0);
    while (least() > width) {
      const early = columns.findLastIndex((column) => column.optional === true);
      const last =
        early >= 0 ? early : columns.findLastIndex((column) => column.optional === 'late');
      if (last < 0) break;
      columns.splice(last, 1);
    }
    return columns;
  }

  #measure(width: number): void {
    const fixed = this.#columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
    const names = this.#columns.filter((column) => column.width === null).length;
    const left = Math.max(this.#spec.minName, (width - 2 - fixed) / Math.max(1, names));
    this.#widths = this.#columns.map((column) => column.width ?? Math.floor(left));
    this.#table.style.width = `${String(this.#widths.reduce((a, b) => a + b, 0))}px`;
    replace(
      this.#columnGroup,
      ...this.#widths.map((w) => {
        const col = el('col');
        col.style.width = `${String(w)}px`;
        return col;
      }),
    );
  }

  #drawHead(): void {
    const sort = this.#sortOf();
    replace(
      this.#head,
      ...this.#columns.map((column) => {
        const isSorted = sort?.id === column.id;
        const direction = isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none';
        const arrow = isSorted ? (sort.descending ? ' ↓' : ' ↑') : '';
        return el(
          'th',
          {
            class: column.align,
            attrs: {
              scope: 'col',
              title: column.help,
              'aria-sort': column.sortBy === undefined ? null : direction,
              'data-column': column.id,
            },
          },
          column.sortBy === undefined
            ? column.head
            : el(
                'button',
                {
                  class: isSorted ? 'sorted' : '',
                  attrs: { type: 'button', 'aria-label': `Sort by ${column.help}` },
                  on: { click: () => this.#turn(column) },
                },
                column.head + arrow,
              ),
        );
      }),
    );
  }

  // A first click sorts numbers from the largest, texts from the first; the third ends the sorting.
  #turn(column: RowColumn<Item>): void {
    const sort = this.#sortOf();
    const [first] = this.#items;
    const isNumber = first !== undefined && typeof column.sortBy?.(first) === 'number';
    const down = `-${column.id}`;
    const order = isNumber ? [down, column.id] : [column.id, down];
    const at = sort?.id === column.id ? order.indexOf(this.#spec.sort() ?? '') : -1;
    this.#spec.setSort(order[at + 1] ?? null);
  }

  #schedule(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => this.#drawRows());
  }

  #drawRows(): void {
    const h = this.#rowHeight;
    const count = this.#items.length;
    const seen = Math.min(count, this.#spec.visibleRows) * h;
    const first = Math.max(0, Math.floor(this.node.scrollTop / h) - kOverscan);
    const last = Math.min(count, Math.ceil((this.node.scrollTop + seen) / h) + kOverscan);
    const kept = new Map<number, HTMLTableRowElement>();
    let after: ChildNode = this.#above;
    for (let i = first; i < last; i += 1) {
      const item = this.#items[i];
      if (item === undefined) continue;
      const node = this.#made.get(i) ?? this.#makeRow(item, i);
      kept.set(i, node);
      if (after.nextSibling !== node) after.after(node);
      after = node;
    }
    for (const [i, node] of this.#made) if (!kept.has(i)) node.remove();
    this.#made = kept;
    setHeight(this.#above, first * h);
    setHeight(this.#below, (count - last) * h);
  }

  #makeRow(item: Item, index: number): HTMLTableRowElement {
    const sorted = this.#sortOf()?.id;
    const row = this.#spec.row(item);
    const isSelected = this.#isSelected(item, this.#context.store.state.selected);
    return el(
      'tr',
      {
        class: isSelected ? 'selected' : '',
        attrs: {
          'data-index': index,
          'data-row': row,
          'aria-rowindex': index + 2,
          'aria-selected': isSelected ? 'true' : null,
        },
      },
      ...this.#columns.map((column, at) => {
        const cell = column.cell(item);
        const by = column.id === sorted ? ' by' : '';
        if (column.width !== null || typeof cell !== 'string') {
          return el('td', { class: column.align + by }, cell);
        }
        const mark = column.mark?.(item) ?? null;
        const before = (at === 0 ? 8 : 0) + (mark === null ? 0 : kMarkPx);
        const room = (this.#widths[at] ?? 0) - kCellPadding - before - 2;
        const name = el(
          'td',
          { class: `name${by}` },
          mark,
          fitName(cell, room, bodyFont(), this.#namesOf(column)),
        );
        name.title = nameTitle(cell);
        return name;
      }),
    );
  }

  #isSelected(item: Item, selected: number | null): boolean {
    if (this.#spec.isPicked !== undefined) return this.#spec.isPicked(item);
    return selected !== null && this.#spec.row(item) === selected;
  }

  // The selection changed, and nothing else.
  mark(selected: number | null): void {
    for (const [i, node] of this.#made) {
      const item = this.#items[i];
      const is = item !== undefined && this.#isSelected(item, selected);
      node.classList.toggle('selected', is);
      if (is) node.setAttribute('aria-selected', 'true');
      else node.removeAttribute('aria-selected');
    }
  }

  reveal(row: number): void {
    const index = this.#items.findIndex((item) => this.#spec.row(item) === row);
    if (index < 0) return;
    const h = this.#rowHeight;
    const top = index * h;
    const room = this.node.clientHeight - kHeadHeight;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + h > this.node.scrollTop + room) this.node.scrollTop = top + h - room;
  }
}

function setHeight(spacer: HTMLElement, height: number): void {
  spacer.style.height = `${String(height)}px`;
  spacer.hidden = height === 0;
}

// A figure whose body is such a table, for a view that has the order of rows from it.
export interface RowsFigure {
  readonly figure: Figure;
  mark(selected: number | null): void;
  order(): Int32Array;
  reveal(row: number): void;
}

// Of a table whose items are layers; what is selected elsewhere is brought into its window.
export function rowsFigure(figure: Figure, table: RowTable<number>): RowsFigure {
  return {
    figure,
    mark: (selected) => {
      table.mark(selected);
      if (selected !== null) table.reveal(selected);
    },
    order: () => Int32Array.from(table.items),
    reveal: (row) => table.reveal(row),
  };
}
