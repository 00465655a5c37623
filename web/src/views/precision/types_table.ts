// In which types the layers of each kind run.

import {
  choiceLinks,
  column,
  el,
  equals,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  integer,
  kMissing,
  numbers,
  plainTable,
  span,
  tableNote,
  typeMark,
  wideTable,
  type Content,
  type ViewContext,
} from '../../public/index.ts';
import { byType, inOrder, toggleChips } from './order.ts';
import { fillClass } from './pills.ts';
import { kSideIds, kSides, sideChip, typeLabel, typeOf, type Side } from './sides.ts';
import { amountOf, partsOf, totalsData, type Part } from './totals.ts';

const kMaxTypes = 14;

interface TypeRow extends Part {
  readonly parts: ReadonlyMap<string | null, Part>;
}

export function typeFigure(context: ViewContext): Figure {
  const { store } = context;
  const wantedSide = (): Side =>
    kSideIds.find((side) => side === store.option('precision.of')) ?? 'reads';
  const allRows = (): readonly TypeRow[] => {
    const { engine, selection } = store;
    const side = wantedSide();
    return partsOf(store, selection.rows, (row) => engine.layers.text('type', row)).map((type) => {
      const parts = partsOf(store, type.rows, (row) => typeOf(engine, side, row));
      return { ...type, parts: new Map(parts.map((part) => [part.key, part])) };
    });
  };
  const cell = ({ key: type, parts }: TypeRow, precision: string | null): Content => {
    const totals = parts.get(precision)?.totals;
    if (totals === undefined) return '';
    const side = wantedSide();
    const title = `Only ${type ?? 'unknown'} layers that ${kSides[side].plural} ${precision ?? 'a type that is not recorded'}`;
    const click = (): void =>
      toggleChips(store, equals('type', type ?? kMissing), sideChip(side, precision));
    return el(
      'button',
      { class: 'cell-button', attrs: { type: 'button', title }, on: { click } },
      store.engine.hasTimes ? fixed(totals.time_ms, 3) : '',
      span('dim', ` ${integer(totals.count)}`),
    );
  };
  const body = htmlBody('type-precision', () => {
    const rows = allRows();
    const rest = rows.length - kMaxTypes;
    const precisions = inOrder(rows.flatMap(({ parts }) => [...parts.keys()]));
    const largest = Math.max(0, ...rows.map(({ totals }) => amountOf(store, totals)));
    const stack = ({ parts }: TypeRow): HTMLElement =>
      span(
        'type-stack',
        ...precisions.map((precision) => {
          const part = parts.get(precision);
          if (part === undefined || !(largest > 0)) return null;
          const ratio = amountOf(store, part.totals) / largest;
          const css = { width: `${(ratio * 100).toFixed(2)}%` };
          return el('span', { class: `bar ${fillClass(precision)}`, css });
        }),
      );
    const table = plainTable('auto', rows.slice(0, kMaxTypes), [
      column('Layer type', (row) => typeMark(store.engine, row.rows[0] ?? 0)),
      ...precisions.map((precision) =>
        numbers<TypeRow>(typeLabel(precision), (row) => cell(row, precision)),
      ),
      column(store.engine.hasTimes ? 'ms, n' : 'n', stack, { cellClass: 'stack-cell' }),
    ]);
    return [
      wideTable('Types of layers by precision', table),
      tableNote(rest > 0 ? `${integer(rest)} more types: table, CSV` : null),
    ];
  });
  return new Figure(context, {
    id: 'precision-by-type',
    title: 'Types of layers by precision',
    explain: () =>
      `${store.engine.hasTimes ? 'ms and layers' : 'layers'} that ${kSides[wantedSide()].plural} each type`,
    body,
    aside: () => [
      choiceLinks(
        'by what it',
        kSideIds.map((id) => ({ id, name: kSides[id].name })),
        wantedSide(),
        (side) => store.setOption('precision.of', side === 'reads' ? null : side),
      ),
    ],
    table: () => {
      const cells = allRows().flatMap(({ key: type, parts }) =>
        [...parts.values()].sort(byType).map((part) => ({ ...part, type })),
      );
      return figureTable(cells, [
        ['type', null, ({ type }) => type ?? kMissing],
        [kSides[wantedSide()].name, null, ({ key }) => key ?? 'not recorded'],
        ...totalsData<(typeof cells)[number]>(({ totals }) => totals),
      ]);
    },
  });
}
