// The tables of the overview: slowest layers, by type, by precision, findings, engine facts, what is
// missing.

import {
  bar,
  bytesText,
  column,
  dimsText,
  div,
  el,
  equals,
  factsList,
  familyClass,
  familySwatch,
  firedRules,
  fixed,
  idColumn,
  integer,
  inUnit,
  isNumber,
  joinEqual,
  kLimitShort,
  kMissing,
  layerPrecision,
  layerRow,
  linkButton,
  missingPieces,
  nameColumn,
  numbers,
  percent,
  plainTable,
  plural,
  precisionKey,
  precisionMark,
  ruleSeverity,
  ruleState,
  sectionTitle,
  severitySign,
  significant,
  span,
  speedOf,
  timeUnit,
  totalsOf,
  typeMark,
  visible,
  type Binding,
  type Child,
  type Content,
  type Engine,
  type FittedName,
  type Props,
  type SpeedLimit,
  type Store,
  type ViewContext,
} from '../../public/index.ts';

const kMaxJoined = 20_000;
const kSlowest = 12;
const kMaxGroups = 12;
const kMaxBindings = 4;
const kGroupBar = 92;

// Wide enough for the largest number.
function idWidth(engine: Engine): number {
  const digits = String(engine.layerId(engine.workRows.at(-1) ?? 0)).length;
  return Math.max(38, 7 * digits + 12);
}

const correctedOf = ({ basis }: Store): string => (basis === 'corrected' ? ' corr.' : '');

function ofLimit(reached: number | undefined, limit: SpeedLimit): Content {
  if (limit === null || !isNumber(reached)) return span('dim', kMissing);
  return [`${fixed(reached * 100, 0)} % `, span('dim', kLimitShort[limit])];
}

// Equal layers, the slowest first, and their sum.
interface SlowRow {
  readonly row: number;
  readonly group: readonly number[];
  readonly share: number | null;
  readonly cumulative: number;
}

function slowRows(store: Store): readonly SlowRow[] {
  const { engine, basis } = store;
  const { kind, values } = engine.extent(basis);
  const value = (row: number): number => values[row] ?? Number.NaN;
  const known = store.selection.rows.filter((row) => !Number.isNaN(value(row)));
  const sorted = known.sort((a, b) => value(b) - value(a) || a - b);
  // Not for large engines: every layer would have to be compared for counts that nobody reads.
  const groups =
    sorted.length > kMaxJoined
      ? [...sorted.subarray(0, kSlowest)].map((row) => [row])
      : joinEqual(engine, sorted).slice(0, kSlowest);
  const total = engine.whole(values);
  let cumulative = 0;
  return groups.map((group) => {
    const shares = group.map((row) =>
      kind === 'time' ? engine.share(row, basis) : value(row) / total,
    );
    const share = shares.every(isNumber) ? shares.reduce((sum, one) => sum + one, 0) : null;
    cumulative += share ?? 0;
    return { row: group[0] ?? 0, group, share, cumulative };
  });
}

// The largest layers that pass the filter, by time or, without times, by bytes moved.
export function slowestLayers({ store }: ViewContext, names: FittedName[]): HTMLElement {
  const { engine, basis } = store;
  const { layers } = engine;
  const { kind, values } = engine.extent(basis);
  const isTime = kind === 'time';
  const value = (row: number): number => values[row] ?? Number.NaN;
  // Not Math.max(...): a hundred thousand arguments are too many for the stack.
  let largest = 0;
  for (const row of engine.workRows) if (value(row) > largest) largest = value(row);
  const unit = timeUnit(largest);
  const corrected = correctedOf(store);
  const speed = isTime ? speedOf(engine) : null;
  const reached = speed?.isAgainstDevice === true ? speed.reached(basis) : null;
  const shown = slowRows(store);
  const count = shown.reduce((sum, { group }) => sum + group.length, 0);
  const of = isTime ? `Σ layers${corrected}` : 'all bytes moved';
  const text = (row: number): string =>
    isTime ? inUnit(value(row), unit) : fixed(value(row) / 1e6, 1);
  // The slowest comes first, the fastest last.
  const range = ({ row, group }: SlowRow): string => {
    const [least, most] = [text(group.at(-1) ?? row), text(row)];
    return least === most ? least : `${least}–${most}`;
  };
  const number = ({ row, group }: SlowRow): HTMLElement => {
    const id = String(engine.layerId(row));
    if (group.length === 1) return span('dim', id);
    const title = `${plural(group.length, 'equal layer')}, the slowest is #${id}`;
    return el('span', { attrs: { title } }, `×${integer(group.length)}`);
  };
  const sort = { column: isTime ? 'time' : 'footprint_bytes', descending: true };
  return div(
    'block',
    sectionTitle(
      isTime ? 'Slowest layers' : 'Largest layers',
      `${integer(count)} of ${integer(store.selection.rows.length)}: ${percent(shown.at(-1)?.cumulative ?? 0)} % of ${of}`,
      linkButton('all layers', 'All layers, sorted the same way', () =>
        store.patch({ view: 'layers', sort }),
      ),
    ),
    plainTable(
      'slowest',
      shown,
      [
        numbers('#', number, { width: idWidth(engine) }),
        nameColumn('Layer', names, ({ row }) => engine.layerName(row)),
        (layers.has('type') || layers.has('family')) &&
          column('Type', ({ row }) => typeMark(engine, row), { class: 'type' }),
        layers.has('precision') &&
          column('In → out', ({ row }) => layerPrecision(engine, row), {
            class: 'optional precision',
          }),
        numbers(isTime ? unit.unit : 'MB', range, { cellClass: 'by', width: 66 }),
        column(
          '',
          ({ row }) => bar(value(row) / largest, 72, familyClass(layers.text('family', row))),
          { class: 'bar-cell', width: 90 },
        ),
        numbers(isTime ? `% of Σ${corrected}` : '% of Σ', ({ share }) => percent(share), {
          width: 62,
        }),
        numbers('cum. %', ({ cumulative }) => percent(cumulative), {
          class: 'cumulative',
          cellClass: 'dim',
          width: 62,
        }),
        reached !== null &&
          numbers('of limit', ({ row }) => ofLimit(reached[row], speed?.limit(row) ?? null), {
            width: 78,
          }),
      ],
      { row: ({ row, group }) => layerRow(store, row, group.slice(1)) },
    ),
  );
}

type By = 'type' | 'precision' | 'output_precision';

const kTitles: Readonly<Record<By, readonly [title: string, head: string]>> = {
  type: ['By type', 'Type'],
  precision: ['By precision', 'Input precision'],
  output_precision: ['By output precision', 'Output precision'],
};

interface GroupSum {
  readonly name: string | null;
  readonly family: string | null;
  readonly count: number;
  readonly ms: number | null;
  readonly share: number | null;
}

// Sums by a text column: the analyser's own if nothing is filtered, else sums of the shown rows.
function groupSums(store: Store, by: By): readonly GroupSum[] {
  const { engine, basis, state, selection } = store;
  const { by_type, by_precision, by_output_precision, time } = engine.summary;
  if (state.chips.length === 0 && basis !== 'corrected') {
    // Its shares are based on medians if there are any.
    const hasShares = basis === engine.basisOr('median');
    const lists = { type: by_type, precision: by_precision, output_precision: by_output_precision };
    return lists[by].map((group) => {
      const ms = basis === 'mean' ? group.mean_ms : group.median_ms;
      const total = time.layers_mean_ms ?? 0;
      const ofMeans = ms !== null && total > 0 ? ms / total : null;
      return {
        name: 'type' in group ? group.type : group.precision,
        family: 'family' in group ? group.family : null,
        count: group.count,
        ms,
        share: hasShares ? group.share : ofMeans,
      };
    });
  }
  const groups = new Map<string | null, number[]>();
  for (const row of selection.rows) {
    const name = engine.layers.text(by, row);
    const rows = groups.get(name);
    if (rows === undefined) groups.set(name, [row]);
    else rows.push(row);
  }
  return [...groups]
    .map(([name, rows]) => {
      const { count, time_ms: ms, share } = totalsOf(engine, rows, basis);
      return { name, family: engine.layers.text('family', rows[0] ?? 0), count, ms, share };
    })
    .sort((a, b) => (b.ms ?? 0) - (a.ms ?? 0) || b.count - a.count);
}

interface GroupRow {
  readonly mark: HTMLElement;
  // Null: for records that are not layers.
  readonly count: number | null;
  readonly ms: number | null;
  readonly share: number | null;
  // Absent: for rows with the remainder.
  readonly group?: GroupSum;
}

export function groupTable({ store }: ViewContext, by: By): HTMLElement | null {
  const all = groupSums(store, by);
  if (all.every((group) => group.name === null)) return null;
  const { engine, basis, state } = store;
  const { hasTimes, namesOnly } = engine;
  const [title, head] = kTitles[by];
  const isType = by === 'type';
  const valueOf = ({ ms, count }: GroupSum): number => (hasTimes ? (ms ?? 0) : count);
  const largest = Math.max(...all.map(valueOf), 0);
  const markOf = ({ name, family }: GroupSum): HTMLElement =>
    isType
      ? span(`mark${namesOnly ? ' guess' : ''}`, familySwatch(family), visible(name ?? 'unknown'))
      : precisionMark(name);
  const barClass = ({ name, family }: GroupSum): string => {
    const key = precisionKey(name);
    return isType ? familyClass(family) : key === 'unknown' ? 'unknown' : `p-${key}`;
  };
  const rows: GroupRow[] = all
    .slice(0, kMaxGroups)
    .map((group) => ({ ...group, mark: markOf(group), group }));
  const rest = all.slice(kMaxGroups);
  const sumOf = (value: (group: GroupSum) => number | null): number =>
    rest.reduce((sum, group) => sum + (value(group) ?? 0), 0);
  if (rest.length > 0) {
    rows.push({
      mark: span('dim', `and ${plural(rest.length, 'other')}`),
      count: sumOf(({ count }) => count),
      ms: sumOf(({ ms }) => ms),
      share: sumOf(({ share }) => share),
    });
  }
  // Records that do no work but have a time: without them the rows would not add up to Σ layers.
  const others = state.chips.length > 0 ? 0 : engine.othersTotal(basis);
  if (others > 0) {
    const share = others / engine.total(basis);
    rows.push({ mark: span('dim', 'no layers'), count: null, ms: others, share });
  }
  const rowOf = ({ group, count }: GroupRow): Props => {
    if (group === undefined) {
      const what = count === null ? 'Records that do no work but have a time' : null;
      return { attrs: { title: what } };
    }
    const chip = equals(by === 'output_precision' ? 'out' : by, group.name ?? kMissing);
    return {
      attrs: { title: 'Filter to these layers' },
      on: { click: () => store.patch({ view: 'layers', chips: [...state.chips, chip] }) },
    };
  };
  const guess = namesOnly && isType ? 'guessed from the names' : '';
  return div(
    'block',
    sectionTitle(title, state.chips.length > 0 ? 'of the filtered layers' : guess),
    plainTable(
      'groups clickable',
      rows,
      [
        column(head, ({ mark }) => mark, { class: 'name' }),
        numbers('Layers', ({ count }) => count !== null && integer(count), { width: 54 }),
        hasTimes && numbers('ms', ({ ms }) => fixed(ms, 3), { width: 68 }),
        hasTimes &&
          numbers(`% of Σ${correctedOf(store)}`, ({ share }) => percent(share), { width: 56 }),
        column(
          '',
          ({ group }) =>
            group !== undefined && bar(valueOf(group) / largest, kGroupBar, barClass(group)),
          { class: 'bar-cell' },
        ),
      ],
      { row: rowOf, attrs: { 'data-group': by } },
    ),
  );
}

export function findingsTable({ store }: ViewContext): HTMLElement | null {
  const { engine } = store;
  if (engine.rules.length === 0) return null;
  const fired = firedRules(engine);
  const silent = engine.rules.filter((rule) => rule.status === 'silent').length;
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped');
  const none = silent > 0 ? 'No rule found anything.' : 'No rule could run.';
  const table = plainTable(
    'findings clickable',
    fired,
    [
      column('', (rule) => severitySign(ruleSeverity(engine, rule)), { class: 'sign-cell' }),
      column('Rule', (rule) => visible(rule.id), { class: 'name' }),
      numbers('Layers', (rule) => integer(rule.count), { width: 54 }),
      numbers(
        'saving ms',
        ({ estimated_ms: ms }) => (isNumber(ms) ? significant(ms, 2) : span('dim', 'not known')),
        { width: 84 },
      ),
    ],
    {
      row: (rule) => ({
        attrs: { title: visible(rule.summary) },
        on: { click: () => store.patch(ruleState(store, rule.id)) },
      }),
    },
  );
  return div(
    'block',
    sectionTitle(
      'Findings',
      fired.length > 0 ? 'by estimated gain' : '',
      linkButton('all findings', 'With evidence, fix and potential saving', () =>
        store.patch({ view: 'findings' }),
      ),
    ),
    fired.length === 0 ? el('p', { class: 'soft' }, none) : table,
    el(
      'details',
      { class: 'soft' },
      el('summary', {}, `${integer(silent)} silent, ${integer(skipped.length)} skipped`),
      ...skipped.map(({ id, reason }) =>
        div('fold-line', `${visible(id)}: ${visible(reason ?? 'no reason given')}`),
      ),
    ),
  );
}

function bindings(list: readonly Binding[]): Content {
  const line = ({ name, dims, dtype, layout }: Binding): HTMLElement =>
    div(
      'wraps',
      `${visible(name.slice(0, 120))} ${dimsText(dims)} `,
      precisionMark(dtype),
      layout !== null && ` ${visible(layout)}`,
    );
  const rest = list.length - kMaxBindings;
  if (list.length === 0) return null;
  return [
    ...list.slice(0, kMaxBindings).map(line),
    rest > 0 && span('dim', `and ${integer(rest)} more`),
  ];
}

export function engineFacts({ store }: ViewContext, producer: string): HTMLElement {
  const { engine } = store;
  const { summary } = engine;
  const { inputs, outputs, bindings: unknown, layer_count: layers, time } = summary;
  const { version_evidence: evidence, device, batch_size: batch, importer } = summary.engine;
  // Null stays null: then the fact is left out.
  const known = <Value>(value: Value | null, text: (value: Value) => Child): Child =>
    value === null ? null : text(value);
  const does = layers === 1 ? 'does' : 'do';
  return div(
    'block',
    sectionTitle('Engine', visible(engine.name.slice(0, 120))),
    factsList([
      [inputs.length === 1 ? 'input' : 'inputs', bindings(inputs)],
      [outputs.length === 1 ? 'output' : 'outputs', bindings(outputs)],
      [unknown.length === 1 ? 'binding' : 'bindings', bindings(unknown)],
      ['built by', [visible(producer), known(evidence, (v) => span('dim', ` (${visible(v)})`))]],
      ['device', known(device, visible)],
      ['batch', known(batch, integer)],
      ['records', `${integer(summary.record_count)}: ${plural(layers, 'layer')} that ${does} work`],
      ['weights', known(summary.weight_bytes, bytesText)],
      ['profiler step', known(time.resolution_us, (us) => `${fixed(us, 3)} µs`)],
      ['read by', known(importer, (name) => `importer ${visible(name)}`)],
    ]),
  );
}

export function missingBlock(context: ViewContext): HTMLElement | null {
  const pieces = missingPieces(context);
  if (pieces === null) return null;
  return div('block', sectionTitle('What is missing', 'and how to get it'), pieces);
}

// All names, if the files have nothing but names.
export function namesTable({ store }: ViewContext, names: FittedName[], most: number): HTMLElement {
  const { engine } = store;
  const { rows } = store.selection;
  const kinds = engine.layers.has('type') || engine.layers.has('family');
  return div(
    'block',
    sectionTitle(
      'Layers',
      `in execution order${kinds ? '; kinds in italics are guesses from the name' : ''}`,
      rows.length > most &&
        linkButton(`all ${integer(rows.length)}`, 'All layers', () =>
          store.patch({ view: 'layers' }),
        ),
    ),
    plainTable(
      'slowest clickable',
      rows.subarray(0, most),
      [
        idColumn(store, (row) => row, { width: idWidth(engine) }),
        nameColumn('Layer', names, (row) => engine.layerName(row)),
        kinds && column('Kind', (row) => typeMark(engine, row), { class: 'type' }),
        numbers('ms', () => kMissing, { width: 66 }),
      ],
      { row: (row) => layerRow(store, row) },
    ),
  );
}
