// Every tensor: what was lost up to it, by whom, and what its layer takes.

import {
  Figure,
  fixed,
  inUnit,
  isNumber,
  kMissing,
  percent,
  plural,
  RowTable,
  span,
  timeUnit,
  visible,
  type FigureBody,
  type RowColumn,
  type ViewContext,
} from '../../public/index.ts';
import { choose, chosenItem, dbText, gapOf, isDisturbed } from './data.ts';
import type { AccuracyData, AccuracyItem } from './data.ts';

const kVisibleRows = 18;
const kMinName = 150;
// From here on the engine's loss is a fault of its own.
const kWideGapDb = 3;

const orNaN = (value: number | null | undefined): number => value ?? Number.NaN;

class TensorsTable implements FigureBody {
  readonly node: HTMLElement;
  readonly table: RowTable<AccuracyItem>;
  readonly #context: ViewContext;
  readonly #data: AccuracyData;

  constructor(context: ViewContext, data: AccuracyData) {
    this.#context = context;
    this.#data = data;
    const { store } = context;
    this.table = new RowTable<AccuracyItem>(context, {
      label: 'Tensors and what was lost up to them',
      columns: () => this.#columns(),
      visibleRows: kVisibleRows,
      minName: kMinName,
      row: (item) => item.row,
      pick: (item) => choose(store, item),
      isPicked: (item) => chosenItem(store, data) === item,
      sort: () => store.option('accuracy.sort'),
      setSort: (sort) => store.setOption('accuracy.sort', sort),
    });
    this.node = this.table.node;
  }

  #columns(): readonly RowColumn<AccuracyItem>[] {
    const { store } = this.#context;
    const { engine } = store;
    const { items } = this.#data;
    const times = engine.times(store.basis);
    const timeOf = ({ row }: AccuracyItem): number =>
      row === null ? Number.NaN : orNaN(times[row]);
    const unit = timeUnit(Math.max(0, ...items.map(timeOf).filter((ms) => ms >= 0)));
    const missing = (): Node => span('dim', kMissing);
    const number = (
      id: string,
      head: string,
      help: string,
      width: number,
      value: (item: AccuracyItem) => number,
      text: (value: number, item: AccuracyItem) => Node | string,
      options: Pick<RowColumn<AccuracyItem>, 'optional'> = {},
    ): readonly RowColumn<AccuracyItem>[] =>
      items.every((item) => Number.isNaN(value(item)))
        ? []
        : [
            {
              id,
              head,
              help,
              width,
              align: 'right',
              cell: (item) => (Number.isNaN(value(item)) ? missing() : text(value(item), item)),
              sortBy: value,
              ...options,
            },
          ];
    const db = (side: 'simulated' | 'engine', help: string): readonly RowColumn<AccuracyItem>[] => {
      const value = ({ loss }: AccuracyItem): number => orNaN(loss?.[`${side}_db`]);
      return number(side, side, help, 74, value, (v) => fixed(v, 1)).map((column) => ({
        ...column,
        cell: (item: AccuracyItem) => {
          const text = dbText(
            item.loss?.[`${side}_db`] ?? null,
            item.loss?.[`${side}_is_equal`] ?? null,
            kMissing,
          );
          if (side === 'engine' && isDisturbed(item)) {
            const node = span('dim', `${text} ◦`);
            node.title = 'Looking at this tensor changed the engine: the figure is of another one';
            return node;
          }
          return text === kMissing ? missing() : text;
        },
      }));
    };
    return [
      {
        id: 'at',
        head: '#',
        help: 'position in the float model',
        width: 44,
        align: 'right',
        cell: ({ at }) => span('dim', String(at)),
        sortBy: ({ at }) => at,
      },
      {
        id: 'name',
        head: 'Operation or tensor',
        help: 'name of the operation that makes the tensor, or the tensor’s own',
        width: null,
        align: 'left',
        cell: ({ name }) => visible(name),
        sortBy: ({ name }) => name,
      },
      {
        id: 'type',
        head: 'Type',
        help: 'what the operation is',
        width: 96,
        align: 'left',
        optional: 'late',
        cell: ({ loss }) =>
          loss === null ? missing() : span('soft cut', visible(loss.op_type ?? kMissing)),
        sortBy: ({ loss }) => loss?.op_type ?? '',
      },
      ...number(
        'time',
        unit.unit,
        `${store.basis} time of its layer, ${unit.unit}`,
        62,
        timeOf,
        (v) => inUnit(v, unit),
      ),
      ...db('simulated', 'SQNR in the model’s own arithmetic against the float model, dB'),
      ...db('engine', 'SQNR in the engine against the float model, dB'),
      ...number('gap', 'gap', 'simulated less engine: the engine’s loss, dB', 58, gapOf, (v) =>
        span(v >= kWideGapDb ? 'slower' : 'dim', fixed(v, 1)),
      ),
      ...number(
        'alone',
        'alone',
        'SQNR at the outputs in the engine with all other layers in float, dB',
        58,
        ({ loss }) => orNaN(loss?.alone_engine_db),
        (v) => fixed(v, 1),
        { optional: true },
      ),
      ...number(
        'own',
        'own',
        'SQNR of the tensor’s own quantization, from its histogram, dB',
        58,
        ({ calibration }) => orNaN(calibration?.sqnr_db),
        (v) => fixed(v, 1),
        { optional: 'late' },
      ),
      ...number(
        'clipped',
        'clipped',
        'share of its values beyond the threshold',
        66,
        ({ calibration }) => orNaN(calibration?.clipped_ratio),
        (v) => `${percent(v)} %`,
        { optional: true },
      ),
    ];
  }

  // A filter is about layers: what belongs to none goes with the others.
  shown(): readonly AccuracyItem[] {
    const { store } = this.#context;
    const { mask } = store.selection;
    const isFiltered = store.state.chips.length > 0;
    return this.#data.items.filter(({ row }) => (row === null ? !isFiltered : mask[row] === 1));
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

export interface TensorsFigure {
  readonly figure: Figure;
  mark(selected: number | null): void;
  order(): Int32Array;
  reveal(row: number): void;
}

export function tensorsFigure(context: ViewContext, data: AccuracyData): TensorsFigure {
  const body = new TensorsTable(context, data);
  const { store } = context;
  const figure = new Figure(context, {
    id: 'accuracy',
    title: 'Tensors',
    explain: () =>
      [
        plural(body.shown().length, 'tensor'),
        data.compared.length > 0 ? '=: bit for bit as in float' : null,
        data.compared.some(isDisturbed) ? '◦: looking changed the engine' : null,
      ]
        .filter((part) => part !== null)
        .join('; '),
    body,
    table: () => {
      const { engine, basis } = store;
      const times = engine.times(basis);
      return {
        columns: [
          { title: 'tensor', decimals: null },
          { title: 'operation', decimals: null },
          { title: 'type', decimals: null },
          { title: 'layer_id', decimals: 0 },
          { title: `${basis}_ms`, decimals: 4 },
          { title: 'simulated_db', decimals: 2 },
          { title: 'engine_db', decimals: 2 },
          { title: 'tap', decimals: null },
          { title: 'alone_simulated_db', decimals: 2 },
          { title: 'alone_engine_db', decimals: 2 },
          { title: 'threshold', decimals: 5 },
          { title: 'scale', decimals: 6 },
          { title: 'dtype', decimals: null },
          { title: 'zero_point', decimals: 0 },
          { title: 'clipped_ratio', decimals: 6 },
          { title: 'own_db', decimals: 2 },
        ],
        rows: body.table.items.map(({ tensor, row, loss, calibration }) => {
          const ms = row === null ? null : times[row];
          return [
            tensor,
            loss?.op_name ?? calibration?.op_name ?? null,
            loss?.op_type ?? null,
            row === null ? null : engine.layerId(row),
            isNumber(ms) ? ms : null,
            loss?.simulated_db ?? null,
            loss?.engine_db ?? null,
            loss?.tap ?? null,
            loss?.alone_simulated_db ?? null,
            loss?.alone_engine_db ?? null,
            calibration?.threshold ?? null,
            calibration?.scale ?? null,
            calibration?.dtype ?? null,
            calibration?.zero_point ?? null,
            calibration?.clipped_ratio ?? null,
            calibration?.sqnr_db ?? null,
          ];
        }),
      };
    },
  });
  return {
    figure,
    mark: (selected) => {
      body.table.mark(selected);
      const row = chosenItem(store, data)?.row ?? selected;
      if (row !== null) body.table.reveal(row);
    },
    order: () =>
      Int32Array.from(
        new Set(body.table.items.map(({ row }) => row).filter((row) => row !== null)),
      ),
    reveal: (row) => body.table.reveal(row),
  };
}
