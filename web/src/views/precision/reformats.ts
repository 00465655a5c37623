// Why the engine converts: a row for each conversion, with what it stands between, what it costs and
// whether it could go; and the reason of the selected one in words.

import {
  bytesText,
  dimsText,
  div,
  el,
  Figure,
  fixed,
  integer,
  kMissing,
  nameTitle,
  percent,
  plural,
  replace,
  RowTable,
  span,
  visible,
  type Engine,
  type FigureBody,
  type FigureTable,
  type Neighbour,
  type ReformatRow,
  type Reformats,
  type ReformatVerdict,
  type RowColumn,
  type RowsFigure,
  type ViewContext,
  oneDecimal,
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

class ReformatTable implements FigureBody {
  readonly node = div('reformat-body');
  readonly #context: ViewContext;
  readonly #reformats: () => Reformats | null;
  readonly #table: RowTable<ReformatRow>;
  readonly #detail = div('reformat-detail');

  constructor(context: ViewContext, reformats: () => Reformats | null) {
    this.#context = context;
    this.#reformats = reformats;
    const { store } = context;
    this.#table = new RowTable<ReformatRow>(context, {
      label: 'Conversions',
      columns: () => this.#columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: (item) => item.row,
      sort: () => store.option('precision.sort') ?? '-time',
      setSort: (sort) => store.setOption('precision.sort', sort === '-time' ? null : sort),
    });
    this.node.append(this.#table.node, this.#detail);
  }

  get #times(): Float64Array {
    const { store } = this.#context;
    return store.engine.times(store.basis);
  }

  #columns(): readonly RowColumn<ReformatRow>[] {
    const { store } = this.#context;
    const { engine } = store;
    const times = this.#times;
    const moved = (item: ReformatRow): number =>
      engine.layers.number('io_bytes', item.row) ?? Number.NaN;
    const ms = (item: ReformatRow): number => times[item.row] ?? Number.NaN;
    const worth = (item: ReformatRow): number =>
      item.verdict === 'avoidable' ? ms(item) : Number.NaN;
    const number = (value: number, decimals: number, scale: number): string =>
      fixed(value * scale, decimals);
    const time: readonly RowColumn<ReformatRow>[] = engine.hasTimes
      ? [
          {
            id: 'time',
            head: 'µs',
            help: `${store.basis} time in µs`,
            width: 62,
            align: 'right',
            cell: (item) => number(ms(item), 1, 1e3),
            sortBy: ms,
          },
        ]
      : [];
    const worthColumn: readonly RowColumn<ReformatRow>[] = engine.hasTimes
      ? [
          {
            id: 'worth',
            head: 'saving µs',
            help: 'potential saving in µs: its own time, where it can be removed',
            width: 70,
            align: 'right',
            cell: (item) =>
              Number.isNaN(worth(item)) ? span('dim', kMissing) : number(worth(item), 1, 1e3),
            sortBy: worth,
          },
        ]
      : [];
    return [
      {
        id: 'layer',
        head: '#',
        help: 'position in execution order',
        width: 56,
        align: 'right',
        cell: (item) => span('dim', String(engine.layerId(item.row))),
        sortBy: (item) => engine.layerId(item.row),
      },
      {
        id: 'producer',
        head: 'Producer',
        help: 'layer that produces the converted data',
        width: null,
        align: 'left',
        cell: (item) =>
          nameOf(this.#context, item.producers, item.atInput ? 'engine input' : kMissing),
        sortBy: (item) => nameOf(this.#context, item.producers, ''),
      },
      {
        id: 'conversion',
        head: 'Conversion',
        help: 'types before and after',
        width: 124,
        align: 'left',
        cell: (item) => conversionPill(item.fromType, item.toType),
        sortBy: (item) => `${item.fromType ?? ''} ${item.toType ?? ''}`,
      },
      {
        id: 'consumer',
        head: 'Consumer',
        help: 'layer that consumes the result',
        width: null,
        align: 'left',
        cell: (item) =>
          nameOf(this.#context, item.consumers, item.atOutput ? 'engine output' : kMissing),
        sortBy: (item) => nameOf(this.#context, item.consumers, ''),
      },
      ...time,
      {
        id: 'verdict',
        head: 'Verdict',
        help: 'whether it can be removed, and who has to change something',
        width: 116,
        align: 'left',
        cell: (item) => {
          const node = span(`verdict verdict-${item.verdict}`, verdictText(item));
          node.title = kVerdicts[item.verdict];
          return node;
        },
        sortBy: (item) => verdictText(item),
      },
      ...worthColumn,
      {
        id: 'bytes',
        head: 'MB',
        help: 'MB read and written',
        width: 58,
        align: 'right',
        optional: true,
        cell: (item) => oneDecimal(moved(item) / 1e6),
        sortBy: moved,
      },
      {
        id: 'differs',
        head: 'Disagree on',
        help: 'what the ends disagree on',
        width: 128,
        align: 'left',
        optional: true,
        cell: (item) =>
          span('soft', item.differs.length === 0 ? 'nothing' : item.differs.join(', ')),
        sortBy: (item) => item.differs.join(' '),
      },
    ];
  }

  #items(): readonly ReformatRow[] {
    const { store } = this.#context;
    const rows = this.#reformats()?.rows ?? [];
    return rows.filter((item) => store.selection.mask[item.row] === 1);
  }

  draw(width: number): void {
    this.#table.draw(this.#items(), width);
    this.#drawDetail();
  }

  mark(selected: number | null): void {
    this.#table.mark(selected);
    if (selected !== null && this.#reformats()?.ofRow.has(selected) === true) {
      this.#table.reveal(selected);
    }
    this.#drawDetail();
  }

  // The selected conversion, or the one with the most to gain.
  #chosen(): ReformatRow | null {
    const { selected } = this.#context.store.state;
    if (selected === null) return null;
    return this.#reformats()?.ofRow.get(selected) ?? null;
  }

  #drawDetail(): void {
    const chosen = this.#chosen();
    if (chosen === null) {
      replace(
        this.#detail,
        this.#table.items.length === 0
          ? null
          : span('dim', 'Click a row to see why it exists and what would remove it.'),
      );
      return;
    }
    replace(this.#detail, this.#drawing(chosen), this.#reason(chosen), this.#ends(chosen));
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
    const ms = this.#times[item.row] ?? Number.NaN;
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

  table(): FigureTable {
    const { engine } = this.#context.store;
    const times = this.#times;
    const names = (ends: readonly Neighbour[]): string =>
      ends.map(({ row }) => engine.rawName(row)).join('; ');
    return {
      columns: [
        { title: 'layer_id', decimals: 0 },
        { title: 'layer', decimals: null },
        { title: 'producers', decimals: null },
        { title: 'reads', decimals: null },
        { title: 'writes', decimals: null },
        { title: 'consumers', decimals: null },
        { title: 'differs', decimals: null },
        { title: 'ms', decimals: 4 },
        { title: 'moved bytes', decimals: 0 },
        { title: 'verdict', decimals: null },
        { title: 'changed by', decimals: null },
        { title: 'reason', decimals: null },
        { title: 'cause', decimals: null },
        { title: 'advice', decimals: null },
        { title: 'saving ms', decimals: 4 },
      ],
      rows: this.#table.items.map((item) => {
        const ms = times[item.row] ?? Number.NaN;
        const time = Number.isNaN(ms) ? null : ms;
        return [
          engine.layerId(item.row),
          engine.rawName(item.row),
          names(item.producers),
          endText(engine, item.fromPort),
          endText(engine, item.toPort),
          names(item.consumers),
          item.differs.join(' '),
          time,
          engine.layers.number('io_bytes', item.row),
          item.verdict,
          item.changedBy,
          item.reason,
          item.cause,
          item.advice,
          item.verdict === 'avoidable' ? time : null,
        ];
      }),
    };
  }

  get order(): Int32Array {
    return Int32Array.from(this.#table.items.map((item) => item.row));
  }

  reveal(row: number): void {
    this.#table.reveal(row);
  }

  svg(): null {
    return null;
  }

  destroy(): void {
    this.#table.destroy();
  }
}

export function reformatFigure(
  context: ViewContext,
  reformats: () => Reformats | null,
): RowsFigure {
  const body = new ReformatTable(context, reformats);
  const explain = (): string => {
    const found = reformats();
    const { store } = context;
    if (found === null) return '';
    const { all, avoidable } = found.totals;
    const what = `${plural(all.count, 'layer')} that only ${all.count === 1 ? 'converts' : 'convert'}`;
    if (store.state.chips.length > 0) {
      const shown = found.rows.filter((item) => store.selection.mask[item.row] === 1);
      return `${integer(shown.length)} of ${what} stay`;
    }
    const cost =
      all.time_ms === null ? '' : `, ${fixed(all.time_ms, 3)} ms, ${percent(all.share)} % of Σ`;
    const gain =
      avoidable.time_ms === null
        ? `; ${integer(avoidable.count)} avoidable`
        : `; avoidable ${integer(avoidable.count)}, ${fixed(avoidable.time_ms, 3)} ms`;
    return what + cost + gain;
  };
  const figure = new Figure(context, {
    id: 'reformats',
    title: 'Why conversions exist',
    explain,
    body,
    table: () => body.table(),
  });
  return {
    figure,
    mark: (selected) => body.mark(selected),
    order: () => body.order,
    reveal: (row) => body.reveal(row),
  };
}
