// A cell of a table's head that says what the table is sorted by, and sorts by its column.

import { el } from '../../public/index.ts';
import type { SortableColumn } from './choice.ts';

export interface HeadCell<Column extends SortableColumn> {
  readonly className: string;
  readonly content: string | HTMLElement;
  // Null: the table can't be sorted by it.
  readonly column: Column | null;
  readonly title: string;
}

export function headCell<Column extends SortableColumn>(
  { className, content, column, title }: HeadCell<Column>,
  sort: { readonly column: string; readonly descending: boolean } | null,
  onSort: (column: Column) => void,
): HTMLElement {
  const attrs = { scope: 'col', title };
  if (column === null) return el('th', { class: className, attrs }, content);
  const isOf =
    sort !== null && (sort.column === column || (column === 'delta' && sort.column === 'size'));
  const direction = isOf ? (sort.descending ? 'descending' : 'ascending') : 'none';
  const arrow = isOf ? (sort.descending ? ' ↓' : ' ↑') : '';
  return el(
    'th',
    { class: className, attrs: { ...attrs, 'aria-sort': direction } },
    el(
      'button',
      {
        class: isOf ? 'sorted' : '',
        attrs: { type: 'button' },
        on: { click: () => onSort(column) },
      },
      content,
      arrow,
    ),
  );
}
