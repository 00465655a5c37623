// Every convolution and matrix product with what is computed, moved and reached.

import {
  bar,
  Figure,
  fixed,
  integer,
  isNumber,
  kMissing,
  layerPrecision,
  plural,
  precisionKey,
  rowsFigure,
  RowTable,
  span,
  windowsOf,
  type FigureBody,
  type RowColumn,
  type RowsFigure,
  type ViewContext,
} from '../../public/index.ts';
import { listText, strideText } from './colours.ts';
import { greatestOf, type MeasureId } from './measures.ts';
import type { RooflineData } from './roofline.ts';

const kVisibleRows = 22;
const kMinName = 170;
const kBar = 48;

class ProductsTable implements FigureBody {
  readonly node: HTMLElement;
  readonly table: RowTable<number>;
  readonly #context: ViewContext;
  readonly #data: () => RooflineData;

  constructor(context: ViewContext, data: () => RooflineData) {
    this.#context = context;
    this.#data = data;
    const { store } = context;
    this.table = new RowTable<number>(context, {
      label: 'Convolutions and products',
      columns: () => this.columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: (row) => row,
      sort: () => store.option('work.sort'),
      setSort: (sort) => store.setOption('work.sort', sort),
    });
    this.node = this.table.node;
  }

  columns(): readonly RowColumn<number>[] {
    const { store } = this.#context;
    const { engine } = store;
    const { layers } = engine;
    const { rows, measures, speed } = this.#data();
    const windows = windowsOf(engine);
    const missing = (): Node => span('dim', kMissing);
    const text = (value: string | null): Node | string => value ?? missing();
    const size = (row: number): number => {
      const kernel = windows.get(row)?.kernel ?? null;
      return kernel === null ? Number.NaN : kernel.reduce((product, k) => product * k, 1);
    };
    const stride = (row: number): number => windows.get(row)?.stride?.[0] ?? Number.NaN;
    const groups = (row: number): number => windows.get(row)?.groups ?? Number.NaN;
    const barClass = (row: number): string => {
      const key = precisionKey(layers.text('precision', row));
      return key === 'unknown' ? 'unknown' : `p-${key}`;
    };
    const isKnown = (id: MeasureId): boolean => {
      const values = measures.get(id)?.values;
      return values !== undefined && rows.some((row) => isNumber(values[row]));
    };
    // What an opaque block hides is more.
    const least = (row: number): Node | null =>
      engine.family(row) === 'opaque' ? span('dim', '≥ ') : null;
    const number = (
      id: MeasureId,
      head: string,
      help: string,
      width: number,
      bounded = false,
    ): readonly RowColumn<number>[] => {
      const measure = measures.get(id);
      if (measure === undefined || !isKnown(id)) return [];
      const value = (row: number): number => measure.values[row] ?? Number.NaN;
      return [
        {
          id,
          head,
          help,
          width,
          align: 'right',
          cell: (row) => {
            if (Number.isNaN(value(row))) return missing();
            const shown = fixed(value(row) * measure.scale, measure.decimals);
            return bounded ? span('', least(row), shown) : shown;
          },
          sortBy: value,
        },
      ];
    };
    const barred = (
      id: MeasureId,
      head: string,
      help: string,
      width: number,
      bounded = false,
    ): readonly RowColumn<number>[] => {
      const isNeeded = id === 'time' || id === 'rate';
      const columns = number(id, head, help, width, bounded).map((column) =>
        isNeeded ? column : { ...column, optional: 'late' as const },
      );
      const measure = measures.get(id);
      if (columns.length === 0 || measure === undefined) return columns;
      const most = greatestOf(measure.values, rows);
      return [
        ...columns,
        {
          id: `${id}-bar`,
          head: '',
          help: `${head}, full width ${fixed(most * measure.scale, measure.decimals)}`,
          width: kBar + 12,
          align: 'left',
          optional: true,
          cell: (row) => {
            const value = measure.values[row] ?? Number.NaN;
            return Number.isNaN(value) ? '' : bar(value / most, kBar, barClass(row));
          },
        },
      ];
    };
    const rateUnit = measures.get('rate')?.unit ?? 'FLOP/s';
    const macUnit = `${measures.get('macs')?.unit ?? ''}MAC`;
    return [
      {
        id: 'layer',
        head: '#',
        help: 'position in execution order',
        width: 56,
        align: 'right',
        cell: (row) => span('dim', String(engine.layerId(row))),
        sortBy: (row) => engine.layerId(row),
      },
      {
        id: 'name',
        head: 'Layer',
        help: 'name of the layer',
        width: null,
        align: 'left',
        cell: (row) => store.layerLabel(row),
        sortBy: (row) => engine.rawName(row),
      },
      {
        id: 'precision',
        head: 'In → out',
        help: 'input and output precision, and what the kernel computes in where it differs',
        width: 136,
        align: 'left',
        optional: true,
        cell: (row) => layerPrecision(engine, row),
        sortBy: (row) => layers.text('precision', row) ?? '',
      },
      ...(windows.size === 0
        ? []
        : ([
            {
              id: 'kernel',
              head: 'k',
              help: 'kernel of the convolution',
              width: 50,
              align: 'right',
              cell: (row) => text(listText(windows.get(row)?.kernel ?? null)),
              sortBy: size,
            },
            {
              id: 'stride',
              head: 's',
              help: 'stride',
              width: 36,
              align: 'right',
              cell: (row) => text(strideText(windows.get(row)?.stride ?? null)),
              sortBy: stride,
            },
            {
              id: 'groups',
              head: 'g',
              help: 'groups',
              width: 40,
              align: 'right',
              cell: (row) => (Number.isNaN(groups(row)) ? missing() : integer(groups(row))),
              sortBy: groups,
            },
          ] satisfies readonly RowColumn<number>[])),
      ...number('m', 'M', 'rows of the equivalent matrix product', 64),
      ...number('n', 'N', 'columns: output channels', 52),
      ...number('k', 'K', 'inner size: input channels per group × kernel', 56),
      ...barred('time', 'µs', `${store.basis} time in µs`, 60),
      ...number('reached', '% of limit', 'the limit over the time', 72),
      ...((speed?.facts.device.limits ?? null) === null
        ? []
        : ([
            {
              id: 'limit',
              head: 'by',
              help: 'limited by bandwidth or arithmetic',
              width: 66,
              align: 'left',
              cell: (row) => span('soft', speed?.limit(row) ?? kMissing),
              sortBy: (row) => speed?.limit(row) ?? '',
            },
          ] satisfies readonly RowColumn<number>[])),
      ...barred('rate', rateUnit, `operations per second (compute efficiency), ${rateUnit}`, 64),
      ...barred('bandwidth', 'GB/s', 'bytes moved per second (memory efficiency), GB/s', 60),
      ...barred('macs', macUnit, `multiply-accumulates, ${macUnit}`, 82, true),
      ...barred('footprint', 'MB', 'bytes moved, weights included, MB', 60, true),
      ...barred('intensity', 'FLOP/B', 'operations per byte moved', 62),
    ];
  }

  shown(): readonly number[] {
    const { mask } = this.#context.store.selection;
    return [...this.#data().rows].filter((row) => mask[row] === 1);
  }

  draw(width: number): void {
    this.table.draw(this.shown(), width);
  }

  svg(): null {
    return null;
  }

  destroy(): void {
    this.table.destroy();
  }
}

export function productsFigure(context: ViewContext, data: () => RooflineData): RowsFigure {
  const body = new ProductsTable(context, data);
  const { store } = context;
  const figure = new Figure(context, {
    id: 'products',
    title: 'Convolutions and products',
    explain: () =>
      `${plural(body.shown().length, 'layer')}; M, N, K of the equivalent matrix product; rates use the time basis shown`,
    body,
    table: () => {
      const { engine, basis } = store;
      const { measures, speed } = data();
      const windows = windowsOf(engine);
      const value = (id: MeasureId, row: number): number | null => {
        const number = measures.get(id)?.values[row];
        return isNumber(number) ? number : null;
      };
      return {
        columns: [
          { title: 'layer_id', decimals: 0 },
          { title: 'layer', decimals: null },
          { title: 'type', decimals: null },
          { title: 'precision', decimals: null },
          { title: 'output_precision', decimals: null },
          { title: 'kernel', decimals: null },
          { title: 'stride', decimals: null },
          { title: 'groups', decimals: 0 },
          { title: 'gemm_m', decimals: 0 },
          { title: 'gemm_n', decimals: 0 },
          { title: 'gemm_k', decimals: 0 },
          { title: 'macs', decimals: 0 },
          { title: 'footprint_bytes', decimals: 0 },
          { title: 'flop_per_byte', decimals: 1 },
          { title: `${basis}_ms`, decimals: 4 },
          { title: 'flops_per_s', decimals: 0 },
          { title: 'bytes_per_s', decimals: 0 },
          { title: 'reached', decimals: 3 },
          { title: 'limit', decimals: null },
          { title: 'tactic', decimals: null },
        ],
        rows: body.table.items.map((row) => {
          const window = windows.get(row);
          return [
            engine.layerId(row),
            engine.rawName(row),
            engine.layers.text('type', row),
            engine.layers.text('precision', row),
            engine.layers.text('output_precision', row),
            listText(window?.kernel ?? null),
            listText(window?.stride ?? null),
            window?.groups ?? null,
            value('m', row),
            value('n', row),
            value('k', row),
            value('macs', row),
            value('footprint', row),
            value('intensity', row),
            value('time', row),
            value('rate', row),
            value('bandwidth', row),
            value('reached', row),
            speed?.limit(row) ?? null,
            engine.layers.text('tactic', row),
          ];
        }),
      };
    },
  });
  return rowsFigure(figure, body.table);
}
