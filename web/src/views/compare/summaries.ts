// What each engine is, and how it was built and run: the cards of all engines, either way round.

import {
  el,
  integer,
  kMissing,
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
  const th = (scope: string, className: string, ...children: (string | HTMLElement)[]) =>
    el('th', { class: className, attrs: { scope } }, ...children);
  if (spec.isTransposed) {
    return el(
      'table',
      { class: 'plain summaries down' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          th('col', '', span('offscreen', 'engine')),
          ...rows.map((row) => th('col', '', visible(row[1] ?? ''))),
        ),
      ),
      el(
        'tbody',
        {},
        ...report.engines.map((_, i) =>
          el(
            'tr',
            {},
            th('row', '', engineHead(report, i, enginePair)),
            ...rows.map((row) => el('td', {}, valueNode(row[i + 2] ?? null))),
          ),
        ),
      ),
    );
  }
  let section: string | null = null;
  return el(
    'table',
    { class: 'plain summaries across' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        th('col', '', span('offscreen', 'what')),
        ...report.engines.map((_, i) => th('col', '', engineHead(report, i, enginePair))),
      ),
    ),
    el(
      'tbody',
      {},
      ...rows.flatMap((row) => {
        const own = row[0] ?? '';
        const head =
          own === section
            ? []
            : [
                el(
                  'tr',
                  { class: 'summary-section' },
                  el(
                    'th',
                    { attrs: { scope: 'rowgroup', colspan: report.engines.length + 1 } },
                    visible(own),
                  ),
                ),
              ];
        section = own;
        return [
          ...head,
          el(
            'tr',
            {},
            th('row', '', visible((row[1] ?? '').slice(0, kMaxText))),
            ...report.engines.map((_, i) => el('td', {}, valueNode(row[i + 2] ?? null))),
          ),
        ];
      }),
    ),
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
  return {
    columns: ['section', 'what', ...report.engines.map((engine) => visible(engine.id))].map(
      (title) => ({ title, decimals: null }),
    ),
    rows: figures.summaries.map((row) => row.map((value) => value)),
  };
}
