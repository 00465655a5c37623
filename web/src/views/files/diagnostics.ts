// What was odd in the files and did not stop the reading: by code, with the places.

import {
  div,
  el,
  integer,
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
  // "x.json", "x.json: /Layers/3/Name", "x.log: byte 1234"; empty where nothing is known.
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

const kGrave: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function whereText(engine: Engine, row: number): string {
  const { diagnostics: table } = engine;
  const file = table.text('file', row) ?? '';
  const pointer = table.text('json_pointer', row);
  const offset = table.number('byte_offset', row);
  const at = [pointer, offset === null ? null : `byte ${integer(offset)}`].filter(
    (part) => part !== null && part !== '',
  );
  const name = file.slice(file.lastIndexOf('/') + 1);
  return [name, at.join(', ')].filter((part) => part !== '').join(': ');
}

// The gravest first, else in the order of the files.
export function oddities(engine: Engine): readonly Oddity[] {
  const { diagnostics: table } = engine;
  const byCode = new Map<string, { severity: Severity; places: Place[] }>();
  for (let row = 0; row < table.rowCount; row += 1) {
    const code = table.text('code', row) ?? '';
    const severity = severityOf(table.text('severity', row));
    const place = { message: table.text('message', row) ?? '', where: whereText(engine, row) };
    const known = byCode.get(code);
    if (known === undefined) byCode.set(code, { severity, places: [place] });
    else {
      known.places.push(place);
      if (kGrave[severity] < kGrave[known.severity]) known.severity = severity;
    }
  }
  return [...byCode]
    .map(([code, { severity, places }]) => ({ code, severity, places }))
    .sort((a, b) => kGrave[a.severity] - kGrave[b.severity]);
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
