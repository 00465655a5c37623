// The tables of the overview: slowest layers, by type, by precision, findings, engine facts, what is
// missing.

import {
  bar,
  bytesText,
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
  missingPieces,
  percent,
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
  type Engine,
  type FittedName,
  type SpeedLimit,
  type ViewContext,
  type Binding,
  type RuleStatus,
} from '../../public/index.ts';

const kMaxJoined = 20_000;
const kSlowest = 12;
const kMaxGroups = 12;
const kMaxBindings = 4;
const kGroupBar = 92;

export function th(text: Child, className = ''): HTMLElement {
  return el('th', { class: className, attrs: { scope: 'col' } }, text);
}

export function td(className: string, ...children: readonly Child[]): HTMLElement {
  return el('td', { class: className }, ...children);
}

export function link(text: string, title: string, onClick: () => void): HTMLElement {
  return el(
    'button',
    { class: 'link', attrs: { type: 'button', title }, on: { click: onClick } },
    text,
  );
}

// Wide enough for the largest number there is.
function numberHead(engine: Engine): HTMLElement {
  const head = th('#', 'right number');
  const last = engine.workRows.at(-1);
  const digits = String(last === undefined ? 0 : engine.layerId(last)).length;
  head.style.width = `${String(Math.max(38, 7 * digits + 12))}px`;
  return head;
}

function ofLimit(reached: number | undefined, limit: SpeedLimit): readonly Child[] {
  if (limit === null || !isNumber(reached)) return [span('dim', kMissing)];
  return [`${fixed(reached * 100, 0)} % `, span('dim', kLimitShort[limit])];
}

// The largest layers of those that stay, by time or, without times, by bytes moved.
// A cell that tells more when it is pointed at.
function titled(cell: HTMLElement, title: string): HTMLElement {
  cell.title = title;
  return cell;
}

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
  let shownCount = 0;
  const body = groups.map((group) => {
    const [row = 0] = group;
    const last = group.at(-1) ?? row;
    const shares = group.map((one) =>
      isTime ? engine.share(one, basis) : total > 0 ? value(one) / total : null,
    );
    const share = shares.includes(null)
      ? null
      : shares.reduce((sum: number, s) => sum + (s ?? 0), 0);
    cumulative += share ?? 0;
    shownCount += group.length;
    const text = (v: number): string => (isTime ? inUnit(v, unit) : fixed(v / 1e6, 1));
    // The slowest comes first, the fastest last.
    const range = text(value(last)) === text(value(row)) ? '' : `${text(value(last))}–`;
    const name = span('');
    names.push({ name: engine.layerName(row), node: name });
    const cell = td('name', name);
    cell.title = engine.layerName(row).slice(0, 1000);
    const tr = el(
      'tr',
      {
        class: row === store.state.selected ? 'selected' : '',
        attrs: { 'data-row': row },
        on: {
          click: () => store.patch({ selected: row, more: group.slice(1) }),
          mouseenter: () => store.hover(row),
          mouseleave: () => store.hover(null),
        },
      },
      group.length === 1
        ? td('right dim', String(engine.layerId(row)))
        : titled(
            td('right', `×${integer(group.length)}`),
            `${plural(group.length, 'equal layer')}, the slowest is #${String(engine.layerId(row))}`,
          ),
      cell,
      hasType ? td('type', typeMark(engine, row)) : null,
      hasPrecision ? td('optional precision', layerPrecision(engine, row)) : null,
      td('right by', `${range}${text(value(row))}`),
      td('bar-cell', bar(value(row) / largest, 72, familyClass(engine.layers.text('family', row)))),
      td('right', percent(share)),
      td('right dim cumulative', percent(cumulative)),
      reached === null
        ? null
        : td('right limit', ...ofLimit(reached[row], speed?.limit(row) ?? null)),
    );
    return tr;
  });
  const of = isTime ? `Σ layers${corrected}` : 'all bytes moved';
  return div(
    'block',
    sectionTitle(
      isTime ? 'Slowest layers' : 'Largest layers',
      `${integer(shownCount)} of ${integer(store.selection.rows.length)}: ${percent(cumulative)} % of ${of}`,
      link('all layers', 'All layers, sorted the same way', () =>
        store.patch({
          view: 'layers',
          sort: { column: isTime ? 'time' : 'footprint_bytes', descending: true },
        }),
      ),
    ),
    el(
      'table',
      { class: 'plain slowest' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          numberHead(engine),
          th('Layer', 'name'),
          hasType ? th('Type', 'type') : null,
          hasPrecision ? th('In → out', 'optional precision') : null,
          th(isTime ? unit.unit : 'MB', 'right value'),
          th('', 'bar-cell'),
          th(isTime ? `% of Σ${corrected}` : '% of Σ', 'right share'),
          th('cum. %', 'right share cumulative'),
          reached === null ? null : th('of limit', 'right limit'),
        ),
      ),
      el('tbody', {}, ...body),
    ),
  );
}

interface GroupRow {
  readonly name: string | null;
  readonly mark: HTMLElement;
  readonly barClass: string;
  readonly chip: Chip;
  readonly count: number;
  readonly ms: number | null;
  readonly share: number | null;
}

// Sums by a text column. The analyser's own where nothing is filtered, sums of the shown rows else.
function groups(
  context: ViewContext,
  column: 'type' | 'precision' | 'output_precision',
): readonly GroupRow[] {
  const { store } = context;
  const { engine, basis } = store;
  const { summary } = engine;
  const field = column === 'output_precision' ? 'out' : column;
  const make = (
    name: string | null,
    family: string | null,
    count: number,
    ms: number | null,
    share: number | null,
  ): GroupRow => {
    const key = precisionKey(name);
    const isType = column === 'type';
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
    if (column === 'type') {
      return summary.by_type.map((g) => {
        const { ms, share } = numbers(g);
        return make(g.type, g.family ?? null, g.count, ms, share);
      });
    }
    const list = column === 'precision' ? summary.by_precision : summary.by_output_precision;
    return list.map((g) => {
      const { ms, share } = numbers(g);
      return make(g.precision, null, g.count, ms, share);
    });
  }
  const times = engine.times(basis);
  const total = engine.total(basis);
  const sums = new Map<string | null, { count: number; ms: number; family: string | null }>();
  for (const row of store.selection.rows) {
    const name = engine.layers.text(column, row);
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
  column: 'type' | 'precision' | 'output_precision',
): HTMLElement | null {
  const all = groups(context, column);
  if (all.length === 0 || all.every((g) => g.name === null)) return null;
  const { store } = context;
  const { engine, basis } = store;
  const titles = {
    type: ['By type', 'Type'],
    precision: ['By precision', 'Input precision'],
    output_precision: ['By output precision', 'Output precision'],
  } as const;
  const [title, head] = titles[column];
  const timed = engine.hasTimes;
  const largest = Math.max(...all.map((g) => (timed ? (g.ms ?? 0) : g.count)), 0);
  const corrected = basis === 'corrected' ? ' corr.' : '';
  const shown = all.slice(0, kMaxGroups);
  const rest = all.slice(kMaxGroups);
  const guess = engine.namesOnly && column === 'type' ? 'guessed from the names' : '';
  const explain = store.state.chips.length > 0 ? 'of the filtered layers' : guess;
  const row = (g: GroupRow): HTMLElement =>
    el(
      'tr',
      {
        attrs: { title: 'Filter to these layers' },
        on: {
          click: () => store.patch({ view: 'layers', chips: [...store.state.chips, g.chip] }),
        },
      },
      td('name', g.mark),
      td('right', integer(g.count)),
      timed ? td('right', g.ms === null ? kMissing : fixed(g.ms, 3)) : null,
      timed ? td('right', percent(g.share)) : null,
      td('bar-cell', bar((timed ? (g.ms ?? 0) : g.count) / largest, kGroupBar, g.barClass)),
    );
  const restRow = (): HTMLElement => {
    const ms = rest.reduce((sum, g) => sum + (g.ms ?? 0), 0);
    const share = rest.reduce((sum, g) => sum + (g.share ?? 0), 0);
    return el(
      'tr',
      {},
      td('name dim', `and ${plural(rest.length, 'other')}`),
      td('right', integer(rest.reduce((sum, g) => sum + g.count, 0))),
      timed ? td('right', fixed(ms, 3)) : null,
      timed ? td('right', percent(share)) : null,
      td('bar-cell'),
    );
  };
  // Records that do no work and have a time: without them the rows would not make Σ layers.
  const others = store.state.chips.length > 0 ? 0 : engine.othersTotal(basis);
  const othersRow = (): HTMLElement =>
    el(
      'tr',
      { attrs: { title: 'Records that do no work but have a time' } },
      td('name dim', 'no layers'),
      td('right'),
      td('right', fixed(others, 3)),
      td('right', percent(others / engine.total(basis))),
      td('bar-cell'),
    );
  return div(
    'block',
    sectionTitle(title, explain),
    el(
      'table',
      { class: 'plain groups clickable', attrs: { 'data-group': column } },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          th(head, 'name'),
          th('Layers', 'right count'),
          timed ? th('ms', 'right value') : null,
          timed ? th(`% of Σ${corrected}`, 'right share') : null,
          th('', 'bar-cell'),
        ),
      ),
      el(
        'tbody',
        {},
        ...shown.map(row),
        rest.length > 0 ? restRow() : null,
        others > 0 ? othersRow() : null,
      ),
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
  const row = (rule: RuleStatus): HTMLElement =>
    el(
      'tr',
      {
        attrs: { title: visible(rule.summary) },
        on: {
          click: () => store.patch(ruleState(store, rule.id)),
        },
      },
      td('sign-cell', severitySign(ruleSeverity(engine, rule))),
      td('name', visible(rule.id)),
      td('right', integer(rule.count)),
      isNumber(rule.estimated_ms)
        ? td('right', significant(rule.estimated_ms, 2))
        : td('right dim', 'not known'),
    );
  return div(
    'block',
    sectionTitle(
      'Findings',
      fired.length > 0 ? 'by estimated gain' : '',
      link('all findings', 'With evidence, fix and potential saving', () =>
        store.patch({ view: 'findings' }),
      ),
    ),
    fired.length === 0
      ? el(
          'p',
          { class: 'soft' },
          silent > 0 ? 'No rule found anything.' : 'No rule was able to run.',
        )
      : el(
          'table',
          { class: 'plain findings clickable' },
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              th('', 'sign-cell'),
              th('Rule', 'name'),
              th('Layers', 'right count'),
              th('saving ms', 'right value'),
            ),
          ),
          el('tbody', {}, ...fired.map(row)),
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
  const body = [...rows.subarray(0, most)].map((row) => {
    const name = span('');
    names.push({ name: engine.layerName(row), node: name });
    const cell = td('name', name);
    cell.title = engine.layerName(row).slice(0, 1000);
    return el(
      'tr',
      {
        class: row === store.state.selected ? 'selected' : '',
        attrs: { 'data-row': row },
        on: { click: () => store.patch({ selected: row }) },
      },
      td('right dim', String(engine.layerId(row))),
      cell,
      kinds ? td('', typeMark(engine, row)) : null,
      td('right dim', kMissing),
    );
  });
  return div(
    'block',
    sectionTitle(
      'Layers',
      `in execution order${kinds ? '; kinds in italics are guesses from the name' : ''}`,
      rows.length > most
        ? link(`all ${integer(rows.length)}`, 'All layers', () => store.patch({ view: 'layers' }))
        : null,
    ),
    el(
      'table',
      { class: 'plain slowest clickable' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          numberHead(engine),
          th('Layer', 'name'),
          kinds ? th('Kind', 'type') : null,
          th('ms', 'right value'),
        ),
      ),
      el('tbody', {}, ...body),
    ),
  );
}
