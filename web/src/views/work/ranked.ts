// Time above the limit, layer by layer: what each takes above the least that it can take.

import {
  familySwatch,
  Figure,
  fixed,
  kMissing,
  plural,
  rowsFigure,
  RowTable,
  span,
  typeMark,
  type FigureBody,
  type RowColumn,
  type RowsFigure,
  type Speed,
  type ViewContext,
} from '../../public/index.ts';

const kVisibleRows = 12;
const kMinName = 130;

class Ranked implements FigureBody {
  readonly node: HTMLElement;
  readonly table: RowTable<number>;
  readonly #context: ViewContext;
  readonly #speed: () => Speed | null;

  constructor(context: ViewContext, speed: () => Speed | null) {
    this.#context = context;
    this.#speed = speed;
    const { store } = context;
    this.table = new RowTable<number>(context, {
      label: 'Time above the limit',
      columns: () => this.#columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: (row) => row,
      sort: () => store.option('work.ranked') ?? (store.engine.hasTimes ? '-gain' : '-limit'),
      setSort: (sort) => {
        const usual = store.engine.hasTimes ? '-gain' : '-limit';
        store.setOption('work.ranked', sort === usual ? null : sort);
      },
    });
    this.node = this.table.node;
  }

  // By layer row.
  bounds(): Float64Array {
    const speed = this.#speed();
    if (speed === null) return new Float64Array();
    const measured = this.#context.store.engine.hasTimes;
    return speed.isAgainstDevice || !measured ? speed.bounds : speed.seenBounds;
  }

  #columns(): readonly RowColumn<number>[] {
    const { store } = this.#context;
    const { engine, basis } = store;
    const speed = this.#speed();
    const times = engine.times(basis);
    const bounds = this.bounds();
    const headroom = speed?.headroom(basis);
    const us = (value: number | undefined): string | Node =>
      value === undefined || Number.isNaN(value) ? span('dim', kMissing) : fixed(value * 1e3, 1);
    const limitWord = (row: number): string => {
      const limit = speed?.limit(row) ?? null;
      return limit === null ? '' : limit === 'memory' ? 'mem' : 'cmp';
    };
    const against =
      speed?.isAgainstDevice === false && engine.hasTimes
        ? 'by the best rates that layers of this engine reach'
        : 'by peak rates of the device: mem is bandwidth, cmp is arithmetic';
    const timed: readonly RowColumn<number>[] = engine.hasTimes
      ? [
          {
            id: 'time',
            head: 'µs',
            help: `${basis} time in µs`,
            width: 62,
            align: 'right',
            cell: (row) => us(times[row]),
            sortBy: (row) => times[row] ?? Number.NaN,
          },
        ]
      : [];
    const gain: readonly RowColumn<number>[] = engine.hasTimes
      ? [
          {
            id: 'gain',
            head: 'to gain',
            help: 'µs above the limit: time minus the limit; negative where data came from a cache or only parts of tensors are read',
            width: 66,
            align: 'right',
            cell: (row) => us(headroom?.[row]),
            sortBy: (row) => headroom?.[row] ?? Number.NaN,
          },
        ]
      : [];
    return [
      {
        id: 'layer',
        head: 'Layer',
        help: 'layers in execution order, all that do work',
        width: null,
        align: 'left',
        cell: (row) => store.layerLabel(row),
        mark: (row) => familySwatch(engine.layers.text('family', row)),
        sortBy: (row) => engine.rawName(row),
      },
      ...timed,
      {
        id: 'limit',
        head: 'limit',
        help: `least possible µs, ${against}`,
        width: 84,
        align: 'right',
        cell: (row) => {
          const node = span('', us(bounds[row]));
          const word = speed?.isAgainstDevice === true || !engine.hasTimes ? limitWord(row) : '';
          if (word !== '') node.append(span('dim', ` ${word}`));
          return node;
        },
        sortBy: (row) => bounds[row] ?? Number.NaN,
      },
      ...gain,
      {
        id: 'type',
        head: 'Type',
        help: 'type of the layer',
        width: 104,
        align: 'left',
        optional: true,
        cell: (row) => typeMark(engine, row),
        sortBy: (row) => engine.layers.text('type', row) ?? '',
      },
    ];
  }

  draw(width: number): void {
    this.table.draw([...this.#context.store.selection.rows], width);
  }

  svg(): null {
    return null;
  }

  destroy(): void {
    this.table.destroy();
  }
}

export function rankedFigure(context: ViewContext, speed: () => Speed | null): RowsFigure {
  const body = new Ranked(context, speed);
  const { store } = context;
  const title = (): string =>
    store.engine.hasTimes ? 'Time above the limit' : 'Least possible time';
  const figure = new Figure(context, {
    id: 'headroom',
    title: title(),
    explain: () => {
      const facts = speed();
      const of = plural(store.selection.rows.length, 'layer');
      if (!store.engine.hasTimes) return `${of}; bounds of the device only: nothing was measured`;
      if (facts?.isAgainstDevice === true)
        return `${of}, against ${facts.facts.device.limits?.name ?? 'the device'}`;
      return `${of}, against the best rates in this engine`;
    },
    body,
    table: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const found = speed();
      const bounds = body.bounds();
      const headroom = found?.headroom(basis);
      const number = (value: number | undefined): number | null =>
        value === undefined || Number.isNaN(value) ? null : value;
      return {
        columns: [
          { title: 'layer_id', decimals: 0 },
          { title: 'layer', decimals: null },
          { title: 'type', decimals: null },
          { title: 'ms', decimals: 4 },
          { title: 'limit ms', decimals: 4 },
          { title: 'above limit ms', decimals: 4 },
          { title: 'limited by', decimals: null },
          { title: 'computes in', decimals: null },
        ],
        rows: body.table.items.map((row) => [
          engine.layerId(row),
          engine.rawName(row),
          engine.layers.text('type', row),
          number(times[row]),
          number(bounds[row]),
          number(headroom?.[row]),
          found?.limit(row) ?? null,
          found?.rateType(row) ?? null,
        ]),
      };
    },
  });
  return rowsFigure(figure, body.table);
}
