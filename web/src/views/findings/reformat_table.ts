// The conversions of the engine and what their two ends disagree on: what most findings come down to.
// The Precision view has all of it.

import {
  bar,
  column,
  el,
  familySwatch,
  fixed,
  integer,
  inUnit,
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
  type Neighbour,
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

// The sums are under the basis of the document: medians where the engine has them.
function explanation({ store }: ViewContext, { totals, time_basis }: Reformats): string {
  const { all } = totals;
  const parts = [plural(all.count, 'layer')];
  if (all.time_ms !== null) parts.push(`${fixed(all.time_ms, 3)} ms`);
  if (all.share !== null) parts.push(`${percent(all.share)} % of Σ layers`);
  const avoidable = (of: Totals, who: string): void => {
    if (of.count === 0) return;
    const saved = of.time_ms === null ? '' : ` · ${fixed(of.time_ms, 3)} ms`;
    parts.push(`avoidable ${who} ${integer(of.count)}${saved}`);
  };
  avoidable(totals.avoidable_in_model, 'in the model');
  avoidable(totals.avoidable_by_caller, 'by the caller');
  const isOther = time_basis !== null && time_basis !== store.basis && all.time_ms !== null;
  const of = isOther ? ` (${time_basis} times)` : '';
  return `${parts.join(', ')}${of}`;
}

function endsColumn(
  store: Store,
  names: FittedName[],
  head: string,
  edge: string,
  endsOf: (row: ReformatRow) => { readonly list: readonly Neighbour[]; readonly isAtEdge: boolean },
): Column<ReformatRow> {
  const rowsOf = (item: ReformatRow): readonly number[] => [
    ...new Set(endsOf(item).list.map(({ row }) => row)),
  ];
  const cell = (item: ReformatRow): Content => {
    const [first, ...others] = rowsOf(item);
    if (first === undefined) return span('dim', endsOf(item).isAtEdge ? edge : kMissing);
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

function disagreement({ ports }: Engine, reformat: ReformatRow): HTMLElement {
  const { fromPort, toPort, fromType, toType } = reformat;
  const fromLayout = fromPort === null ? null : ports.text('layout', fromPort);
  const toLayout = toPort === null ? null : ports.text('layout', toPort);
  const types = span('types', precisionPair(fromType, toType));
  const cell = el('td', {}, types);
  if (fromType === toType && fromLayout === toLayout) {
    const differs = reformat.differs.join(', ');
    cell.append(span('soft', ` ${differs === '' ? 'not recorded' : visible(differs)}`));
  } else if (fromLayout !== toLayout) {
    cell.title = `${fromLayout ?? kMissing} → ${toLayout ?? kMissing}`;
    cell.append(
      span(
        `soft layouts${fromType === toType ? ' only' : ''}`,
        ` ${visible(fromLayout ?? kMissing)} → ${visible(toLayout ?? kMissing)}`,
      ),
    );
  }
  return cell;
}

export function reformatTable(context: ViewContext, names: FittedName[]): HTMLElement | null {
  const { store } = context;
  const { engine } = store;
  const reformats = reformatsOf(engine);
  if (reformats === null || reformats.rows.length === 0) return null;
  const times = engine.times(store.basis);
  const timeOf = ({ row }: ReformatRow): number => times[row] ?? Number.NaN;
  const order = (reformat: ReformatRow): number => {
    const time = timeOf(reformat);
    return Number.isNaN(time) ? -1 : time;
  };
  const all = [...reformats.rows].sort((a, b) => order(b) - order(a) || a.row - b.row);
  const shown = all.slice(0, kMax);
  let largest = 0;
  for (const reformat of all) largest = Math.max(largest, order(reformat));
  const unit = timeUnit(largest);
  return el(
    'section',
    { class: 'reformat-block' },
    el(
      'h2',
      { class: 'section-title' },
      span('', familySwatch('reformat')),
      'Reformats',
      span('explain', explanation(context, reformats)),
      context.views.some((view) => view.id === kPrecisionView)
        ? linkButton(
            all.length > kMax ? `all ${integer(all.length)} in Precision` : 'in Precision',
            'Why each exists and what would remove it',
            () => store.patch({ view: kPrecisionView }),
          )
        : all.length > kMax
          ? span('explain', `the ${String(kMax)} slowest`)
          : null,
    ),
    plainTable(
      `clickable reformats${engine.hasTimes ? '' : ' no-times'}`,
      shown,
      [
        numbers('#', ({ row }) => String(engine.layerId(row)), {
          class: 'number',
          cellClass: 'dim',
        }),
        nameColumn('Reformat', names, ({ row }) => store.layerLabel(row), {
          class: '',
          cellClass: 'name',
          title: () => null,
        }),
        endsColumn(store, names, 'Producer', 'input', (item) => ({
          list: item.producers,
          isAtEdge: item.atInput,
        })),
        endsColumn(store, names, 'Consumer', 'output', (item) => ({
          list: item.consumers,
          isAtEdge: item.atOutput,
        })),
        column('Disagree on', (item) => disagreement(engine, item), { class: 'disagree' }),
        numbers(
          'MB',
          ({ row }) => oneDecimal((engine.layers.number('io_bytes', row) ?? NaN) / 1e6),
          {
            class: 'mb',
          },
        ),
        numbers(
          unit.unit,
          (item) => (isNumber(timeOf(item)) ? inUnit(timeOf(item), unit) : kMissing),
          { class: 'value', cellClass: 'by' },
        ),
        column(
          '',
          (item) =>
            isNumber(timeOf(item)) && largest > 0
              ? bar(timeOf(item) / largest, kBarPx, 'f-reformat hatched')
              : '',
          { class: 'bar-cell' },
        ),
        column('Avoidable', avoidableText, { class: 'avoidable' }),
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
