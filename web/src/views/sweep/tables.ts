// Common parts of the small tables of this view: rows that open, and names of kernels.

import {
  column,
  el,
  Figure,
  foldButton,
  htmlBody,
  kMissing,
  middleEllipsis,
  plainTable,
  visible,
  type Column,
  type Columns,
  type FigureSpec,
  type ViewContext,
} from '../../public/index.ts';

// Names of kernels differ at their ends.
const kKernelLetters = 40;

export function kernelColumn<Item>(
  head: string,
  nameOf: (item: Item) => string | null,
): Column<Item> {
  const text = (item: Item): string => visible(nameOf(item) ?? '');
  const short = (item: Item): string =>
    middleEllipsis(text(item), kKernelLetters, (part) => part.length) || kMissing;
  return column(head, short, {
    cellClass: (item) => (text(item) === '' ? 'dim' : 'name'),
    title: text,
  });
}

interface OpenTable<Item> extends Pick<FigureSpec, 'id' | 'title' | 'explain' | 'table'> {
  readonly items: readonly Item[];
  readonly rowClass: string;
  // Shown instead of a table without rows.
  readonly empty: string;
  // For the first column, whose cells open their rows.
  readonly head: string;
  name(item: Item): string;
  readonly columns: Columns<Item>;
  // The content of an open row.
  details(item: Item): HTMLElement;
}

export function openTable<Item>(context: ViewContext, spec: OpenTable<Item>): Figure {
  const open = new Set<Item>();
  const toggle = (item: Item): HTMLElement =>
    foldButton(spec.name(item), open.has(item), () => {
      if (!open.delete(item)) open.add(item);
      body.draw(0);
    });
  const columns = [column(spec.head, toggle, { cellClass: 'name' }), ...spec.columns];
  const body = htmlBody('wide-scroll', () => [
    spec.items.length === 0
      ? el('p', { class: 'soft' }, spec.empty)
      : plainTable('auto opens', spec.items, columns, {
          row: () => ({ class: spec.rowClass }),
          details: (item) => (open.has(item) ? spec.details(item) : null),
          detailsClass: 'row-details sweep-details',
        }),
  ]);
  return new Figure(context, { ...spec, explain: () => spec.explain(), body });
}
