// The conversions of the engine and what their two ends disagree on: what most findings come down to.
// The Precision view has all of it.

import {
  bar,
  el,
  familySwatch,
  fixed,
  integer,
  inUnit,
  isNumber,
  kMissing,
  linkButton,
  oneDecimal,
  percent,
  plural,
  precisionPair,
  reformatsOf,
  span,
  timeUnit,
  visible,
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

function ends(
  store: Store,
  neighbours: readonly Neighbour[],
  isAtEdge: boolean,
  edge: string,
  names: FittedName[],
): HTMLElement {
  const rows = [...new Set(neighbours.map(({ row }) => row))];
  const cell = el('td', { class: 'name' });
  if (rows.length === 0) {
    cell.append(span('dim', isAtEdge ? edge : kMissing));
    return cell;
  }
  const [first = 0] = rows;
  const node = span('');
  const more = rows.length > 1 ? ` +${integer(rows.length - 1)}` : '';
  names.push({ name: store.layerLabel(first) + more, node });
  cell.append(node);
  cell.title = rows
    .slice(0, 6)
    .map((row) => store.engine.layerName(row).slice(0, 300))
    .join('\n');
  return cell;
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
  const th = (text: string, className = ''): HTMLElement =>
    el('th', { class: className, attrs: { scope: 'col' } }, text);
  const row = (reformat: ReformatRow): HTMLElement => {
    const at = reformat.row;
    const name = span('');
    names.push({ name: store.layerLabel(at), node: name });
    const ms = timeOf(reformat);
    const bytes = engine.layers.number('io_bytes', at);
    return el(
      'tr',
      {
        class: at === store.state.selected ? 'selected' : '',
        attrs: { 'data-row': at, title: visible((reformat.cause ?? '').slice(0, 1000)) },
        on: {
          click: () => store.patch({ selected: at }),
          mouseenter: () => store.hover(at),
          mouseleave: () => store.hover(null),
        },
      },
      el('td', { class: 'right dim' }, String(engine.layerId(at))),
      el('td', { class: 'name' }, name),
      ends(store, reformat.producers, reformat.atInput, 'input', names),
      ends(store, reformat.consumers, reformat.atOutput, 'output', names),
      disagreement(engine, reformat),
      el('td', { class: 'right' }, bytes === null ? kMissing : oneDecimal(bytes / 1e6)),
      el('td', { class: 'right by' }, isNumber(ms) ? inUnit(ms, unit) : kMissing),
      el(
        'td',
        { class: 'bar-cell' },
        isNumber(ms) && largest > 0 ? bar(ms / largest, kBarPx, 'f-reformat hatched') : '',
      ),
      el('td', { class: 'avoidable' }, avoidableText(reformat)),
    );
  };
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
    el(
      'table',
      { class: `plain clickable reformats${engine.hasTimes ? '' : ' no-times'}` },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          th('#', 'right number'),
          th('Reformat'),
          th('Producer'),
          th('Consumer'),
          th('Disagree on', 'disagree'),
          th('MB', 'right mb'),
          th(unit.unit, 'right value'),
          th('', 'bar-cell'),
          th('Avoidable', 'avoidable'),
        ),
      ),
      el('tbody', {}, ...shown.map(row)),
    ),
  );
}
