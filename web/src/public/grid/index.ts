// Tables: one grid of many rows, one plain table of few, and their columns.

import './grid.css';

export {
  column,
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
