// A figure whose body is a grid: its drawing and its data to save.

import { Figure, type FigureBody } from './figure.ts';
import type { ViewContext } from '../page/view.ts';
import { figureTable, type DataColumn } from './data.ts';
import { Grid, type GridSpec } from './grid.ts';

export interface GridFigureSpec<Item> extends GridSpec<Item> {
  readonly id: string;
  readonly title: string;
  explain(): string;
  isEmpty?(): boolean;
  // In the default order.
  items(): readonly Item[];
  // The CSV: the rows on screen, in their order.
  data(): readonly DataColumn<Item>[];
  // Wraps the grid with further elements, and draws those.
  frame?(grid: Grid<Item>): Pick<FigureBody, 'node' | 'draw'>;
}

// For a view that takes its order of rows from it.
export interface RowsFigure {
  readonly figure: Figure;
  // Only the selection changed; it is scrolled into view.
  mark(): void;
  order(): Int32Array;
  reveal(row: number): void;
}

export function gridFigure<Item>(
  context: ViewContext,
  spec: GridFigureSpec<Item>,
): RowsFigure & { readonly grid: Grid<Item> } {
  const grid = new Grid(context, spec);
  const around = spec.frame?.(grid) ?? {
    node: grid.node,
    draw: (width: number) => grid.draw(spec.items(), width),
  };
  const mark = (): void => {
    grid.mark();
    const { selected } = context.store.state;
    if (selected !== null) grid.revealRow(selected);
  };
  const figure = new Figure(context, {
    id: spec.id,
    title: spec.title,
    isEmpty: () => spec.isEmpty?.() === true,
    explain: () => spec.explain(),
    body: { ...around, mark, destroy: () => grid.destroy() },
    table: () => figureTable(grid.items, spec.data()),
  });
  const rowOf = (item: Item): number | null => spec.row?.(item) ?? null;
  return {
    figure,
    grid,
    mark,
    order: () => Int32Array.from(new Set(grid.items.map(rowOf).filter((row) => row !== null))),
    reveal: (row) => grid.revealRow(row),
  };
}
