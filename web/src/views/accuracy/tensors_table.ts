// Every tensor: what was lost up to it, by whom, and what its layer takes.

import {
  column,
  fixed,
  gridFigure,
  inUnit,
  kMissing,
  numbers,
  percent,
  plural,
  quantity,
  span,
  timeUnit,
  visible,
  type Column,
  type ColumnOptions,
  type Columns,
  type Content,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { choose, chosenItem, dbText, gapOf, isDisturbed } from './data.ts';
import type { AccuracyData, AccuracyItem } from './data.ts';

const kVisibleRows = 18;
const kMinName = 150;
// From here on the engine's loss is a fault of its own.
const kWideGapDb = 3;

const oneDecimal = (value: number): string => fixed(value, 1);

function tensorColumns({ store }: ViewContext, { items }: AccuracyData): Columns<AccuracyItem> {
  const times = store.engine.times(store.basis);
  const timeOf = ({ row }: AccuracyItem): number | undefined =>
    row === null ? undefined : times[row];
  const unit = timeUnit(
    Math.max(0, ...items.map((item) => timeOf(item) ?? 0).filter((ms) => ms >= 0)),
  );
  // Null where nothing is known of any.
  const known = (
    id: string,
    head: string,
    help: string,
    width: number,
    value: (item: AccuracyItem) => number | null | undefined,
    text: (value: number) => Content,
    options: ColumnOptions<AccuracyItem> = {},
  ): Column<AccuracyItem> | null =>
    items.every((item) => Number.isNaN(value(item) ?? Number.NaN))
      ? null
      : quantity(id, head, value, text, { help, width, ...options });
  const db = (side: 'simulated' | 'engine', help: string): Column<AccuracyItem> | null => {
    const own = known(side, side, help, 74, ({ loss }) => loss?.[`${side}_db`], oneDecimal);
    const cell = (item: AccuracyItem): Content => {
      const { loss } = item;
      const text = dbText(
        loss?.[`${side}_db`] ?? null,
        loss?.[`${side}_is_equal`] ?? null,
        kMissing,
      );
      if (side !== 'engine' || !isDisturbed(item)) return text;
      const node = span('dim', `${text} ◦`);
      node.title = 'Looking at this tensor changed the engine: the figure is of another one';
      return node;
    };
    return own === null ? null : { ...own, cell };
  };
  return [
    numbers('#', ({ at }) => span('dim', String(at)), {
      id: 'at',
      help: 'position in the float model',
      width: 44,
      sortBy: ({ at }) => at,
    }),
    column('Operation or tensor', ({ name }) => visible(name), {
      id: 'name',
      help: 'name of the operation that makes the tensor, or the tensor’s own',
      width: null,
      sortBy: ({ name }) => name,
    }),
    column('Type', ({ loss }) => span('soft cut', visible(loss?.op_type ?? kMissing)), {
      id: 'type',
      help: 'what the operation is',
      width: 96,
      optional: 'late',
      sortBy: ({ loss }) => loss?.op_type ?? '',
    }),
    known('time', unit.unit, `${store.basis} time of its layer, ${unit.unit}`, 62, timeOf, (ms) =>
      inUnit(ms, unit),
    ),
    db('simulated', 'SQNR in the model’s own arithmetic against the float model, dB'),
    db('engine', 'SQNR in the engine against the float model, dB'),
    known('gap', 'gap', 'simulated less engine: the engine’s loss, dB', 58, gapOf, (gap) =>
      span(gap >= kWideGapDb ? 'slower' : 'dim', oneDecimal(gap)),
    ),
    known(
      'alone',
      'alone',
      'SQNR at the outputs in the engine with all other layers in float, dB',
      58,
      ({ loss }) => loss?.alone_engine_db,
      oneDecimal,
      { optional: true },
    ),
    known(
      'own',
      'own',
      'SQNR of the tensor’s own quantization, from its histogram, dB',
      58,
      ({ calibration }) => calibration?.sqnr_db,
      oneDecimal,
      { optional: 'late' },
    ),
    known(
      'clipped',
      'clipped',
      'share of its values beyond the threshold',
      66,
      ({ calibration }) => calibration?.clipped_ratio,
      (ratio) => `${percent(ratio)} %`,
      { optional: true },
    ),
  ];
}

export function tensorsFigure(context: ViewContext, data: AccuracyData): RowsFigure {
  const { store } = context;
  // A filter is about layers: what belongs to none goes with the others.
  const items = (): readonly AccuracyItem[] => {
    const { mask } = store.selection;
    const isFiltered = store.state.chips.length > 0;
    return data.items.filter(({ row }) => (row === null ? !isFiltered : mask[row] === 1));
  };
  const rows = gridFigure<AccuracyItem>(context, {
    id: 'accuracy',
    title: 'Tensors',
    label: 'Tensors and what was lost up to them',
    explain: () =>
      [
        plural(items().length, 'tensor'),
        data.compared.length > 0 ? '=: bit for bit as in float' : null,
        data.compared.some(isDisturbed) ? '◦: looking changed the engine' : null,
      ]
        .filter((part) => part !== null)
        .join('; '),
    columns: () => tensorColumns(context, data),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items,
    row: ({ row }) => row,
    click: (item) => choose(store, item),
    isSelected: (item) => chosenItem(store, data) === item,
    sort: () => store.option('accuracy.sort'),
    setSort: (sort) => store.setOption('accuracy.sort', sort),
    data: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      return [
        ['tensor', null, ({ tensor }) => tensor],
        ['operation', null, ({ loss, calibration }) => loss?.op_name ?? calibration?.op_name],
        ['type', null, ({ loss }) => loss?.op_type],
        ['layer_id', 0, ({ row }) => (row === null ? null : engine.layerId(row))],
        [`${basis}_ms`, 4, ({ row }) => (row === null ? null : times[row])],
        ['simulated_db', 2, ({ loss }) => loss?.simulated_db],
        ['engine_db', 2, ({ loss }) => loss?.engine_db],
        ['tap', null, ({ loss }) => loss?.tap],
        ['alone_simulated_db', 2, ({ loss }) => loss?.alone_simulated_db],
        ['alone_engine_db', 2, ({ loss }) => loss?.alone_engine_db],
        ['threshold', 5, ({ calibration }) => calibration?.threshold],
        ['scale', 6, ({ calibration }) => calibration?.scale],
        ['dtype', null, ({ calibration }) => calibration?.dtype],
        ['zero_point', 0, ({ calibration }) => calibration?.zero_point],
        ['clipped_ratio', 6, ({ calibration }) => calibration?.clipped_ratio],
        ['own_db', 2, ({ calibration }) => calibration?.sqnr_db],
      ];
    },
  });
  return {
    ...rows,
    mark: () => {
      rows.grid.mark();
      const row = chosenItem(store, data)?.row ?? store.state.selected;
      if (row !== null) rows.grid.revealRow(row);
    },
  };
}
