// Time above the limit, layer by layer: the time of each above its minimum.

import {
  familySwatch,
  quantity,
  fixed,
  gridFigure,
  kLimitShort,
  layerColumn,
  plural,
  span,
  timeColumn,
  typeColumn,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import type { WorkData } from './measures.ts';

const kVisibleRows = 12;
const kMinName = 130;

const self = (row: number): number => row;
const us = (ms: number): string => fixed(ms * 1e3, 1);

export function rankedFigure(context: ViewContext, data: () => WorkData): RowsFigure {
  const { store } = context;
  const isMeasured = (): boolean => store.engine.hasTimes;
  const usual = (): string => (isMeasured() ? '-gain' : '-limit');
  // Against the device, or the best rates in this engine; by layer row.
  const isOfDevice = (): boolean => data().speed?.isAgainstDevice === true || !isMeasured();
  const bounds = (): Float64Array | undefined =>
    isOfDevice() ? data().speed?.bounds : data().speed?.seenBounds;
  return gridFigure<number>(context, {
    id: 'headroom',
    title: isMeasured() ? 'Time above the limit' : 'Least possible time',
    label: 'Time above the limit',
    isEmpty: () => {
      const { speed } = data();
      return speed === null || !(isMeasured() || speed.bounds.some((ms) => ms > 0));
    },
    explain: () => {
      const of = plural(store.selection.rows.length, 'layer');
      if (!isMeasured()) return `${of}; bounds of the device only: nothing was measured`;
      const device = data().speed?.facts.device.limits?.name ?? 'the device';
      return `${of}, against ${isOfDevice() ? device : 'the best rates in this engine'}`;
    },
    columns: () => {
      const { engine, basis } = store;
      const { speed } = data();
      const least = bounds();
      const headroom = speed?.headroom(basis);
      const limitWord = (row: number): string => {
        const limit = speed?.limit(row) ?? null;
        return limit === null ? '' : ` ${kLimitShort[limit]}`;
      };
      const against = isOfDevice()
        ? 'by peak rates of the device: mem is bandwidth, cmp is arithmetic'
        : 'by the best rates that layers of this engine reach';
      return [
        layerColumn(store, self, {
          id: 'layer',
          help: 'layers in execution order, all that do work',
          mark: (row) => familySwatch(engine.layers.text('family', row)),
        }),
        timeColumn(store, self),
        quantity(
          'limit',
          'limit',
          (row) => least?.[row],
          (ms, row) => [us(ms), isOfDevice() && span('dim', limitWord(row))],
          { help: `least possible µs, ${against}`, width: 84 },
        ),
        isMeasured() &&
          quantity('gain', 'to gain', (row) => headroom?.[row], us, {
            help: 'µs above the limit: time minus the limit; negative where data came from a cache or only parts of tensors are read',
            width: 66,
          }),
        typeColumn(store, self, { optional: true }),
      ];
    },
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: () => [...store.selection.rows],
    row: self,
    sort: () => store.option('work.ranked') ?? usual(),
    setSort: (sort) => store.setOption('work.ranked', sort === usual() ? null : sort),
    data: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const { speed } = data();
      const least = bounds();
      const headroom = speed?.headroom(basis);
      return [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['layer', null, (row) => engine.rawName(row)],
        ['type', null, (row) => engine.layers.text('type', row)],
        ['ms', 4, (row) => times[row]],
        ['limit ms', 4, (row) => least?.[row]],
        ['above limit ms', 4, (row) => headroom?.[row]],
        ['limited by', null, (row) => speed?.limit(row)],
        ['computes in', null, (row) => speed?.rateType(row)],
      ];
    },
  });
}
