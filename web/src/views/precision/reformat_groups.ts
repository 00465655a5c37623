// Conversions by origin, as the producer calls it, by kind and by verdict.

import {
  bar,
  column,
  div,
  equals,
  Figure,
  figureTable,
  fixed,
  integer,
  numbers,
  percent,
  plainTable,
  replace,
  span,
  totalsOf,
  visible,
  type FigureBody,
  type FigureTable,
  type ReformatRow,
  type Reformats,
  type Totals,
  type ViewContext,
} from '../../public/index.ts';

const kBar = 72;

interface Group {
  readonly head: string;
  readonly name: string | null;
  readonly totals: Totals;
  // What a click asks for.
  readonly rows: readonly number[];
  readonly isOrigin: boolean;
}

class Groups implements FigureBody {
  readonly node = div('reformat-groups');
  readonly #context: ViewContext;
  readonly #reformats: () => Reformats | null;

  constructor(context: ViewContext, reformats: () => Reformats | null) {
    this.#context = context;
    this.#reformats = reformats;
  }

  groups(): readonly (readonly Group[])[] {
    const reformats = this.#reformats();
    if (reformats === null) return [];
    const { store } = this.#context;
    const { engine, basis } = store;
    const isAll =
      store.state.chips.length === 0 &&
      (reformats.time_basis === null || basis === reformats.time_basis);
    const shown = reformats.rows.filter((item) => store.selection.mask[item.row] === 1);
    const split = (
      head: string,
      nameOf: (item: ReformatRow) => string | null,
      said: ((name: string | null) => Totals | undefined) | null,
      isOrigin: boolean,
    ): readonly Group[] => {
      const rows = new Map<string | null, number[]>();
      for (const item of shown) {
        const name = nameOf(item);
        const list = rows.get(name);
        if (list === undefined) rows.set(name, [item.row]);
        else list.push(item.row);
      }
      return [...rows]
        .map(([name, list]) => ({
          head,
          name,
          totals: (isAll ? said?.(name) : undefined) ?? totalsOf(engine, list, basis),
          rows: list,
          isOrigin,
        }))
        .sort(
          (a, b) =>
            (b.totals.time_ms ?? 0) - (a.totals.time_ms ?? 0) || b.totals.count - a.totals.count,
        );
    };
    const origin = (item: ReformatRow): string | null => engine.layers.text('origin', item.row);
    const ofOrigin = (name: string | null): Totals | undefined =>
      reformats.by_origin.find((entry) => entry.origin === name)?.totals;
    const ofKind = (name: string | null): Totals | undefined =>
      reformats.by_kind.find((entry) => entry.kind === name)?.totals;
    return [
      engine.layers.has('origin') ? split('Origin', origin, ofOrigin, true) : [],
      split('What it does', (item) => item.kind, ofKind, false),
      split('Verdict', (item) => item.verdict, null, false),
    ].filter((groups) => groups.length > 0);
  }

  draw(): void {
    const all = this.groups();
    const { store } = this.#context;
    const { hasTimes } = store.engine;
    const amount = (t: Totals): number => (hasTimes ? (t.time_ms ?? 0) : t.count);
    const largest = Math.max(0, ...all.flat().map((group) => amount(group.totals)));
    const table = (groups: readonly Group[]): HTMLElement =>
      plainTable(
        'groups clickable',
        groups,
        [
          column(
            groups[0]?.head ?? '',
            ({ name }) => (name === null ? span('dim', 'not recorded') : visible(name)),
            { cellClass: 'name' },
          ),
          numbers('Layers', ({ totals }) => integer(totals.count), { width: 54 }),
          hasTimes &&
            numbers('ms', ({ totals }) => fixed(totals.time_ms, 3), { cellClass: 'by', width: 68 }),
          hasTimes && numbers('% of Σ', ({ totals }) => percent(totals.share), { width: 56 }),
          column('', ({ totals }) => bar(amount(totals) / largest, kBar, 'f-reformat hatched'), {
            class: 'bar-cell',
          }),
        ],
        {
          attrs: { 'data-groups': groups[0]?.head ?? '' },
          row: (group) => ({
            attrs: { title: 'Filter to these layers', 'data-name': group.name ?? '–' },
            on: { click: () => this.#filter(group) },
          }),
        },
      );
    replace(this.node, ...all.map(table));
  }

  #filter(group: Group): void {
    const { store } = this.#context;
    if (group.isOrigin) store.addChip(equals('origin', group.name ?? '–'));
    else {
      const ids = group.rows.map((row) => String(store.engine.layerId(row)));
      store.addChip(equals('layer', ...ids));
    }
  }

  table(): FigureTable {
    return figureTable(this.groups().flat(), [
      ['by', null, (group) => group.head.toLowerCase()],
      ['name', null, (group) => group.name ?? 'not recorded'],
      ['layers', 0, (group) => group.totals.count],
      ['ms', 3, (group) => group.totals.time_ms],
      ['% of Σ', 1, (group) => (group.totals.share === null ? null : group.totals.share * 100)],
    ]);
  }
}

export function reformatGroupsFigure(
  context: ViewContext,
  reformats: () => Reformats | null,
): Figure {
  const body = new Groups(context, reformats);
  return new Figure(context, {
    id: 'reformats-by-origin',
    title: 'Conversions by origin',
    explain: () => 'by the origin that the engine records, and by what they do',
    body,
    table: () => body.table(),
  });
}
