// The engines as a table: one row each, sorted, the chosen ones ticked.

import { append, div, el, replace, span, type Child } from '../base/dom.ts';
import {
  fixed,
  inUnit,
  integer,
  isNumber,
  kMissing,
  percent,
  signed,
  significant,
  timeUnit,
  type Unit,
} from '../base/format.ts';
import { visible } from '../base/text.ts';
import { severitySign } from '../public/marks.ts';
import { producerName } from '../public/producer.ts';
import { dateText, fullDateText } from './dates.ts';
import {
  displayName,
  firstSort,
  lastChange,
  outputsDb,
  reportAddress,
  type ColumnId,
  type Sort,
} from './rows.ts';
import { sparkline } from './sparkline.ts';
import type { Findings, ListedEngine } from './wire.ts';

// Rows that are made at once: more are made when they are asked for.
const kFirstRows = 500;

interface Column {
  readonly id: ColumnId;
  readonly title: string;
  readonly hint: string;
  readonly isNumber?: boolean;
  // Left out where the page is narrow.
  readonly isOptional?: boolean;
  // Left out where no engine has it.
  readonly isRare?: boolean;
}

const kColumns: readonly Column[] = [
  { id: 'name', title: 'Engine', hint: 'The name in its files, else that of the file' },
  { id: 'place', title: 'Place', hint: 'Its folder' },
  { id: 'producer', title: 'Made by', hint: 'The compiler, and its version', isOptional: true },
  { id: 'device', title: 'Device', hint: 'The device it ran on, where recorded' },
  {
    id: 'precision',
    title: 'Precision',
    hint: 'Precision of most of the layer time',
    isOptional: true,
  },
  { id: 'end', title: 'End to end', hint: 'The median of the inferences', isNumber: true },
  {
    id: 'layers_ms',
    title: 'Σ layers',
    hint: 'The sum of the layers’ medians, or of their means where there are no medians',
    isNumber: true,
    isOptional: true,
  },
  {
    id: 'layers',
    title: 'Layers',
    hint: 'Layers that do work',
    isNumber: true,
    isOptional: true,
  },
  {
    id: 'reached',
    title: '% of limit',
    hint: 'Time at the device’s limits as a share of the measured time, of layers whose work is known',
    isNumber: true,
    isOptional: true,
  },
  {
    id: 'db',
    title: 'dB',
    hint: 'What quantizing left of the outputs: the least SQNR against the float model, in the engine; grey: in the model’s own arithmetic',
    isNumber: true,
    isRare: true,
  },
  { id: 'findings', title: 'Findings', hint: 'Errors, warnings and notes of the lint rules' },
  { id: 'date', title: 'Written', hint: 'When the last of its files was written' },
  {
    id: 'trend',
    title: 'Runs',
    hint:
      'End-to-end medians of engines of the same name, maker, device, precision and batch, by date; ' +
      'up is slower; ' +
      'the line spans at least 10 % of the time. The number: change from the previous run, ' +
      'not tested against noise',
  },
];

// What stands between the place and the date: figures, or why there are none.
const kFigures: ReadonlySet<ColumnId> = new Set([
  'producer',
  'device',
  'precision',
  'end',
  'layers_ms',
  'layers',
  'reached',
  'db',
  'findings',
]);

export interface TableActions {
  sort(sort: Sort): void;
  choose(id: string, isChosen: boolean, isRange: boolean): void;
}

export interface TableState {
  readonly shown: readonly ListedEngine[];
  // All of them: one unit for what can come and go.
  readonly all: readonly ListedEngine[];
  readonly sort: Sort;
  readonly chosen: ReadonlySet<string>;
  readonly nowMs: number;
  // The only folder that is served, which needs not be said in every row; else null.
  readonly root: string | null;
}

function within(place: string, root: string | null): string {
  const folder = `${root ?? ''}/`;
  return root !== null && place.startsWith(folder) && place !== folder
    ? place.slice(folder.length)
    : place;
}

function missing(): HTMLElement {
  return span('dim', kMissing);
}

function unitOf(values: readonly (number | null)[]): Unit {
  return timeUnit(Math.max(0, ...values.filter(isNumber)));
}

function findingsCell(findings: Findings | null): Child {
  if (findings === null) return missing();
  const parts = (['error', 'warning', 'info'] as const)
    .filter((severity) => findings[severity] > 0)
    .map((severity) => {
      const sign = severitySign(severity);
      sign.title = severity === 'info' ? 'notes' : `${severity}s`;
      return span('finding-count', sign, integer(findings[severity]));
    });
  return parts.length === 0 ? span('dim', 'none') : span('finding-counts', ...parts);
}

function dbCell(engine: ListedEngine): Child {
  const db = outputsDb(engine);
  if (db === null) return missing();
  const node = span(engine.outputs_engine_db === null ? 'dim' : '', fixed(db, 1));
  node.title =
    engine.outputs_engine_db === null
      ? 'in the model’s own arithmetic'
      : engine.outputs_simulated_db === null
        ? 'in the engine'
        : `in the engine; ${fixed(engine.outputs_simulated_db, 1)} dB in the model’s own arithmetic`;
  return node;
}

function trendCell(engine: ListedEngine): readonly Child[] {
  const { trend } = engine;
  if (trend === null) return [missing()];
  const first = trend[0];
  const last = trend.at(-1);
  const words =
    `${integer(trend.length)} runs from ${significant(first?.end_to_end_median_ms)} ms ` +
    `(${fullDateText(first?.modified_ms ?? null)}) to ${significant(last?.end_to_end_median_ms)} ms ` +
    `(${fullDateText(last?.modified_ms ?? null)})`;
  const change = lastChange(engine);
  const node = span('trend', sparkline(trend, engine.id, words));
  node.title = words;
  if (change !== null) {
    const number = span('dim', `${signed(change * 100, 1)} %`);
    number.title = 'from the previous run; compare the two to see whether it exceeds the noise';
    node.append(number);
  }
  return [node];
}

export class EngineTable {
  readonly node = div('index-scroll');
  readonly #actions: TableActions;
  #rows = kFirstRows;
  #state: TableState | null = null;
  #hasDb = false;
  // By id: what the row was made of, so that a row that did not change keeps its focus.
  readonly #made = new Map<string, { readonly key: string; readonly row: HTMLTableRowElement }>();
  readonly #body = el('tbody');
  readonly #head = el('thead');
  readonly #narrow = window.matchMedia('(max-width: 1000px)');
  #columns: readonly Column[] = kColumns;

  constructor(actions: TableActions) {
    this.#actions = actions;
    this.node.append(el('table', { class: 'index-table' }, this.#head, this.#body));
    this.node.tabIndex = -1;
    this.#chooseColumns();
    this.#narrow.addEventListener('change', () => this.#chooseColumns());
  }

  #chooseColumns(): void {
    this.#columns = kColumns.filter(
      (column) =>
        (column.isOptional !== true || !this.#narrow.matches) &&
        (column.isRare !== true || this.#hasDb),
    );
    this.#made.clear();
    if (this.#state !== null) this.update(this.#state);
  }

  update(state: TableState): void {
    const hasDb = state.all.some((engine) => outputsDb(engine) !== null);
    if (hasDb !== this.#hasDb) {
      this.#hasDb = hasDb;
      this.#state = null;
      this.#chooseColumns();
    }
    this.#state = state;
    const units = {
      end: unitOf(state.all.map((engine) => engine.end_to_end_median_ms)),
      layers: unitOf(state.all.map((engine) => engine.layers_ms)),
    };
    this.#drawHead(state.sort, units.end, units.layers);
    const shown = state.shown.slice(0, this.#rows);
    const rows = shown.map((engine) => this.#rowOf(engine, units.end, units.layers, state));
    const kept = new Set(shown.map((engine) => engine.id));
    for (const id of [...this.#made.keys()]) if (!kept.has(id)) this.#made.delete(id);
    this.#place(rows);
    this.#drawMore(state.shown.length - shown.length);
  }

  // Moves only what stands elsewhere: a row that is taken out and put back loses its focus.
  #place(rows: readonly HTMLTableRowElement[]): void {
    const kept = new Set<Element>(rows);
    for (const row of [...this.#body.children]) if (!kept.has(row)) row.remove();
    rows.forEach((row, index) => {
      const there = this.#body.children[index];
      if (there !== row) this.#body.insertBefore(row, there ?? null);
    });
  }

  #drawMore(count: number): void {
    this.node.querySelector('.index-more')?.remove();
    if (count <= 0) return;
    const more = el(
      'button',
      {
        class: 'link index-more',
        attrs: { type: 'button' },
        on: {
          click: () => {
            this.#rows += 2000;
            if (this.#state !== null) this.update(this.#state);
          },
        },
      },
      `${integer(count)} more engines`,
    );
    this.node.append(more);
  }

  #drawHead(sort: Sort, end: Unit, layers: Unit): void {
    const units: Partial<Record<ColumnId, string>> = { end: end.unit, layers_ms: layers.unit };
    const cells = this.#columns.map((column) => {
      const isSorted = column.id === sort.column;
      const arrow = isSorted ? (sort.isDescending ? ' ↓' : ' ↑') : '';
      const unit = units[column.id];
      const button = el(
        'button',
        {
          class: isSorted ? 'sorted' : '',
          attrs: { type: 'button', title: column.hint, 'data-sort': column.id },
          on: {
            click: () =>
              this.#actions.sort(
                isSorted ? { ...sort, isDescending: !sort.isDescending } : firstSort(column.id),
              ),
          },
        },
        column.title + (unit === undefined ? '' : ` ${unit}`) + arrow,
      );
      return el(
        'th',
        {
          class: classOf(column),
          attrs: {
            scope: 'col',
            'aria-sort': isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none',
          },
        },
        button,
      );
    });
    const focused = document.activeElement?.getAttribute('data-sort');
    replace(
      this.#head,
      el('tr', {}, el('th', { attrs: { scope: 'col' } }, span('offscreen', 'Chosen')), ...cells),
    );
    if (focused !== null && focused !== undefined) {
      this.#head.querySelector<HTMLElement>(`[data-sort="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  #rowOf(engine: ListedEngine, end: Unit, layers: Unit, state: TableState): HTMLTableRowElement {
    const isChosen = state.chosen.has(engine.id);
    const date = dateText(engine.modified_ms, state.nowMs);
    const key = JSON.stringify([engine, end.unit, layers.unit, date, state.root]);
    const made = this.#made.get(engine.id);
    const row = made?.key === key ? made.row : this.#makeRow(engine, end, layers, date, state.root);
    if (made !== undefined && made.row !== row) {
      // The same engine, read anew: the focus stays on what it was on.
      const focused = [...made.row.querySelectorAll('a, input, summary')].indexOf(
        document.activeElement ?? made.row,
      );
      made.row.replaceWith(row);
      if (focused >= 0) row.querySelectorAll<HTMLElement>('a, input, summary')[focused]?.focus();
    }
    this.#made.set(engine.id, { key, row });
    row.classList.toggle('selected', isChosen);
    const box = row.querySelector('input');
    if (box !== null) box.checked = isChosen;
    return row;
  }

  #makeRow(
    engine: ListedEngine,
    end: Unit,
    layers: Unit,
    date: string,
    root: string | null,
  ): HTMLTableRowElement {
    const name = visible(displayName(engine));
    const box = el('input', {
      attrs: { type: 'checkbox', 'aria-label': `Choose ${name}` },
      on: {
        click: (event) =>
          this.#actions.choose(engine.id, box.checked, (event as MouseEvent).shiftKey),
      },
    });
    const row = el('tr', {}, el('td', { class: 'choose' }, box));
    const cell = (id: ColumnId, ...children: readonly Child[]): void => {
      const column = this.#columns.find((one) => one.id === id);
      if (column !== undefined) row.append(el('td', { class: classOf(column) }, ...children));
    };
    const link = el('a', { class: 'link', attrs: { href: reportAddress([engine.id]) } }, name);
    link.title = engine.headline === null ? name : `${name}\n${visible(engine.headline)}`;
    cell(
      'name',
      engine.state === 'failed' ? severitySign('error', 'It can’t be read') : null,
      engine.state === 'failed' ? span('', ` ${name}`) : link,
      engine.is_stale ? span('dim', ' · changed') : null,
    );
    const place = engine.is_dropped ? 'dropped on this page' : visible(within(engine.place, root));
    const placeNode = span('cut dim', place);
    placeNode.title = visible(engine.place);
    cell('place', placeNode);
    if (engine.state !== 'ready') {
      const colspan = this.#columns.filter((column) => kFigures.has(column.id)).length;
      row.append(el('td', { attrs: { colspan } }, ...this.#instead(engine)));
    } else {
      this.#figures(engine, end, layers, cell);
    }
    const when = span('', date);
    when.title = fullDateText(engine.modified_ms);
    cell('date', engine.modified_ms === null ? missing() : when);
    cell('trend', ...trendCell(engine));
    return row;
  }

  #figures(
    engine: ListedEngine,
    end: Unit,
    layers: Unit,
    cell: (id: ColumnId, ...children: readonly Child[]) => void,
  ): void {
    const text = (value: string | null): Child => {
      if (value === null) return missing();
      const node = span('cut', visible(value));
      node.title = visible(value);
      return node;
    };
    const number = (value: number | null, unit: Unit): Child =>
      value === null ? missing() : inUnit(value, unit);
    cell('producer', text(producerName(engine.producer, engine.producer_version, '')));
    cell('device', text(engine.device));
    cell('precision', text(engine.precision));
    cell('end', number(engine.end_to_end_median_ms, end));
    const sum = span('', number(engine.layers_ms, layers));
    if (engine.basis === 'mean') {
      sum.className = 'soft';
      sum.title = 'means: the profile has no medians';
    }
    cell('layers_ms', sum);
    cell('layers', engine.layer_count === null ? missing() : integer(engine.layer_count));
    cell('reached', engine.reached_ratio === null ? missing() : percent(engine.reached_ratio));
    cell('db', dbCell(engine));
    cell('findings', findingsCell(engine.findings));
  }

  // What stands in the place of figures.
  #instead(engine: ListedEngine): readonly Child[] {
    if (engine.state === 'waiting') return [span('dim', 'not read yet')];
    const [first = 'it can’t be read', ...rest] = (engine.error ?? '').split('\n');
    if (rest.join('').trim() === '') return [span('failure', visible(first))];
    const details = el('details', { class: 'failure' }, el('summary', {}, visible(first)));
    append(details, [el('pre', { class: 'code-text' }, rest.map(visible).join('\n').trimEnd())]);
    return [details];
  }

  // The row before or after the one that has the focus; the first where none has.
  walk(by: 1 | -1): void {
    const links = [...this.#body.querySelectorAll<HTMLElement>('tr')];
    const at = links.findIndex((row) => row.contains(document.activeElement));
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
    next?.querySelector<HTMLElement>('input')?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  }

  // The engine of the row that has the focus.
  focused(): string | null {
    for (const [id, { row }] of this.#made) if (row.contains(document.activeElement)) return id;
    return null;
  }
}

function classOf(column: Column): string {
  return `c-${column.id.replace('_', '-')}` + (column.isNumber === true ? ' right' : '');
}
