// The facts of each engine, and how it was built and run: the cards of all engines.

import { el, kMissing, span, visible, type Comparison } from '../../public/index.ts';
import type { EngineTable } from './engine_table.ts';

const kMaxText = 240;

// Section, label, and one text per engine.
type SummaryRow = Comparison['summaries'][number];

export function differing(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  return rows.filter(([, , first, ...others]) => others.some((value) => value !== first));
}

function valueNode(value: string | null): HTMLElement {
  if (value === null) return span('dim', kMissing);
  const shown = visible(value.slice(0, kMaxText)) + (value.length > kMaxText ? '…' : '');
  return el('span', { attrs: { title: visible(value.slice(0, 2000)) } }, shown);
}

export function summariesTable(
  rows: readonly SummaryRow[],
  saved: readonly SummaryRow[],
): EngineTable<SummaryRow> {
  return {
    className: 'summaries auto',
    rows,
    of: 'what',
    head: ([, what]) => visible((what ?? '').slice(0, kMaxText)),
    cell: (row, engine) => valueNode(row[engine + 2] ?? null),
    section: ([section]) => visible(section ?? ''),
    saved,
    lead: [
      ['section', null, ([section]) => section],
      ['what', null, ([, what]) => what],
    ],
    value: [null, (row, engine) => row[engine + 2]],
  };
}
