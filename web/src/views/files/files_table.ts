// The files that were read, and the files next to them that were not.

import {
  bytesText,
  column,
  div,
  el,
  iconButton,
  integer,
  kMissing,
  nameColumn,
  nameTitle,
  numbers,
  plainTable,
  plural,
  sectionTitle,
  span,
  visible,
  type Column,
  type Engine,
  type FittedName,
  type ViewContext,
} from '../../public/index.ts';

const kMaxLeftOut = 40;
const kHashDigits = 12;

// The folder that all paths share, with its slash; empty if there is none.
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

function fileColumn<Item>(
  folder: string,
  names: FittedName[],
  pathOf: (item: Item) => string,
): Column<Item> {
  return nameColumn('File', names, (item) => visible(pathOf(item).slice(folder.length)), {
    cellClass: 'name',
    class: '',
    title: (item) => nameTitle(visible(pathOf(item))),
  });
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
  const { rows } = files;
  const folder = sharedFolder(rows.map((row) => files.text('file', row) ?? ''));
  const hasHash = files.has('sha256');
  const evidence = (row: number): string =>
    visible((files.text('evidence', row) ?? kMissing).slice(0, 300));
  return div(
    'block',
    sectionTitle('Files', folder === '' ? '' : `in ${visible(folder.slice(0, 400))}`),
    files.rowCount === 0
      ? el('p', { class: 'soft' }, 'No files are recorded in this report.')
      : plainTable('files', rows, [
          fileColumn(folder, names, (row) => files.text('file', row) ?? ''),
          column('Kind', (row) => visible((files.text('kind', row) ?? kMissing).slice(0, 60)), {
            width: 128,
          }),
          numbers('Size', (row) => bytesText(files.number('size_bytes', row)), { width: 66 }),
          numbers('Records', (row) => integer(files.number('record_count', row)), {
            help: 'Records read from it',
            width: 68,
          }),
          numbers('Joined', (row) => joinedText(engine, row), {
            help: 'Records matched to a layer',
            width: 70,
          }),
          column('Found by', evidence, {
            class: 'optional',
            cellClass: 'soft',
            title: evidence,
            width: 148,
          }),
          hasHash &&
            column('SHA-256', (row) => hashCell(context, row), {
              help: 'Hash of the file as it is now',
              width: 184,
            }),
        ]),
  );
}

export function leftOutTable(context: ViewContext, names: FittedName[]): HTMLElement | null {
  const { leftOut } = context.store.engine;
  if (leftOut.length === 0) return null;
  const folder = sharedFolder(leftOut.map((file) => file.file));
  const why = ({ reason }: (typeof leftOut)[number]): string =>
    visible((reason ?? 'not recognized').slice(0, 400));
  return div(
    'block',
    sectionTitle('Not read', `${plural(leftOut.length, 'file')} next to them, and why`),
    plainTable('files', leftOut.slice(0, kMaxLeftOut), [
      fileColumn(folder, names, ({ file }) => file),
      column('Kind', ({ kind }) => visible(kind ?? kMissing), { width: 128 }),
      numbers('Size', (file) => bytesText(file.size_bytes), { width: 66 }),
      column('Why', why, { title: why }),
    ]),
    leftOut.length > kMaxLeftOut
      ? el('p', { class: 'soft' }, `and ${integer(leftOut.length - kMaxLeftOut)} more`)
      : null,
  );
}
