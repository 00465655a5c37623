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
  familyClass,
  familySwatch,
  firedRules,
  fixed,
  integer,
  joinEqual,
  inUnit,
  isNumber,
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
  kLimitShort,
  significant,
  span,
  speedOf,
  timeUnit,
  typeMark,
  visible,
  type Child,
  type Chip,
  type Column,
  type Engine,
  type FittedName,
  type Props,
  type SpeedLimit,
  type ViewContext,
  type Binding,
} from '../../public/index.ts';

const kMaxJoined = 20_000;
const kSlowest = 12;
const kMaxGroups = 12;
const kMaxBindings = 4;
const kGroupBar = 92;

// Wide enough for the largest number there is.
function numberColumn<Item>(engine: Engine, cell: Column<Item>['cell']): Column<Item> {
  const last = engine.workRows.at(-1);
  const digits = String(last === undefined ? 0 : engine.layerId(last)).length;
  return numbers('#', cell, { width: Math.max(38, 7 * digits + 12) });
}

function ofLimit(reached: number | undefined, limit: SpeedLimit): readonly Child[] {
  if (limit === null || !isNumber(reached)) return [span('dim', kMissing)];
  return [`${fixed(reached * 100, 0)} % `, span('dim', kLimitShort[limit])];
}

// Equal layers, the slowest first, and what they come to.
interface SlowRow {
  readonly row: number;
  readonly group: readonly number[];
  readonly share: number | null;
  readonly cumulative: number;
}

// The largest layers of those that stay, by time or, without times, by bytes moved.
export function slowestLayers(context: ViewContext, names: FittedName[]): HTMLElement | null {
  const { store } = context;
  const { engine, basis } = store;
  const extent = engine.extent(basis);
  if (extent.kind === 'none') return null;
  const isTime = extent.kind === 'time';
  const value = (row: number): number => extent.values[row] ?? Number.NaN;
  const known = store.selection.rows.filter((row) => !Number.isNaN(value(row)));
  const sorted = known.sort((a, b) => value(b) - value(a) || a - b);
  // Every layer of a large engine would have to be looked at for what no reader would count.
  const items =
    sorted.length > kMaxJoined ? [...sorted].map((row) => [row]) : joinEqual(engine, sorted);
  const groups = items.slice(0, kSlowest);
  // Not Math.max(...): a hundred thousand arguments are too many for the stack.
  let largest = 0;
  for (const row of engine.workRows) if (value(row) > largest) largest = value(row);
  const unit = timeUnit(largest);
  const total = engine.whole(extent.values);
  const hasType = engine.layers.has('type') || engine.layers.has('family');
  const hasPrecision = engine.layers.has('precision');
  const corrected = basis === 'corrected' ? ' corr.' : '';
  const speed = isTime ? speedOf(engine) : null;
  const reached = speed?.isAgainstDevice === true ? speed.reached(basis) : null;
  let cumulative = 0;
  const shown = groups.map((group): SlowRow => {
    const [row = 0] = group;
    const shares = group.map((one) =>
      isTime ? engine.share(one, basis) : total > 0 ? value(one) / total : null,
    );
    const share = shares.includes(null)
      ? null
      : shares.reduce((sum: number, s) => sum + (s ?? 0), 0);
    cumulative += share ?? 0;
    return { row, group, share, cumulative };
  });
  const shownCount = shown.reduce((sum, { group }) => sum + group.length, 0);
  const text = (v: number): string => (isTime ? inUnit(v, unit) : fixed(v / 1e6, 1));
  // The slowest comes first, the fastest last.
  const range = ({ row, group }: SlowRow): string => {
    const least = text(value(group.at(-1) ?? row));
    return least === text(value(row)) ? least : `${least}–${text(value(row))}`;
  };
  const of = isTime ? `Σ layers${corrected}` : 'all bytes moved';
  return div(
    'block',
    sectionTitle(
      isTime ? 'Slowest layers' : 'Largest layers',
      `${integer(shownCount)} of ${integer(store.selection.rows.length)}: ${percent(cumulative)} % of ${of}`,
      linkButton('all layers', 'All layers, sorted the same way', () =>
        store.patch({
          view: 'layers',
          sort: { column: isTime ? 'time' : 'footprint_bytes', descending: true },
        }),
      ),
    ),
    plainTable(
      'slowest',
      shown,
      [
        numberColumn(engine, ({ row, group }) => {
          if (group.length === 1) return span('dim', String(engine.layerId(row)));
          const node = span('', `×${integer(group.length)}`);
          node.title = `${plural(group.length, 'equal layer')}, the slowest is #${String(engine.layerId(row))}`;
          return node;
        }),
        nameColumn('Layer', names, ({ row }) => engine.layerName(row)),
        hasType && column('Type', ({ row }) => typeMark(engine, row), { class: 'type' }),
        hasPrecision &&
          column('In → out', ({ row }) => layerPrecision(engine, row), {
            class: 'optional precision',
          }),
        numbers(isTime ? unit.unit : 'MB', range, { cellClass: 'by', width: 66 }),
        column(
          '',
          ({ row }) =>
            bar(value(row) / largest, 72, familyClass(engine.layers.text('family', row))),
          { class: 'bar-cell', width: 90 },
        ),
        numbers(isTime ? `% of Σ${corrected}` : '% of Σ', ({ share }) => percent(share), {
          width: 62,
        }),
        numbers('cum. %', ({ cumulative: sum }) => percent(sum), {
          class: 'cumulative',
          cellClass: 'dim',
          width: 62,
        }),
        reached !== null &&
          numbers('of limit', ({ row }) => ofLimit(reached[row], speed?.limit(row) ?? null), {
            class: 'limit',
          }),
      ],
      { row: ({ row, group }) => layerRow(store, row, group.slice(1)) },
    ),
  );
}

interface GroupRow {
  readonly name: string | null;
  readonly mark: HTMLElement;
  // Null: of rows that are what is left.
  readonly barClass: string | null;
  readonly chip: Chip | null;
  readonly count: number | null;
  readonly ms: number | null;
  readonly share: number | null;
}

// Sums by a text column. The analyser's own where nothing is filtered, sums of the shown rows else.
function groups(
  context: ViewContext,
  by: 'type' | 'precision' | 'output_precision',
): readonly GroupRow[] {
  const { store } = context;
  const { engine, basis } = store;
  const { summary } = engine;
  const field = by === 'output_precision' ? 'out' : by;
  const make = (
    name: string | null,
    family: string | null,
    count: number,
    ms: number | null,
    share: number | null,
  ): GroupRow => {
    const key = precisionKey(name);
    const isType = by === 'type';
    return {
      name,
      mark: isType
        ? span(
            `mark${engine.namesOnly ? ' guess' : ''}`,
            familySwatch(family),
            visible(name ?? 'unknown'),
          )
        : precisionMark(name),
      barClass: isType ? familyClass(family) : key === 'unknown' ? 'unknown' : `p-${key}`,
      chip: equals(field, name ?? '–'),
      count,
      ms,
      share,
    };
  };
  if (store.state.chips.length === 0 && basis !== 'corrected') {
    const useMean = basis === 'mean' && engine.basisOr('median') === 'median';
    const totalMean = summary.time.layers_mean_ms;
    const numbers = (g: {
      readonly median_ms: number | null;
      readonly mean_ms: number | null;
      readonly share: number | null;
    }) => {
      const ms = basis === 'mean' ? g.mean_ms : g.median_ms;
      const ofMeans = ms !== null && totalMean !== null && totalMean > 0 ? ms / totalMean : null;
      return { ms, share: useMean ? ofMeans : g.share };
    };
    if (by === 'type') {
      return summary.by_type.map((g) => {
        const { ms, share } = numbers(g);
        return make(g.type, g.family ?? null, g.count, ms, share);
      });
    }
    const list = by === 'precision' ? summary.by_precision : summary.by_output_precision;
    return list.map((g) => {
      const { ms, share } = numbers(g);
      return make(g.precision, null, g.count, ms, share);
    });
  }
  const times = engine.times(basis);
  const total = engine.total(basis);
  const sums = new Map<string | null, { count: number; ms: number; family: string | null }>();
  for (const row of store.selection.rows) {
    const name = engine.layers.text(by, row);
    const entry = sums.get(name) ?? { count: 0, ms: 0, family: engine.layers.text('family', row) };
    entry.count += 1;
    const time = times[row] ?? Number.NaN;
    if (!Number.isNaN(time)) entry.ms += time;
    sums.set(name, entry);
  }
  return [...sums]
    .sort((a, b) => b[1].ms - a[1].ms || b[1].count - a[1].count)
    .map(([name, { count, ms, family }]) =>
      make(name, family, count, engine.hasTimes ? ms : null, total > 0 ? ms / total : null),
    );
}

export function groupTable(
  context: ViewContext,
  by: 'type' | 'precision' | 'output_precision',
): HTMLElement | null {
  const all = groups(context, by);
  if (all.length === 0 || all.every((g) => g.name === null)) return null;
  const { store } = context;
  const { engine, basis } = store;
  const titles = {
    type: ['By type', 'Type'],
    precision: ['By precision', 'Input precision'],
    output_precision: ['By output precision', 'Output precision'],
  } as const;
  const [title, head] = titles[by];
  const timed = engine.hasTimes;
  const largest = Math.max(...all.map((g) => (timed ? (g.ms ?? 0) : (g.count ?? 0))), 0);
  const corrected = basis === 'corrected' ? ' corr.' : '';
  const shown = all.slice(0, kMaxGroups);
  const rest = all.slice(kMaxGroups);
  const guess = engine.namesOnly && by === 'type' ? 'guessed from the names' : '';
  const explain = store.state.chips.length > 0 ? 'of the filtered layers' : guess;
  const restRow: GroupRow = {
    mark: span('dim', `and ${plural(rest.length, 'other')}`),
    count: rest.reduce((sum, g) => sum + (g.count ?? 0), 0),
    ms: rest.reduce((sum, g) => sum + (g.ms ?? 0), 0),
    share: rest.reduce((sum, g) => sum + (g.share ?? 0), 0),
    ...{ name: null, barClass: null, chip: null },
  };
  // Records that do no work and have a time: without them the rows would not make Σ layers.
  const others = store.state.chips.length > 0 ? 0 : engine.othersTotal(basis);
  const othersRow: GroupRow = {
    mark: span('dim', 'no layers'),
    count: null,
    ms: others,
    share: others / engine.total(basis),
    ...{ name: null, barClass: null, chip: null },
  };
  const rows = [
    ...shown,
    ...(rest.length > 0 ? [restRow] : []),
    ...(others > 0 ? [othersRow] : []),
  ];
  const barOf = (g: GroupRow): HTMLElement | null =>
    g.barClass === null
      ? null
      : bar((timed ? (g.ms ?? 0) : (g.count ?? 0)) / largest, kGroupBar, g.barClass);
  const rowOf = ({ chip, count }: GroupRow): Props => {
    if (chip === null) {
      const title = count === null ? 'Records that do no work but have a time' : null;
      return { attrs: { title } };
    }
    return {
      attrs: { title: 'Filter to these layers' },
      on: { click: () => store.patch({ view: 'layers', chips: [...store.state.chips, chip] }) },
    };
  };
  return div(
    'block',
    sectionTitle(title, explain),
    plainTable(
      'groups clickable',
      rows,
      [
        column(head, (g) => g.mark, { class: 'name' }),
        numbers('Layers', (g) => (g.count === null ? '' : integer(g.count)), { width: 54 }),
        timed && numbers('ms', (g) => fixed(g.ms, 3), { width: 68 }),
        timed && numbers(`% of Σ${corrected}`, (g) => percent(g.share), { width: 56 }),
        column('', barOf, { class: 'bar-cell' }),
      ],
      { row: rowOf, attrs: { 'data-group': by } },
    ),
  );
}

export function findingsTable(context: ViewContext): HTMLElement | null {
  const { store } = context;
  const { engine } = store;
  const fired = firedRules(engine);
  const silent = engine.rules.filter((rule) => rule.status === 'silent').length;
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped');
  if (engine.rules.length === 0) return null;
  return div(
    'block',
    sectionTitle(
      'Findings',
      fired.length > 0 ? 'by estimated gain' : '',
      linkButton('all findings', 'With evidence, fix and potential saving', () =>
        store.patch({ view: 'findings' }),
      ),
    ),
    fired.length === 0
      ? el(
          'p',
          { class: 'soft' },
          silent > 0 ? 'No rule found anything.' : 'No rule was able to run.',
        )
      : plainTable(
          'findings clickable',
          fired,
          [
            column('', (rule) => severitySign(ruleSeverity(engine, rule)), { class: 'sign-cell' }),
            column('Rule', (rule) => visible(rule.id), { class: 'name' }),
            numbers('Layers', (rule) => integer(rule.count), { width: 54 }),
            numbers(
              'saving ms',
              ({ estimated_ms: ms }) =>
                isNumber(ms) ? significant(ms, 2) : span('dim', 'not known'),
              { width: 84 },
            ),
          ],
          {
            row: (rule) => ({
              attrs: { title: visible(rule.summary) },
              on: { click: () => store.patch(ruleState(store, rule.id)) },
            }),
          },
        ),
    el(
      'details',
      { class: 'soft' },
      el('summary', {}, `${integer(silent)} silent, ${integer(skipped.length)} skipped`),
      ...skipped.map((rule) =>
        div('skipped', `${visible(rule.id)}: ${visible(rule.reason ?? 'no reason given')}`),
      ),
    ),
  );
}

function bindingLine(binding: Binding): HTMLElement {
  return div(
    'binding',
    `${visible(binding.name.slice(0, 120))} `,
    dimsText(binding.dims),
    ' ',
    precisionMark(binding.dtype),
    binding.layout === null ? null : ` ${visible(binding.layout)}`,
  );
}

export function engineFacts(context: ViewContext, producer: string): HTMLElement {
  const { engine } = context.store;
  const { summary } = engine;
  const facts = summary.engine;
  const bindings = (list: readonly Binding[]): readonly Child[] => [
    ...list.slice(0, kMaxBindings).map(bindingLine),
    list.length > kMaxBindings
      ? span('dim', `and ${integer(list.length - kMaxBindings)} more`)
      : null,
  ];
  const rows: readonly (readonly [string, readonly Child[] | null])[] = [
    [
      summary.inputs.length === 1 ? 'input' : 'inputs',
      summary.inputs.length > 0 ? bindings(summary.inputs) : null,
    ],
    [
      summary.outputs.length === 1 ? 'output' : 'outputs',
      summary.outputs.length > 0 ? bindings(summary.outputs) : null,
    ],
    [
      'built by',
      [
        visible(producer),
        facts.version_evidence === null
          ? null
          : span('dim', ` (${visible(facts.version_evidence)})`),
      ],
    ],
    ['device', facts.device === null ? null : [visible(facts.device)]],
    ['batch', facts.batch_size === null ? null : [integer(facts.batch_size)]],
    [
      'records',
      [
        `${integer(summary.record_count)}: ${plural(summary.layer_count, 'layer')} that ${summary.layer_count === 1 ? 'does' : 'do'} work`,
      ],
    ],
    ['weights', summary.weight_bytes === null ? null : [bytesText(summary.weight_bytes)]],
    [
      'profiler step',
      summary.time.resolution_us === null ? null : [`${fixed(summary.time.resolution_us, 3)} µs`],
    ],
    ['read by', facts.importer === null ? null : [`importer ${visible(facts.importer)}`]],
  ];
  return div(
    'block',
    sectionTitle('Engine', visible(engine.name.slice(0, 120))),
    el(
      'dl',
      { class: 'facts-list' },
      ...rows.flatMap(([key, value]) =>
        value === null ? [] : [el('dt', {}, key), el('dd', {}, ...value)],
      ),
    ),
  );
}

export function missingBlock(context: ViewContext): HTMLElement | null {
  const pieces = missingPieces(context);
  if (pieces === null) return null;
  return div('block', sectionTitle('What is missing', 'and how to get it'), pieces);
}

// All names, where names are all there is.
export function namesTable(context: ViewContext, names: FittedName[], most: number): HTMLElement {
  const { store } = context;
  const { engine } = store;
  const { rows } = store.selection;
  const kinds = engine.layers.has('type') || engine.layers.has('family');
  return div(
    'block',
    sectionTitle(
      'Layers',
      `in execution order${kinds ? '; kinds in italics are guesses from the name' : ''}`,
      rows.length > most
        ? linkButton(`all ${integer(rows.length)}`, 'All layers', () =>
            store.patch({ view: 'layers' }),
          )
        : null,
    ),
    plainTable(
      'slowest clickable',
      rows.subarray(0, most),
      [
        numberColumn(engine, (row) => span('dim', String(engine.layerId(row)))),
        nameColumn('Layer', names, (row) => engine.layerName(row)),
        kinds && column('Kind', (row) => typeMark(engine, row), { class: 'type' }),
        numbers('ms', () => kMissing, { width: 66 }),
      ],
      { row: (row) => layerRow(store, row) },
    ),
  );
}
