// What each engine is, and how it was built and run: the cards of all engines, either way round.

import {
  column,
  el,
  figureTable,
  integer,
  kMissing,
  plainTable,
  span,
  visible,
  type Comparison,
  type EnginePair,
  type FigureTable,
  type Report,
} from '../../public/index.ts';
import { engineHead } from './totals.ts';

const kMaxText = 240;

export interface SummariesSpec {
  readonly report: Report;
  readonly figures: Comparison;
  readonly enginePair: EnginePair;
  readonly isTransposed: boolean;
  // Only rows in which engines differ.
  readonly onlyDifferent: boolean;
}

type SummaryRow = Comparison['summaries'][number];

export function shownSummaries(
  rows: readonly SummaryRow[],
  onlyDifferent: boolean,
): readonly SummaryRow[] {
  if (!onlyDifferent) return rows;
  return rows.filter((row) => {
    const [, , first, ...others] = row;
    return others.some((value) => value !== first);
  });
}

function valueNode(value: string | null): HTMLElement {
  if (value === null) return span('dim', kMissing);
  const shown = visible(value.slice(0, kMaxText)) + (value.length > kMaxText ? '…' : '');
  return el('span', { attrs: { title: visible(value.slice(0, 2000)) } }, shown);
}

export function summariesTable(spec: SummariesSpec): HTMLElement {
  const { report, enginePair } = spec;
  const rows = shownSummaries(spec.figures.summaries, spec.onlyDifferent);
  const engine = (i: number): HTMLElement => engineHead(report, i, enginePair);
  const what = (row: SummaryRow): string => visible((row[1] ?? '').slice(0, kMaxText));
  if (spec.isTransposed) {
    return plainTable('summaries down', report.engines.keys(), [
      column(span('offscreen', 'engine'), engine, { isHead: true }),
      ...rows.map((row) => column<number>(what(row), (i) => valueNode(row[i + 2] ?? null))),
    ]);
  }
  return plainTable(
    'summaries across',
    rows,
    [
      column(span('offscreen', 'what'), what, { isHead: true }),
      ...report.engines.map((_, i) =>
        column<SummaryRow>(engine(i), (row) => valueNode(row[i + 2] ?? null)),
      ),
    ],
    {
      section: ([own]) => visible(own ?? ''),
      sectionClass: 'summary-section',
    },
  );
}

export function summariesText(spec: SummariesSpec): string {
  const all = spec.figures.summaries.length;
  const shown = shownSummaries(spec.figures.summaries, spec.onlyDifferent).length;
  return spec.onlyDifferent
    ? `${integer(shown)} of ${integer(all)} lines differ`
    : `${integer(all)} lines`;
}

export function summariesData({ report, figures }: SummariesSpec): FigureTable {
  const titles = ['section', 'what', ...report.engines.map((engine) => visible(engine.id))];
  return figureTable(
    figures.summaries,
    titles.map((title, i) => [title, null, (row: SummaryRow) => row[i]] as const),
  );
}
