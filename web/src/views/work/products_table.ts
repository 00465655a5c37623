// Every convolution and matrix product with its work, bytes and rates.

import {
  bar,
  column,
  quantity,
  fixed,
  gridFigure,
  idColumn,
  integer,
  isNumber,
  kMissing,
  layerColumn,
  numbers,
  plural,
  precisionClass,
  precisionColumn,
  span,
  windowsOf,
  type Column,
  type Columns,
  type ColumnOptions,
  type DataColumn,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { kernelArea, listText, strideText } from './colours.ts';
import { greatestOf, type MeasureId, type WorkData } from './measures.ts';

const kVisibleRows = 22;
const kMinName = 170;
const kBar = 48;

const self = (row: number): number => row;

function productColumns({ store }: ViewContext, data: WorkData): Columns<number> {
  const { engine, basis } = store;
  const { rows, measures, speed } = data;
  const windows = windowsOf(engine);
  const hasWindows = windows.size > 0;
  const measured = (
    id: MeasureId,
    head: string,
    help: string,
    width: number,
    options: ColumnOptions<number> = {},
    isBound = false,
  ): Column<number> | null => {
    const { values, scale, decimals } = measures[id];
    if (!rows.some((row) => isNumber(values[row]))) return null;
    const text = (value: number, row: number): readonly (Node | string | null)[] => [
      // A lower bound, because an opaque block hides some.
      isBound && engine.family(row) === 'opaque' ? span('dim', '≥ ') : null,
      fixed(value * scale, decimals),
    ];
    return quantity(id, head, (row) => values[row], text, { help, width, ...options });
  };
  const barred = (
    id: MeasureId,
    head: string,
    help: string,
    width: number,
    isBound = false,
  ): Columns<number> => {
    const { values, scale, decimals } = measures[id];
    const isNeeded = id === 'time' || id === 'rate';
    const own = measured(id, head, help, width, isNeeded ? {} : { optional: 'late' }, isBound);
    if (own === null) return [];
    const most = greatestOf(values, rows);
    const barOf = (row: number): Node | string => {
      const value = values[row] ?? Number.NaN;
      const look = precisionClass(engine.layers.text('precision', row));
      return Number.isNaN(value) ? '' : bar(value / most, kBar, look);
    };
    const full = `${head}, full width ${fixed(most * scale, decimals)}`;
    return [own, column('', barOf, { help: full, width: kBar + 12, optional: true })];
  };
  const rateUnit = measures.rate.unit;
  const macUnit = `${measures.macs.unit}MAC`;
  return [
    idColumn(store, self),
    layerColumn(store, self),
    precisionColumn(store, self, { optional: true }),
    hasWindows &&
      numbers('k', (row) => listText(windows.get(row)?.kernel) ?? kMissing, {
        id: 'kernel',
        help: 'kernel of the convolution',
        width: 50,
        sortBy: (row) => kernelArea(windows.get(row)),
      }),
    hasWindows &&
      numbers('s', (row) => strideText(windows.get(row)?.stride) ?? kMissing, {
        id: 'stride',
        help: 'stride',
        width: 36,
        sortBy: (row) => windows.get(row)?.stride?.[0] ?? Number.NaN,
      }),
    hasWindows &&
      quantity('groups', 'g', (row) => windows.get(row)?.groups, integer, {
        help: 'groups',
        width: 40,
      }),
    measured('m', 'M', 'rows of the equivalent matrix product', 64),
    measured('n', 'N', 'columns: output channels', 52),
    measured('k', 'K', 'inner size: input channels per group × kernel', 56),
    ...barred('time', 'µs', `${basis} time in µs`, 60),
    measured('reached', '% of limit', 'limit ÷ time', 72),
    (speed?.facts.device.limits ?? null) !== null &&
      column('by', (row) => span('soft', speed?.limit(row) ?? kMissing), {
        id: 'limit',
        help: 'limited by bandwidth or arithmetic',
        width: 66,
        sortBy: (row) => speed?.limit(row) ?? '',
      }),
    ...barred('rate', rateUnit, `operations per second (compute efficiency), ${rateUnit}`, 64),
    ...barred('bandwidth', 'GB/s', 'bytes moved per second (memory efficiency), GB/s', 60),
    ...barred('macs', macUnit, `multiply-accumulates, ${macUnit}`, 82, true),
    ...barred('footprint', 'MB', 'bytes moved, weights included, MB', 60, true),
    ...barred('intensity', 'FLOP/B', 'operations per byte moved', 62),
  ];
}

export function productsFigure(context: ViewContext, data: () => WorkData): RowsFigure {
  const { store } = context;
  const items = (): readonly number[] =>
    [...data().rows].filter((row) => store.selection.mask[row] === 1);
  return gridFigure<number>(context, {
    id: 'products',
    title: 'Convolutions and products',
    label: 'Convolutions and products',
    isEmpty: () => data().rows.length === 0,
    explain: () =>
      `${plural(items().length, 'layer')}; M, N, K of the equivalent matrix product; rates use the time basis shown`,
    columns: () => productColumns(context, data()),
    visibleRows: kVisibleRows,
    minName: kMinName,
    items,
    row: self,
    sort: () => store.option('work.sort'),
    setSort: (sort) => store.setOption('work.sort', sort),
    data: () => {
      const { engine, basis } = store;
      const { measures, speed } = data();
      const windows = windowsOf(engine);
      const value = (id: MeasureId) => (row: number) => measures[id].values[row];
      const text = (name: string): DataColumn<number> => [
        name,
        null,
        (row) => engine.layers.text(name, row),
      ];
      return [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['layer', null, (row) => engine.rawName(row)],
        text('type'),
        text('precision'),
        text('output_precision'),
        ['kernel', null, (row) => listText(windows.get(row)?.kernel)],
        ['stride', null, (row) => listText(windows.get(row)?.stride)],
        ['groups', 0, (row) => windows.get(row)?.groups],
        ['gemm_m', 0, value('m')],
        ['gemm_n', 0, value('n')],
        ['gemm_k', 0, value('k')],
        ['macs', 0, value('macs')],
        ['footprint_bytes', 0, value('footprint')],
        ['flop_per_byte', 1, value('intensity')],
        [`${basis}_ms`, 4, value('time')],
        ['flops_per_s', 0, value('rate')],
        ['bytes_per_s', 0, value('bandwidth')],
        ['reached', 3, value('reached')],
        ['limit', null, (row) => speed?.limit(row)],
        text('tactic'),
      ];
    },
  });
}
