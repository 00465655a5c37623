// A figure whose body is a small table: its first rows, a note on the rest, and all of them in the
// CSV.

import { el, type Props } from '../../base/dom.ts';
import { Figure, htmlBody, type FigureSpec } from './figure.ts';
import { fitAll, type FittedName } from '../page/marks.ts';
import type { ViewContext } from '../page/view.ts';
import type { Columns } from './column.ts';
import { figureTable, type DataColumn } from './data.ts';
import { plainTable } from './plain_table.ts';

export interface PlainFigureSpec<Item> extends Pick<
  FigureSpec,
  'id' | 'title' | 'explain' | 'aside'
> {
  readonly class: string;
  // Evaluated at every drawing, like the columns.
  items(): readonly Item[];
  // Further rows are only saved.
  readonly most: number;
  // `names` are fitted once their cells have their width.
  columns(names: FittedName[]): Columns<Item>;
  row(item: Item): Props;
  // A note on the rows that are left out.
  rest?(items: readonly Item[]): string;
  readonly data: readonly DataColumn<Item>[];
}

export function plainFigure<Item>(context: ViewContext, spec: PlainFigureSpec<Item>): Figure {
  let names: FittedName[] = [];
  const body = htmlBody('table-body', () => {
    names = [];
    const items = spec.items();
    const rest = items.slice(spec.most);
    const note = rest.length > 0 ? (spec.rest?.(rest) ?? null) : null;
    return [
      plainTable(spec.class, items.slice(0, spec.most), spec.columns(names), {
        row: (item) => spec.row(item),
      }),
      note === null ? null : el('p', { class: 'soft' }, note),
    ];
  });
  const draw = (width: number): void => {
    body.draw(width);
    fitAll(names);
  };
  return new Figure(context, {
    ...spec,
    explain: () => spec.explain(),
    body: { ...body, draw },
    table: () => figureTable(spec.items(), spec.data),
  });
}
