// The figures of all engines side by side, either way round; the best value is bold, A and B have a
// ground.

import {
  bodyFont,
  el,
  fitName,
  fixed,
  integer,
  isNumber,
  kMissing,
  nameTitle,
  percent,
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

function classOf(engine: number, enginePair: EnginePair): string {
  return engine === enginePair.a || engine === enginePair.b ? ' chosen' : '';
}

function cellNode(cell: Cell, className: string): HTMLElement {
  return el(
    'td',
    { class: `right${className}${cell.isBest ? ' best' : ''}` },
    cell.text ?? span('dim', kMissing),
  );
}

export function totalsTable(spec: TotalsSpec): HTMLElement {
  const { report, totals, enginePair } = spec;
  const engines = report.engines.map((_, i) => i);
  const cells = totals.map((total) => cellsOf(total, engines.length));
  const th = (scope: string, className: string, ...children: (string | HTMLElement)[]) =>
    el('th', { class: className, attrs: { scope } }, ...children);
  if (spec.isTransposed) {
    return el(
      'table',
      { class: 'plain totals down' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          th('col', '', span('offscreen', 'engine')),
          ...totals.map((total) => th('col', 'right', visible(totalForm(total).head))),
        ),
      ),
      el(
        'tbody',
        {},
        ...engines.map((i) =>
          el(
            'tr',
            { class: classOf(i, enginePair).trim() },
            th('row', '', engineHead(report, i, enginePair)),
            ...cells.map((row) => cellNode(row[i] ?? { text: null, isBest: false }, '')),
          ),
        ),
      ),
    );
  }
  return el(
    'table',
    { class: 'plain totals' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        th('col', '', span('offscreen', 'figure')),
        ...engines.map((i) =>
          th('col', `right${classOf(i, enginePair)}`, engineHead(report, i, enginePair)),
        ),
      ),
    ),
    el(
      'tbody',
      {},
      ...totals.map((total, row) =>
        el(
          'tr',
          {},
          th('row', '', visible(totalForm(total).head)),
          ...engines.map((i) =>
            cellNode(cells[row]?.[i] ?? { text: null, isBest: false }, classOf(i, enginePair)),
          ),
        ),
      ),
    ),
  );
}

// For the CSV: whole numbers in the data's own units.
export function totalsData(report: Report, totals: readonly Total[]): FigureTable {
  return {
    columns: [
      { title: 'figure', decimals: null },
      { title: 'unit', decimals: null },
      ...report.engines.map((engine) => ({ title: visible(engine.id), decimals: 3 })),
    ],
    rows: totals.map((total) => [
      total.label,
      total.unit,
      ...report.engines.map((_, i) => total.values[i] ?? null),
    ]),
  };
}
