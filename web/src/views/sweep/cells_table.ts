// All cells, failed ones with their reason, each with the command that opens it.

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
  type Figure,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { rateText, type NumberKey } from './measures.ts';
import type { Shown } from './state.ts';
import { axisData, countsText, errorText, openCommand } from './texts.ts';

const kVisibleRows = 24;
const kMinName = 200;
const kLetterPx = 7;
const kMinAxis = 64;
const kMaxAxis = 150;

type NumberColumn = readonly [
  id: string,
  key: NumberKey,
  head: string,
  help: string,
  width: number,
  text: (value: number) => string,
  optional?: boolean | 'late',
];

const kNumbers: readonly NumberColumn[] = [
  ['latency', 'latency_ms', 'median ms', 'median latency, end to end, in ms', 78, msText],
  ['low', 'latency_low_ms', '95 % from', 'lower end of its 95 % interval, in ms', 72, msText, true],
  ['high', 'latency_high_ms', 'to', 'upper end of its 95 % interval, in ms', 60, msText, true],
  ['items', 'items_per_s', 'items/s', 'throughput in batch items per second', 72, rateText],
  ['item', 'item_ms', 'ms an item', '1000 / items per second', 78, msText, 'late'],
  ['memory', 'memory_bytes', 'memory', 'weights plus peak activations', 72, bytesText, 'late'],
  ['layers', 'layer_count', 'layers', 'layers that do work', 56, integer, 'late'],
  [
    'reformats',
    'reformat_count',
    'reformats',
    'conversions of layout or type',
    70,
    integer,
    'late',
  ],
  ['builds', 'run_count', 'builds', 'builds that finished', 54, integer, true],
];

function axisColumns(grid: SweepGrid): Columns<SweepCell> {
  return grid.sweep.axes.map((axis, at): Column<SweepCell> => {
    const letters = Math.max(axis.name.length, ...axis.values.map((value) => value.length));
    const value = (cell: SweepCell): string => visible(cell.values[at] ?? '');
    const button = (cell: SweepCell): HTMLElement => {
      const attrs = { type: 'button', 'data-cell': cell.id };
      return el('button', { class: 'cell-button', attrs }, value(cell));
    };
    return column(visible(axis.name), at > 0 ? value : button, {
      id: `axis${String(at)}`,
      help: visible(axis.name),
      width: Math.min(kMaxAxis, Math.max(kMinAxis, letters * kLetterPx + 24)),
      // In the order of the sweep's values: "16" comes after "2".
      sortBy: (cell) => grid.placeOn(at, cell),
    });
  });
}

function cellColumns(context: ViewContext, grid: SweepGrid): Columns<SweepCell> {
  const { cells, done_count: done } = grid.sweep;
  const copy = (cell: SweepCell): HTMLElement | string => {
    const command = openCommand(cell);
    if (command === null) return '';
    const button = linkButton('copy', command, () => context.copy(command, 'command'));
    button.addEventListener('click', (event) => event.stopPropagation());
    return button;
  };
  return [
    ...axisColumns(grid),
    ...kNumbers.map(
      ([id, key, head, help, width, text, optional = false]) =>
        cells.some((cell) => cell[key] !== null) &&
        quantity<SweepCell>(id, head, (cell) => cell[key], text, { help, width, optional }),
    ),
    column('state, and how to open it', stateText, {
      id: 'state',
      help: 'state',
      width: null,
      mark: ({ state }) => (state === 'failed' ? severitySign('error', 'failed') : span('')),
      sortBy: ({ state, error }) => `${state} ${error ?? ''}`,
    }),
    done > 0 && numbers('', copy, { id: 'open', help: 'copy the command', width: 52 }),
  ];
}

export function cellsFigure(shown: Shown): Figure {
  const { context, grid } = shown;
  const { store } = context;
  return gridFigure<SweepCell>(context, {
    id: 'sweep-cells',
    title: 'All cells',
    label: 'All cells',
    explain: () => countsText(grid),
    columns: () => cellColumns(context, grid),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: () => grid.sweep.cells,
    click: (cell) => shown.choose(cell),
    isSelected: (cell) => shown.chosen === cell,
    sort: () => store.option('sweep.sort'),
    setSort: (sort) => store.setOption('sweep.sort', sort),
    data: () => [
      ...axisData(grid),
      ['state', null, (cell) => cell.state],
      ['builds', 0, (cell) => cell.run_count],
      ['median latency ms', 4, (cell) => cell.latency_ms],
      ['95 % from ms', 4, (cell) => cell.latency_low_ms],
      ['95 % to ms', 4, (cell) => cell.latency_high_ms],
      ['items/s', 1, (cell) => cell.items_per_s],
      ['ms an item', 4, (cell) => cell.item_ms],
      ['memory bytes', 0, (cell) => cell.memory_bytes],
      ['layers', 0, (cell) => cell.layer_count],
      ['Σ layers ms', 4, (cell) => cell.layers_ms],
      ['reformats', 0, (cell) => cell.reformat_count],
      ['reformats ms', 4, (cell) => cell.reformats_ms],
      ['command', null, openCommand],
      ['error', null, (cell) => cell.error],
    ],
  }).figure;
}

function stateText(cell: SweepCell): string {
  if (cell.state === 'failed') return `failed: ${errorText(cell.error)}`;
  if (cell.state === 'pending') return 'not run yet';
  const command = openCommand(cell) ?? 'measured';
  return cell.error === null ? command : `${command} (one build failed: ${errorText(cell.error)})`;
}
