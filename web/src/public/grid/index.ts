// Tables: a grid for many rows, a plain table for few, and their columns.

import './grid.css';

export {
  column,
  knownQuantity,
  quantity,
  numbers,
  type Column,
  type ColumnOptions,
  type Columns,
  type Content,
} from './column.ts';
export { csvOf, figureTable, type DataColumn, type FigureTable } from './data.ts';
export { Grid, kPrinting, type GridSpec } from './grid.ts';
export { gridFigure, type RowsFigure } from './grid_figure.ts';
export * from './layer_columns.ts';
export { plainFigure, type PlainFigureSpec } from './plain_figure.ts';
export {
  layerRow,
  markLayerRows,
  nameColumn,
  plainTable,
  tableNote,
  wideTable,
  type PlainOptions,
} from './plain_table.ts';
export { nextSort, parseSort, sortItems, sortText, type Sort } from './sort.ts';
