// Irregularities in the files that did not stop the reading: by code, with their places.

import {
  div,
  el,
  grouped,
  integer,
  joined,
  kSeverityOrder,
  plural,
  sectionTitle,
  severitySign,
  span,
  visible,
  type Engine,
  type Severity,
  type ViewContext,
} from '../../public/index.ts';

const kMaxPlaces = 100;

export interface Place {
  readonly message: string;
  // "x.json", "x.json: /Layers/3/Name", "x.log: byte 1234"; empty if unknown.
  readonly where: string;
}

export interface Oddity {
  readonly code: string;
  readonly severity: Severity;
  readonly places: readonly Place[];
}

function severityOf(text: string | null): Severity {
  return text === 'error' || text === 'warning' ? text : 'info';
}

function whereText(engine: Engine, row: number): string {
  const { diagnostics: table } = engine;
  const file = table.text('file', row) ?? '';
  const pointer = table.text('json_pointer', row);
  const offset = table.number('byte_offset', row);
  const at = joined([pointer, offset !== null && `byte ${integer(offset)}`], ', ');
  return joined([file.slice(file.lastIndexOf('/') + 1), at], ': ');
}

// The most severe first, else in the order of the files.
export function oddities(engine: Engine): readonly Oddity[] {
  const { diagnostics: table } = engine;
  const byGravity = (a: Severity, b: Severity): number => kSeverityOrder[a] - kSeverityOrder[b];
  return [...grouped(table.rows, (row) => table.text('code', row) ?? '')]
    .map(([code, rows]) => ({
      code,
      severity:
        rows.map((row) => severityOf(table.text('severity', row))).sort(byGravity)[0] ?? 'info',
      places: rows.map((row) => ({
        message: table.text('message', row) ?? '',
        where: whereText(engine, row),
      })),
    }))
    .sort((a, b) => byGravity(a.severity, b.severity));
}

function placeLine(place: Place): HTMLElement {
  return div(
    'wraps diagnostic-place',
    span('', visible(place.message.slice(0, 2000))),
    place.where === '' ? null : el('code', { class: 'dim' }, visible(place.where.slice(0, 400))),
  );
}

function block(oddity: Oddity, index: number): HTMLElement {
  const { code, severity, places } = oddity;
  const [first] = places;
  if (first === undefined) return div('');
  const head = [
    severitySign(severity),
    span('diagnostic-code', visible(code)),
    places.length > 1 ? span('dim', `${integer(places.length)} times`) : null,
  ];
  if (places.length === 1) return div('oddity', div('line oddity-head', ...head), placeLine(first));
  const rest = places.length - kMaxPlaces;
  return el(
    'details',
    { class: 'oddity', attrs: { id: `oddity-${String(index)}` } },
    el('summary', {}, div('line oddity-head', ...head), placeLine(first)),
    ...places.slice(1, kMaxPlaces).map(placeLine),
    rest > 0 ? div('dim', `and ${integer(rest)} more: planex query … diagnostics`) : null,
  );
}

export function diagnosticsBlock(context: ViewContext): HTMLElement {
  const list = oddities(context.store.engine);
  const count = list.reduce((sum, { places }) => sum + places.length, 0);
  return div(
    'block',
    sectionTitle(
      'Diagnostics',
      count === 0
        ? ''
        : `${plural(count, 'irregularity', 'irregularities')} in the files that did not prevent reading`,
    ),
    ...(count === 0
      ? [el('p', { class: 'soft' }, 'No irregularities in the files.')]
      : list.map(block)),
  );
}
