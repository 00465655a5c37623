// What the files say about the build, the device and the run: as written, section by section.

import { div, el, span } from '../base/dom.ts';
import { integer, plural } from '../base/format.ts';
import { grouped } from '../base/known.ts';
import { visible } from '../base/text.ts';
import type { Engine } from '../model/engine.ts';
import { column } from './grid/column.ts';
import { plainTable } from './grid/plain_table.ts';
import { sectionTitle } from './page/marks.ts';
import type { ViewContext } from './page/view.ts';

const kMaxRows = 500;
const kLongestValue = 4000;

export interface Section {
  readonly name: string;
  readonly files: readonly string[];
  readonly rows: readonly (readonly [string, string])[];
}

export function metadataSections(engine: Engine): readonly Section[] {
  const { metadata: table } = engine;
  const text = (column: string, row: number): string => table.text(column, row) ?? '';
  return [...grouped(table.rows, (row) => text('section', row))].map(([name, rows]) => ({
    name,
    files: [...new Set(rows.map((row) => text('file', row)))],
    rows: rows.map((row) => [text('key', row), text('value', row)] as const),
  }));
}

function sectionDetails(section: Section, index: number, isOpen: boolean): HTMLElement {
  const files = section.files.map((file) => file.slice(file.lastIndexOf('/') + 1)).join(', ');
  const title = section.name.replace(/_/g, ' ');
  const details = el(
    'details',
    { class: 'metadata-section', attrs: { id: `metadata-${String(index)}` } },
    el(
      'summary',
      {},
      el('b', {}, visible(title === '' ? 'without a heading' : title.slice(0, 200))),
      span('dim', ` ${plural(section.rows.length, 'row')}`),
      span('soft from-file', visible(files.slice(0, 300))),
    ),
  );
  // A log has thousands of rows: created when opened.
  const fill = (): void => {
    if (!details.open || details.querySelector('table') !== null) return;
    const rest = section.rows.length - kMaxRows;
    details.append(
      plainTable(
        'wrapped metadata',
        section.rows.slice(0, kMaxRows),
        [
          column('', ([key]) => visible(key.slice(0, 400)), { isHead: true }),
          column('', ([, value]) => visible(value.slice(0, kLongestValue))),
        ],
        { caption: visible(title), hasHeads: false },
      ),
    );
    if (rest > 0) {
      details.append(el('p', { class: 'dim' }, `and ${integer(rest)} more rows`));
    }
  };
  details.addEventListener('toggle', fill);
  details.open = isOpen;
  return details;
}

// `isOpen`: if there is little else to read.
export function metadataBlock(context: ViewContext, isOpen = false): HTMLElement | null {
  const sections = metadataSections(context.store.engine);
  if (sections.length === 0) return null;
  const rows = sections.reduce((sum, section) => sum + section.rows.length, 0);
  return div(
    'block',
    sectionTitle(
      'Metadata',
      `${plural(rows, 'row')} in ${plural(sections.length, 'section')}, as recorded in the files`,
    ),
    ...sections.map((section, i) => sectionDetails(section, i, isOpen)),
  );
}
