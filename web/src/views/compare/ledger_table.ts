// The ledger: the time of every engine by operation of the source model. Each layer's time is spread
// over the operations it stems from, so the rows are the last line to the last femtosecond.

import {
  bar,
  bodyFont,
  el,
  fitName,
  fixed,
  integer,
  kMissing,
  nameTitle,
  replace,
  span,
  visible,
  type FigureTable,
  type Ledger,
  type LedgerCell,
  type Report,
  type Unit,
} from '../../public/index.ts';
import { headCell } from './head_cell.ts';
import { deltaMark, divergingBar } from './numbers.ts';
import { engineHead } from './totals.ts';
import { VirtualRows } from './virtual_rows.ts';

const kFsPerMs = 1e12;
const kPadding = 32;
const kEngine = 108;
const kMaxEngine = 170;
const kTimesOnly = 66;
// Of an engine's column, what is not its bar.
const kTime = 70;
const kMaxName = 380;
const kDelta = 76;
const kDiverging = 84;
const kCount = 64;
const kSpread = 104;
const kMinName = 190;

export type LedgerSort = 'model' | 'a' | 'b' | 'size' | 'delta';

// As A calls it, else as B does, else as anybody.
export function operationName(
  ledger: Ledger,
  row: number,
  enginePair: { readonly a: number; readonly b: number },
): string {
  const kind = ledger.kind(row);
  if (kind === 'no-work') return 'records without work';
  if (kind === 'remainder') return `${ledger.type(row) ?? 'layers'} (source operation unknown)`;
  const own = ledger.cell(row, enginePair.a)?.name ?? ledger.cell(row, enginePair.b)?.name;
  const name = own ?? ledger.name(row) ?? '';
  const parameter = ledger.parameter(row);
  return parameter === null ? name : `${parameter} · ${name}`;
}

const fsOf = (cell: LedgerCell | null): number => cell?.fs ?? 0;

// B − A in ms, an operation that one does not have counting 0; null where a time is missing.
export function ledgerDelta(ledger: Ledger, row: number, a: number, b: number): number | null {
  const [x, y] = [ledger.cell(row, a), ledger.cell(row, b)];
  if (x === null && y === null) return null;
  if ((x !== null && x.fs === null) || (y !== null && y.fs === null)) return null;
  return (fsOf(y) - fsOf(x)) / kFsPerMs;
}

// Rows in the model's order, or by what they take; null counts as least.
export function ledgerOrder(
  ledger: Ledger,
  enginePair: { readonly a: number; readonly b: number },
  sort: { readonly column: LedgerSort; readonly descending: boolean } | null,
  keep: (row: number) => boolean,
): readonly number[] {
  const rows = Array.from({ length: ledger.count }, (_, row) => row).filter(keep);
  if (sort === null || sort.column === 'model') return rows;
  const { column } = sort;
  const value = (row: number): number => {
    if (column === 'a' || column === 'b') return fsOf(ledger.cell(row, enginePair[column]));
    const delta = ledgerDelta(ledger, row, enginePair.a, enginePair.b) ?? 0;
    return column === 'size' ? Math.abs(delta) : delta;
  };
  const sign = sort.descending ? -1 : 1;
  return [...rows].sort((x, y) => sign * (value(x) - value(y)) || x - y);
}

// More than one step of the profiler a side: of parts of layers nothing else is known of noise. What
// came or went is a change whatever the noise; null where the steps are not known.
export function isBeyondNoise(
  ledger: Ledger,
  row: number,
  enginePair: { readonly a: number; readonly b: number },
  stepsUs: readonly (number | null)[],
): boolean | null {
  const deltaMs = ledgerDelta(ledger, row, enginePair.a, enginePair.b);
  if (deltaMs === null) return null;
  const isNew = ledger.cell(row, enginePair.a) === null || ledger.cell(row, enginePair.b) === null;
  if (isNew) return true;
  let sum = 0;
  for (const step of stepsUs) {
    if (step === null) return null;
    sum += step;
  }
  // A little more, as a step is a rounded number.
  return Math.abs(deltaMs) * 1e3 > sum * 1.001;
}

export interface LedgerContent {
  readonly report: Report;
  readonly ledger: Ledger;
  readonly enginePair: { readonly a: number; readonly b: number };
  readonly rows: readonly number[];
  readonly unit: Unit;
  readonly sort: { readonly column: string; readonly descending: boolean } | null;
  readonly maxMs: number;
  readonly maxDeltaMs: number;
  readonly stepsUs: readonly (number | null)[];
  readonly selected: ReadonlySet<number>;
}

export interface LedgerEvents {
  sort(column: 'a' | 'b' | 'delta'): void;
  select(row: number, side: 'a' | 'b'): void;
}

export class LedgerTable {
  readonly node: HTMLElement;
  readonly #events: LedgerEvents;
  readonly #columns = el('colgroup');
  readonly #head = el('tr');
  readonly #foot = el('tr', { class: 'sum-row' });
  readonly #table: HTMLTableElement;
  readonly #rows: VirtualRows;
  #content: LedgerContent | null = null;
  #engines: readonly number[] = [];
  #nameWidth = kMinName;
  #hasSpread = true;
  // Whether the engines beside A and B have bars, too.
  #hasBars = false;
  #engineWidth = kEngine;

  constructor(scroller: HTMLElement, events: LedgerEvents) {
    this.#events = events;
    this.#rows = new VirtualRows(scroller, this.#head, this.#foot);
    this.#table = el(
      'table',
      { class: 'aligned-table ledger-table' },
      el('caption', { class: 'offscreen' }, 'Time by operation of the source model'),
      this.#columns,
      el('thead', {}, this.#head),
      this.#rows.body,
      el('tfoot', {}, this.#foot),
    );
    this.node = el('div', { class: 'aligned' }, this.#table);
    this.node.style.setProperty('--row-height', `${String(this.#rows.rowHeight)}px`);
    this.#rows.body.addEventListener('click', (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const row = Number(target?.closest('tr[data-operation]')?.getAttribute('data-operation'));
      const side = target?.closest('td[data-side]')?.getAttribute('data-side') === 'b' ? 'b' : 'a';
      if (target?.closest('tr[data-operation]') !== null) this.#events.select(row, side);
    });
  }

  show(content: LedgerContent): void {
    this.#content = content;
    this.#measure(content);
    this.#drawHead(content);
    this.#drawFoot(content);
    this.#table.setAttribute('aria-rowcount', String(content.rows.length + 2));
    this.#rows.show(content.rows.length, (index) => this.#makeRow(index, content));
  }

  #sideOf(engine: number): 'a' | 'b' | null {
    const enginePair = this.#content?.enginePair;
    return engine === enginePair?.a ? 'a' : engine === enginePair?.b ? 'b' : null;
  }

  #measure({ report, enginePair }: LedgerContent): void {
    const available = this.node.clientWidth - kPadding;
    const others = report.engines.length - 2;
    const rest = kDelta + kDiverging + kCount;
    const least = kMinName + 2 * kEngine + rest;
    this.#hasSpread = available >= least + kSpread;
    const spread = this.#hasSpread ? kSpread : 0;
    const hasOthers = available >= least + kSpread + others * kTimesOnly;
    this.#hasBars = available >= least + kSpread + others * kEngine;
    this.#engines = report.engines
      .map((_, i) => i)
      .filter((i) => hasOthers || i === enginePair.a || i === enginePair.b);
    const count = this.#hasBars ? this.#engines.length : 2;
    const room = (available - rest - spread - kMaxName) / count;
    this.#engineWidth = Math.round(Math.min(kMaxEngine, Math.max(kEngine, room)));
    const engines = this.#engines.map((i) =>
      this.#hasBars || this.#sideOf(i) !== null ? this.#engineWidth : kTimesOnly,
    );
    const fixedColumns = [...engines, kDelta, kDiverging, kCount, ...(spread > 0 ? [spread] : [])];
    const used = fixedColumns.reduce((sum, width) => sum + width, 0);
    this.#nameWidth = Math.max(kMinName, available - used);
    const columns = [this.#nameWidth, ...fixedColumns];
    this.#table.style.width = `${String(this.#nameWidth + used + kPadding)}px`;
    replace(
      this.#columns,
      ...columns.map((width, i) => {
        const col = el('col');
        const padding = i === 0 || i === columns.length - 1 ? kPadding / 2 : 0;
        col.style.width = `${String(width + padding)}px`;
        return col;
      }),
    );
  }

  #drawHead({ report, enginePair, unit, sort }: LedgerContent): void {
    const head = (
      className: string,
      content: string | HTMLElement,
      column: 'a' | 'b' | 'delta' | null,
      title = '',
    ): HTMLElement =>
      headCell({ className, content, column, title }, sort, (by) => this.#events.sort(by));
    replace(
      this.#head,
      head('', 'Operation', null),
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        return head(
          `engine${side === null ? '' : ' chosen'}`,
          engineHead(report, i, enginePair),
          side,
          nameTitle(visible(report.engines[i]?.name ?? '')),
        );
      }),
      head('right', `B − A, ${unit.unit}`, 'delta'),
      head('', span('offscreen', 'bar'), null),
      head('right', 'layers', null, 'Layers of A and B that contain it'),
      this.#hasSpread
        ? head('changes', 'spread by', null, 'How layer time is divided among operations')
        : null,
    );
  }

  #drawFoot({ rows, ledger, enginePair, unit }: LedgerContent): void {
    const isAll = rows.length === ledger.count;
    const sum = (engine: number): number | null => {
      if (isAll) return ledger.totalFs[engine] ?? null;
      if ((ledger.totalFs[engine] ?? null) === null) return null;
      return rows.reduce((total, row) => total + fsOf(ledger.cell(row, engine)), 0);
    };
    const [a, b] = [sum(enginePair.a), sum(enginePair.b)];
    const delta = a === null || b === null ? null : (b - a) / kFsPerMs;
    replace(
      this.#foot,
      el(
        'td',
        {},
        'Σ layers',
        isAll
          ? null
          : span('dim', ` in ${integer(rows.length)} of ${integer(ledger.count)} operations`),
      ),
      ...this.#engines.map((i) => {
        const fs = sum(i);
        const total = ledger.totalFs[i] ?? null;
        const isPart = fs !== null && total !== null && fs !== total;
        return el(
          'td',
          {
            class: `engine${this.#sideOf(i) === null ? '' : ' chosen'}`,
            attrs: {
              title: isPart
                ? `Σ layers is ${timeText(total, unit)}: the rest belongs to operations that neither A nor B has`
                : null,
            },
          },
          span('time', fs === null ? kMissing : timeText(fs, unit)),
        );
      }),
      el('td', { class: 'right' }, deltaMark(delta, unit, null)),
      el('td'),
      el('td'),
      this.#hasSpread ? el('td') : null,
    );
  }

  #makeRow(index: number, content: LedgerContent): HTMLTableRowElement {
    const { ledger, enginePair, unit } = content;
    const row = content.rows[index] ?? 0;
    const name = visible(operationName(ledger, row, enginePair));
    const delta = ledgerDelta(ledger, row, enginePair.a, enginePair.b);
    const beyond = isBeyondNoise(ledger, row, enginePair, content.stepsUs);
    const isOperation = ledger.kind(row) === 'operation';
    const cell = el(
      'td',
      { class: 'name' },
      fitName(name, this.#nameWidth - 12, bodyFont(12, 500)),
    );
    const type = ledger.type(row);
    cell.title = nameTitle(type === null ? name : `${name}\n${visible(type)}`);
    const counts = [enginePair.a, enginePair.b].map((i) => {
      const own = ledger.cell(row, i);
      return own === null ? kMissing : integer(own.layers);
    });
    const rules = [enginePair.a, enginePair.b].flatMap((i) => ledger.cell(row, i)?.spread ?? []);
    const isSelected = content.selected.has(row);
    return el(
      'tr',
      {
        class: isSelected ? 'selected' : '',
        attrs: {
          'data-operation': row,
          'aria-rowindex': index + 2,
          'aria-selected': isSelected ? 'true' : null,
        },
      },
      cell,
      ...this.#engines.map((i) => {
        const side = this.#sideOf(i);
        const own = ledger.cell(row, i);
        const node = el('td', {
          class: `engine${side === null ? '' : ' chosen'}`,
          attrs: { 'data-side': side },
        });
        if (own === null) node.append(span('time dim', '·'));
        else {
          node.append(span('time', own.fs === null ? kMissing : timeText(own.fs, unit)));
          if (side !== null || this.#hasBars) node.append(this.#bar(own, content.maxMs));
          node.title = cellTitle(own, name, unit);
        }
        return node;
      }),
      el('td', { class: 'right' }, deltaMark(delta, unit, beyond)),
      el('td', {}, divergingBar(delta, content.maxDeltaMs, kDiverging / 2 - 6, beyond)),
      el('td', { class: 'right dim' }, counts.join(' → ')),
      this.#hasSpread
        ? el('td', { class: 'changes dim' }, isOperation ? [...new Set(rules)].join(', ') : '')
        : null,
    );
  }

  // The hatched part only reformats for the operation.
  #bar(cell: LedgerCell, maxMs: number): HTMLElement {
    const fs = cell.fs ?? 0;
    const ratio = maxMs > 0 ? fs / kFsPerMs / maxMs : 0;
    const isReformat = fs > 0 && cell.reformatFs / fs > 0.5;
    return bar(ratio, this.#engineWidth - kTime, isReformat ? 'f-reformat hatched' : 'plain-bar');
  }

  destroy(): void {
    this.#rows.destroy();
  }
}

// What is there but rounds to nothing says so.
function timeText(fs: number, unit: Unit): string {
  const value = (fs / kFsPerMs) * unit.scale;
  const least = 0.5 * 10 ** -unit.decimals;
  return value > 0 && value < least
    ? `<${fixed(2 * least, unit.decimals)}`
    : fixed(value, unit.decimals);
}

function cellTitle(cell: LedgerCell, name: string, unit: Unit): string {
  const lines: string[] = [];
  if (cell.name !== null && visible(cell.name) !== name) lines.push(`here ${visible(cell.name)}`);
  if (cell.reformatFs > 0) {
    lines.push(`${timeText(cell.reformatFs, unit)} ${unit.unit} of it are its reformats`);
  }
  return lines.join('\n');
}

export function ledgerData(
  report: Report,
  ledger: Ledger,
  enginePair: { readonly a: number; readonly b: number },
): FigureTable {
  const engines = report.engines.map((_, i) => i);
  return {
    columns: [
      { title: 'operation', decimals: null },
      { title: 'type', decimals: null },
      ...report.engines.map((engine) => ({ title: `${visible(engine.id)}, ms`, decimals: 4 })),
    ],
    rows: Array.from({ length: ledger.count }, (_, row) => [
      operationName(ledger, row, enginePair),
      ledger.type(row),
      ...engines.map((i) => {
        const fs = ledger.cell(row, i)?.fs ?? null;
        return fs === null ? null : fs / kFsPerMs;
      }),
    ]),
  };
}
