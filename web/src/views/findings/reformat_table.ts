// The conversions of the engine and what their two ends disagree on: the cause of most findings.
// The Precision view has all of it.

import {
  bar,
  column,
  el,
  familySwatch,
  fixed,
  integer,
  inUnit,
  idColumn,
  isNumber,
  kMissing,
  layerRow,
  linkButton,
  nameColumn,
  numbers,
  oneDecimal,
  percent,
  plainTable,
  plural,
  precisionPair,
  reformatsOf,
  span,
  timeUnit,
  visible,
  type Column,
  type Content,
  type Engine,
  type FittedName,
  type ReformatRow,
  type Reformats,
  type Store,
  type Totals,
  type ViewContext,
} from '../../public/index.ts';

const kMax = 50;
const kBarPx = 56;
const kPrecisionView = 'precision';

function avoidableText({ verdict, changedBy }: ReformatRow): string {
  if (verdict !== 'avoidable') return verdict === 'needed' ? 'no' : 'unclear';
  return changedBy === 'caller' ? 'by the caller' : 'yes';
}

// The sums use the document's basis: medians if the engine has them.
function explanation({ basis }: Store, { totals, time_basis }: Reformats): string {
  const { count, time_ms: ms, share } = totals.all;
  const avoidable = (of: Totals, who: string): string | null => {
    const saved = of.time_ms === null ? '' : ` · ${fixed(of.time_ms, 3)} ms`;
    return of.count === 0 ? null : `avoidable ${who} ${integer(of.count)}${saved}`;
  };
  const parts = [
    plural(count, 'layer'),
    ms === null ? null : `${fixed(ms, 3)} ms`,
    share === null ? null : `${percent(share)} % of Σ layers`,
    avoidable(totals.avoidable_in_model, 'in the model'),
    avoidable(totals.avoidable_by_caller, 'by the caller'),
  ].filter((part) => part !== null);
  const isOther = time_basis !== null && time_basis !== basis && ms !== null;
  return parts.join(', ') + (isOther ? ` (${time_basis} times)` : '');
}

const kSides = {
  producers: { head: 'Producer', edge: 'input', isAtEdge: 'atInput' },
  consumers: { head: 'Consumer', edge: 'output', isAtEdge: 'atOutput' },
} as const;

// The layers at one side: the first, and how many more.
function endsColumn(
  store: Store,
  names: FittedName[],
  side: keyof typeof kSides,
): Column<ReformatRow> {
  const { head, edge, isAtEdge } = kSides[side];
  const rowsOf = (item: ReformatRow): readonly number[] => [
    ...new Set(item[side].map(({ row }) => row)),
  ];
  const cell = (item: ReformatRow): Content => {
    const [first, ...others] = rowsOf(item);
    if (first === undefined) return span('dim', item[isAtEdge] ? edge : kMissing);
    const node = span('');
    const more = others.length > 0 ? ` +${integer(others.length)}` : '';
    names.push({ name: store.layerLabel(first) + more, node });
    return node;
  };
  const title = (item: ReformatRow): string =>
    rowsOf(item)
      .slice(0, 6)
      .map((row) => store.engine.layerName(row).slice(0, 300))
      .join('\n');
  return column(head, cell, { cellClass: 'name', title });
}

// Null if both sides have the same.
function layoutsText({ ports }: Engine, { fromPort, toPort }: ReformatRow): string | null {
  const layoutOf = (port: number | null): string =>
    visible((port === null ? null : ports.text('layout', port)) ?? kMissing);
  const [from, to] = [layoutOf(fromPort), layoutOf(toPort)];
  return from === to ? null : `${from} → ${to}`;
}

function disagreement(engine: Engine, reformat: ReformatRow): Content {
  const { fromType, toType, differs } = reformat;
  const layouts = layoutsText(engine, reformat);
  const isSameType = fromType === toType;
  const others = visible(differs.join(', ')) || 'not recorded';
  return [
    span('types', precisionPair(fromType, toType)),
    layouts === null
      ? isSameType && span('soft', ` ${others}`)
      : span(`soft layouts${isSameType ? ' only' : ''}`, ` ${layouts}`),
  ];
}

export function reformatTable(context: ViewContext, names: FittedName[]): HTMLElement | null {
  const { store } = context;
  const { engine } = store;
  const { hasTimes } = engine;
  const reformats = reformatsOf(engine);
  const times = engine.times(store.basis);
  // Those without a time come last.
  const timeOf = ({ row }: ReformatRow): number => {
    const time = times[row];
    return isNumber(time) ? time : -1;
  };
  const all = [...(reformats?.rows ?? [])].sort((a, b) => timeOf(b) - timeOf(a) || a.row - b.row);
  const [slowest] = all;
  if (reformats === null || slowest === undefined) return null;
  const largest = timeOf(slowest);
  const unit = timeUnit(largest);
  const isCut = all.length > kMax;
  const hasPrecision = context.views.some(({ id }) => id === kPrecisionView);
  const toPrecision = linkButton(
    isCut ? `all ${integer(all.length)} in Precision` : 'in Precision',
    'Why each exists and what would remove it',
    () => store.patch({ view: kPrecisionView }),
  );
  return el(
    'section',
    { class: 'reformat-block' },
    el(
      'h2',
      { class: 'section-title' },
      span('', familySwatch('reformat')),
      'Reformats',
      span('explain', explanation(store, reformats)),
      hasPrecision ? toPrecision : isCut && span('explain', `the ${String(kMax)} slowest`),
    ),
    plainTable(
      'clickable reformats',
      all.slice(0, kMax),
      [
        idColumn(store, ({ row }) => row, { class: 'number', width: 44 }),
        nameColumn('Reformat', names, ({ row }) => store.layerLabel(row), {
          class: '',
          cellClass: 'name',
          title: () => null,
        }),
        endsColumn(store, names, 'producers'),
        endsColumn(store, names, 'consumers'),
        column('Disagree on', (item) => disagreement(engine, item), {
          class: 'disagree',
          title: (item) => layoutsText(engine, item),
        }),
        numbers(
          'MB',
          ({ row }) => oneDecimal((engine.layers.number('io_bytes', row) ?? NaN) / 1e6),
          { class: 'mb', width: 54 },
        ),
        hasTimes &&
          numbers(unit.unit, (item) => (timeOf(item) < 0 ? kMissing : inUnit(timeOf(item), unit)), {
            width: 56,
            cellClass: 'by',
          }),
        hasTimes &&
          column('', (item) => bar(timeOf(item) / largest, kBarPx, 'f-reformat hatched'), {
            class: 'bar-cell',
            width: 72,
          }),
        column('Avoidable', avoidableText, { width: 82 }),
      ],
      {
        row: ({ row, cause }) => {
          const own = layerRow(store, row);
          const title = visible((cause ?? '').slice(0, 1000));
          return { ...own, attrs: { ...own.attrs, title } };
        },
      },
    ),
  );
}
