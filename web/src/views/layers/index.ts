// Layers: which layers, sorted by what, and what is this one?

import {
  csvField,
  div,
  el,
  replace,
  sectionTitle,
  span,
  type Change,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { columnChooser } from './chooser.ts';
import {
  kColumns,
  makeContext,
  standardColumns,
  type CellContext,
  type Column,
} from './columns.ts';
import { nextSort, sortRows } from './sort.ts';
import { VirtualTable } from './table.ts';

const kNarrow = 1000;

class LayersView implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #head = div('layers-head');
  readonly #table: VirtualTable;
  readonly #unsubscribe: () => void;
  #chooser: HTMLElement | null = null;
  #columns: readonly Column[] = [];
  #rows: Int32Array = new Int32Array();
  #cells: CellContext | null = null;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    const { store } = context;
    this.#table = new VirtualTable({
      sort: (column) => this.#sort(column),
      select: (row) => store.patch({ selected: row }),
      open: () => {
        // The word under the pointer was marked on the way.
        window.getSelection()?.removeAllRanges();
        store.patch({ view: 'graph' });
      },
      hover: (row) => store.hover(row),
      filter: (row, column) => {
        const chip = column.chip?.(row, store.engine);
        if (chip !== undefined && chip !== null) store.addChip(chip);
      },
    });
    host.classList.add('layers');
    replace(host, this.#head, this.#table.node);
    this.#unsubscribe = store.onHover((row) => this.#table.hover(row));
    this.#draw();
    if (store.state.selected !== null) this.#table.reveal(store.state.selected);
  }

  update(change: Change): void {
    if (change.has('engine')) this.#closeChooser();
    const onlySelection = change.size === 1 && change.has('selected');
    if (!onlySelection) this.#draw();
    else {
      const { selected } = this.#context.store.state;
      // Opening or closing the panel changes the room there is for names.
      if (this.#table.width !== this.#drawnWidth) this.#draw();
      this.#table.mark(selected);
      if (selected !== null) this.#table.reveal(selected);
    }
  }

  #drawnWidth = 0;

  #chosenColumns(): readonly Column[] {
    const { store } = this.#context;
    const chosen = store.state.columns;
    if (chosen === null) {
      return standardColumns(store.engine, this.#table.width, window.innerWidth < kNarrow);
    }
    const columns = kColumns.filter(
      (c) => (chosen.includes(c.id) || c.id === 'name') && c.available(store.engine),
    );
    return columns;
  }

  #draw(): void {
    const { store } = this.#context;
    const { engine, state } = store;
    this.#columns = this.#chosenColumns();
    const cells = makeContext(engine, store.basis, () => this.#rows);
    this.#cells = cells;
    const sortColumn = kColumns.find((c) => c.id === state.sort?.column);
    const source = sortColumn?.sortBy?.(cells);
    const { rows } = store.selection;
    this.#rows =
      source === undefined ? rows.slice() : sortRows(rows, source, state.sort?.descending === true);
    this.#drawHead();
    this.#table.show({
      columns: this.#columns,
      rows: this.#rows,
      context: cells,
      sort: source === undefined ? null : state.sort,
      selected: state.selected,
      total: store.tally.all,
    });
    this.#drawnWidth = this.#table.width;
  }

  #drawHead(): void {
    const { store } = this.#context;
    const sorted = kColumns.find((c) => c.id === store.state.sort?.column);
    const guesses = store.engine.namesOnly ? '; kinds in italics are guesses from the name' : '';
    const order = sorted === undefined ? 'in execution order' : `by ${sorted.title.toLowerCase()}`;
    const action = (text: string, title: string, onClick: () => void): HTMLElement =>
      el(
        'button',
        { class: 'link', attrs: { type: 'button', title }, on: { click: onClick } },
        text,
      );
    replace(
      this.#head,
      sectionTitle(
        'Layers',
        order + guesses,
        span(
          'actions',
          action('columns', 'Choose columns', () => this.#toggleChooser()),
          action('copy', 'Copy the rows shown, for a spreadsheet', () => this.#copy()),
          action('CSV', 'Save the rows shown', () => this.#save()),
        ),
      ),
    );
  }

  #toggleChooser(): void {
    if (this.#chooser === null) this.#openChooser();
    else this.#closeChooser();
  }

  #openChooser(): void {
    const { store } = this.#context;
    const chooser = columnChooser({
      engine: store.engine,
      chosen: this.#columns,
      choose: (columns) => {
        store.patch({ columns });
        // The boxes do not show the standard set; opening again does.
        if (columns === null) this.#closeChooser();
      },
    });
    chooser.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#closeChooser();
    });
    this.#chooser = chooser;
    this.#host.append(chooser);
    document.addEventListener('pointerdown', this.#outside);
  }

  readonly #outside = (event: PointerEvent): void => {
    const inside = event.target instanceof Node && this.#chooser?.contains(event.target) === true;
    // The button that opened it closes it itself.
    const onHead = event.target instanceof Node && this.#head.contains(event.target);
    if (!inside && !onHead) this.#closeChooser();
  };

  #closeChooser(): void {
    document.removeEventListener('pointerdown', this.#outside);
    this.#chooser?.remove();
    this.#chooser = null;
  }

  #sort(column: Column): void {
    const { store } = this.#context;
    const source = this.#cells === null ? undefined : column.sortBy?.(this.#cells);
    const numeric = source instanceof Float64Array && column.id !== 'layer_id';
    store.patch({ sort: nextSort(store.state.sort, column.id, numeric) });
  }

  #lines(separator: string, quote: (text: string) => string): string {
    const cells = this.#cells;
    if (cells === null) return '';
    const columns = this.#columns.filter((column) => column.id !== 'bar');
    // The data's own unit in the head: the numbers are not rounded.
    const head = columns.map((column) =>
      quote(column.id === 'time' ? `${cells.basis}_ms` : column.id),
    );
    const lines = [head.join(separator)];
    for (const row of this.#rows) {
      lines.push(columns.map((column) => quote(column.text(row, cells))).join(separator));
    }
    return `${lines.join('\n')}\n`;
  }

  #copy(): void {
    const tabs = (text: string): string => csvField(text.replace(/[\t\r\n]+/g, ' '));
    this.#context.copy(this.#lines('\t', tabs), `${String(this.#rows.length)} rows`);
  }

  #save(): void {
    const blob = new Blob([this.#lines(',', csvField)], { type: 'text/csv' });
    this.#context.download(`${this.#context.store.engineTitle}.layers.csv`, blob);
  }

  reveal(row: number): void {
    this.#table.reveal(row);
  }

  order(): Int32Array {
    return this.#rows;
  }

  destroy(): void {
    this.#closeChooser();
    this.#unsubscribe();
    this.#host.classList.remove('layers');
  }
}

export const layersView: View = {
  id: 'layers',
  title: 'Layers',
  needs: ['layers'],
  count: (engine) => engine.workRows.length,
  mount: (host, context) => new LayersView(host, context),
};
