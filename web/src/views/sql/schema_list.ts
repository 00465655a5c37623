// The names for statements: tables with their columns, opened and closed, searchable by a part of a
// name. Clicking a name inserts it into the statement.

import {
  button,
  column,
  div,
  el,
  Grid,
  integer,
  numbers,
  plural,
  replace,
  span,
  visible,
  type Child,
  type Content,
  type QueryTable,
  type ViewContext,
} from '../../public/index.ts';
import { itemsOf, sqlName, type SchemaItem } from './schema_items.ts';

const kTypeWidth = 52;
const kUnitWidth = 70;
const kMinName = 130;

export class SchemaList {
  readonly node: HTMLElement;
  readonly #grid: Grid<SchemaItem>;
  readonly #insert: (name: string) => void;
  readonly #search: HTMLInputElement;
  readonly #tally = el('p', { class: 'sql-schema-tally dim', attrs: { role: 'status' } });
  // The description of the name under the pointer, or with the focus.
  readonly #about = div('sql-about');
  readonly #open = new Set<string>();
  #tables: readonly QueryTable[] = [];
  #items: readonly SchemaItem[] = [];
  // The one that the Tab key reaches.
  #active = 0;

  constructor(context: ViewContext, insert: (name: string) => void) {
    this.#insert = insert;
    this.#search = el('input', {
      attrs: {
        type: 'search',
        placeholder: 'Find a table or column',
        'aria-label': 'Find a table or column',
        autocomplete: 'off',
        spellcheck: 'false',
      },
      on: { input: () => this.#changed() },
    });
    this.#grid = new Grid<SchemaItem>(context, {
      label: 'Tables and columns',
      class: 'sql-schema-table',
      minName: kMinName,
      columns: () => [
        column('Name', (item, at) => this.#nameCell(item, at), { width: null }),
        column('Type', ({ column: own }) => visible(own?.type ?? ''), {
          width: kTypeWidth,
          cellClass: 'dim',
        }),
        numbers('Unit, rows', (item) => unitCell(item), { width: kUnitWidth, cellClass: 'dim' }),
      ],
      props: ({ column: own }) => ({ class: own === null ? 'sql-table-row' : '' }),
      click: () => undefined,
      hover: (item) => this.#tell(item),
    });
    this.node = el(
      'section',
      { class: 'sql-schema no-print', attrs: { 'aria-label': 'Tables' } },
      div('sql-schema-head', this.#search),
      this.#tally,
      this.#grid.node,
      this.#about,
    );
    this.node.addEventListener('keydown', (event) => this.#key(event));
    this.node.addEventListener('focusin', ({ target }) => this.#tell(this.#grid.itemAt(target)));
    this.#tally.textContent = 'Reading the list of tables …';
    this.#tell(null);
  }

  show(tables: readonly QueryTable[]): void {
    this.#tables = tables;
    this.#changed();
  }

  fail(words: string): void {
    this.#tally.textContent = visible(words);
  }

  // Drawings take the width of their place.
  draw(): void {
    const { scrollTop } = this.#grid.node;
    this.#grid.draw(this.#items);
    this.#grid.node.scrollTop = scrollTop;
    this.#grid.redraw();
  }

  destroy(): void {
    this.#grid.destroy();
  }

  #changed(): void {
    this.#items = itemsOf(this.#tables, this.#search.value, this.#open);
    this.#active = Math.min(this.#active, Math.max(0, this.#items.length - 1));
    const columns = this.#items.filter(({ column: own }) => own !== null).length;
    const tables = this.#items.length - columns;
    const isSearch = this.#search.value.trim() !== '';
    this.#tally.textContent = isSearch
      ? `${plural(tables, 'table')}, ${plural(columns, 'column')}`
      : plural(tables, 'table');
    this.draw();
  }

  // --- rows

  #nameCell(item: SchemaItem, at: number): Content {
    const { table, column: own, isOpen } = item;
    const name = own?.name ?? table.name;
    const insert = button(visible(name), this.#description(item), () => this.#put(item, at));
    insert.className = 'sql-name';
    insert.tabIndex = at === this.#active ? 0 : -1;
    if (own !== null) return [insert];
    const fold = button(isOpen ? '▾' : '▸', '', () => this.#toggle(item, at));
    fold.className = 'sql-fold';
    fold.tabIndex = -1;
    fold.removeAttribute('title');
    fold.setAttribute('aria-label', `Columns of ${visible(name)}`);
    fold.setAttribute('aria-expanded', String(isOpen));
    return [fold, insert];
  }

  #description({ table, column: own }: SchemaItem): string {
    return visible(own?.description ?? table.description);
  }

  #put({ table, column: own }: SchemaItem, at: number): void {
    this.#active = at;
    this.#insert(sqlName(own?.name ?? table.name));
  }

  #toggle({ table, isOpen }: SchemaItem, at: number): void {
    // What a search opened is closed with it.
    if (isOpen) this.#open.delete(table.name);
    else this.#open.add(table.name);
    this.#changed();
    this.#focus(at);
  }

  #tell(item: SchemaItem | null): void {
    if (item === null) {
      replace(this.#about, span('dim', 'A click on a name puts it into the statement.'));
      return;
    }
    const { table, column: own } = item;
    const name = own === null ? table.name : `${table.name}.${own.name}`;
    const unit = own?.unit ?? null;
    const facts: Child[] =
      own === null
        ? [` ${plural(table.rowCount, 'row')}`]
        : [` ${visible(own.type)}${unit === null ? '' : ` in ${visible(unit)}`}`];
    replace(
      this.#about,
      el('p', {}, el('b', {}, visible(name)), span('dim', ...facts)),
      el('p', {}, this.#description(item)),
    );
  }

  // --- keys

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (event.target === this.#search) {
      if (key === 'ArrowDown') this.#focus(0);
      else if (key === 'Escape' && this.#search.value !== '') {
        this.#search.value = '';
        this.#changed();
      } else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (!(event.target instanceof Element) || !event.target.matches('.sql-name')) return;
    const item = this.#items[this.#active];
    const last = this.#items.length - 1;
    const isTable = item?.column === null;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, this.#active + 1),
      ArrowUp: this.#active - 1,
      Home: 0,
      End: last,
    };
    const to = moves[key];
    if (to === -1) this.#search.focus();
    else if (to !== undefined) this.#focus(to);
    else if (item !== undefined && key === 'ArrowRight' && isTable && !item.isOpen)
      this.#toggle(item, this.#active);
    else if (item !== undefined && key === 'ArrowLeft' && isTable && item.isOpen)
      this.#toggle(item, this.#active);
    else if (item !== undefined && key === 'ArrowLeft' && !isTable)
      this.#focus(this.#items.findIndex((one) => one.table === item.table && one.column === null));
    else if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
    event.preventDefault();
    // Otherwise the page's own keys would select a layer.
    event.stopPropagation();
  }

  #focus(at: number): void {
    const item = this.#items[at];
    if (item === undefined) return;
    this.#nameAt(this.#active)?.setAttribute('tabindex', '-1');
    this.#active = at;
    this.#grid.reveal((one) => one === item);
    this.#grid.redraw();
    const node = this.#nameAt(at);
    node?.setAttribute('tabindex', '0');
    node?.focus({ preventScroll: true });
  }

  #nameAt(at: number): HTMLElement | null {
    return this.#grid.node.querySelector(`tr[data-index="${String(at)}"] .sql-name`);
  }
}

function unitCell({ table, column: own }: SchemaItem): string {
  return own === null ? integer(table.rowCount) : visible(own.unit ?? '');
}
