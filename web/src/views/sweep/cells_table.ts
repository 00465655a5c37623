// All cells, those that failed with their reason, each with the command that opens it.

import {
  bytesText,
  el,
  integer,
  isNumber,
  kMissing,
  msText,
  RowTable,
  severitySign,
  span,
  visible,
  type FigureBody,
  type FigureTable,
  type RowColumn,
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

export class CellsTable implements FigureBody {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;
  readonly #table: RowTable<number>;

  constructor(context: ViewContext, grid: SweepGrid) {
    this.#context = context;
    this.#grid = grid;
    const { store } = context;
    this.#table = new RowTable<number>(context, {
      label: 'All cells',
      columns: () => this.#columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: () => null,
      pick: (index) => chooseCell(store, grid, index),
      isPicked: (index) => chosenCell(store, grid) === index,
      sort: () => optionOf(store, 'sort'),
      setSort: (sort) => setOptions(store, { sort }),
    });
    this.node = this.#table.node;
  }

  #cell(index: number): SweepCell {
    const cell = this.#grid.cell(index);
    if (cell === null) throw new Error('rows are cells');
    return cell;
  }

  #number(
    id: string,
    head: string,
    help: string,
    width: number,
    of: (cell: SweepCell) => number | null,
    text: (value: number) => string,
    optional?: boolean | 'late',
  ): readonly RowColumn<number>[] {
    if (!this.#grid.sweep.cells.some((cell) => of(cell) !== null)) return [];
    return [
      {
        id,
        head,
        help,
        width,
        align: 'right',
        ...(optional === undefined ? {} : { optional }),
        cell: (index) => {
          const value = of(this.#cell(index));
          return value === null ? span('dim', kMissing) : text(value);
        },
        sortBy: (index) => of(this.#cell(index)) ?? Number.NaN,
      },
    ];
  }

  #axes(): readonly RowColumn<number>[] {
    const grid = this.#grid;
    return grid.sweep.axes.map((axis, at): RowColumn<number> => {
      const letters = Math.max(axis.name.length, ...axis.values.map((value) => value.length));
      const value = (index: number): string => this.#cell(index).values[at] ?? '';
      return {
        id: `axis${String(at)}`,
        head: visible(axis.name),
        help: visible(axis.name),
        width: Math.min(kMaxAxis, Math.max(kMinAxis, letters * kLetterPx + 24)),
        align: 'left',
        cell: (index) =>
          at > 0
            ? visible(value(index))
            : el(
                'button',
                {
                  class: 'cell-button',
                  attrs: { type: 'button', 'data-cell': this.#cell(index).id },
                },
                visible(value(index)),
              ),
        // As they were asked for: "16" comes after "2".
        sortBy: (index) => grid.placeOn(at, index),
      };
    });
  }

  #columns(): readonly RowColumn<number>[] {
    return [
      ...this.#axes(),
      ...this.#number(
        'latency',
        'median ms',
        'median latency, end to end, in ms',
        78,
        (cell) => cell.latency_ms,
        msText,
      ),
      ...this.#number(
        'low',
        '95 % from',
        'lower end of its 95 % interval, in ms',
        72,
        (cell) => cell.latency_low_ms,
        msText,
        true,
      ),
      ...this.#number(
        'high',
        'to',
        'upper end of its 95 % interval, in ms',
        60,
        (cell) => cell.latency_high_ms,
        msText,
        true,
      ),
      ...this.#number(
        'items',
        'items/s',
        'throughput in items of the batch',
        72,
        (cell) => cell.items_per_s,
        rateText,
      ),
      ...this.#number(
        'item',
        'ms an item',
        '1000 / items per second',
        78,
        (cell) => cell.item_ms,
        msText,
        'late',
      ),
      ...this.#number(
        'memory',
        'memory',
        'weights and the peak of activations',
        72,
        (cell) => cell.memory_bytes,
        bytesText,
        'late',
      ),
      ...this.#number(
        'layers',
        'layers',
        'layers that do work',
        56,
        (cell) => cell.layer_count,
        integer,
        'late',
      ),
      ...this.#number(
        'reformats',
        'reformats',
        'conversions of layout or type',
        70,
        (cell) => cell.reformat_count,
        integer,
        'late',
      ),
      ...this.#number(
        'builds',
        'builds',
        'builds that finished',
        54,
        (cell) => cell.run_count,
        integer,
        true,
      ),
      {
        id: 'state',
        head: 'state, and how to open it',
        help: 'state',
        width: null,
        align: 'left',
        mark: (index) => {
          const { state } = this.#cell(index);
          return state === 'failed' ? severitySign('error', 'failed') : span('');
        },
        cell: (index) => stateText(this.#cell(index)),
        sortBy: (index) => `${this.#cell(index).state} ${this.#cell(index).error ?? ''}`,
      },
      ...(this.#grid.sweep.done_count > 0 ? [this.#open()] : []),
    ];
  }

  #open(): RowColumn<number> {
    return {
      id: 'open',
      head: '',
      help: 'copy the command',
      width: 52,
      align: 'right',
      cell: (index) => this.#copy(index) ?? '',
    };
  }

  #copy(index: number): HTMLElement | null {
    const command = openCommand(this.#cell(index));
    if (command === null) return null;
    return el(
      'button',
      {
        class: 'link',
        attrs: { type: 'button', title: command },
        on: {
          click: (event) => {
            event.stopPropagation();
            this.#context.copy(command, 'command');
          },
        },
      },
      'copy',
    );
  }

  explain(): string {
    return countsText(this.#grid);
  }

  draw(width: number): void {
    this.#table.draw(
      this.#grid.sweep.cells.map((_, index) => index),
      width,
    );
  }

  table(): FigureTable {
    const { axes } = this.#grid.sweep;
    const figures: readonly (readonly [string, number, (cell: SweepCell) => number | null])[] = [
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
    ];
    return {
      columns: [
        ...axes.map(({ name }) => ({ title: name, decimals: null })),
        { title: 'state', decimals: null },
        ...figures.map(([title, decimals]) => ({ title, decimals })),
        { title: 'command', decimals: null },
        { title: 'error', decimals: null },
      ],
      rows: this.#table.items.map((index) => {
        const cell = this.#cell(index);
        return [
          ...cell.values,
          cell.state,
          ...figures.map(([, , of]) => {
            const value = of(cell);
            return isNumber(value) ? value : null;
          }),
          openCommand(cell) ?? '',
          cell.error ?? '',
        ];
      }),
    };
  }

  svg(): null {
    return null;
  }

  destroy(): void {
    this.#table.destroy();
  }
}

function stateText(cell: SweepCell): string {
  if (cell.state === 'failed') return `failed: ${errorText(cell.error)}`;
  if (cell.state === 'pending') return 'not run yet';
  const command = openCommand(cell) ?? 'measured';
  return cell.error === null ? command : `${command} (one build failed: ${errorText(cell.error)})`;
}
