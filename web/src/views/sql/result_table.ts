// The rows of a result: with a readable number of digits, and with all of them in tooltips and
// copies.

import {
  bodyFont,
  cellText,
  column,
  columnDecimals,
  exactText,
  fitName,
  Grid,
  headText,
  isNumeric,
  kPrinting,
  numberOf,
  numbers,
  parseSort,
  sortItems,
  textWidth,
  visible,
  type Column,
  type QueryCell,
  type QueryColumn,
  type ViewContext,
} from '../../public/index.ts';
import { tabbed } from './documents.ts';
import { selectLayer, type LayerPlace, type Result } from './result.ts';
import { optionOf, setOptions } from './state.ts';

const kVisibleRows = 14;
// Widths come from the first rows: a table whose widths change while it scrolls can't be read.
const kMeasuredRows = 200;
const kPadding = 14;
const kFirstPadding = 12;
const kArrowPx = 14;
const kMinWidth = 44;
const kMaxWidth = 520;
const kMinText = 120;
const kMaxScrolled = 260;

interface Room {
  readonly isText: boolean;
  width: number;
}

// If columns do not fit, texts shrink, the widest first. A table that is still too wide scrolls,
// and its texts need not be short.
function fitTexts(rooms: readonly Room[], width: number): void {
  const sum = (of: (room: Room) => number): number =>
    rooms.reduce((all, room) => all + of(room), 0);
  if (sum((room) => (room.isText ? Math.min(room.width, kMinText) : room.width)) > width) {
    for (const room of rooms) if (room.isText) room.width = Math.min(room.width, kMaxScrolled);
    return;
  }
  const texts = rooms.filter(({ isText }) => isText);
  let over = sum((room) => room.width) - width;
  while (over > 0) {
    const widest = texts.reduce<Room | null>(
      (most, room) => (room.width > (most?.width ?? kMinText) ? room : most),
      null,
    );
    if (widest === null) return;
    const next = Math.max(kMinText, ...texts.filter((room) => room !== widest).map((r) => r.width));
    const least = Math.max(kMinText, Math.min(next, widest.width - 1));
    const cut = Math.min(over, Math.max(1, widest.width - least));
    widest.width -= cut;
    over -= cut;
  }
}

export class ResultTable {
  readonly grid: Grid<number>;
  readonly #context: ViewContext;
  readonly #result: Result;
  readonly #decimals: readonly (number | null)[];
  readonly #wanted: readonly number[];
  #layers: readonly (LayerPlace | null)[] = [];
  #order: Int32Array;

  constructor(context: ViewContext, result: Result) {
    this.#context = context;
    this.#result = result;
    this.#decimals = columnDecimals(result);
    this.#order = Int32Array.from(result.rows.keys());
    this.#wanted = result.columns.map((one, i) => this.#wantedWidth(one, i));
    const { store } = context;
    this.grid = new Grid<number>(context, {
      label: 'Result',
      class: 'sql-rows',
      visibleRows: kVisibleRows,
      columns: (width) => this.#columns(width),
      isOrdered: true,
      sort: () => optionOf(store, 'sort'),
      setSort: (sort) => setOptions(store, { q: result.sql, sort }),
      row: (at) => this.#rowHere(at),
      click: (at) => {
        const layer = this.#layers[at] ?? null;
        if (layer !== null) selectLayer(store, layer);
      },
      open: (at) => {
        if (this.#layers[at] !== null) store.patch({ view: 'graph' });
      },
      props: (at) => ({ class: this.#layers[at] === null ? '' : 'is-layer' }),
    });
    this.grid.node.addEventListener('copy', (event) => this.#copy(event));
  }

  // Of a layer of the engine on screen.
  #rowHere(at: number): number | null {
    const layer = this.#layers[at] ?? null;
    return layer?.engine === this.#context.store.state.engine ? layer.row : null;
  }

  // Rows of the result in the order on screen.
  get order(): Int32Array {
    return this.#order;
  }

  // Layers of the engine on screen, in this order.
  get layerOrder(): Int32Array {
    const rows = [...this.#order].map((at) => this.#rowHere(at));
    return Int32Array.from(new Set(rows.filter((row) => row !== null)));
  }

  draw(layers: readonly (LayerPlace | null)[], width: number): void {
    this.#layers = layers;
    const all = Int32Array.from(this.#result.rows.keys());
    const sort = parseSort(optionOf(this.#context.store, 'sort'));
    const by = Number(sort?.id ?? Number.NaN) - 1;
    const head = this.#result.columns[by];
    this.#order =
      sort === null || head === undefined
        ? all
        : Int32Array.from(sortItems(all, this.#keyOf(head, by), sort.descending));
    this.grid.draw(this.#order, width);
  }

  #keyOf(head: QueryColumn, i: number): (at: number) => number | string {
    const cell = (at: number): QueryCell | undefined => this.#result.rows[at]?.[i];
    return isNumeric(head) ? (at) => numberOf(cell(at)) : (at) => exactText(cell(at));
  }

  // --- columns

  #text(at: number, i: number): string {
    return cellText(this.#result.rows[at]?.[i], this.#decimals[i] ?? null);
  }

  #wantedWidth(head: QueryColumn, i: number): number {
    const count = Math.min(kMeasuredRows, this.#result.rows.length);
    let widest = textWidth(headText(head), bodyFont(11, 600)) + kArrowPx;
    for (let at = 0; at < count; at += 1) {
      // No text is wider than this many letters.
      const text = this.#text(at, i).slice(0, kMaxWidth / 3);
      widest = Math.max(widest, textWidth(text, bodyFont(12, 600)));
    }
    const padding = kPadding + (i === 0 ? kFirstPadding : 0);
    const own = Math.ceil(widest) + padding;
    return Math.max(kMinWidth, isNumeric(head) ? own : Math.min(kMaxWidth, own));
  }

  #columns(width: number): readonly Column<number>[] {
    const rooms = this.#result.columns.map((head, i): Room => ({
      isText: !isNumeric(head),
      width: this.#wanted[i] ?? kMinWidth,
    }));
    fitTexts(rooms, width - 2);
    const columns = this.#result.columns.map((head, i): Column<number> => {
      const make = isNumeric(head) ? numbers<number> : column<number>;
      const cell = (at: number, _: number, room: number): string => {
        const text = this.#text(at, i);
        return isNumeric(head) ? text : fitName(text, room);
      };
      return make(headText(head), cell, {
        id: String(i + 1),
        help: helpText(head),
        width: rooms[i]?.width ?? kMinWidth,
        cellClass: (at) => (this.#result.rows[at]?.[i] === null ? 'dim' : ''),
        title: (at) => visible(exactText(this.#result.rows[at]?.[i])) || null,
        sortBy: this.#keyOf(head, i),
      });
    });
    const rest = width - 2 - rooms.reduce((sum, room) => sum + room.width, 0);
    // Spare width stays empty: numbers stay close to their labels.
    return rest > 0 ? [...columns, column('', () => '', { width: rest })] : columns;
  }

  // --- copying, printing

  // Selected cells are copied with their exact values; part of one cell is plain text.
  #copy(event: ClipboardEvent): void {
    const selection = window.getSelection();
    if (selection === null || selection.rangeCount === 0 || event.clipboardData === null) return;
    const range = selection.getRangeAt(0);
    const { columns, rows } = this.#result;
    const cells: (QueryCell | undefined)[][] = [];
    const own: Element[] = [];
    for (const tr of this.grid.node.querySelectorAll<HTMLElement>('tbody tr[data-index]')) {
      const at = this.#order[Number(tr.dataset.index)] ?? -1;
      const marked = [...tr.children].flatMap((td, i): readonly (QueryCell | undefined)[] => {
        if (i >= columns.length || !range.intersectsNode(td)) return [];
        own.push(td);
        return [rows[at]?.[i]];
      });
      if (marked.length > 0) cells.push(marked);
    }
    const [first = []] = cells;
    const [td] = own;
    if (td === undefined) return;
    const isOne = own.length === 1;
    const isWhole = selection.toString().trim() === td.textContent.trim();
    if (isOne && !isWhole) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', isOne ? exactText(first[0]) : tabbed(cells));
  }

  print(isPrinting: boolean): void {
    this.grid.node.classList.toggle(kPrinting, isPrinting);
    this.grid.redraw();
  }
}

function helpText({ name, type, unit }: QueryColumn): string {
  return `${visible(name)}, ${type}${unit === null ? '' : ` in ${visible(unit)}`}`;
}
