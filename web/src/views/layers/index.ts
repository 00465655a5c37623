// Layers: which layers, sorted by what, and what is this one?

import {
  csvField,
  div,
  el,
  fitName,
  Grid,
  integer,
  linkButton,
  nameTitle,
  parseSort,
  replace,
  sectionTitle,
  selectOf,
  sortItems,
  sortText,
  span,
  type Change,
  type Column,
  type Content,
  type Figure,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { columnChooser } from './chooser.ts';
import { layerColumns, layersShown, standardColumns, type LayerColumn } from './columns.ts';
import {
  canGroup,
  entriesOf,
  groupRows,
  kGroupings,
  kGroupingTitles,
  type Grouping,
  type RowGroup,
} from './grouping.ts';
import { treemapFigure } from './treemap.ts';
import './layers.css';

const kNarrow = 1000;
// Beside the name of a group: the mark that opens it, and its count.
const kGroupMarks = 70;
// For the treemap, and the elements around it.
const kMinHeight = 320;
const kAroundAreas = 48;

class LayersView implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #head = div('layers-head');
  // For rows of layers, and -1 - g for the head of group g.
  readonly #grid: Grid<number>;
  readonly #treemap: Figure;
  readonly #areas = div('treemap-scroll');
  #chooser: HTMLElement | null = null;
  #all: readonly LayerColumn[] = [];
  #columns: readonly LayerColumn[] = [];
  #rows: Int32Array = new Int32Array();
  #entries: Int32Array = new Int32Array();
  #groups: readonly RowGroup[] = [];
  #drawnWidth = 0;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    const { store } = context;
    this.#grid = new Grid<number>(context, {
      label: 'Layers',
      class: 'layers-table',
      columns: () => this.#columns.map((one) => this.#withGroups(one)),
      // Unsorted, the time is the number to read.
      emphasis: 'time',
      isOrdered: true,
      sort: () => {
        const { sort } = store.state;
        return sort === null ? null : sortText({ id: sort.column, descending: sort.descending });
      },
      setSort: (text) => {
        const sort = parseSort(text);
        store.patch({
          sort: sort === null ? null : { column: sort.id, descending: sort.descending },
        });
      },
      row: (entry) => (entry < 0 ? null : entry),
      props: (entry) =>
        entry < 0 ? { class: 'group-row', attrs: { 'data-group': -1 - entry } } : {},
      click: (entry, event, column) => this.#click(entry, event, column),
      open: () => store.patch({ view: 'graph' }),
    });
    this.#treemap = treemapFigure(
      context,
      () => this.#grouping() ?? 'type',
      () => Math.max(kMinHeight, this.#areas.clientHeight - kAroundAreas),
    );
    this.#areas.append(this.#treemap.node);
    host.classList.add('layers');
    replace(host, this.#head, this.#grid.node, this.#areas);
    this.#draw();
    if (store.state.selected !== null) this.#grid.revealRow(store.state.selected);
  }

  #click(entry: number, event: MouseEvent, column: Column<number> | null): void {
    const { store } = this.#context;
    const group = this.#groups[-1 - entry];
    if (group !== undefined) {
      this.#toggleGroup(group);
      return;
    }
    if (event.altKey) {
      const chip = this.#columns.find(({ id }) => id === column?.id)?.chip?.(entry) ?? null;
      if (chip !== null) store.addChip(chip);
    } else if (event.shiftKey) store.selectTo(entry, this.order());
    else if (event.ctrlKey || event.metaKey) store.toggleSelected(entry);
    else store.patch({ selected: entry, more: [] });
  }

  // A column with its values for groups and for all.
  #withGroups(one: LayerColumn): Column<number> {
    const { sum } = one;
    const ofGroup = (group: RowGroup, room: number): Content =>
      one.id === 'name' ? this.#groupName(group, room) : sum?.(group.rows);
    const foot = one.id === 'name' ? () => this.#footName() : () => sum?.(this.#rows);
    return {
      ...one,
      cell: (entry, at, room) => {
        const group = this.#groups[-1 - entry];
        return group === undefined ? one.cell(entry, at, room) : ofGroup(group, room);
      },
      cellClass: (entry) => {
        if (entry < 0) return one.id === 'name' ? 'name' : '';
        return typeof one.cellClass === 'function' ? one.cellClass(entry) : (one.cellClass ?? '');
      },
      // The bar for all would be full.
      ...(one.id === 'bar' ? {} : { foot }),
    };
  }

  #groupName(group: RowGroup, room: number): Content {
    const isOpen = this.#openGroups().includes(groupKey(group));
    const name = group.label ?? 'not known';
    const attrs = { type: 'button', 'aria-expanded': String(isOpen), title: nameTitle(name) };
    const text = (isOpen ? '▾ ' : '▸ ') + fitName(name, room - kGroupMarks);
    return [
      el('button', { class: 'fold', attrs }, text),
      span('dim', ` ${integer(group.rows.length)}`),
    ];
  }

  #footName(): Content {
    const { length } = this.#rows;
    const { all } = this.#context.store.tally;
    const of = length < all ? span('dim', ` of ${integer(all)}`) : null;
    return [`Σ of ${integer(length)} ${length === 1 ? 'layer' : 'layers'}`, of];
  }

  update(change: Change): void {
    if (change.has('engine')) this.#closeChooser();
    const onlySelection = [...change].every((key) => key === 'selected' || key === 'more');
    // Opening or closing the panel changes the room for names.
    const isSame = onlySelection && this.#grid.width === this.#drawnWidth;
    if (change.size === 0 || !isSame || this.#asAreas()) this.#draw();
    else this.#grid.mark();
    const { selected } = this.#context.store.state;
    if (change.size > 0 && onlySelection && selected !== null) this.#grid.revealRow(selected);
  }

  #chosenColumns(): readonly LayerColumn[] {
    const chosen = this.#context.store.state.columns;
    if (chosen === null) {
      return standardColumns(this.#all, this.#grid.width, window.innerWidth < kNarrow);
    }
    return this.#all.filter((one) => one.isThere && (chosen.includes(one.id) || one.id === 'name'));
  }

  #draw(): void {
    const { store } = this.#context;
    const { engine, state } = store;
    this.#all = layerColumns(layersShown(engine, store.basis, () => this.#rows));
    this.#columns = this.#chosenColumns();
    const grouping = this.#grouping();
    const key = this.#all.find(({ id }) => id === state.sort?.column)?.sortBy;
    const { rows } = store.selection;
    const descending = state.sort?.descending === true;
    this.#rows =
      key === undefined ? rows.slice() : Int32Array.from(sortItems(rows, key, descending));
    const values = engine.extent(store.basis).values;
    this.#groups = grouping === null ? [] : groupRows(engine, this.#rows, grouping, values);
    const open = this.#openGroups();
    const isOpen = (group: RowGroup): boolean => open.includes(groupKey(group));
    this.#entries = grouping === null ? this.#rows : entriesOf(this.#groups, isOpen);
    this.#drawHead();
    const asAreas = this.#asAreas();
    this.#grid.node.hidden = asAreas;
    this.#areas.hidden = !asAreas;
    if (asAreas) {
      this.#treemap.draw();
      return;
    }
    this.#grid.draw(this.#entries);
    this.#drawnWidth = this.#grid.width;
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
    const options = kGroupings.map((id) => ({
      id,
      name: `by ${kGroupingTitles[id]}`,
      available: canGroup(store.engine, id),
    }));
    const all = [{ id: '', name: 'not grouped' }, ...options];
    return selectOf(
      'Group by',
      all,
      this.#grouping() ?? '',
      (by) => {
        const others = { ...store.state.options };
        delete others['layers.open'];
        delete others['layers.group'];
        store.patch({ options: by === '' ? others : { ...others, 'layers.group': by } });
      },
      'small',
    );
  }

  #drawHead(): void {
    const { store } = this.#context;
    const sorted = this.#all.find(({ id }) => id === store.state.sort?.column);
    const guesses = store.engine.namesOnly ? '; kinds in italics are guesses from the name' : '';
    const order = sorted === undefined ? 'in execution order' : `by ${sorted.name.toLowerCase()}`;
    replace(
      this.#head,
      sectionTitle(
        'Layers',
        order + guesses,
        span(
          'actions',
          this.#groupingChoice(),
          linkButton(this.#asAreas() ? 'table' : 'areas', 'Layers as areas: a treemap', () =>
            store.setOption('layers.as', this.#asAreas() ? null : 'areas'),
          ),
          linkButton('columns', 'Choose columns', () => this.#toggleChooser()),
          linkButton('copy', 'Copy the rows shown, for a spreadsheet', () => this.#copy()),
          linkButton('CSV', 'Save the rows shown', () => this.#save()),
        ),
      ),
    );
  }

  #toggleChooser(): void {
    if (this.#chooser !== null) {
      this.#closeChooser();
      return;
    }
    const { store } = this.#context;
    const choose = (columns: readonly string[] | null): void => {
      store.patch({ columns });
      // The boxes do not show the standard set; reopening does.
      if (columns === null) this.#closeChooser();
    };
    this.#chooser = columnChooser(this.#all, this.#columns, choose);
    this.#chooser.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#closeChooser();
    });
    this.#host.append(this.#chooser);
    document.addEventListener('pointerdown', this.#outside);
  }

  readonly #outside = (event: PointerEvent): void => {
    const inside = event.target instanceof Node && this.#chooser?.contains(event.target) === true;
    // The button that opened it closes it.
    const onHead = event.target instanceof Node && this.#head.contains(event.target);
    if (!inside && !onHead) this.#closeChooser();
  };

  #closeChooser(): void {
    document.removeEventListener('pointerdown', this.#outside);
    this.#chooser?.remove();
    this.#chooser = null;
  }

  #lines(separator: string, quote: (text: string) => string): string {
    const columns = this.#columns.filter(({ id }) => id !== 'bar');
    // The data's own unit in the head, because the numbers are not rounded.
    const { basis } = this.#context.store;
    const head = columns.map(({ id }) => quote(id === 'time' ? `${basis}_ms` : id));
    const lines = [head.join(separator)];
    for (const row of this.#rows) {
      lines.push(columns.map((one) => quote(one.text(row))).join(separator));
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
    this.#grid.revealRow(row);
  }

  order(): Int32Array {
    const drawn = this.#entries.filter((entry) => entry >= 0);
    return drawn.length > 0 ? drawn : this.#rows;
  }

  destroy(): void {
    this.#closeChooser();
    this.#treemap.destroy();
    this.#grid.destroy();
    this.#host.classList.remove('layers');
  }
}

// In the link, where commas separate groups.
function groupKey(group: RowGroup): string {
  return group.label === null ? '' : encodeURIComponent(group.label.slice(0, 200));
}

export const view: View = {
  id: 'layers',
  title: 'Layers',
  needs: ['layers'],
  isEarly: true,
  count: (engine) => engine.workRows.length,
  mount: (host, context) => new LayersView(host, context),
};
