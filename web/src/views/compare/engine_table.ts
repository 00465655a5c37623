// A table of figures of all engines: one column per engine or, when turned, one row.

import {
  bodyFont,
  column,
  el,
  figureTable,
  fitName,
  nameTitle,
  numbers,
  plainTable,
  span,
  visible,
  type Content,
  type DataColumn,
  type FigureTable,
  type Side,
  type Store,
} from '../../public/index.ts';

const kMaxHead = 84;

// Of A or B; null: of another engine.
export function sideOf({ enginePair }: Store, engine: number): Side | null {
  return engine === enginePair?.a ? 'a' : engine === enginePair?.b ? 'b' : null;
}

export function engineHead(store: Store, engine: number): HTMLElement {
  const of = store.report.engines[engine];
  const side = sideOf(store, engine);
  const room = side === null ? kMaxHead : kMaxHead - 16;
  return el(
    'span',
    { attrs: { title: nameTitle(visible(of?.name ?? '')) } },
    side === null ? null : span('ab', side.toUpperCase()),
    fitName(visible(of?.id ?? ''), room, bodyFont(11, 600)),
  );
}

export interface EngineTable<Row> {
  readonly className: string;
  readonly rows: readonly Row[];
  // What a row is: the head of the row heads.
  readonly of: string;
  readonly head: (row: Row) => Content;
  readonly cell: (row: Row, engine: number) => Content;
  // Numbers, and the content of their cells; absent: texts.
  readonly tone?: (row: Row, engine: number) => string;
  // Of A and B.
  readonly chosen?: string;
  readonly section?: (row: Row) => string;
  // The CSV, with other rows if it has more: the columns before the engines, and their values.
  readonly saved?: readonly Row[];
  readonly lead: readonly DataColumn<Row>[];
  readonly unit?: string;
  readonly value: readonly [
    decimals: number | null,
    value: (row: Row, engine: number) => string | number | null | undefined,
  ];
}

export function engineTable<Row>(
  store: Store,
  table: EngineTable<Row>,
  isTurned: boolean,
): HTMLElement {
  const { className, rows, of, head, cell, tone, chosen = '', section } = table;
  const engines = [...store.report.engines.keys()];
  const make = tone === undefined ? column : numbers;
  const chosenOf = (engine: number): string => (sideOf(store, engine) === null ? '' : chosen);
  if (isTurned) {
    const heads = column(span('offscreen', 'engine'), (i: number) => engineHead(store, i), {
      isHead: true,
    });
    const figures = rows.map((row) =>
      make<number>(head(row), (i) => cell(row, i), { cellClass: (i) => tone?.(row, i) ?? '' }),
    );
    return plainTable(`${className} down`, engines, [heads, ...figures], {
      row: (i) => ({ class: chosenOf(i) }),
    });
  }
  const columns = [
    column<Row>(span('offscreen', of), head, { isHead: true }),
    ...engines.map((i) =>
      make<Row>(engineHead(store, i), (row) => cell(row, i), {
        class: chosenOf(i),
        cellClass: (row) => tone?.(row, i) ?? '',
      }),
    ),
  ];
  const sections = section === undefined ? {} : { section, sectionClass: 'summary-section' };
  return plainTable(`${className} across`, rows, columns, sections);
}

export function engineTableData<Row>(store: Store, table: EngineTable<Row>): FigureTable {
  const { rows, saved = rows, lead, unit = '' } = table;
  const [decimals, value] = table.value;
  return figureTable(saved, [
    ...lead,
    ...store.report.engines.map(
      ({ id }, i) => [visible(id) + unit, decimals, (row: Row) => value(row, i)] as const,
    ),
  ]);
}
