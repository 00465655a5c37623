// A small table: all of its rows exist.

import { div, el, span, type Props } from '../../base/dom.ts';
import type { Store } from '../../model/store.ts';
import { nameTitle, type FittedName } from '../page/marks.ts';
import {
  bodyCell,
  bodyCells,
  column,
  contentList,
  footRow,
  headCell,
  present,
  type Column,
  type ColumnOptions,
  type Columns,
  type Content,
} from './column.ts';

export interface PlainOptions<Item> {
  row?(item: Item, at: number): Props;
  // Details below its row, over all columns; null: none, or closed.
  details?(item: Item, at: number): Content;
  readonly detailsClass?: string;
  // A head above the first of the rows that have it in common.
  section?(item: Item): string;
  readonly sectionClass?: string;
  // A row of heads above the heads.
  readonly over?: HTMLElement;
  readonly caption?: string;
  readonly hasHeads?: boolean;
  // Instead of headCell.
  head?(one: Column<Item>): HTMLElement;
  readonly attrs?: Props['attrs'];
}

export function plainTable<Item>(
  className: string,
  items: Iterable<Item>,
  columns: Columns<Item>,
  options: PlainOptions<Item> = {},
): HTMLTableElement {
  const shown = present(columns);
  const heads = shown.map((one) => {
    const node = options.head?.(one) ?? headCell(one);
    if (typeof one.width === 'number') node.style.width = `${String(one.width)}px`;
    return node;
  });
  const rows: HTMLElement[] = [];
  let section: string | undefined;
  for (const [at, item] of [...items].entries()) {
    const own = options.section?.(item);
    if (own !== section) {
      const attrs = { scope: 'rowgroup', colspan: shown.length };
      rows.push(el('tr', { class: options.sectionClass ?? '' }, el('th', { attrs }, own)));
      section = own;
    }
    const cells = bodyCells(shown, (one) => {
      const content = one.cell(item, at, Number.POSITIVE_INFINITY);
      return content instanceof HTMLTableCellElement ? content : bodyCell(one, item, content);
    });
    rows.push(el('tr', options.row?.(item, at) ?? {}, ...cells));
    const details = options.details?.(item, at) ?? null;
    if (details === null) continue;
    const cell = el('td', { attrs: { colspan: shown.length } }, ...contentList(details));
    rows.push(el('tr', { class: options.detailsClass ?? '' }, cell));
  }
  const foot = footRow(shown);
  return el(
    'table',
    { class: `plain ${className}`.trim(), attrs: options.attrs ?? {} },
    options.caption === undefined ? null : el('caption', { class: 'offscreen' }, options.caption),
    options.hasHeads === false ? null : el('thead', {}, options.over, el('tr', {}, ...heads)),
    el('tbody', {}, ...rows),
    foot === null ? null : el('tfoot', {}, el('tr', {}, ...foot)),
  );
}

// If it is wider than its place it scrolls, by keys too.
export function wideTable(label: string, table: HTMLElement, className = ''): HTMLElement {
  const attrs = { tabindex: '0', role: 'region', 'aria-label': label };
  return el('div', { class: `wide-scroll ${className}`.trim(), attrs }, table);
}

// A row that represents a layer is selected and hovered with it everywhere. `more`: equal layers
// that are selected with it.
export function layerRow(store: Store, row: number | null, more: readonly number[] = []): Props {
  if (row === null) return {};
  return {
    class: store.selectedRows.includes(row) ? 'selected' : '',
    attrs: { 'data-row': row },
    on: {
      click: () => store.patch({ selected: row, more }),
      mouseenter: () => store.hover(row),
      mouseleave: () => store.hover(null),
    },
  };
}

// The selection changed: updates the rows in place, as a redraw would.
export function markLayerRows(place: HTMLElement, { selectedRows }: Store): void {
  for (const row of place.querySelectorAll<HTMLElement>('tr[data-row]')) {
    row.classList.toggle('selected', selectedRows.includes(Number(row.dataset.row)));
  }
}

// A name that is fitted once its cell has its width: `names` collects them.
export function nameColumn<Item>(
  head: Content,
  names: FittedName[],
  nameOf: (item: Item) => string,
  options: ColumnOptions<Item> = {},
): Column<Item> {
  const cell = (item: Item): Content => {
    const node = span('');
    names.push({ name: nameOf(item), node });
    return node;
  };
  const title = (item: Item): string => nameTitle(nameOf(item));
  return column(head, cell, { class: 'name', title, ...options });
}

// A note below a table on what is left out; null if nothing is.
export function tableNote(text: string | null): HTMLElement | null {
  return text === null ? null : div('dim table-note', text);
}
