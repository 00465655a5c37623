// Pointwise layers: how many operations each fuses, what that costs, and which they are.

import {
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
  totalsOf,
  visible,
  type FigureBody,
  type FigureTable,
  type Pointwise,
  type PointwiseGroup,
  type PointwiseLayer,
  type RowColumn,
  type ViewContext,
} from '../../public/index.ts';

const kVisibleRows = 10;
const kMinName = 140;
const kMinForBoth = 900;

function operationsText(layer: PointwiseLayer): string {
  const rest = layer.count - layer.operations.length;
  const list = layer.operations.map(visible).join(layer.byName ? ' · ' : '; ');
  if (list === '') return '';
  return rest > 0 ? `${list}; ${integer(rest)} more` : list;
}

class PointwiseBody implements FigureBody {
  readonly node = div('pointwise-body');
  readonly #context: ViewContext;
  readonly #pointwise: () => Pointwise | null;
  readonly #groups = div('pointwise-groups');
  readonly #table: RowTable<PointwiseLayer>;

  constructor(context: ViewContext, pointwise: () => Pointwise | null) {
    this.#context = context;
    this.#pointwise = pointwise;
    const { store } = context;
    this.#table = new RowTable<PointwiseLayer>(context, {
      label: 'Operations of pointwise layers',
      columns: () => this.#columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: (item) => item.row,
      sort: () => store.option('precision.pointwise') ?? '-count',
      setSort: (sort) => store.setOption('precision.pointwise', sort === '-count' ? null : sort),
    });
    this.node.append(this.#groups, this.#table.node);
  }

  shown(): readonly PointwiseLayer[] {
    const { store } = this.#context;
    return (this.#pointwise()?.layers ?? []).filter(
      (layer) => store.selection.mask[layer.row] === 1,
    );
  }

  // The program's where all layers stay under its basis.
  #groupsOf(layers: readonly PointwiseLayer[]): readonly PointwiseGroup[] {
    const pointwise = this.#pointwise();
    const { store } = this.#context;
    const isAll =
      store.state.chips.length === 0 &&
      (pointwise?.time_basis === null || pointwise?.time_basis === store.basis);
    if (pointwise !== null && isAll) return pointwise.groups;
    const rows = new Map<number, number[]>();
    for (const layer of layers) {
      const list = rows.get(layer.count);
      if (list === undefined) rows.set(layer.count, [layer.row]);
      else list.push(layer.row);
    }
    return [...rows]
      .sort((a, b) => a[0] - b[0])
      .map(([count, list]) => {
        const totals = totalsOf(store.engine, list, store.basis);
        const timed = list.filter(
          (row) => !Number.isNaN(store.engine.times(store.basis)[row] ?? Number.NaN),
        ).length;
        return {
          operation_count: count,
          totals,
          ms_per_operation:
            totals.time_ms === null || timed * count === 0
              ? null
              : totals.time_ms / (timed * count),
        };
      });
  }

  #columns(): readonly RowColumn<PointwiseLayer>[] {
    const { store } = this.#context;
    const { engine } = store;
    const times = engine.times(store.basis);
    const ms = (item: PointwiseLayer): number => times[item.row] ?? Number.NaN;
    const timed: readonly RowColumn<PointwiseLayer>[] = engine.hasTimes
      ? [
          {
            id: 'time',
            head: 'µs',
            help: `${store.basis} time in µs`,
            width: 60,
            align: 'right',
            cell: (item) => fixed(ms(item) * 1e3, 1),
            sortBy: ms,
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
        id: 'name',
        head: 'Layer',
        help: 'name of the layer',
        width: null,
        align: 'left',
        cell: (item) => store.layerLabel(item.row),
        sortBy: (item) => engine.rawName(item.row),
      },
      {
        id: 'count',
        head: 'ops',
        help: 'fused operations',
        width: 48,
        align: 'right',
        cell: (item) => integer(item.count),
        sortBy: (item) => item.count,
      },
      ...timed,
      {
        id: 'operations',
        head: 'Operations',
        help: 'operations as listed by the layer or its name',
        width: null,
        align: 'left',
        cell: (item) => {
          const text = operationsText(item);
          if (text === '') return span('dim', kMissing);
          const node = span('cut code-text', text.slice(0, 400));
          node.title = nameTitle(item.operations.map(visible).join('\n'));
          return node;
        },
      },
    ];
  }

  draw(width: number): void {
    const layers = this.shown();
    const both = width >= kMinForBoth;
    this.node.classList.toggle('both', both);
    this.#drawGroups(this.#groupsOf(layers));
    this.#table.draw(layers, both ? width - 340 - 24 : width);
  }

  #drawGroups(groups: readonly PointwiseGroup[]): void {
    const { hasTimes } = this.#context.store.engine;
    replace(
      this.#groups,
      el(
        'table',
        { class: 'plain pointwise-table' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { class: 'right', attrs: { scope: 'col' } }, 'ops per layer'),
            el('th', { class: 'right', attrs: { scope: 'col' } }, 'layers'),
            hasTimes ? el('th', { class: 'right', attrs: { scope: 'col' } }, 'ms') : null,
            hasTimes ? el('th', { class: 'right', attrs: { scope: 'col' } }, '% of Σ') : null,
            hasTimes
              ? el(
                  'th',
                  {
                    class: 'right',
                    attrs: { scope: 'col', title: 'time over the operations of these layers' },
                  },
                  'µs per op',
                )
              : null,
          ),
        ),
        el(
          'tbody',
          {},
          ...groups.map((group) =>
            el(
              'tr',
              {},
              el('td', { class: 'right' }, integer(group.operation_count)),
              el('td', { class: 'right' }, integer(group.totals.count)),
              hasTimes ? el('td', { class: 'right' }, fixed(group.totals.time_ms, 3)) : null,
              hasTimes ? el('td', { class: 'right' }, percent(group.totals.share)) : null,
              hasTimes
                ? el(
                    'td',
                    { class: 'right' },
                    group.ms_per_operation === null
                      ? kMissing
                      : fixed(group.ms_per_operation * 1e3, 2),
                  )
                : null,
            ),
          ),
        ),
      ),
    );
  }

  mark(selected: number | null): void {
    this.#table.mark(selected);
  }

  table(): FigureTable {
    const { engine, basis } = this.#context.store;
    return {
      columns: [
        { title: 'layer_id', decimals: 0 },
        { title: 'layer', decimals: null },
        { title: 'operations', decimals: 0 },
        { title: 'ms', decimals: 4 },
        { title: 'list', decimals: null },
      ],
      rows: this.shown().map((layer) => {
        const time = engine.times(basis)[layer.row] ?? Number.NaN;
        return [
          engine.layerId(layer.row),
          engine.rawName(layer.row),
          layer.count,
          Number.isNaN(time) ? null : time,
          operationsText(layer),
        ];
      }),
    };
  }

  svg(): null {
    return null;
  }

  destroy(): void {
    this.#table.destroy();
  }
}

export interface PointwiseFigure {
  readonly figure: Figure;
  mark(selected: number | null): void;
}

export function pointwiseFigure(
  context: ViewContext,
  pointwise: () => Pointwise | null,
): PointwiseFigure {
  const body = new PointwiseBody(context, pointwise);
  const figure = new Figure(context, {
    id: 'pointwise-operations',
    title: 'Pointwise operations',
    explain: () => {
      const found = pointwise();
      if (found === null) return '';
      const byName = found.layers.some((layer) => layer.byName)
        ? '; for generated kernels as abbreviated in their names'
        : '';
      const unknown =
        found.unknown.count === 0
          ? ''
          : `; ${plural(found.unknown.count, 'pointwise layer')} ${found.unknown.count === 1 ? 'does' : 'do'} not say`;
      return `what ${plural(found.all.count, 'layer')} ${found.all.count === 1 ? 'fuses' : 'fuse'}${byName}${unknown}`;
    },
    body,
    table: () => body.table(),
  });
  return { figure, mark: (selected) => body.mark(selected) };
}
