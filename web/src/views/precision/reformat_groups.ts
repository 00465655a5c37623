// Conversions by origin, in the producer's words, by kind and by verdict.

import {
  bar,
  column,
  equals,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  integer,
  numbers,
  percent,
  plainTable,
  reformatsOf,
  span,
  visible,
  type ReformatRow,
  type ViewContext,
} from '../../public/index.ts';
import { amountOf, partsOf, totalsData, type Part } from './totals.ts';

const kBar = 72;

interface Group extends Part {
  readonly head: string;
}

export function reformatGroupsFigure(context: ViewContext): Figure {
  const { store } = context;
  const groups = (): readonly (readonly Group[])[] => {
    const { layers } = store.engine;
    const reformats = reformatsOf(store.engine);
    const of = (row: number): ReformatRow | undefined => reformats?.ofRow.get(row);
    const rows = store.selection.rows.filter((row) => of(row) !== undefined);
    const split = (head: string, nameOf: (row: number) => string | null): readonly Group[] =>
      partsOf(store, rows, nameOf).map((part) => ({ ...part, head }));
    return [
      layers.has('origin') ? split('Origin', (row) => layers.text('origin', row)) : [],
      split('What it does', (row) => of(row)?.kind ?? null),
      split('Verdict', (row) => of(row)?.verdict ?? null),
    ].filter((list) => list.length > 0);
  };
  const filter = ({ head, key, rows }: Group): void =>
    store.addChip(
      head === 'Origin'
        ? equals('origin', key ?? '–')
        : equals('layer', ...rows.map((row) => String(store.engine.layerId(row)))),
    );
  return new Figure(context, {
    id: 'reformats-by-origin',
    title: 'Conversions by origin',
    explain: () => 'by the origin that the engine records, and by what they do',
    body: htmlBody('reformat-groups', () => {
      const all = groups();
      const { hasTimes } = store.engine;
      const largest = Math.max(0, ...all.flat().map(({ totals }) => amountOf(store, totals)));
      return all.map((list) => {
        const head = list[0]?.head ?? '';
        return plainTable(
          'groups clickable',
          list,
          [
            column(head, ({ key }) => (key === null ? span('dim', 'not recorded') : visible(key)), {
              cellClass: 'name',
            }),
            numbers('Layers', ({ totals }) => integer(totals.count), { width: 54 }),
            hasTimes &&
              numbers('ms', ({ totals }) => fixed(totals.time_ms, 3), {
                cellClass: 'by',
                width: 68,
              }),
            hasTimes && numbers('% of Σ', ({ totals }) => percent(totals.share), { width: 56 }),
            column(
              '',
              ({ totals }) => bar(amountOf(store, totals) / largest, kBar, 'f-reformat hatched'),
              { class: 'bar-cell' },
            ),
          ],
          {
            row: (group) => ({
              attrs: { title: 'Filter to these layers' },
              on: { click: () => filter(group) },
            }),
          },
        );
      });
    }),
    table: () =>
      figureTable(groups().flat(), [
        ['by', null, ({ head }) => head.toLowerCase()],
        ['name', null, ({ key }) => key ?? 'not recorded'],
        ...totalsData<Group>(({ totals }) => totals),
      ]),
  });
}
