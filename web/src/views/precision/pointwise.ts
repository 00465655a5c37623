// Pointwise layers: how many operations each fuses, what that costs, and which they are.

import {
  column,
  div,
  fixed,
  gridFigure,
  idColumn,
  integer,
  kMissing,
  layerColumn,
  nameTitle,
  numbers,
  percent,
  plainTable,
  plural,
  quantity,
  replace,
  span,
  timeColumn,
  totalsOf,
  visible,
  type Columns,
  type Pointwise,
  type PointwiseGroup,
  type PointwiseLayer,
  type RowsFigure,
  type Store,
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

// The program's where all layers stay under its basis.
function groupsOf(
  store: Store,
  pointwise: Pointwise | null,
  layers: readonly PointwiseLayer[],
): readonly PointwiseGroup[] {
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
          totals.time_ms === null || timed * count === 0 ? null : totals.time_ms / (timed * count),
      };
    });
}

function groupTable(store: Store, groups: readonly PointwiseGroup[]): HTMLElement {
  const { hasTimes } = store.engine;
  const perOperation = ({ ms_per_operation: ms }: PointwiseGroup): string =>
    ms === null ? kMissing : fixed(ms * 1e3, 2);
  return plainTable('pointwise-table', groups, [
    numbers('ops per layer', (group) => integer(group.operation_count)),
    numbers('layers', (group) => integer(group.totals.count)),
    hasTimes && numbers('ms', (group) => fixed(group.totals.time_ms, 3)),
    hasTimes && numbers('% of Σ', (group) => percent(group.totals.share)),
    hasTimes &&
      numbers('µs per op', perOperation, { help: 'time over the operations of these layers' }),
  ]);
}

function layerColumns(store: Store): Columns<PointwiseLayer> {
  const rowOf = ({ row }: PointwiseLayer): number => row;
  return [
    idColumn(store, rowOf),
    layerColumn(store, rowOf),
    quantity('count', 'ops', ({ count }) => count, integer, {
      help: 'fused operations',
      width: 48,
    }),
    timeColumn(store, rowOf, { width: 60 }),
    column(
      'Operations',
      (layer) => {
        const text = operationsText(layer);
        if (text === '') return span('dim', kMissing);
        const node = span('cut code-text', text.slice(0, 400));
        node.title = nameTitle(layer.operations.map(visible).join('\n'));
        return node;
      },
      { help: 'operations as listed by the layer or its name', width: null },
    ),
  ];
}

export function pointwiseFigure(
  context: ViewContext,
  pointwise: () => Pointwise | null,
): RowsFigure {
  const { store } = context;
  const items = (): readonly PointwiseLayer[] =>
    (pointwise()?.layers ?? []).filter((layer) => store.selection.mask[layer.row] === 1);
  return gridFigure<PointwiseLayer>(context, {
    id: 'pointwise-operations',
    title: 'Pointwise operations',
    label: 'Operations of pointwise layers',
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
    columns: () => layerColumns(store),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items,
    row: ({ row }) => row,
    sort: () => store.option('precision.pointwise') ?? '-count',
    setSort: (sort) => store.setOption('precision.pointwise', sort === '-count' ? null : sort),
    frame: (grid) => {
      const groups = div('pointwise-groups');
      const node = div('pointwise-body', groups, grid.node);
      const draw = (width: number): void => {
        const hasBoth = width >= kMinForBoth;
        node.classList.toggle('both', hasBoth);
        replace(groups, groupTable(store, groupsOf(store, pointwise(), items())));
        grid.draw(items(), hasBoth ? width - 340 - 24 : width);
      };
      return { node, draw };
    },
    data: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      return [
        ['layer_id', 0, ({ row }) => engine.layerId(row)],
        ['layer', null, ({ row }) => engine.rawName(row)],
        ['operations', 0, ({ count }) => count],
        ['ms', 4, ({ row }) => times[row]],
        ['list', null, operationsText],
      ];
    },
  });
}
