// The figures of all engines side by side, either way round; the best value is bold, A and B have a
// ground.

import {
  bodyFont,
  column,
  el,
  figureTable,
  fitName,
  fixed,
  integer,
  isNumber,
  kMissing,
  nameTitle,
  numbers,
  percent,
  plainTable,
  span,
  visible,
  type Comparison,
  type EnginePair,
  type FigureTable,
  type Report,
} from '../../public/index.ts';

type Total = Comparison['totals'][number];

interface Form {
  readonly head: string;
  readonly text: (value: number) => string;
}

// How a total is written, by its unit on the wire.
export function totalForm(total: Total): Form {
  const { label, unit } = total;
  switch (unit) {
    case 'ms':
      return { head: `${label}, ms`, text: (v) => fixed(v, Math.abs(v) < 0.1 ? 4 : 3) };
    case 'us':
      return { head: `${label}, µs`, text: (v) => fixed(v, 1) };
    case 'bytes':
      return { head: `${label}, MB`, text: (v) => fixed(v / 1e6, Math.abs(v) >= 1e8 ? 0 : 1) };
    case 'flops':
      return { head: `${label}, GFLOP`, text: (v) => fixed(v / 1e9, 1) };
    case 'share':
      return { head: `${label.replace(/, of Σ layers$/, '')}, % of Σ`, text: (v) => percent(v) };
    case 'ratio':
      return { head: `${label}, ×`, text: (v) => fixed(v, v < 0.1 ? 3 : 2) };
    case 'per_s':
      return { head: `${label}, 1/s`, text: (v) => fixed(v, Math.abs(v) >= 100 ? 0 : 1) };
    case 'dB':
      return { head: `${label}, dB`, text: (v) => fixed(v, 1) };
    case 'count':
      return { head: label, text: (v) => integer(v) };
  }
}

// The best of what is known; null where nobody is better, or nothing is.
export function bestOf(total: Total): number | null {
  const known = total.values.filter(isNumber);
  if (total.better === 'none' || known.length < 2) return null;
  return total.better === 'lower' ? Math.min(...known) : Math.max(...known);
}

interface Cell {
  readonly text: string | null;
  readonly isBest: boolean;
}

function cellsOf(total: Total, count: number): readonly Cell[] {
  const form = totalForm(total);
  const best = bestOf(total);
  // All alike: nobody does best.
  const isEven = total.values.every((value) => value === total.values[0]);
  return Array.from({ length: count }, (_, i): Cell => {
    const value = total.values[i] ?? null;
    const text = value === null ? null : form.text(value);
    // What reads the same is as good.
    return { text, isBest: !isEven && best !== null && text === form.text(best) };
  });
}

const kMaxHead = 84;

export interface TotalsSpec {
  readonly report: Report;
  readonly totals: readonly Total[];
  readonly enginePair: EnginePair;
  readonly isTransposed: boolean;
}

function markOf(engine: number, enginePair: EnginePair): string {
  return engine === enginePair.a ? 'A ' : engine === enginePair.b ? 'B ' : '';
}

export function engineHead(report: Report, engine: number, enginePair: EnginePair): HTMLElement {
  const of = report.engines[engine];
  const mark = markOf(engine, enginePair);
  const name = fitName(visible(of?.id ?? ''), kMaxHead - mark.length * 8, bodyFont(11, 600));
  return el(
    'span',
    { attrs: { title: nameTitle(visible(of?.name ?? '')) } },
    mark === '' ? null : span('ab', mark.trim()),
    name,
  );
}

function isChosen(engine: number, { a, b }: EnginePair): boolean {
  return engine === a || engine === b;
}

export function totalsTable(spec: TotalsSpec): HTMLElement {
  const { report, totals, enginePair } = spec;
  const engines = report.engines.map((_, i) => i);
  const cells = totals.map((total) => cellsOf(total, engines.length));
  const engine = (i: number): HTMLElement => engineHead(report, i, enginePair);
  const text = (row: number, i: number): string => cells[row]?.[i]?.text ?? kMissing;
  const best = (row: number, i: number): string => (cells[row]?.[i]?.isBest === true ? 'best' : '');
  const head = (total: Total): string => visible(totalForm(total).head);
  if (spec.isTransposed) {
    return plainTable(
      'totals down',
      engines,
      [
        column(span('offscreen', 'engine'), engine, { isHead: true }),
        ...totals.map((total, row) =>
          numbers<number>(head(total), (i) => text(row, i), { cellClass: (i) => best(row, i) }),
        ),
      ],
      { row: (i) => ({ class: isChosen(i, enginePair) ? 'chosen' : '' }) },
    );
  }
  return plainTable('totals', totals.keys(), [
    column(span('offscreen', 'figure'), (row) => totals[row] && head(totals[row]), {
      isHead: true,
    }),
    ...engines.map((i) =>
      numbers<number>(engine(i), (row) => text(row, i), {
        class: isChosen(i, enginePair) ? 'chosen' : '',
        cellClass: (row) => best(row, i),
      }),
    ),
  ]);
}

// For the CSV: whole numbers in the data's own units.
export function totalsData(report: Report, totals: readonly Total[]): FigureTable {
  return figureTable(totals, [
    ['figure', null, (total) => total.label],
    ['unit', null, (total) => total.unit],
    ...report.engines.map(
      (engine, i) => [visible(engine.id), 3, (total: Total) => total.values[i]] as const,
    ),
  ]);
}
