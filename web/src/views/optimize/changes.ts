// What the kept steps changed in layers: step by step as far as the record says, and from the model
// as it is to the best as the comparison does.

import {
  bar,
  column,
  deltaMark,
  divergingBar,
  el,
  Figure,
  figureTable,
  htmlBody,
  integer,
  isNumber,
  joined,
  kFsPerMs,
  kMissing,
  linkButton,
  msText,
  nameTitle,
  numbers,
  plainFigure,
  plainTable,
  timeUnit,
  inUnit,
  visible,
  wideTable,
  type DifferenceCause,
  type Ledger,
  type OptimizeStep,
  type Pairs,
  type Store,
} from '../../public/index.ts';
import {
  changeText,
  engineOf,
  keptSteps,
  lossText,
  placeOf,
  saidText,
  whatText,
} from './record.ts';
import type { Shown } from './state.ts';

const kHalfBar = 34;
const kBar = 60;
const kMaxOperations = 12;

interface KeptRow {
  readonly name: string;
  readonly what: string;
  readonly step: OptimizeStep | null;
  readonly layers: number | null;
}

export function keptRows({ context, record }: Shown): readonly KeptRow[] {
  const first = engineOf(context.store.report, 'first');
  return [
    {
      name: 'as it is',
      what: 'The model, as it was given',
      step: null,
      layers: first === null ? null : first.workRows.length,
    },
    ...keptSteps(record).map((step) => ({
      name: step.id,
      what: joined([saidText(step), whatText(step)], '; '),
      step,
      layers: step.layer_count,
    })),
  ];
}

// Null: nothing was kept.
export function keptFigure(shown: Shown): Figure | null {
  const rows = keptRows(shown);
  if (rows.length < 2) return null;
  const ms = ({ step }: KeptRow): number | null =>
    step === null ? shown.record.first.median_ms : step.after.median_ms;
  const loss = ({ step }: KeptRow): string | null => (step === null ? null : lossText(step));
  const table = (): HTMLElement =>
    plainTable('auto optimize-kept', rows, [
      column('step', ({ name }) => visible(name), { isHead: true }),
      numbers('layers', ({ layers }) => (isNumber(layers) ? integer(layers) : kMissing)),
      numbers('ms', (row) => msText(ms(row))),
      numbers('change', ({ step }) => changeText(step?.change_ratio ?? null)),
      column('against float', (row) => loss(row) ?? kMissing, {}),
      column('what it does', ({ what }) => what, { cellClass: 'soft', class: 'what' }),
    ]);
  return new Figure(shown.context, {
    id: 'optimize-kept',
    title: 'What was kept',
    explain: () => 'layers: those of the engine that do work',
    body: htmlBody('wide', () => [wideTable('What was kept', table())]),
    table: () =>
      figureTable(rows, [
        ['step', null, ({ name }) => name],
        ['layers', 0, ({ layers }) => layers],
        ['median ms', 4, ms],
        ['change ratio', 4, ({ step }) => step?.change_ratio],
        ['SQNR dB', 1, ({ step }) => step?.sqnr_db],
        ['what', null, ({ what }) => what],
        ['command', null, ({ step }) => step?.command],
      ]),
  });
}

interface Ends {
  readonly first: number;
  readonly best: number;
  readonly pairs: Pairs;
}

function endsOf({ report }: Store): Ends | null {
  const [first, best] = [placeOf(report, 'first'), placeOf(report, 'best')];
  if (first === null || best === null) return null;
  const pairs = report.comparison?.pairs(first, best) ?? null;
  return pairs === null ? null : { first, best, pairs };
}

const compareLink = (store: Store, { first, best }: Ends, isByOperation: boolean): HTMLElement =>
  linkButton('compare', 'All of it, layer by layer', () =>
    store.patch({
      view: 'compare',
      a: first,
      b: best,
      options: isByOperation
        ? { ...store.state.options, 'compare.mode': 'operations', 'compare.sort': '-size' }
        : store.state.options,
    }),
  );

// Each layer counts for one cause, so that they add up. Null: the report has not both engines.
export function causesFigure({ context }: Shown): Figure | null {
  const { store } = context;
  const ends = endsOf(store);
  if (ends === null || ends.pairs.way.causes.length === 0) return null;
  const { causes, delta_ms: sum } = ends.pairs.way;
  const most = Math.max(0, ...causes.map((cause) => Math.abs(cause.delta_ms ?? 0)));
  const unit = timeUnit(most);
  const layers = ({ a_layers: a, b_layers: b }: DifferenceCause): string =>
    `${integer(a)} → ${integer(b)}`;
  const table = (): HTMLElement =>
    plainTable('auto optimize-causes', causes, [
      column('cause', ({ text }) => visible(text), { isHead: true, foot: () => 'Σ layers' }),
      numbers('layers', layers, { cellClass: 'dim' }),
      numbers(`best − first, ${unit.unit}`, (cause) => deltaMark(cause.delta_ms, unit, null), {
        foot: () => deltaMark(sum, unit, null),
      }),
      column(el('span', { class: 'offscreen' }, 'bar'), (cause) =>
        divergingBar(cause.delta_ms, most, kHalfBar, true),
      ),
    ]);
  return new Figure(context, {
    id: 'optimize-causes',
    title: 'Where the time of layers went',
    explain: () => 'first → best; they add up',
    aside: () => [compareLink(store, ends, false)],
    body: htmlBody('wide', () => [wideTable('Where the time of layers went', table())]),
    table: () =>
      figureTable(causes, [
        ['cause', null, ({ text }) => text],
        ['layers of the first', 0, (cause) => cause.a_layers],
        ['layers of the best', 0, (cause) => cause.b_layers],
        ['first ms', 4, (cause) => cause.a_ms],
        ['best ms', 4, (cause) => cause.b_ms],
        ['best − first ms', 4, (cause) => cause.delta_ms],
      ]),
  });
}

// Rows of the ledger that changed, those that changed most first.
export function changedOperations(ledger: Ledger, a: number, b: number): readonly number[] {
  const size = (row: number): number => Math.abs(ledger.deltaMs(row, a, b) ?? 0);
  return Array.from({ length: ledger.count }, (_, row) => row)
    .filter((row) => size(row) > 0)
    .sort((one, other) => size(other) - size(one) || one - other);
}

const operationMs = (ledger: Ledger, row: number, engine: number): number | null => {
  const fs = ledger.cell(row, engine)?.fs ?? null;
  return fs === null ? null : fs / kFsPerMs;
};

// Null: without a ledger of both engines.
export function operationsFigure({ context }: Shown): Figure | null {
  const { store } = context;
  const ends = endsOf(store);
  const ledger = store.report.comparison?.ledger ?? null;
  if (ends === null || ledger === null) return null;
  const { first, best } = ends;
  const rows = changedOperations(ledger, first, best);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, kMaxOperations);
  const msOf = (row: number, engine: number): number | null => operationMs(ledger, row, engine);
  const delta = (row: number): number | null => ledger.deltaMs(row, first, best);
  const most = Math.max(...shown.flatMap((row) => [msOf(row, first) ?? 0, msOf(row, best) ?? 0]));
  const mostDelta = Math.max(...shown.map((row) => Math.abs(delta(row) ?? 0)));
  const unit = timeUnit(most);
  const name = (row: number): string => visible(ledger.label(row, first, best));
  return plainFigure<number>(context, {
    id: 'optimize-operations',
    title: 'Operations that changed most',
    explain: () =>
      `${integer(shown.length)} of ${integer(rows.length)} of the source model; times of layers, spread over their operations`,
    class: 'optimize-operations',
    items: () => rows,
    most: kMaxOperations,
    columns: (names) => [
      column(
        'operation',
        (row) => {
          const node = el('span');
          names.push({ name: name(row), node });
          return node;
        },
        { class: 'name', title: (row) => nameTitle(name(row)) },
      ),
      column('type', (row) => visible(ledger.type(row) ?? kMissing), {
        cellClass: 'soft',
        class: 'optional',
        width: 150,
      }),
      ...[first, best].flatMap((engine, i) => [
        numbers<number>(
          `${i === 0 ? 'first' : 'best'}, ${unit.unit}`,
          (row) => inUnit(msOf(row, engine), unit),
          { width: 82 },
        ),
        column<number>('', (row) => bar((msOf(row, engine) ?? 0) / most, kBar, 'plain-bar'), {
          class: 'bar-cell optional',
          width: 76,
        }),
      ]),
      numbers('best − first', (row) => deltaMark(delta(row), unit, null), { width: 92 }),
      column('', (row) => divergingBar(delta(row), mostDelta, kHalfBar, true), {
        class: 'bar-cell optional',
        width: 84,
      }),
    ],
    row: () => ({}),
    rest: () => 'The others are in the CSV, and in Compare.',
    aside: () => [compareLink(store, ends, true)],
    data: [
      ['operation', null, (row) => ledger.label(row, first, best)],
      ['type', null, (row) => ledger.type(row)],
      ['first ms', 4, (row) => msOf(row, first)],
      ['best ms', 4, (row) => msOf(row, best)],
      ['best − first ms', 4, delta],
    ],
  });
}
