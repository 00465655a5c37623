// Why the engine converts: a row for each conversion, with what it stands between, what it costs and
// whether it could go; and the reason of the selected one in words.

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
  percent,
  plural,
  quantity,
  replace,
  span,
  timeColumn,
  visible,
  type Columns,
  type Engine,
  type Grid,
  type Neighbour,
  type ReformatRow,
  type Reformats,
  type ReformatVerdict,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { chainLink, conversionPill, layerBox } from './pills.ts';

const kVisibleRows = 14;
const kMinName = 120;
const kShownNeighbours = 3;

function nameOf(context: ViewContext, ends: readonly Neighbour[], edge: string): string {
  const [first] = ends;
  if (first === undefined) return edge;
  const more = ends.length > 1 ? ` +${integer(ends.length - 1)}` : '';
  return context.store.layerLabel(first.row) + more;
}

// "FP16 NC/32HW32" of a row of ports.
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

// What the selected conversion stands between, why it exists, and what would remove it.
class Detail {
  readonly node = div('reformat-detail');
  readonly #context: ViewContext;
  readonly #reformats: () => Reformats | null;
  readonly #grid: Grid<ReformatRow>;

  constructor(context: ViewContext, reformats: () => Reformats | null, grid: Grid<ReformatRow>) {
    this.#context = context;
    this.#reformats = reformats;
    this.#grid = grid;
  }

  #chosen(): ReformatRow | null {
    const { selected } = this.#context.store.state;
    if (selected === null) return null;
    return this.#reformats()?.ofRow.get(selected) ?? null;
  }

  draw(): void {
    const chosen = this.#chosen();
    if (chosen === null) {
      replace(
        this.node,
        this.#grid.items.length === 0
          ? null
          : span('dim', 'Click a row to see why it exists and what would remove it.'),
      );
      return;
    }
    replace(this.node, this.#drawing(chosen), this.#reason(chosen), this.#ends(chosen));
  }

  #drawing(item: ReformatRow): HTMLElement {
    const boxes = (ends: readonly Neighbour[], edge: string | null): readonly HTMLElement[] => {
      const shown = ends
        .slice(0, kShownNeighbours)
        .map(({ row }) => layerBox(this.#context, { row, note: '', isPill: false }));
      const rest = ends.length - shown.length;
      return [
        ...shown,
        ...(rest > 0 ? [span('dim', `+ ${integer(rest)} more`)] : []),
        ...(edge === null ? [] : [span('chain-edge', edge)]),
      ];
    };
    const { row } = item;
    const [producer] = item.producers;
    const [consumer] = item.consumers;
    return div(
      'chain reformat-chain',
      div('chain-side', ...boxes(item.producers, item.atInput ? 'engine input' : null)),
      producer === undefined ? span('chain-gap') : chainLink(this.#context, producer.row, row),
      layerBox(this.#context, { row, note: '', isPill: true }),
      consumer === undefined ? span('chain-gap') : chainLink(this.#context, row, consumer.row),
      div('chain-side', ...boxes(item.consumers, item.atOutput ? 'engine output' : null)),
    );
  }

  #reason(item: ReformatRow): HTMLElement {
    const { engine, basis } = this.#context.store;
    const ms = engine.times(basis)[item.row] ?? Number.NaN;
    const cause = item.cause ?? 'the files do not record why';
    const sentence = cause.charAt(0).toUpperCase() + cause.slice(1);
    const worth =
      item.verdict === 'avoidable' && !Number.isNaN(ms)
        ? ` Potential saving ${fixed(ms * 1e3, 1)} µs: its own time; the layers around it change as well.`
        : '';
    const sure = item.confidence === null ? '' : ` Confidence: ${item.confidence}.`;
    return div(
      'reformat-reason',
      el('p', {}, el('b', {}, `${verdictText(item)}: `), `${visible(sentence)}.`),
      item.advice === null ? null : el('p', {}, `${visible(item.advice)}.${worth}`),
      item.advice === null && worth !== '' ? el('p', {}, worth.trim()) : null,
      el(
        'p',
        { class: 'soft' },
        `Rule: ${item.reason ?? 'none'}.${sure}`,
        item.ioFormat === null ? null : ` trtexec calls the format ${visible(item.ioFormat)}.`,
      ),
    );
  }

  #ends(item: ReformatRow): HTMLElement {
    const { engine } = this.#context.store;
    const { ports } = engine;
    const line = (name: string, port: number | null): HTMLElement | null => {
      if (port === null) return null;
      const tensor = ports.text('tensor', port) ?? '';
      const node = span('end-tensor', visible(tensor.slice(0, 200)));
      node.title = nameTitle(tensor);
      return div(
        'end-line',
        span('dim', name),
        span('', endText(engine, port)),
        span('dim', dimsText(ports.list('dims', port))),
        span('dim', bytesText(ports.number('bytes', port) ?? ports.number('data_bytes', port))),
        node,
      );
    };
    const chain = item.group === null ? null : (this.#reformats()?.chain(item.group) ?? null);
    const siblings =
      item.group === null
        ? 0
        : (this.#reformats()?.rows ?? []).filter((other) => other.group === item.group).length;
    return div(
      'reformat-ends',
      line('reads', item.fromPort),
      line('writes', item.toPort),
      siblings > 1 && chain !== null && chain.tensor !== null
        ? div(
            'end-line',
            span('dim', 'chain'),
            span('', `${plural(siblings, 'conversion')} of one tensor`),
            span('end-tensor', visible(chain.tensor.slice(0, 200))),
          )
        : null,
    );
  }
}

function conversionColumns(context: ViewContext): Columns<ReformatRow> {
  const { store } = context;
  const { engine } = store;
  const times = engine.times(store.basis);
  const rowOf = ({ row }: ReformatRow): number => row;
  return [
    idColumn(store, rowOf),
    column(
      'Producer',
      (item) => nameOf(context, item.producers, item.atInput ? 'engine input' : kMissing),
      {
        id: 'producer',
        help: 'layer that produces the converted data',
        width: null,
        sortBy: (item) => nameOf(context, item.producers, ''),
      },
    ),
    column('Conversion', (item) => conversionPill(item.fromType, item.toType), {
      id: 'conversion',
      help: 'types before and after',
      width: 124,
      sortBy: (item) => `${item.fromType ?? ''} ${item.toType ?? ''}`,
    }),
    column(
      'Consumer',
      (item) => nameOf(context, item.consumers, item.atOutput ? 'engine output' : kMissing),
      {
        id: 'consumer',
        help: 'layer that consumes the result',
        width: null,
        sortBy: (item) => nameOf(context, item.consumers, ''),
      },
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
      help: 'what the ends disagree on',
      width: 128,
      optional: true,
      sortBy: (item) => item.differs.join(' '),
    }),
  ];
}

export function reformatFigure(
  context: ViewContext,
  reformats: () => Reformats | null,
): RowsFigure {
  const { store } = context;
  const shown = (): readonly ReformatRow[] =>
    (reformats()?.rows ?? []).filter((item) => store.selection.mask[item.row] === 1);
  const explain = (): string => {
    const found = reformats();
    if (found === null) return '';
    const { all, avoidable } = found.totals;
    const what = `${plural(all.count, 'layer')} that only ${all.count === 1 ? 'converts' : 'convert'}`;
    if (store.state.chips.length > 0) {
      return `${integer(shown().length)} of ${what} stay`;
    }
    const cost =
      all.time_ms === null ? '' : `, ${fixed(all.time_ms, 3)} ms, ${percent(all.share)} % of Σ`;
    const gain =
      avoidable.time_ms === null
        ? `; ${integer(avoidable.count)} avoidable`
        : `; avoidable ${integer(avoidable.count)}, ${fixed(avoidable.time_ms, 3)} ms`;
    return what + cost + gain;
  };
  let detail: Detail | null = null;
  const rows = gridFigure<ReformatRow>(context, {
    id: 'reformats',
    title: 'Why conversions exist',
    label: 'Conversions',
    explain,
    columns: () => conversionColumns(context),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: shown,
    row: ({ row }) => row,
    sort: () => store.option('precision.sort') ?? '-time',
    setSort: (sort) => store.setOption('precision.sort', sort === '-time' ? null : sort),
    frame: (grid) => {
      const below = new Detail(context, reformats, grid);
      detail = below;
      const draw = (width: number): void => {
        grid.draw(shown(), width);
        below.draw();
      };
      return { node: div('reformat-body', grid.node, below.node), draw };
    },
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
      detail?.draw();
    },
  };
}
