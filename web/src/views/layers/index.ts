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
import type { CellContext, Column } from './column.ts';
import { kColumns, makeContext, standardColumns } from './columns.ts';
import {
  canGroup,
  entriesOf,
  groupRows,
  kGroupings,
  kGroupingTitles,
  type Grouping,
  type RowGroup,
} from './grouping.ts';
import { nextSort, sortRows } from './sort.ts';
import { VirtualTable } from './table.ts';
import { Treemap } from './treemap.ts';

const kNarrow = 1000;

class LayersView implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #head = div('layers-head');
  readonly #table: VirtualTable;
  readonly #treemap: Treemap;
  readonly #unsubscribe: () => void;
  #chooser: HTMLElement | null = null;
  #columns: readonly Column[] = [];
  #rows: Int32Array = new Int32Array();
  #entries: Int32Array = new Int32Array();
  #cells: CellContext | null = null;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    const { store } = context;
    this.#table = new VirtualTable({
      sort: (column) => this.#sort(column),
      select: (row, how) => {
        if (how === 'toggle') store.toggleSelected(row);
        else if (how === 'to') store.selectTo(row, this.order());
        else store.patch({ selected: row, more: [] });
      },
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
      toggle: (group) => this.#toggleGroup(group),
    });
    this.#treemap = new Treemap(context);
    host.classList.add('layers');
    replace(host, this.#head, this.#table.node, this.#treemap.node);
    this.#unsubscribe = store.onHover((row) => this.#table.hover(row));
    this.#draw();
    if (store.state.selected !== null) this.#table.reveal(store.state.selected);
  }

  update(change: Change): void {
    if (change.has('engine')) this.#closeChooser();
    const onlySelection = [...change].every((key) => key === 'selected' || key === 'more');
    if (change.size === 0 || !onlySelection || this.#asAreas()) this.#draw();
    else {
      const { selected } = this.#context.store.state;
      // Opening or closing the panel changes the room there is for names.
      if (this.#table.width !== this.#drawnWidth) this.#draw();
      this.#table.mark(this.#context.store.selectedRows);
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
    const grouping = this.#grouping();
    const sortColumn = kColumns.find((c) => c.id === state.sort?.column);
    const source = sortColumn?.sortBy?.(cells);
    const { rows } = store.selection;
    this.#rows =
      source === undefined ? rows.slice() : sortRows(rows, source, state.sort?.descending === true);
    const groups =
      grouping === null
        ? []
        : groupRows(engine, this.#rows, grouping, engine.extent(store.basis).values);
    const isOpen = (group: RowGroup): boolean => this.#openGroups().includes(groupKey(group));
    this.#entries = grouping === null ? this.#rows : entriesOf(groups, isOpen);
    this.#drawHead();
    const asAreas = this.#asAreas();
    this.#table.node.hidden = asAreas;
    this.#treemap.node.hidden = !asAreas;
    if (asAreas) {
      this.#treemap.draw(grouping);
      return;
    }
    this.#table.show({
      columns: this.#columns,
      rows: this.#rows,
      entries: this.#entries,
      groups,
      isOpen,
      context: cells,
      sort: source === undefined ? null : state.sort,
      selected: store.selectedRows,
      total: store.tally.all,
    });
    this.#drawnWidth = this.#table.width;
  }

  #asAreas(): boolean {
    const { store } = this.#context;
    return (
      store.option('layers.as') === 'areas' && store.engine.extent(store.basis).kind !== 'none'
    );
  }

  #grouping(): Grouping | null {
    const { store } = this.#context;
    const wanted = kGroupings.find((by) => by === store.option('layers.group'));
    return wanted !== undefined && canGroup(store.engine, wanted) ? wanted : null;
  }

  #openGroups(): readonly string[] {
    const open = this.#context.store.option('layers.open');
    return open === null ? [] : open.split(',');
  }

  #toggleGroup(group: RowGroup): void {
    const key = groupKey(group);
    const open = this.#openGroups();
    const next = open.includes(key) ? open.filter((other) => other !== key) : [...open, key];
    this.#context.store.setOption('layers.open', next.length === 0 ? null : next.join(','));
  }

  #groupingChoice(): HTMLElement {
    const { store } = this.#context;
    const current = this.#grouping();
    const choice = el(
      'select',
      {
        class: 'choice',
        attrs: { 'aria-label': 'Group by' },
        on: {
          change: () => {
            const chosen = choice.value === '' ? null : choice.value;
            const others = { ...store.state.options };
            delete others['layers.open'];
            delete others['layers.group'];
            store.patch({
              options: chosen === null ? others : { ...others, 'layers.group': chosen },
            });
          },
        },
      },
      el('option', { attrs: { value: '', selected: current === null } }, 'not grouped'),
      ...kGroupings
        .filter((by) => canGroup(store.engine, by))
        .map((by) =>
          el(
            'option',
            { attrs: { value: by, selected: by === current } },
            `by ${kGroupingTitles[by]}`,
          ),
        ),
    );
    return choice;
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
          this.#groupingChoice(),
          action(this.#asAreas() ? 'table' : 'areas', 'Layers as areas: a treemap', () =>
            store.setOption('layers.as', this.#asAreas() ? null : 'areas'),
          ),
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
    const drawn = this.#entries.filter((entry) => entry >= 0);
    return drawn.length > 0 ? drawn : this.#rows;
  }

  destroy(): void {
    this.#closeChooser();
    this.#treemap.destroy();
    this.#unsubscribe();
    this.#host.classList.remove('layers');
  }
}

// In the link: commas separate groups there.
function groupKey(group: RowGroup): string {
  return group.label === null ? '' : encodeURIComponent(group.label.slice(0, 200));
}

export const layersView: View = {
  id: 'layers',
  title: 'Layers',
  needs: ['layers'],
  count: (engine) => engine.workRows.length,
  mount: (host, context) => new LayersView(host, context),
};
