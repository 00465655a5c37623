// Time above the limit, layer by layer: what each takes above the least that it can take.

import {
  familySwatch,
  quantity,
  fixed,
  gridFigure,
  layerColumn,
  plural,
  span,
  timeColumn,
  typeColumn,
  type Columns,
  type RowsFigure,
  type Speed,
  type ViewContext,
} from '../../public/index.ts';

const kVisibleRows = 12;
const kMinName = 130;

export function rankedFigure(context: ViewContext, speed: () => Speed | null): RowsFigure {
  const { store } = context;
  const isMeasured = (): boolean => store.engine.hasTimes;
  const usual = (): string => (isMeasured() ? '-gain' : '-limit');
  // By layer row.
  const bounds = (): Float64Array => {
    const found = speed();
    if (found === null) return new Float64Array();
    return found.isAgainstDevice || !isMeasured() ? found.bounds : found.seenBounds;
  };
  const us = (ms: number): string => fixed(ms * 1e3, 1);
  const columns = (): Columns<number> => {
    const { engine, basis } = store;
    const found = speed();
    const least = bounds();
    const headroom = found?.headroom(basis);
    const limitWord = (row: number): string => {
      const limit = found?.limit(row) ?? null;
      return limit === null ? '' : limit === 'memory' ? ' mem' : ' cmp';
    };
    const isOfDevice = found?.isAgainstDevice === true || !engine.hasTimes;
    const against =
      found?.isAgainstDevice === false && engine.hasTimes
        ? 'by the best rates that layers of this engine reach'
        : 'by peak rates of the device: mem is bandwidth, cmp is arithmetic';
    return [
      layerColumn(store, (row) => row, {
        id: 'layer',
        help: 'layers in execution order, all that do work',
        mark: (row) => familySwatch(engine.layers.text('family', row)),
      }),
      timeColumn(store, (row) => row),
      quantity(
        'limit',
        'limit',
        (row) => least[row],
        (ms, row) => [us(ms), isOfDevice ? span('dim', limitWord(row)) : null],
        { help: `least possible µs, ${against}`, width: 84 },
      ),
      engine.hasTimes &&
        quantity('gain', 'to gain', (row) => headroom?.[row], us, {
          help: 'µs above the limit: time minus the limit; negative where data came from a cache or only parts of tensors are read',
          width: 66,
        }),
      typeColumn(store, (row) => row, { optional: true }),
    ];
  };
  return gridFigure<number>(context, {
    id: 'headroom',
    title: isMeasured() ? 'Time above the limit' : 'Least possible time',
    label: 'Time above the limit',
    explain: () => {
      const found = speed();
      const of = plural(store.selection.rows.length, 'layer');
      if (!isMeasured()) return `${of}; bounds of the device only: nothing was measured`;
      if (found?.isAgainstDevice === true)
        return `${of}, against ${found.facts.device.limits?.name ?? 'the device'}`;
      return `${of}, against the best rates in this engine`;
    },
    columns,
    visibleRows: kVisibleRows,
    minName: kMinName,
    items: () => [...store.selection.rows],
    row: (row) => row,
    sort: () => store.option('work.ranked') ?? usual(),
    setSort: (sort) => store.setOption('work.ranked', sort === usual() ? null : sort),
    data: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      const found = speed();
      const least = bounds();
      const headroom = found?.headroom(basis);
      return [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['layer', null, (row) => engine.rawName(row)],
        ['type', null, (row) => engine.layers.text('type', row)],
        ['ms', 4, (row) => times[row]],
        ['limit ms', 4, (row) => least[row]],
        ['above limit ms', 4, (row) => headroom?.[row]],
        ['limited by', null, (row) => found?.limit(row)],
        ['computes in', null, (row) => found?.rateType(row)],
      ];
    },
  });
}
