// Every tensor: the loss up to it, in model and engine, and the time of its layer.

import {
  column,
  fixed,
  gridFigure,
  inUnit,
  joined,
  kMissing,
  knownQuantity,
  numbers,
  percent,
  plural,
  span,
  timeUnit,
  visible,
  type Column,
  type Columns,
  type Content,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { choose, chosenItem, dbText, gapOf, isDisturbed } from './data.ts';
import type { AccuracyData, AccuracyItem } from './data.ts';

// From this gap on, the engine's loss counts as a fault of its own.
const kWideGapDb = 3;

const oneDecimal = (value: number): string => fixed(value, 1);
const gapText = (gap: number): Content =>
  span(gap >= kWideGapDb ? 'slower' : 'dim', oneDecimal(gap));

function tensorColumns({ store }: ViewContext, { items }: AccuracyData): Columns<AccuracyItem> {
  const times = store.engine.times(store.basis);
  const timeOf = ({ row }: AccuracyItem): number | undefined =>
    row === null ? undefined : times[row];
  const unit = timeUnit(
    Math.max(0, ...items.map((item) => timeOf(item) ?? 0).filter((ms) => ms >= 0)),
  );
  const db = (side: 'simulated' | 'engine', help: string): Column<AccuracyItem> | null => {
    const options = { help, width: 74 };
    const own = ({ loss }: AccuracyItem) => loss?.[`${side}_db`];
    const found = knownQuantity(items, side, side, own, oneDecimal, options);
    const cell = (item: AccuracyItem): Content => {
      const isEqual = item.loss?.[`${side}_is_equal`] ?? null;
      const text = dbText(own(item) ?? null, isEqual, kMissing);
      if (side !== 'engine' || !isDisturbed(item)) return text;
      const node = span('dim', `${text} ◦`);
      node.title = 'Tapping this tensor changed the engine: the figure is for a different engine';
      return node;
    };
    return found === null ? null : { ...found, cell };
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
      help: 'name of the operation that produces the tensor, or the tensor’s own name',
      width: null,
      sortBy: ({ name }) => name,
    }),
    column('Type', ({ loss }) => span('soft cut', visible(loss?.op_type ?? kMissing)), {
      id: 'type',
      help: 'type of the operation',
      width: 96,
      optional: 'late',
      sortBy: ({ loss }) => loss?.op_type ?? '',
    }),
    knownQuantity(items, 'time', unit.unit, timeOf, (ms) => inUnit(ms, unit), {
      help: `${store.basis} time of its layer, ${unit.unit}`,
      width: 62,
    }),
    db('simulated', 'SQNR in the model’s own arithmetic against the float model, dB'),
    db('engine', 'SQNR in the engine against the float model, dB'),
    knownQuantity(items, 'gap', 'gap', gapOf, gapText, {
      help: 'simulated minus engine: the engine’s loss, dB',
      width: 58,
    }),
    knownQuantity(items, 'alone', 'alone', ({ loss }) => loss?.alone_engine_db, oneDecimal, {
      help: 'SQNR at the outputs in the engine with all other layers in float, dB',
      width: 58,
      optional: true,
    }),
    knownQuantity(items, 'own', 'own', ({ calibration }) => calibration?.sqnr_db, oneDecimal, {
      help: 'SQNR of the tensor’s own quantization, from its histogram, dB',
      width: 58,
      optional: 'late',
    }),
    knownQuantity(
      items,
      'clipped',
      'clipped',
      ({ calibration }) => calibration?.clipped_ratio,
      (ratio) => `${percent(ratio)} %`,
      { help: 'share of its values beyond the threshold', width: 66, optional: true },
    ),
  ];
}

export function tensorsFigure(context: ViewContext, data: AccuracyData): RowsFigure {
  const { store } = context;
  // A filter selects layers: tensors without a layer are filtered out with the others.
  const items = (): readonly AccuracyItem[] => {
    const { mask } = store.selection;
    const isFiltered = store.state.chips.length > 0;
    return data.items.filter(({ row }) => (row === null ? !isFiltered : mask[row] === 1));
  };
  const rows = gridFigure<AccuracyItem>(context, {
    id: 'accuracy',
    title: 'Tensors',
    label: 'Tensors and the accuracy lost up to each of them',
    explain: () =>
      joined(
        [
          plural(items().length, 'tensor'),
          data.compared.length > 0 && '=: bit for bit as in float',
          data.compared.some(isDisturbed) && '◦: tapping changed the engine',
        ],
        '; ',
      ),
    columns: () => tensorColumns(context, data),
    visibleRows: 18,
    minName: 150,
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
