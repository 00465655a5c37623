// The ledger: the time of every engine by operation of the source model. Each layer's time is spread
// over the operations it stems from, so the rows are the last line to the last femtosecond.

import {
  bar,
  bodyFont,
  column,
  el,
  figureTable,
  fitName,
  fixed,
  Grid,
  integer,
  kFsPerMs,
  kMissing,
  nameTitle,
  numbers,
  span,
  visible,
  type Column,
  type Columns,
  type Content,
  type FigureTable,
  type Ledger,
  type LedgerCell,
  type Report,
  type Unit,
  type ViewContext,
} from '../../public/index.ts';
import { alignedSort, kByView } from './choice.ts';
import { deltaMark, divergingBar } from './numbers.ts';
import { engineHead } from './totals.ts';

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
  readonly #grid: Grid<number>;
  #content: LedgerContent | null = null;

  constructor(context: ViewContext, scroller: HTMLElement, events: LedgerEvents) {
    this.#grid = new Grid<number>(context, {
      label: 'Time by operation of the source model',
      class: 'aligned-table ledger-table',
      scroller,
      columns: (width) => (this.#content === null ? [] : ledgerColumns(this.#content, width)),
      minName: kMinName,
      isOrdered: true,
      sort: () => alignedSort(this.#content?.sort ?? null),
      setSort: (_, column) => events.sort(column.id as 'a' | 'b' | 'delta'),
      isSelected: (row) => this.#content?.selected.has(row) === true,
      props: (row) => ({ attrs: { 'data-operation': row } }),
      click: (row, _, column) => events.select(row, column?.id === 'b' ? 'b' : 'a'),
      open: () => {
        // An operation is no box of the graph.
      },
    });
  }

  get node(): HTMLElement {
    return this.#grid.node;
  }

  show(content: LedgerContent): void {
    this.#content = content;
    this.#grid.draw(content.rows);
  }

  destroy(): void {
    this.#grid.destroy();
  }
}

function ledgerColumns(content: LedgerContent, width: number): Columns<number> {
  const { report, ledger, enginePair, rows, unit } = content;
  const { a, b } = enginePair;
  const available = width - kPadding;
  const others = report.engines.length - 2;
  const rest = kDelta + kDiverging + kCount;
  const least = kMinName + 2 * kEngine + rest;
  const hasSpread = available >= least + kSpread;
  const hasOthers = available >= least + kSpread + others * kTimesOnly;
  // Whether the engines beside A and B have bars, too.
  const hasBars = available >= least + kSpread + others * kEngine;
  const engines = report.engines.map((_, i) => i).filter((i) => hasOthers || i === a || i === b);
  const room = available - rest - (hasSpread ? kSpread : 0) - kMaxName;
  const perEngine = Math.round(room / (hasBars ? engines.length : 2));
  const engineWidth = Math.min(kMaxEngine, Math.max(kEngine, perEngine));
  const isAll = rows.length === ledger.count;
  const sum = (engine: number): number | null => {
    const total = ledger.totalFs[engine] ?? null;
    if (isAll || total === null) return total;
    return rows.reduce((all, row) => all + fsOf(ledger.cell(row, engine)), 0);
  };
  const totalDelta = (): number | null => {
    const [x, y] = [sum(a), sum(b)];
    return x === null || y === null ? null : (y - x) / kFsPerMs;
  };
  const delta = (row: number): number | null => ledgerDelta(ledger, row, a, b);
  const beyond = (row: number): boolean | null =>
    isBeyondNoise(ledger, row, enginePair, content.stepsUs);
  const nameOf = (row: number): string => visible(operationName(ledger, row, enginePair));
  const counts = (row: number): string =>
    [a, b]
      .map((i) => ledger.cell(row, i))
      .map((own) => (own === null ? kMissing : integer(own.layers)))
      .join(' → ');
  const spread = (row: number): string => {
    if (ledger.kind(row) !== 'operation') return '';
    return [...new Set([a, b].flatMap((i) => ledger.cell(row, i)?.spread ?? []))].join(', ');
  };
  // The hatched part only reformats for the operation.
  const barOf = (own: LedgerCell): HTMLElement => {
    const fs = fsOf(own);
    const ratio = content.maxMs > 0 ? fs / kFsPerMs / content.maxMs : 0;
    const isReformat = fs > 0 && own.reformatFs / fs > 0.5;
    return bar(ratio, engineWidth - kTime, isReformat ? 'f-reformat hatched' : 'plain-bar');
  };
  const engineColumn = (i: number): Column<number> => {
    const side = i === a ? 'a' : i === b ? 'b' : null;
    const cell = (row: number): Content => {
      const own = ledger.cell(row, i);
      if (own === null) return span('time dim', '·');
      const time = own.fs === null ? kMissing : timeText(own.fs, unit);
      return [span('time', time), side !== null || hasBars ? barOf(own) : null];
    };
    const className = `engine${side === null ? '' : ' chosen'}`;
    const foot = (): HTMLElement => {
      const fs = sum(i);
      const total = ledger.totalFs[i] ?? null;
      const isPart = fs !== null && total !== null && fs !== total;
      const title = isPart
        ? `Σ layers is ${timeText(total, unit)}: the rest belongs to operations that neither A nor B has`
        : null;
      const time = span('time', fs === null ? kMissing : timeText(fs, unit));
      return el('td', { class: className, attrs: { title } }, time);
    };
    return column(engineHead(report, i, enginePair), cell, {
      id: side ?? `engine${String(i)}`,
      class: className,
      help: nameTitle(visible(report.engines[i]?.name ?? '')),
      width: hasBars || side !== null ? engineWidth : kTimesOnly,
      title: (row) => {
        const own = ledger.cell(row, i);
        return own === null ? null : cellTitle(own, nameOf(row), unit);
      },
      sortBy: side === null ? undefined : kByView,
      foot,
    });
  };
  // The table has a margin at both ends.
  const margin = kPadding / 2;
  return [
    column('Operation', (row, _, px) => fitName(nameOf(row), px - margin, bodyFont(12, 500)), {
      class: 'name',
      width: null,
      title: (row) => {
        const type = ledger.type(row);
        return nameTitle(type === null ? nameOf(row) : `${nameOf(row)}\n${visible(type)}`);
      },
      foot: () => [
        'Σ layers',
        isAll
          ? null
          : span('dim', ` in ${integer(rows.length)} of ${integer(ledger.count)} operations`),
      ],
    }),
    ...engines.map(engineColumn),
    numbers(`B − A, ${unit.unit}`, (row) => deltaMark(delta(row), unit, beyond(row)), {
      id: 'delta',
      width: kDelta,
      sortBy: kByView,
      foot: () => deltaMark(totalDelta(), unit, null),
    }),
    column(
      span('offscreen', 'bar'),
      (row) => divergingBar(delta(row), content.maxDeltaMs, kDiverging / 2 - 6, beyond(row)),
      { width: kDiverging },
    ),
    numbers('layers', counts, {
      cellClass: 'dim',
      help: 'Layers of A and B that contain it',
      width: kCount + (hasSpread ? 0 : margin),
    }),
    hasSpread &&
      column('spread by', spread, {
        class: 'changes',
        cellClass: 'dim',
        help: 'How layer time is divided among operations',
        width: kSpread + margin,
      }),
  ];
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
  const rows = Array.from({ length: ledger.count }, (_, row) => row);
  return figureTable<number>(rows, [
    ['operation', null, (row) => operationName(ledger, row, enginePair)],
    ['type', null, (row) => ledger.type(row)],
    ...report.engines.map((engine, i) => {
      const ms = (row: number): number => (ledger.cell(row, i)?.fs ?? Number.NaN) / kFsPerMs;
      return [`${visible(engine.id)}, ms`, 4, ms] as const;
    }),
  ]);
}
