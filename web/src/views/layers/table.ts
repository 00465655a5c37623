// The virtual table: a real table of which only the rows near the window exist.

import {
  bodyFont,
  el,
  fitName,
  Names,
  integer,
  nameTitle,
  replace,
  span,
  type SortKey,
} from '../../public/index.ts';
import type { CellContext, Column } from './column.ts';
import type { RowGroup } from './grouping.ts';

const kRowHeight = 23;
const kTouchRowHeight = 32;
// Rows made beyond either edge, so that a flick of the wheel meets made rows.
const kOverscan = 20;
const kMinName = 160;
const kCellPadding = 12;

const kMaxNames = 30_000;

export interface TableEvents {
  sort(column: Column): void;
  select(row: number, how: 'only' | 'toggle' | 'to'): void;
  // The row was selected by the first of two clicks.
  open(): void;
  hover(row: number | null, event: MouseEvent | null): void;
  filter(row: number, column: Column): void;
  toggle(group: RowGroup): void;
}

export interface TableContent {
  readonly columns: readonly Column[];
  // The layers that are counted and summed.
  readonly rows: Int32Array;
  // What is drawn: rows of layers, and -1 - g for the head of group g.
  readonly entries: Int32Array;
  readonly groups: readonly RowGroup[];
  readonly isOpen: (group: RowGroup) => boolean;
  readonly context: CellContext;
  readonly sort: SortKey | null;
  readonly selected: readonly number[];
  readonly total: number;
}

export class VirtualTable {
  readonly node: HTMLElement;
  readonly #events: TableEvents;
  readonly #rowHeight: number;
  readonly #columns = el('colgroup');
  readonly #head = el('tr');
  readonly #body = el('tbody');
  readonly #foot = el('tr', { class: 'sum-row' });
  readonly #table: HTMLTableElement;
  readonly #above = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  readonly #below = el('tr', { class: 'spacer', attrs: { 'aria-hidden': 'true' } }, el('td'));
  #made = new Map<number, HTMLTableRowElement>();
  #content: TableContent | null = null;
  #nameWidth = kMinName;
  // Of all layers, so that cut ones stay apart.
  #names: Names | null = null;
  #font = '';
  #frame = 0;

  constructor(events: TableEvents) {
    this.#events = events;
    this.#rowHeight = window.matchMedia('(pointer: coarse)').matches ? kTouchRowHeight : kRowHeight;
    this.#table = el(
      'table',
      { class: 'layers-table' },
      el('caption', { class: 'offscreen' }, 'Layers'),
      this.#columns,
      el('thead', {}, this.#head),
      this.#body,
      el('tfoot', {}, this.#foot),
    );
    this.node = el(
      'div',
      { class: 'table-scroll', attrs: { tabindex: '0', role: 'region', 'aria-label': 'Layers' } },
      this.#table,
    );
    this.node.style.setProperty('--row-height', `${String(this.#rowHeight)}px`);
    this.node.addEventListener('scroll', () => this.#scheduleRows(), { passive: true });
    this.#body.addEventListener('click', (event) => this.#click(event));
    this.#body.addEventListener('dblclick', () => this.#events.open());
    this.#body.addEventListener('mousemove', (event) =>
      this.#events.hover(rowOf(event.target), event),
    );
    this.#body.addEventListener('mouseleave', () => this.#events.hover(null, null));
  }

  #click(event: MouseEvent): void {
    const head = numberOf(event.target, 'data-group');
    if (head !== null) {
      const group = this.#content?.groups[head];
      if (group !== undefined) this.#events.toggle(group);
      return;
    }
    const row = rowOf(event.target);
    if (row === null) return;
    if (!event.altKey) {
      // A reader who marks text to copy does not want another layer.
      if (event.shiftKey) window.getSelection()?.removeAllRanges();
      else if (window.getSelection()?.type === 'Range') return;
      const toggles = event.ctrlKey || event.metaKey;
      this.#events.select(row, event.shiftKey ? 'to' : toggles ? 'toggle' : 'only');
      return;
    }
    const cell = event.target instanceof Element ? event.target.closest('td') : null;
    const column = this.#content?.columns[cell?.cellIndex ?? -1];
    if (column !== undefined) this.#events.filter(row, column);
  }

  show(content: TableContent): void {
    this.#content = content;
    this.#font = bodyFont();
    const { engine } = content.context;
    const rows = engine.workRows;
    this.#names =
      rows.length > kMaxNames
        ? null
        : new Names(() => Array.from(rows, (row) => engine.layerName(row)));
    this.#made.clear();
    this.#body.replaceChildren(this.#above, this.#below);
    this.#measure(content);
    this.#drawHead(content);
    this.#drawFoot(content);
    this.#table.setAttribute('aria-rowcount', String(content.entries.length + 2));
    this.#drawRows();
  }

  #measure({ columns }: TableContent): void {
    const others = columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
    // The page's own width: before the rows are there, no scroll bar takes any of it.
    const available = this.node.clientWidth;
    this.#nameWidth = Math.max(kMinName, available - others);
    const hasName = columns.some((column) => column.width === null);
    const width = hasName ? others + this.#nameWidth : others;
    this.#table.style.width = `${String(Math.max(hasName ? 0 : available, width))}px`;
    replace(
      this.#columns,
      ...columns.map((column) => {
        const col = el('col');
        col.style.width = `${String(column.width ?? this.#nameWidth)}px`;
        return col;
      }),
    );
  }

  #drawHead({ columns, context, sort }: TableContent): void {
    replace(
      this.#head,
      ...columns.map((column) => {
        const sorted = sort?.column === column.id;
        const text = column.head(context);
        const arrow = sorted ? (sort.descending ? ' ↓' : ' ↑') : '';
        const direction = sorted ? (sort.descending ? 'descending' : 'ascending') : 'none';
        return el(
          'th',
          {
            class: column.align,
            attrs: {
              scope: 'col',
              'aria-sort': column.sortBy === undefined ? null : direction,
              title: column.id === 'bar' ? `Full width: ${String(context.maxMs)} ms` : column.help,
              'data-column': column.id,
            },
          },
          column.sortBy === undefined
            ? span('', text)
            : el(
                'button',
                {
                  class: sorted ? 'sorted' : '',
                  attrs: { type: 'button', 'aria-label': `Sort by ${column.title}` },
                  on: { click: () => this.#events.sort(column) },
                },
                text + arrow,
                text === '' ? span('offscreen', column.title) : null,
              ),
        );
      }),
    );
  }

  #drawFoot({ columns, rows, context, total }: TableContent): void {
    let labelled = false;
    replace(
      this.#foot,
      ...columns.map((column) => {
        if (column.sum !== undefined)
          return el('td', { class: column.align }, column.sum(rows, context));
        if (column.id !== 'name' || labelled) return el('td');
        labelled = true;
        const filtered = rows.length < total ? span('dim', ` of ${integer(total)}`) : null;
        return el(
          'td',
          {},
          `Σ of ${integer(rows.length)} ${rows.length === 1 ? 'layer' : 'layers'}`,
          filtered,
        );
      }),
    );
  }

  #scheduleRows(): void {
    window.cancelAnimationFrame(this.#frame);
    this.#frame = window.requestAnimationFrame(() => this.#drawRows());
  }

  #drawRows(): void {
    const content = this.#content;
    if (content === null) return;
    const h = this.#rowHeight;
    const count = content.entries.length;
    const first = Math.max(0, Math.floor(this.node.scrollTop / h) - kOverscan);
    const last = Math.min(
      count,
      Math.ceil((this.node.scrollTop + this.node.clientHeight) / h) + kOverscan,
    );
    // What leaves goes first: rows that stay then stand where they are, and are not laid out anew.
    const wanted = new Set(content.entries.subarray(first, last));
    for (const [entry, node] of this.#made) if (!wanted.has(entry)) node.remove();
    const kept = new Map<number, HTMLTableRowElement>();
    let after: ChildNode = this.#above;
    for (let i = first; i < last; i += 1) {
      const entry = content.entries[i] ?? 0;
      const made = this.#made.get(entry);
      const node =
        made ??
        (entry < 0 ? this.#makeHead(-1 - entry, i, content) : this.#makeRow(entry, i, content));
      kept.set(entry, node);
      if (after.nextSibling !== node) after.after(node);
      after = node;
    }
    this.#made = kept;
    setHeight(this.#above, first * h);
    setHeight(this.#below, (count - last) * h);
  }

  #makeRow(row: number, index: number, content: TableContent): HTMLTableRowElement {
    const { context, columns, sort } = content;
    const selected = content.selected.includes(row);
    return el(
      'tr',
      {
        class: selected ? 'selected' : '',
        attrs: {
          'data-row': row,
          'aria-rowindex': index + 2,
          'aria-selected': selected ? 'true' : null,
        },
      },
      ...columns.map((column) => {
        const cell = column.cell(row, context);
        if (column.id === 'name') return this.#nameCell(context.engine.layerName(row));
        // Unsorted, the time is the number to read.
        const sorted = (sort?.column ?? 'time') === column.id ? ' by' : '';
        return el('td', { class: column.align + sorted }, cell);
      }),
    );
  }

  #makeHead(index: number, place: number, content: TableContent): HTMLTableRowElement {
    const { columns, context, groups } = content;
    const group = groups[index];
    if (group === undefined) return el('tr');
    const open = content.isOpen(group);
    const name = group.label ?? 'not known';
    return el(
      'tr',
      { class: 'group-row', attrs: { 'data-group': index, 'aria-rowindex': place + 2 } },
      ...columns.map((column) => {
        if (column.id === 'name') {
          const room = this.#nameWidth - kCellPadding - 70;
          return el(
            'td',
            { class: 'name' },
            el(
              'button',
              {
                class: 'fold',
                attrs: {
                  type: 'button',
                  'aria-expanded': open ? 'true' : 'false',
                  title: nameTitle(name),
                },
              },
              open ? '▾ ' : '▸ ',
              fitName(name, room, this.#font),
            ),
            span('dim', ` ${integer(group.rows.length)}`),
          );
        }
        if (column.id === 'bar') return el('td', {}, context.sumBar(group.rows));
        return el('td', { class: column.align }, column.sum?.(group.rows, context) ?? '');
      }),
    );
  }

  #nameCell(name: string): HTMLElement {
    const cell = el(
      'td',
      { class: 'name' },
      fitName(name, this.#nameWidth - kCellPadding - 2, this.#font, this.#names),
    );
    cell.title = nameTitle(name);
    return cell;
  }

  mark(selected: readonly number[]): void {
    if (this.#content === null) return;
    this.#content = { ...this.#content, selected };
    for (const [row, node] of this.#made) {
      const isSelected = selected.includes(row);
      node.classList.toggle('selected', isSelected);
      if (isSelected) node.setAttribute('aria-selected', 'true');
      else node.removeAttribute('aria-selected');
    }
  }

  hover(row: number | null): void {
    for (const [r, node] of this.#made) node.classList.toggle('hovered', r === row);
  }

  reveal(row: number): void {
    const index = this.#content?.entries.indexOf(row) ?? -1;
    if (index < 0) return;
    const h = this.#rowHeight;
    const head = this.#head.offsetHeight;
    const foot = this.#foot.offsetHeight;
    const room = this.node.clientHeight - head - foot;
    const top = index * h;
    if (top < this.node.scrollTop) this.node.scrollTop = top - h;
    else if (top + h > this.node.scrollTop + room) this.node.scrollTop = top + 2 * h - room;
  }

  get width(): number {
    return this.node.clientWidth;
  }
}

function setHeight(spacer: HTMLElement, height: number): void {
  spacer.style.height = `${String(height)}px`;
  spacer.hidden = height === 0;
}

function numberOf(target: EventTarget | null, attribute: string): number | null {
  const node = target instanceof Element ? target.closest(`tr[${attribute}]`) : null;
  const text = node?.getAttribute(attribute) ?? null;
  return text === null ? null : Number(text);
}

function rowOf(target: EventTarget | null): number | null {
  return numberOf(target, 'data-row');
}
