// All cells, those that failed with their reason, each with the command that opens it.

import {
  bytesText,
  column,
  el,
  gridFigure,
  integer,
  linkButton,
  msText,
  numbers,
  quantity,
  severitySign,
  span,
  visible,
  type Column,
  type Columns,
  type ColumnOptions,
  type Figure,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { rateText } from './measures.ts';
import { chooseCell, chosenCell, optionOf, setOptions } from './state.ts';
import { countsText, errorText, openCommand } from './texts.ts';

const kVisibleRows = 24;
const kMinName = 200;
const kLetterPx = 7;
const kMinAxis = 64;
const kMaxAxis = 150;

// A cell is its place.
function cellOf(grid: SweepGrid, index: number): SweepCell {
  const cell = grid.cell(index);
  if (cell === null) throw new Error('rows are cells');
  return cell;
}

function axisColumns(grid: SweepGrid): Columns<number> {
  return grid.sweep.axes.map((axis, at): Column<number> => {
    const letters = Math.max(axis.name.length, ...axis.values.map((value) => value.length));
    const value = (index: number): string => visible(cellOf(grid, index).values[at] ?? '');
    const button = (index: number): HTMLElement => {
      const attrs = { type: 'button', 'data-cell': cellOf(grid, index).id };
      return el('button', { class: 'cell-button', attrs }, value(index));
    };
    return column(visible(axis.name), at > 0 ? value : button, {
      id: `axis${String(at)}`,
      help: visible(axis.name),
      width: Math.min(kMaxAxis, Math.max(kMinAxis, letters * kLetterPx + 24)),
      // As they were asked for: "16" comes after "2".
      sortBy: (index) => grid.placeOn(at, index),
    });
  });
}

function cellColumns(context: ViewContext, grid: SweepGrid): Columns<number> {
  // Null where no cell has it.
  const known = (
    id: string,
    head: string,
    help: string,
    width: number,
    of: (cell: SweepCell) => number | null,
    text: (value: number) => string,
    optional?: boolean | 'late',
  ): Column<number> | null => {
    if (!grid.sweep.cells.some((cell) => of(cell) !== null)) return null;
    const options: ColumnOptions<number> = {
      help,
      width,
      ...(optional === undefined ? {} : { optional }),
    };
    return quantity(id, head, (index) => of(cellOf(grid, index)), text, options);
  };
  const copy = (index: number): HTMLElement | string => {
    const command = openCommand(cellOf(grid, index));
    if (command === null) return '';
    const button = linkButton('copy', command, () => context.copy(command, 'command'));
    button.addEventListener('click', (event) => event.stopPropagation());
    return button;
  };
  return [
    ...axisColumns(grid),
    known(
      'latency',
      'median ms',
      'median latency, end to end, in ms',
      78,
      (cell) => cell.latency_ms,
      msText,
    ),
    known(
      'low',
      '95 % from',
      'lower end of its 95 % interval, in ms',
      72,
      (cell) => cell.latency_low_ms,
      msText,
      true,
    ),
    known(
      'high',
      'to',
      'upper end of its 95 % interval, in ms',
      60,
      (cell) => cell.latency_high_ms,
      msText,
      true,
    ),
    known(
      'items',
      'items/s',
      'throughput in items of the batch',
      72,
      (cell) => cell.items_per_s,
      rateText,
    ),
    known(
      'item',
      'ms an item',
      '1000 / items per second',
      78,
      (cell) => cell.item_ms,
      msText,
      'late',
    ),
    known(
      'memory',
      'memory',
      'weights and the peak of activations',
      72,
      (cell) => cell.memory_bytes,
      bytesText,
      'late',
    ),
    known(
      'layers',
      'layers',
      'layers that do work',
      56,
      (cell) => cell.layer_count,
      integer,
      'late',
    ),
    known(
      'reformats',
      'reformats',
      'conversions of layout or type',
      70,
      (cell) => cell.reformat_count,
      integer,
      'late',
    ),
    known('builds', 'builds', 'builds that finished', 54, (cell) => cell.run_count, integer, true),
    column('state, and how to open it', (index) => stateText(cellOf(grid, index)), {
      id: 'state',
      help: 'state',
      width: null,
      mark: (index) =>
        cellOf(grid, index).state === 'failed' ? severitySign('error', 'failed') : span(''),
      sortBy: (index) => `${cellOf(grid, index).state} ${cellOf(grid, index).error ?? ''}`,
    }),
    grid.sweep.done_count > 0 &&
      numbers('', copy, { id: 'open', help: 'copy the command', width: 52 }),
  ];
}

export function cellsFigure(context: ViewContext, grid: SweepGrid): Figure {
  const { store } = context;
  const of = (value: (cell: SweepCell) => string | number | null) => (index: number) =>
    value(cellOf(grid, index));
  return gridFigure<number>(context, {
    id: 'sweep-cells',
    title: 'All cells',
    label: 'All cells',
    explain: () => countsText(grid),
    columns: () => cellColumns(context, grid),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: () => grid.sweep.cells.map((_, index) => index),
    click: (index) => chooseCell(store, grid, index),
    isSelected: (index) => chosenCell(store, grid) === index,
    sort: () => optionOf(store, 'sort'),
    setSort: (sort) => setOptions(store, { sort }),
    data: () => [
      ...grid.sweep.axes.map(
        ({ name }, at) => [name, null, of((cell) => cell.values[at] ?? '')] as const,
      ),
      ['state', null, of((cell) => cell.state)],
      ['builds', 0, of((cell) => cell.run_count)],
      ['median latency ms', 4, of((cell) => cell.latency_ms)],
      ['95 % from ms', 4, of((cell) => cell.latency_low_ms)],
      ['95 % to ms', 4, of((cell) => cell.latency_high_ms)],
      ['items/s', 1, of((cell) => cell.items_per_s)],
      ['ms an item', 4, of((cell) => cell.item_ms)],
      ['memory bytes', 0, of((cell) => cell.memory_bytes)],
      ['layers', 0, of((cell) => cell.layer_count)],
      ['Σ layers ms', 4, of((cell) => cell.layers_ms)],
      ['reformats', 0, of((cell) => cell.reformat_count)],
      ['reformats ms', 4, of((cell) => cell.reformats_ms)],
      ['command', null, of((cell) => openCommand(cell) ?? '')],
      ['error', null, of((cell) => cell.error ?? '')],
    ],
  }).figure;
}

function stateText(cell: SweepCell): string {
  if (cell.state === 'failed') return `failed: ${errorText(cell.error)}`;
  if (cell.state === 'pending') return 'not run yet';
  const command = openCommand(cell) ?? 'measured';
  return cell.error === null ? command : `${command} (one build failed: ${errorText(cell.error)})`;
}
