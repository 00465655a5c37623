// What was read, and what lay beside it and was not.

import {
  bytesText,
  div,
  el,
  iconButton,
  integer,
  kMissing,
  nameTitle,
  sectionTitle,
  span,
  visible,
  type Engine,
  type FittedName,
  type ViewContext,
  plural,
} from '../../public/index.ts';

const kMaxLeftOut = 40;
const kHashDigits = 12;

// The folder that all paths share, with its slash; empty where there is none.
export function sharedFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  for (const path of rest) {
    while (folder !== '' && !path.startsWith(folder)) {
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    }
  }
  return folder;
}

function th(text: string, className = '', title: string | null = null): HTMLElement {
  return el('th', { class: className, attrs: { scope: 'col', title } }, text);
}

function nameCell(path: string, folder: string, names: FittedName[]): HTMLElement {
  const node = span('');
  names.push({ name: visible(path.slice(folder.length)), node });
  const cell = el('td', { class: 'name' }, node);
  cell.title = nameTitle(visible(path));
  return cell;
}

function joinedText(engine: Engine, row: number): HTMLElement {
  const joined = engine.files.number('joined_count', row);
  const records = engine.files.number('record_count', row);
  if (joined === null) return span('dim', kMissing);
  const all = records === null || joined >= records;
  return all ? span('', 'all') : span('not-joined', `${integer(joined)} of ${integer(records)}`);
}

function hashCell(context: ViewContext, row: number): HTMLElement {
  const { files } = context.store.engine;
  const hash = files.text('sha256', row);
  if (hash === null) return el('td', { class: 'dim' }, kMissing);
  const made = files.number('is_as_made', row);
  const cell = el(
    'td',
    { class: 'hash' },
    el('code', {}, visible(hash.slice(0, kHashDigits))),
    iconButton('copy', 'Copy the full hash', () => context.copy(hash, 'hash')),
    made === null ? null : made === 1 ? span('soft', 'as made') : span('not-joined', 'modified'),
  );
  cell.title =
    made === null
      ? visible(hash)
      : `${visible(hash)}\n${made === 1 ? 'Matches the manifest.' : 'Differs from the manifest: the file was changed since it was written.'}`;
  return cell;
}

export function filesTable(context: ViewContext, names: FittedName[]): HTMLElement {
  const { engine } = context.store;
  const { files } = engine;
  const rows = Array.from({ length: files.rowCount }, (_, row) => row);
  const folder = sharedFolder(rows.map((row) => files.text('file', row) ?? ''));
  const hasHash = files.has('sha256');
  return div(
    'block',
    sectionTitle('Files', folder === '' ? '' : `in ${visible(folder.slice(0, 400))}`),
    files.rowCount === 0
      ? el('p', { class: 'soft' }, 'No files are recorded in this report.')
      : el(
          'table',
          { class: 'plain files' },
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              th('File'),
              th('Kind', 'kind'),
              th('Size', 'right size'),
              th('Records', 'right records', 'Records read from it'),
              th('Joined', 'right joined', 'Records matched to a layer'),
              th('Found by', 'optional'),
              hasHash ? th('SHA-256', 'hash-head', 'Of the file as it is now') : null,
            ),
          ),
          el(
            'tbody',
            {},
            ...rows.map((row) =>
              el(
                'tr',
                {},
                nameCell(files.text('file', row) ?? '', folder, names),
                el('td', {}, visible((files.text('kind', row) ?? kMissing).slice(0, 60))),
                el('td', { class: 'right' }, bytesText(files.number('size_bytes', row))),
                el('td', { class: 'right' }, integer(files.number('record_count', row))),
                el('td', { class: 'right' }, joinedText(engine, row)),
                evidenceCell(files.text('evidence', row)),
                hasHash ? hashCell(context, row) : null,
              ),
            ),
          ),
        ),
  );
}

function evidenceCell(evidence: string | null): HTMLElement {
  const text = visible((evidence ?? kMissing).slice(0, 300));
  const cell = el('td', { class: 'optional soft' }, text);
  cell.title = text;
  return cell;
}

export function leftOutTable(context: ViewContext, names: FittedName[]): HTMLElement | null {
  const { leftOut } = context.store.engine;
  if (leftOut.length === 0) return null;
  const folder = sharedFolder(leftOut.map((file) => file.file));
  return div(
    'block',
    sectionTitle('Not read', `${plural(leftOut.length, 'file')} beside them, and why`),
    el(
      'table',
      { class: 'plain files' },
      el(
        'thead',
        {},
        el('tr', {}, th('File'), th('Kind', 'kind'), th('Size', 'right size'), th('Why')),
      ),
      el(
        'tbody',
        {},
        ...leftOut.slice(0, kMaxLeftOut).map((file) => {
          const why = visible((file.reason ?? 'not recognized').slice(0, 400));
          const cell = el('td', {}, why);
          cell.title = why;
          return el(
            'tr',
            {},
            nameCell(file.file, folder, names),
            el('td', {}, visible(file.kind ?? kMissing)),
            el('td', { class: 'right' }, bytesText(file.size_bytes)),
            cell,
          );
        }),
      ),
    ),
    leftOut.length > kMaxLeftOut
      ? el('p', { class: 'soft' }, `and ${integer(leftOut.length - kMaxLeftOut)} more`)
      : null,
  );
}
