// A column of a table: its head, its cells, its width, its sort key.

import { el, type Child } from '../../base/dom.ts';
import { kMissing } from '../../base/format.ts';
import type { Sort } from './sort.ts';

export type Content = Child | readonly Child[];

export interface ColumnOptions<Item> {
  // Its name in the state and in data-column; without one the table cannot be sorted by it.
  readonly id?: string;
  // In the head: the unit, or the base of a percentage.
  readonly help?: string | undefined;
  // In px; null takes the remaining width, and its text is fitted: names.
  readonly width?: number | null;
  // For head and cells.
  readonly class?: string;
  readonly cellClass?: string | ((item: Item) => string);
  readonly title?: (item: Item) => string | null;
  // Its cells are heads of their rows.
  readonly isHead?: boolean;
  // Left out, the last first, if the table is too narrow for all; 'late' after all others.
  readonly optional?: boolean | 'late';
  // Before a fitted text: a swatch.
  readonly mark?: (item: Item) => HTMLElement;
  // If a first click sorts numbers ascending.
  readonly startsUp?: boolean;
  // Missing is NaN or ''.
  readonly sortBy?: ((item: Item) => number | string) | undefined;
  readonly foot?: () => Content;
}

export interface Column<Item> extends ColumnOptions<Item> {
  readonly head: Content;
  readonly isNumber: boolean;
  // `room`: px available for a text. A cell can span columns, whose cells are then left out.
  cell(item: Item, at: number, room: number): Content;
}

// False values are skipped: `hasTimes && numbers(…)`.
export type Columns<Item> = readonly (Column<Item> | null | false)[];

export function column<Item>(
  head: Content,
  cell: Column<Item>['cell'],
  options: ColumnOptions<Item> = {},
): Column<Item> {
  return { ...options, head, cell, isNumber: false };
}

// Its head and cells are right-aligned.
export function numbers<Item>(
  head: Content,
  cell: Column<Item>['cell'],
  options: ColumnOptions<Item> = {},
): Column<Item> {
  return { ...options, head, cell, isNumber: true };
}

type Value<Item> = (item: Item) => number | null | undefined;

const orNaN = (value: number | null | undefined): number => value ?? Number.NaN;

// Sorted by the number that it shows.
export function quantity<Item>(
  id: string,
  head: Content,
  value: Value<Item>,
  text: (value: number, item: Item) => Content,
  options: ColumnOptions<Item> = {},
): Column<Item> {
  const sortBy = (item: Item): number => orNaN(value(item));
  const cell = (item: Item): Content => {
    const own = sortBy(item);
    return Number.isNaN(own) ? kMissing : text(own, item);
  };
  return numbers(head, cell, { id, sortBy, ...options });
}

// The same; null if no item has a known value.
export function knownQuantity<Item>(
  items: readonly Item[],
  ...spec: Parameters<typeof quantity<Item>>
): Column<Item> | null {
  const [, , value] = spec;
  return items.every((item) => Number.isNaN(orNaN(value(item)))) ? null : quantity(...spec);
}

export function present<Item>(columns: Columns<Item>): readonly Column<Item>[] {
  return columns.filter((one) => one !== null && one !== false);
}

export function contentList(content: Content): readonly Child[] {
  return Array.isArray(content) ? (content as readonly Child[]) : [content as Child];
}

export function classes(...names: readonly (string | undefined | false)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ');
}

export function headCell<Item>(
  one: Column<Item>,
  content: readonly Child[] = contentList(one.head),
  attrs: Readonly<Record<string, string | null>> = {},
): HTMLElement {
  return el(
    'th',
    {
      class: classes(one.isNumber && 'right', one.class),
      attrs: { scope: 'col', title: one.help, 'data-column': one.id, ...attrs },
    },
    ...content,
  );
}

// A head; a click on it sorts.
export function sortHead<Item>(
  one: Column<Item>,
  sort: Sort | null,
  turn: () => void,
): HTMLElement {
  const { head, help, id } = one;
  const way = sort === null || sort.id !== id ? null : sort.descending ? 'down' : 'up';
  const isWord = typeof head === 'string' && help !== undefined;
  const button = el(
    'button',
    {
      class: way === null ? '' : 'sorted',
      attrs: { type: 'button', 'aria-label': isWord ? `${head}: sort by ${help}` : null },
      on: { click: turn },
    },
    ...contentList(head),
    way === null ? '' : way === 'down' ? ' ↓' : ' ↑',
  );
  const words = { down: 'descending', up: 'ascending' };
  return headCell(one, [button], { 'aria-sort': way === null ? 'none' : words[way] });
}

export function bodyCell<Item>(
  one: Column<Item>,
  item: Item,
  content: Content,
  more = '',
): HTMLElement {
  const own = typeof one.cellClass === 'function' ? one.cellClass(item) : one.cellClass;
  const isMissing = one.isNumber && content === kMissing;
  return el(
    one.isHead === true ? 'th' : 'td',
    {
      class: classes(one.isNumber && 'right', one.class, own, isMissing && 'dim', more),
      attrs: { scope: one.isHead === true ? 'row' : null, title: one.title?.(item) },
    },
    ...contentList(content),
  );
}

// The cells of a row: if one spans columns, theirs are left out.
export function bodyCells<Item>(
  columns: readonly Column<Item>[],
  make: (one: Column<Item>, place: number) => HTMLElement,
): readonly HTMLElement[] {
  const cells: HTMLElement[] = [];
  let spanned = 0;
  for (const [place, one] of columns.entries()) {
    if (place < spanned) continue;
    const cell = make(one, place);
    spanned = place + (cell instanceof HTMLTableCellElement ? cell.colSpan : 1);
    cells.push(cell);
  }
  return cells;
}

// Null: no column has a foot.
export function footRow<Item>(columns: readonly Column<Item>[]): readonly HTMLElement[] | null {
  if (columns.every((one) => one.foot === undefined)) return null;
  return bodyCells(columns, (one) => {
    const content = one.foot?.();
    if (content instanceof HTMLTableCellElement) return content;
    const tag = one.isHead === true ? 'th' : 'td';
    const attrs = { scope: one.isHead === true ? 'row' : null };
    const className = classes(one.isNumber && 'right', one.class);
    return el(tag, { class: className, attrs }, ...contentList(content));
  });
}
