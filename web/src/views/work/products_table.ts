// Every convolution and matrix product with what is computed, moved and reached.

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
  precisionColumn,
  precisionKey,
  span,
  windowsOf,
  type Column,
  type Columns,
  type ColumnOptions,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { listText, strideText } from './colours.ts';
import { greatestOf, type MeasureId } from './measures.ts';
import type { RooflineData } from './roofline.ts';

const kVisibleRows = 22;
const kMinName = 170;
const kBar = 48;

const self = (row: number): number => row;

function productColumns({ store }: ViewContext, data: RooflineData): Columns<number> {
  const { engine } = store;
  const { rows, measures, speed } = data;
  const windows = windowsOf(engine);
  const hasWindows = windows.size > 0;
  const barClass = (row: number): string => {
    const key = precisionKey(engine.layers.text('precision', row));
    return key === 'unknown' ? 'unknown' : `p-${key}`;
  };
  // What an opaque block hides is more.
  const least = (row: number): Node | null =>
    engine.family(row) === 'opaque' ? span('dim', '≥ ') : null;
  const measured = (
    id: MeasureId,
    head: string,
    help: string,
    width: number,
    options: ColumnOptions<number> & { readonly isBound?: boolean } = {},
  ): Column<number> | null => {
    const measure = measures.get(id);
    if (measure === undefined || !rows.some((row) => isNumber(measure.values[row]))) return null;
    const text = (value: number, row: number): readonly (Node | string | null)[] => [
      options.isBound === true ? least(row) : null,
      fixed(value * measure.scale, measure.decimals),
    ];
    return quantity(id, head, (row) => measure.values[row], text, { help, width, ...options });
  };
  const barred = (
    id: MeasureId,
    head: string,
    help: string,
    width: number,
    isBound = false,
  ): Columns<number> => {
    const isNeeded = id === 'time' || id === 'rate';
    const own = measured(id, head, help, width, {
      isBound,
      ...(isNeeded ? {} : { optional: 'late' }),
    });
    const measure = measures.get(id);
    if (own === null || measure === undefined) return [own];
    const most = greatestOf(measure.values, rows);
    const shape = (row: number): Node | string => {
      const value = measure.values[row] ?? Number.NaN;
      return Number.isNaN(value) ? '' : bar(value / most, kBar, barClass(row));
    };
    const full = `${head}, full width ${fixed(most * measure.scale, measure.decimals)}`;
    return [own, column('', shape, { help: full, width: kBar + 12, optional: true })];
  };
  const size = (row: number): number =>
    windows.get(row)?.kernel?.reduce((product, k) => product * k, 1) ?? Number.NaN;
  const rateUnit = measures.get('rate')?.unit ?? 'FLOP/s';
  const macUnit = `${measures.get('macs')?.unit ?? ''}MAC`;
  return [
    idColumn(store, self),
    layerColumn(store, self),
    precisionColumn(store, self, { optional: true }),
    hasWindows &&
      numbers('k', (row) => listText(windows.get(row)?.kernel ?? null) ?? kMissing, {
        id: 'kernel',
        help: 'kernel of the convolution',
        width: 50,
        sortBy: size,
      }),
    hasWindows &&
      numbers('s', (row) => strideText(windows.get(row)?.stride ?? null) ?? kMissing, {
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
    ...barred('time', 'µs', `${store.basis} time in µs`, 60),
    measured('reached', '% of limit', 'the limit over the time', 72),
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

export function productsFigure(context: ViewContext, data: () => RooflineData): RowsFigure {
  const { store } = context;
  const items = (): readonly number[] =>
    [...data().rows].filter((row) => store.selection.mask[row] === 1);
  return gridFigure<number>(context, {
    id: 'products',
    title: 'Convolutions and products',
    label: 'Convolutions and products',
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
      const { layers } = engine;
      const { measures, speed } = data();
      const windows = windowsOf(engine);
      const value = (id: MeasureId) => (row: number) => measures.get(id)?.values[row];
      return [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['layer', null, (row) => engine.rawName(row)],
        ['type', null, (row) => layers.text('type', row)],
        ['precision', null, (row) => layers.text('precision', row)],
        ['output_precision', null, (row) => layers.text('output_precision', row)],
        ['kernel', null, (row) => listText(windows.get(row)?.kernel ?? null)],
        ['stride', null, (row) => listText(windows.get(row)?.stride ?? null)],
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
        ['tactic', null, (row) => layers.text('tactic', row)],
      ];
    },
  });
}
