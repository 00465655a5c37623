// The table for many rows: only the rows near the window exist. The view defines the items; if they
// represent layers, hovering and selecting work as everywhere.
//
// All rows have the same height, so the position of a row is a product, and two spacers take the place
// of the missing rows: this needs no windowing library.

import { el, replace, type Props } from '../../base/dom.ts';
import { Names } from '../../base/names.ts';
import { fitName, nameTitle } from '../page/marks.ts';
import type { ViewContext } from '../page/view.ts';
import {
  bodyCell,
  bodyCells,
  footRow,
  headCell,
  present,
  sortHead,
  type Column,
  type Columns,
} from './column.ts';
import { nextSort, parseSort, sortItems, sortText, type Sort } from './sort.ts';

// For a scroller while the page is laid out for paper: there is no window then.
export const kPrinting = 'printing';
const kMaxPrinted = 400;

const kRowHeight = 23;
const kTouchRowHeight = 32;
const kHeadHeight = 24;
// Rows rendered past either edge, so that a flick of the wheel reaches existing rows.
const kOverscan = 20;
const kCellPadding = 14;
const kFirstPadding = 8;
const kMarkPx = 14;
const kMinName = 160;
// With more names than this, cut ones need not stay distinguishable.
const kMaxNames = 30_000;

export interface GridSpec<Item> {
  readonly label: string;
  readonly class?: string;
  // Evaluated at every drawing.
  columns(width: number): Columns<Item>;
  // For a column without a width.
  readonly minName?: number;
  // At most this many rows are visible without scrolling; if absent, the grid fills its place.
  readonly visibleRows?: number;
  // The scrolling element, if it is larger than the grid.
  readonly scroller?: HTMLElement;
  readonly rowHeight?: (nameWidth: number) => number;
  // The order, and where it is stored. Without `setSort` nothing can be sorted.
  sort?(): string | null;
  readonly setSort?: (sort: string | null, column: Column<Item>) => void;
  // Items are already in order.
  readonly isOrdered?: boolean;
  // The column to read if nothing is sorted.
  readonly emphasis?: string;
  // The layer that an item represents; null: none.
  row?(item: Item): number | null;
  isSelected?(item: Item): boolean;
  props?(item: Item, at: number): Props;
  // Instead of selecting the layer.
  click?(item: Item, event: MouseEvent, column: Column<Item> | null): void;
  // Instead of showing the layer in the graph.
  open?(item: Item): void;
  hover?(item: Item | null, event: MouseEvent, column: Column<Item> | null): void;
}

export class Grid<Item> {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #spec: GridSpec<Item>;
  readonly #group = el('colgroup');
  readonly #head = el('tr');
  readonly #body = el('tbody');
  readonly #foot = el('tr', { class: 'sum-row' });
  readonly #table: HTMLTableElement;
  readonly #above = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #below = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #scroller: HTMLElement;
  readonly #unsubscribe: () => void;
  readonly #names = new Map<string, Names>();
  #items: ArrayLike<Item> = [];
  #columns: readonly Column<Item>[] = [];
  #widths: readonly number[] = [];
  #made = new Map<number, HTMLTableRowElement>();
  #rowHeight: number;
  #sort: Sort | null = null;
  #frame = 0;
  readonly #onScroll = (): void => {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => this.redraw());
  };

  constructor(context: ViewContext, spec: GridSpec<Item>) {
    this.#context = context;
    this.#spec = spec;
    this.#rowHeight = window.matchMedia('(pointer: coarse)').matches ? kTouchRowHeight : kRowHeight;
    this.#table = el(
      'table',
      { class: `grid ${spec.class ?? ''}`.trim() },
      el('caption', { class: 'offscreen' }, spec.label),
      this.#group,
      el('thead', {}, this.#head),
      this.#body,
      el('tfoot', {}, this.#foot),
    );
    const isOwn = spec.scroller === undefined;
    const className = !isOwn ? 'grid-part' : spec.visibleRows === undefined ? '' : 'row-scroll';
    this.node = el(
      'div',
      {
        class: className === '' ? 'table-scroll' : className,
        attrs: isOwn ? { tabindex: '0', role: 'region', 'aria-label': spec.label } : {},
      },
      this.#table,
    );
    this.#scroller = spec.scroller ?? this.node;
    this.#scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.#listen();
    this.#unsubscribe = context.store.onHover((row) => {
      if (spec.row !== undefined) this.light((item) => row !== null && spec.row?.(item) === row);
    });
  }

  destroy(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#scroller.removeEventListener('scroll', this.#onScroll);
    this.#unsubscribe();
  }

  // --- events

  #listen(): void {
    const spec = this.#spec;
    const { store, tooltip } = this.#context;
    const select = (item: Item): void => store.patch({ selected: spec.row?.(item) ?? null });
    this.#body.addEventListener('click', (event) => {
      const item = this.itemAt(event.target);
      if (item === null) return;
      if (event.shiftKey) window.getSelection()?.removeAllRanges();
      // A reader who selects text to copy does not want another layer.
      else if (!event.altKey && window.getSelection()?.type === 'Range') return;
      if (spec.click === undefined) select(item);
      else spec.click(item, event, this.#columnAt(event.target));
    });
    this.#body.addEventListener('dblclick', (event) => {
      const item = this.itemAt(event.target);
      if (item === null || (spec.click !== undefined && spec.open === undefined)) return;
      // The double click also selected the word under the pointer.
      window.getSelection()?.removeAllRanges();
      if (spec.open === undefined) store.patch({ view: 'graph' });
      else spec.open(item);
    });
    const hover = (item: Item | null, event: MouseEvent): void => {
      if (spec.hover !== undefined) spec.hover(item, event, this.#columnAt(event.target));
      else if (spec.row !== undefined) store.hover(item === null ? null : spec.row(item));
    };
    this.#body.addEventListener('mousemove', (event) => hover(this.itemAt(event.target), event));
    this.#body.addEventListener('mouseleave', (event) => {
      hover(null, event);
      tooltip.hide();
    });
  }

  itemAt(target: EventTarget | null): Item | null {
    const node = target instanceof Element ? target.closest('tr[data-index]') : null;
    return this.#items[Number(node?.getAttribute('data-index') ?? -1)] ?? null;
  }

  #columnAt(target: EventTarget | null): Column<Item> | null {
    const cell = target instanceof Element ? target.closest('td') : null;
    return this.#columns[cell?.cellIndex ?? -1] ?? null;
  }

  // --- what is drawn

  // In the order on screen.
  get items(): readonly Item[] {
    return Array.from(this.#items);
  }

  get width(): number {
    return this.node.clientWidth;
  }

  draw(items: ArrayLike<Item>, width = this.width): void {
    const all = present(this.#spec.columns(width));
    this.#columns = this.#fitting(all, width);
    this.#sort = parseSort(this.#spec.sort?.() ?? null);
    const key = all.find((one) => one.id !== undefined && one.id === this.#sort?.id)?.sortBy;
    if (key === undefined) this.#sort = null;
    this.#items =
      key === undefined || this.#sort === null || this.#spec.isOrdered === true
        ? items
        : sortItems(items, key, this.#sort.descending);
    this.#made.clear();
    this.#names.clear();
    this.#body.replaceChildren(this.#above, this.#below);
    this.#measure(width);
    replace(this.#head, ...this.#columns.map((one) => this.#headOf(one)));
    const foot = footRow(this.#columns);
    replace(this.#foot, ...(foot ?? []));
    const count = this.#items.length;
    this.#table.setAttribute('aria-rowcount', String(count + 1 + Number(foot !== null)));
    this.redraw();
  }

  #fitting(all: readonly Column<Item>[], width: number): readonly Column<Item>[] {
    const columns = [...all];
    const minName = this.#spec.minName ?? kMinName;
    const least = (): number => columns.reduce((sum, c) => sum + (c.width ?? minName), 0);
    while (least() > width) {
      const early = columns.findLastIndex((one) => one.optional === true);
      const last = early >= 0 ? early : columns.findLastIndex((one) => one.optional === 'late');
      if (last < 0) break;
      columns.splice(last, 1);
    }
    return columns;
  }

  #measure(width: number): void {
    const { minName = kMinName, visibleRows, rowHeight } = this.#spec;
    const fixed = this.#columns.reduce((sum, one) => sum + (one.width ?? 0), 0);
    const names = this.#columns.filter((one) => typeof one.width !== 'number').length;
    // Rows that end above the edge need no scroll bar, which would take two pixels.
    const room = visibleRows === undefined ? width : width - 2;
    const name = Math.max(minName, Math.floor((room - fixed) / Math.max(1, names)));
    this.#widths = this.#columns.map((one) => one.width ?? name);
    const sum = this.#widths.reduce((a, b) => a + b, 0);
    this.#table.style.width = `${String(names === 0 ? Math.max(width, sum) : sum)}px`;
    this.#table.classList.toggle('scrolls-x', sum > width);
    replace(
      this.#group,
      ...this.#widths.map((px) => el('col', { css: { width: `${String(px)}px` } })),
    );
    if (rowHeight !== undefined) this.#rowHeight = rowHeight(name);
    this.node.style.setProperty('--row-height', `${String(this.#rowHeight)}px`);
    this.node.style.setProperty('--rows-height', `${String(this.#height + kHeadHeight + 2)}px`);
    if (visibleRows !== undefined) this.node.style.height = 'var(--rows-height)';
  }

  // Height of the visible rows; an extra half row shows that there are more.
  get #height(): number {
    const count = this.#items.length;
    const most = this.#spec.visibleRows ?? count;
    return (count > most ? most + 0.5 : count) * this.#rowHeight;
  }

  #headOf(one: Column<Item>): HTMLElement {
    const { setSort } = this.#spec;
    if (one.sortBy === undefined || setSort === undefined) return headCell(one);
    return sortHead(one, this.#sort, () => {
      const first = this.#items[0];
      const isNumber = first !== undefined && typeof one.sortBy?.(first) === 'number';
      const startsDown = isNumber && one.startsUp !== true;
      setSort(sortText(nextSort(this.#sort, one.id ?? '', startsDown)), one);
    });
  }

  // --- the window

  get #isPrinting(): boolean {
    return this.#scroller.classList.contains(kPrinting);
  }

  // Distance of the first row from the top of the window, in px.
  get #offset(): number {
    if (this.#scroller === this.node) return -this.node.scrollTop;
    return this.#body.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  get #range(): { readonly first: number; readonly last: number } {
    const count = this.#items.length;
    if (this.#isPrinting) return { first: 0, last: Math.min(count, kMaxPrinted) };
    const h = this.#rowHeight;
    const offset = this.#offset;
    const room = this.#spec.visibleRows === undefined ? this.#scroller.clientHeight : this.#height;
    const first = Math.min(count, Math.max(0, Math.floor(-offset / h) - kOverscan));
    const seen = Math.max(0, Math.ceil((room - offset) / h)) + kOverscan;
    return { first, last: Math.max(first, Math.min(count, seen)) };
  }

  redraw(): void {
    if (this.#scroller !== this.node && !this.#body.isConnected) return;
    const h = this.#rowHeight;
    const { first, last } = this.#range;
    // Remove leaving rows first: rows that stay keep their place and need no new layout.
    for (const [at, node] of this.#made) if (at < first || at >= last) node.remove();
    const kept = new Map<number, HTMLTableRowElement>();
    let after: ChildNode = this.#above;
    for (let at = first; at < last; at += 1) {
      const item = this.#items[at];
      if (item === undefined) continue;
      const node = this.#made.get(at) ?? this.#makeRow(item, at);
      kept.set(at, node);
      if (after.nextSibling !== node) after.after(node);
      after = node;
    }
    this.#made = kept;
    setHeight(this.#above, first * h);
    setHeight(this.#below, this.#isPrinting ? 0 : (this.#items.length - last) * h);
  }

  #makeRow(item: Item, at: number): HTMLTableRowElement {
    const own = this.#spec.props?.(item, at) ?? {};
    const isSelected = this.#isSelected(item);
    return el(
      'tr',
      {
        class: `${own.class ?? ''}${isSelected ? ' selected' : ''}`.trim(),
        attrs: {
          'data-index': at,
          'data-row': this.#spec.row?.(item),
          'aria-rowindex': at + 2,
          'aria-selected': isSelected ? 'true' : null,
          ...own.attrs,
        },
      },
      ...bodyCells(this.#columns, (one, place) => this.#cellOf(one, place, item, at)),
    );
  }

  #cellOf(one: Column<Item>, place: number, item: Item, at: number): HTMLElement {
    const mark = one.mark?.(item) ?? null;
    const before = (place === 0 ? kFirstPadding : 0) + (mark === null ? 0 : kMarkPx);
    const room = (this.#widths[place] ?? 0) - kCellPadding - before;
    const content = one.cell(item, at, room);
    if (content instanceof HTMLTableCellElement) return content;
    const isBy = one.id !== undefined && one.id === (this.#sort?.id ?? this.#spec.emphasis);
    const by = isBy ? 'by' : '';
    if (one.width !== null || typeof content !== 'string') return bodyCell(one, item, content, by);
    const text = fitName(content, room, undefined, this.#namesOf(one));
    const cell = bodyCell(one, item, [mark, text], `name ${by}`.trim());
    cell.title = nameTitle(content);
    return cell;
  }

  // The names of a column, so that cut names stay distinguishable.
  #namesOf(one: Column<Item>): Names | null {
    if (this.#items.length > kMaxNames) return null;
    const id = one.id ?? '';
    let names = this.#names.get(id);
    if (names === undefined) {
      const texts = (): readonly string[] =>
        this.items
          .map((item, at) => one.cell(item, at, 0))
          .filter((text) => typeof text === 'string');
      names = new Names(texts);
      this.#names.set(id, names);
    }
    return names;
  }

  // --- highlights

  #isSelected(item: Item): boolean {
    if (this.#spec.isSelected !== undefined) return this.#spec.isSelected(item);
    const row = this.#spec.row?.(item) ?? null;
    return row !== null && this.#context.store.selectedRows.includes(row);
  }

  // Only the selection changed.
  mark(): void {
    for (const [at, node] of this.#made) {
      const item = this.#items[at];
      const is = item !== undefined && this.#isSelected(item);
      node.classList.toggle('selected', is);
      if (is) node.setAttribute('aria-selected', 'true');
      else node.removeAttribute('aria-selected');
    }
  }

  light(isLit: (item: Item) => boolean): void {
    for (const [at, node] of this.#made) {
      const item = this.#items[at];
      node.classList.toggle('hovered', item !== undefined && isLit(item));
    }
  }

  // --- scrolling

  // Scrolls to the first item that matches, with the one after it.
  reveal(isIt: (item: Item) => boolean): void {
    const index = this.items.findIndex(isIt);
    if (index < 0) return;
    const h = this.#rowHeight;
    const frame = this.#scroller.getBoundingClientRect();
    const top = this.#body.getBoundingClientRect().top - frame.top + index * h;
    const least = Math.max(0, this.#head.getBoundingClientRect().bottom - frame.top);
    const most = this.#scroller.clientHeight - this.#foot.offsetHeight - h;
    if (top < least && this.#scroller.scrollTop > 0) this.#scroller.scrollTop += top - least - h;
    else if (top > most) this.#scroller.scrollTop += top - most + h;
  }

  revealRow(row: number): void {
    this.reveal((item) => this.#spec.row?.(item) === row);
  }

  // Scrolls so that an item returns to its former place, in px from the top of the page.
  keep(item: Item, top: number): void {
    const index = this.items.indexOf(item);
    const now = this.#body.getBoundingClientRect().top + index * this.#rowHeight;
    if (index >= 0 && Math.abs(now - top) >= 1) this.#scroller.scrollTop += now - top;
  }
}

function setHeight(spacer: HTMLElement, height: number): void {
  spacer.style.height = `${String(height)}px`;
  spacer.hidden = height === 0;
}
