// Why the engine converts: one row per conversion, with its two ends, its cost and whether it can
// be removed; and the reason for the selected one in words.

import {
  bytesText,
  column,
  dimsText,
  div,
  el,
  fixed,
  gridFigure,
  idColumn,
  integer,
  kMissing,
  nameTitle,
  oneDecimal,
  plural,
  quantity,
  reformatsOf,
  replace,
  span,
  timeColumn,
  visible,
  type Child,
  type Column,
  type Columns,
  type Engine,
  type Neighbour,
  type ReformatRow,
  type ReformatVerdict,
  type RowsFigure,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { chainLink, conversionPill, layerBox } from './pills.ts';
import { costText, timeText } from './totals.ts';

const kShownNeighbours = 3;

function nameOf(store: Store, ends: readonly Neighbour[], edge: string): string {
  const [first] = ends;
  if (first === undefined) return edge;
  const more = ends.length > 1 ? ` +${integer(ends.length - 1)}` : '';
  return store.layerLabel(first.row) + more;
}

// "FP16 NC/32HW32" from a row of ports.
function endText(engine: Engine, port: number | null): string {
  if (port === null) return kMissing;
  const layout = engine.ports.text('layout', port);
  return [engine.ports.text('dtype', port) ?? '?', layout]
    .filter((part) => part !== null)
    .map(visible)
    .join(' ');
}

const kVerdicts: Readonly<Record<ReformatVerdict, string>> = {
  avoidable: 'The model or the caller can remove it',
  needed: 'No change to the model removes it',
  unclear: 'Not recorded in the files, or needs measuring',
};

function verdictText(row: ReformatRow): string {
  if (row.verdict !== 'avoidable') return row.verdict;
  return row.changedBy === 'caller' ? 'avoidable, caller' : 'avoidable, model';
}

// The ends of a conversion as boxes, and why it exists.
function drawing(context: ViewContext, item: ReformatRow): HTMLElement {
  const side = (ends: readonly Neighbour[], edge: string | null): HTMLElement => {
    const rest = ends.length - kShownNeighbours;
    return div(
      'chain-side',
      ...ends.slice(0, kShownNeighbours).map(({ row }) => layerBox(context, row, '', false)),
      rest > 0 && span('dim', `+ ${integer(rest)} more`),
      edge === null ? null : span('chain-edge', edge),
    );
  };
  const { row, producers, consumers } = item;
  return div(
    'flow chain',
    side(producers, item.atInput ? 'engine input' : null),
    chainLink(context, producers[0]?.row, row),
    layerBox(context, row, '', true),
    chainLink(context, row, consumers[0]?.row),
    side(consumers, item.atOutput ? 'engine output' : null),
  );
}

function reason({ engine, basis }: Store, item: ReformatRow): HTMLElement {
  const ms = engine.times(basis)[item.row] ?? Number.NaN;
  const cause = item.cause ?? 'the files do not record why';
  const sentence = cause.charAt(0).toUpperCase() + cause.slice(1);
  const worth =
    item.verdict === 'avoidable' && !Number.isNaN(ms)
      ? `Potential saving ${fixed(ms * 1e3, 1)} µs: its own time; the layers around it change as well.`
      : '';
  const advice = item.advice === null ? '' : `${visible(item.advice)}. `;
  const sure = item.confidence === null ? '' : ` Confidence: ${item.confidence}.`;
  const format =
    item.ioFormat === null ? '' : ` trtexec calls the format ${visible(item.ioFormat)}.`;
  return div(
    'reformat-reason',
    el('p', {}, el('b', {}, `${verdictText(item)}: `), `${visible(sentence)}.`),
    advice + worth === '' ? null : el('p', {}, (advice + worth).trim()),
    el('p', { class: 'soft' }, `Rule: ${item.reason ?? 'none'}.${sure}${format}`),
  );
}

function ends(engine: Engine, item: ReformatRow): HTMLElement {
  const { ports } = engine;
  const line = (name: string, words: readonly Child[], tensor: string): HTMLElement => {
    const node = span('soft wraps', visible(tensor.slice(0, 200)));
    node.title = nameTitle(tensor);
    return div('flow end-line', span('dim', name), ...words, node);
  };
  const end = (name: string, port: number | null): HTMLElement | null => {
    if (port === null) return null;
    const bytes = ports.number('bytes', port) ?? ports.number('data_bytes', port);
    const words = [
      span('', endText(engine, port)),
      span('dim', dimsText(ports.list('dims', port))),
      span('dim', bytesText(bytes)),
    ];
    return line(name, words, ports.text('tensor', port) ?? '');
  };
  const { group } = item;
  const reformats = reformatsOf(engine);
  const tensor = group === null ? null : (reformats?.chain(group).tensor ?? null);
  const siblings = reformats?.rows.filter((other) => other.group === group).length ?? 0;
  return div(
    'reformat-ends',
    end('reads', item.fromPort),
    end('writes', item.toPort),
    siblings > 1 && tensor !== null
      ? line('chain', [span('', `${plural(siblings, 'conversion')} of one tensor`)], tensor)
      : null,
  );
}

function conversionColumns(store: Store): Columns<ReformatRow> {
  const { engine } = store;
  const times = engine.times(store.basis);
  const rowOf = ({ row }: ReformatRow): number => row;
  const end = (
    id: 'producer' | 'consumer',
    head: string,
    help: string,
    edgeOf: (item: ReformatRow) => string,
  ): Column<ReformatRow> =>
    column(head, (item) => nameOf(store, item[`${id}s`], edgeOf(item)), {
      id,
      help,
      width: null,
      sortBy: (item) => nameOf(store, item[`${id}s`], ''),
    });
  return [
    idColumn(store, rowOf),
    end('producer', 'Producer', 'layer that produces the converted data', ({ atInput }) =>
      atInput ? 'engine input' : kMissing,
    ),
    column('Conversion', (item) => conversionPill(item.fromType, item.toType), {
      id: 'conversion',
      help: 'types before and after',
      width: 124,
      sortBy: (item) => `${item.fromType ?? ''} ${item.toType ?? ''}`,
    }),
    end('consumer', 'Consumer', 'layer that consumes the result', ({ atOutput }) =>
      atOutput ? 'engine output' : kMissing,
    ),
    timeColumn(store, rowOf),
    column('Verdict', (item) => span(`verdict verdict-${item.verdict}`, verdictText(item)), {
      id: 'verdict',
      help: 'whether it can be removed, and who has to change something',
      width: 116,
      title: (item) => kVerdicts[item.verdict],
      sortBy: verdictText,
    }),
    engine.hasTimes &&
      quantity(
        'worth',
        'saving µs',
        (item) => (item.verdict === 'avoidable' ? times[item.row] : null),
        (ms) => fixed(ms * 1e3, 1),
        { help: 'potential saving in µs: its own time, where it can be removed', width: 70 },
      ),
    quantity(
      'bytes',
      'MB',
      (item) => engine.layers.number('io_bytes', item.row),
      (bytes) => oneDecimal(bytes / 1e6),
      { help: 'MB read and written', width: 58, optional: true },
    ),
    column('Disagree on', (item) => span('soft', item.differs.join(', ') || 'nothing'), {
      id: 'differs',
      help: 'what differs between the two ends',
      width: 128,
      optional: true,
      sortBy: (item) => item.differs.join(' '),
    }),
  ];
}

export function reformatFigure(context: ViewContext): RowsFigure {
  const { store } = context;
  const shown = (): readonly ReformatRow[] =>
    (reformatsOf(store.engine)?.rows ?? []).filter(({ row }) => store.selection.mask[row] === 1);
  const explain = (): string => {
    const totals = reformatsOf(store.engine)?.totals;
    if (totals === undefined) return '';
    const { all, avoidable } = totals;
    const what = `${plural(all.count, 'layer')} that only ${all.count === 1 ? 'converts' : 'convert'}`;
    if (store.state.chips.length > 0) return `${integer(shown().length)} of ${what} stay`;
    const gain =
      avoidable.time_ms === null
        ? `${integer(avoidable.count)} avoidable`
        : `avoidable ${integer(avoidable.count)}${timeText(avoidable)}`;
    return `${what}${costText(all)}; ${gain}`;
  };
  // The ends of the selected conversion, why it exists, and what would remove it.
  const detail = div('reformat-detail');
  const drawDetail = (): void => {
    const { selected } = store.state;
    const item = selected === null ? undefined : reformatsOf(store.engine)?.ofRow.get(selected);
    const hint = 'Click a row to see why it exists and what would remove it.';
    replace(
      detail,
      ...(item === undefined
        ? [shown().length > 0 && span('dim', hint)]
        : [drawing(context, item), reason(store, item), ends(store.engine, item)]),
    );
  };
  const rows = gridFigure<ReformatRow>(context, {
    id: 'reformats',
    title: 'Why conversions exist',
    label: 'Conversions',
    explain,
    columns: () => conversionColumns(store),
    visibleRows: 14,
    minName: 120,
    items: shown,
    row: ({ row }) => row,
    sort: () => store.option('precision.sort') ?? '-time',
    setSort: (sort) => store.setOption('precision.sort', sort === '-time' ? null : sort),
    frame: (grid) => ({
      node: div('', grid.node, detail),
      draw: (width) => {
        grid.draw(shown(), width);
        drawDetail();
      },
    }),
    data: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const names = (ends: readonly Neighbour[]): string =>
        ends.map(({ row }) => engine.rawName(row)).join('; ');
      return [
        ['layer_id', 0, ({ row }) => engine.layerId(row)],
        ['layer', null, ({ row }) => engine.rawName(row)],
        ['producers', null, ({ producers }) => names(producers)],
        ['reads', null, ({ fromPort }) => endText(engine, fromPort)],
        ['writes', null, ({ toPort }) => endText(engine, toPort)],
        ['consumers', null, ({ consumers }) => names(consumers)],
        ['differs', null, ({ differs }) => differs.join(' ')],
        ['ms', 4, ({ row }) => times[row]],
        ['moved bytes', 0, ({ row }) => engine.layers.number('io_bytes', row)],
        ['verdict', null, ({ verdict }) => verdict],
        ['changed by', null, ({ changedBy }) => changedBy],
        ['reason', null, ({ reason }) => reason],
        ['cause', null, ({ cause }) => cause],
        ['advice', null, ({ advice }) => advice],
        ['saving ms', 4, ({ row, verdict }) => (verdict === 'avoidable' ? times[row] : null)],
      ];
    },
  });
  return {
    ...rows,
    mark: () => {
      rows.mark();
      drawDetail();
    },
  };
}
