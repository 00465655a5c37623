// Pointwise layers: how many operations each fuses, what that costs, and which ones.

import {
  column,
  div,
  fixed,
  gridFigure,
  grouped,
  idColumn,
  integer,
  kMissing,
  layerColumn,
  nameTitle,
  numbers,
  percent,
  plainTable,
  plural,
  pointwiseOf,
  quantity,
  replace,
  span,
  timeColumn,
  visible,
  type Columns,
  type PointwiseLayer,
  type RowsFigure,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import { sumOf } from './totals.ts';

const kMinForBoth = 900;

function operationsText({ count, operations, byName }: PointwiseLayer): string {
  const rest = count - operations.length;
  const list = operations.map(visible).join(byName ? ' · ' : '; ');
  return list !== '' && rest > 0 ? `${list}; ${integer(rest)} more` : list;
}

// By the number of operations that they fuse.
function groupTable(store: Store, layers: readonly PointwiseLayer[]): HTMLElement {
  const { hasTimes } = store.engine;
  const times = store.engine.times(store.basis);
  const groups = [...grouped(layers, ({ count }) => count)]
    .sort(([a], [b]) => a - b)
    .map(([count, own]) => {
      const rows = own.map(({ row }) => row);
      const operations =
        rows.filter((row) => !Number.isNaN(times[row] ?? Number.NaN)).length * count;
      const totals = sumOf(store, rows);
      const ms = operations === 0 ? null : totals.time_ms;
      return { count, totals, perOperation: ms === null ? null : (ms * 1e3) / operations };
    });
  return plainTable('auto', groups, [
    numbers('ops per layer', ({ count }) => integer(count)),
    numbers('layers', ({ totals }) => integer(totals.count)),
    hasTimes && numbers('ms', ({ totals }) => fixed(totals.time_ms, 3)),
    hasTimes && numbers('% of Σ', ({ totals }) => percent(totals.share)),
    hasTimes &&
      numbers('µs per op', ({ perOperation }) => fixed(perOperation, 2), {
        help: 'time over the operations of these layers',
      }),
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

export function pointwiseFigure(context: ViewContext): RowsFigure {
  const { store } = context;
  const items = (): readonly PointwiseLayer[] =>
    (pointwiseOf(store.engine)?.layers ?? []).filter(({ row }) => store.selection.mask[row] === 1);
  return gridFigure<PointwiseLayer>(context, {
    id: 'pointwise-operations',
    title: 'Pointwise operations',
    label: 'Operations of pointwise layers',
    explain: () => {
      const found = pointwiseOf(store.engine);
      if (found === null) return '';
      const { all, unknown } = found;
      const byName = found.layers.some((layer) => layer.byName)
        ? '; for generated kernels as abbreviated in their names'
        : '';
      const silent =
        unknown.count === 0
          ? ''
          : `; ${plural(unknown.count, 'pointwise layer')} ${unknown.count === 1 ? 'does' : 'do'} not say`;
      return `what ${plural(all.count, 'layer')} ${all.count === 1 ? 'fuses' : 'fuse'}${byName}${silent}`;
    },
    columns: () => layerColumns(store),
    visibleRows: 10,
    minName: 140,
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
        replace(groups, groupTable(store, items()));
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
