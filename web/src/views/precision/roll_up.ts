// How much of the engine runs in which type: read, written and computed in, by layers and by time; and
// the same for each type of layer.

import {
  bodyFont,
  choiceLinks,
  div,
  el,
  equals,
  Figure,
  fixed,
  integer,
  kMissing,
  percent,
  precisionKey,
  precisionMark,
  replace,
  span,
  textWidth,
  totalsOf,
  typeMark,
  visible,
  type FigureBody,
  type FigureTable,
  type PrecisionChanges,
  type Totals,
  type ViewContext,
} from '../../public/index.ts';
import { inOrder, toggled, typeChip } from './order.ts';
import { stripsSvg, type Strip, type StripPart } from './pictures.ts';

export const kSides = ['reads', 'writes', 'computes'] as const;
export type Side = (typeof kSides)[number];

const kSideNames: Readonly<Record<Side, string>> = {
  reads: 'reads',
  writes: 'writes',
  computes: 'computes in',
};
const kPlural: Readonly<Record<Side, string>> = {
  reads: 'read',
  writes: 'write',
  computes: 'compute in',
};
const kSideFields = { reads: 'precision', writes: 'out', computes: 'compute' } as const;

// What stands before a strip, and what a text leaves free in its part.
const kStripHeads = 118;
const kStripPadding = 12;

type TypeOf = (row: number) => string | null;

// The three types of a layer. What it computes in is only known where its kernel says it.
export function sidesOf(
  context: ViewContext,
  changes: PrecisionChanges | null,
): Record<Side, TypeOf> {
  const { layers } = context.store.engine;
  return {
    reads: (row) => changes?.readType(row) ?? layers.text('precision', row),
    writes: (row) => layers.text('output_precision', row),
    computes: (row) => layers.text('compute_precision', row),
  };
}

function byType(context: ViewContext, typeOf: TypeOf): ReadonlyMap<string | null, Totals> {
  const { store } = context;
  const rows = new Map<string | null, number[]>();
  for (const row of store.selection.rows) {
    const type = typeOf(row);
    const list = rows.get(type);
    if (list === undefined) rows.set(type, [row]);
    else list.push(row);
  }
  return new Map(
    [...rows].map(([type, list]) => [type, totalsOf(store.engine, list, store.basis)]),
  );
}

function fillClass(type: string | null): string {
  const key = precisionKey(type);
  return key === 'unknown' ? 'unknown' : `p-${key}`;
}

// From wide to narrow, those that have any.
function partsOf(
  totals: ReadonlyMap<string | null, Totals>,
  amount: (totals: Totals) => number,
): readonly StripPart[] {
  const sum = [...totals.values()].reduce((all, t) => all + amount(t), 0);
  return inOrder(totals.keys()).flatMap((type) => {
    const t = totals.get(type);
    const part = t === undefined || !(sum > 0) ? 0 : amount(t) / sum;
    if (!(part > 0)) return [];
    const name = type === null ? 'not recorded' : visible(type);
    return [{ type, name, part, text: `${name} ${percent(part)} %` }];
  });
}

class RollUp implements FigureBody {
  readonly node = div('roll-up');
  readonly #context: ViewContext;
  readonly #changes: () => PrecisionChanges | null;
  #stripPx = 0;

  constructor(context: ViewContext, changes: () => PrecisionChanges | null) {
    this.#context = context;
    this.#changes = changes;
  }

  #sides(): ReadonlyMap<Side, ReadonlyMap<string | null, Totals>> {
    const sides = sidesOf(this.#context, this.#changes());
    return new Map(kSides.map((side) => [side, byType(this.#context, sides[side])]));
  }

  draw(width: number): void {
    const sides = this.#sides();
    const { store } = this.#context;
    const rows: HTMLElement[] = [];
    this.#stripPx = Math.max(0, width - kStripHeads);
    for (const side of kSides) {
      const totals = sides.get(side) ?? new Map<string | null, Totals>();
      rows.push(this.#strip(side, 'layers', totals, (t) => t.count));
      if (store.engine.hasTimes)
        rows.push(this.#strip(side, 'time', totals, (t) => t.time_ms ?? 0));
    }
    const types = inOrder([...sides.values()].flatMap((totals) => [...totals.keys()]));
    replace(this.node, div('strips', ...rows), this.#numbers(types, sides));
  }

  #strip(
    side: Side,
    what: 'layers' | 'time',
    totals: ReadonlyMap<string | null, Totals>,
    amount: (totals: Totals) => number,
  ): HTMLElement {
    const palette = this.#context.palette();
    const parts = partsOf(totals, amount).map(({ type, name, part }) => {
      const fill = palette.precision(type);
      const ink = fill === null ? palette.ui('ink') : palette.inkOn(fill);
      const text = this.#stripText(name, part);
      const node = el(
        'button',
        {
          class: `strip-part ${fillClass(type)}`,
          attrs: {
            type: 'button',
            'aria-label': `${kSideNames[side]} ${name}: ${percent(part)} % of the ${what}`,
            title: `${kSideNames[side]} ${name}: ${percent(part)} % of the ${what}`,
          },
          on: { click: () => this.#filter(side, type) },
        },
        // Where no ink can be read on the fill, it has a ground of its own.
        text === '' ? null : span(`strip-text${ink === null ? ' grounded' : ''}`, text),
      );
      node.style.flexGrow = part.toFixed(5);
      if (ink !== null) node.style.color = ink;
      return node;
    });
    return div(
      `strip-row${what === 'layers' ? ' first' : ''}`,
      span('strip-side', what === 'layers' ? kSideNames[side] : ''),
      span('strip-what dim', what),
      div('strip', ...parts),
    );
  }

  // The most that fits: name and share, the name, nothing; what is cut tells nothing.
  #stripText(name: string, part: number): string {
    const room = part * this.#stripPx - kStripPadding;
    const font = bodyFont(10);
    const words = [`${name} ${percent(part)} %`, name];
    return words.find((text) => textWidth(text, font) <= room) ?? '';
  }

  #filter(side: Side, type: string | null): void {
    const { store } = this.#context;
    store.patch({ chips: toggled(store.state.chips, [typeChip(kSideFields[side], type)]) });
  }

  #numbers(
    types: readonly (string | null)[],
    sides: ReadonlyMap<Side, ReadonlyMap<string | null, Totals>>,
  ): HTMLElement {
    const { hasTimes } = this.#context.store.engine;
    const head = (text: string, help: string, className: string): HTMLElement =>
      el('th', { class: className, attrs: { scope: 'col', title: help } }, text);
    const heads = (side: Side): readonly HTMLElement[] => [
      head('n', `layers that ${kPlural[side]} it`, 'right group-start'),
      ...(hasTimes
        ? [head('ms', 'their time', 'right'), head('% of Σ', 'their share of Σ layers', 'right')]
        : []),
    ];
    const cells = (side: Side, type: string | null): readonly HTMLElement[] => {
      const t = sides.get(side)?.get(type);
      return [
        el('td', { class: 'right group-start' }, t === undefined ? '' : integer(t.count)),
        ...(hasTimes
          ? [
              el('td', { class: 'right' }, t === undefined ? '' : fixed(t.time_ms, 3)),
              el('td', { class: 'right dim' }, t === undefined ? '' : percent(t.share)),
            ]
          : []),
      ];
    };
    const group = { colspan: hasTimes ? 3 : 1, scope: 'colgroup' };
    return div(
      'wide-scroll',
      el(
        'table',
        { class: 'plain roll-up-table' },
        el(
          'thead',
          {},
          el(
            'tr',
            { class: 'over' },
            el('td'),
            ...kSides.map((side) =>
              el('th', { class: 'right group-start', attrs: group }, kSideNames[side]),
            ),
          ),
          el('tr', {}, head('Type', 'type of the data', ''), ...kSides.flatMap(heads)),
        ),
        el(
          'tbody',
          {},
          ...types.map((type) =>
            el(
              'tr',
              { attrs: { 'data-type': type ?? '–' } },
              el('td', {}, type === null ? span('dim', 'not recorded') : precisionMark(type)),
              ...kSides.flatMap((side) => cells(side, type)),
            ),
          ),
        ),
      ),
    );
  }

  table(): FigureTable {
    const sides = this.#sides();
    return {
      columns: [
        { title: 'side', decimals: null },
        { title: 'type', decimals: null },
        { title: 'layers', decimals: 0 },
        { title: 'ms', decimals: 3 },
        { title: '% of Σ', decimals: 1 },
      ],
      rows: kSides.flatMap((side) => {
        const totals = sides.get(side) ?? new Map<string | null, Totals>();
        return inOrder(totals.keys()).map((type) => {
          const t = totals.get(type);
          const share = t?.share ?? null;
          return [
            kSideNames[side],
            type ?? 'not recorded',
            t?.count ?? 0,
            t?.time_ms ?? null,
            share === null ? null : share * 100,
          ];
        });
      }),
    };
  }

  svg(): string {
    const { hasTimes } = this.#context.store.engine;
    if (this.#stripPx === 0) return '';
    const strips = [...this.#sides()].flatMap(([side, totals]): readonly Strip[] => {
      const strip = (what: string, amount: (totals: Totals) => number): Strip => ({
        side: what === 'layers' ? kSideNames[side] : '',
        what,
        parts: partsOf(totals, amount),
      });
      return [
        strip('layers', (t) => t.count),
        ...(hasTimes ? [strip('time', (t) => t.time_ms ?? 0)] : []),
      ];
    });
    return stripsSvg(strips, this.#context.palette());
  }
}

export function rollUpFigure(context: ViewContext, changes: () => PrecisionChanges | null): Figure {
  const body = new RollUp(context, changes);
  return new Figure(context, {
    id: 'precision-roll-up',
    title: 'Precision roll-up',
    explain: () =>
      context.store.engine.layers.has('compute_precision')
        ? 'of the layers, and of their time'
        : 'the compute type of kernels is not recorded',
    body,
    table: () => body.table(),
  });
}

interface TypeRow {
  readonly type: string | null;
  readonly example: number;
  readonly all: Totals;
  readonly parts: ReadonlyMap<string | null, Totals>;
}

const kMaxTypes = 14;

class TypeTable implements FigureBody {
  readonly node = div('type-precision');
  readonly #context: ViewContext;
  readonly #changes: () => PrecisionChanges | null;

  constructor(context: ViewContext, changes: () => PrecisionChanges | null) {
    this.#context = context;
    this.#changes = changes;
  }

  side(): Side {
    const wanted = this.#context.store.option('precision.of');
    return kSides.find((side) => side === wanted) ?? 'reads';
  }

  rows(): readonly TypeRow[] {
    const { store } = this.#context;
    const { engine, basis } = store;
    const typeOf = sidesOf(this.#context, this.#changes())[this.side()];
    const rows = new Map<string | null, number[]>();
    for (const row of store.selection.rows) {
      const type = engine.layers.text('type', row);
      const list = rows.get(type);
      if (list === undefined) rows.set(type, [row]);
      else list.push(row);
    }
    return [...rows]
      .map(([type, list]): TypeRow => {
        const parts = new Map<string | null, number[]>();
        for (const row of list) {
          const precision = typeOf(row);
          const part = parts.get(precision);
          if (part === undefined) parts.set(precision, [row]);
          else part.push(row);
        }
        return {
          type,
          example: list[0] ?? 0,
          all: totalsOf(engine, list, basis),
          parts: new Map(
            [...parts].map(([precision, part]) => [precision, totalsOf(engine, part, basis)]),
          ),
        };
      })
      .sort((a, b) => (b.all.time_ms ?? 0) - (a.all.time_ms ?? 0) || b.all.count - a.all.count);
  }

  choice(): HTMLElement {
    const { store } = this.#context;
    return choiceLinks(
      'by what it',
      kSides.map((id) => ({ id, name: kSideNames[id] })),
      this.side(),
      (side) => store.setOption('precision.of', side === 'reads' ? null : side),
    );
  }

  draw(): void {
    const rows = this.rows();
    const { store } = this.#context;
    const { hasTimes } = store.engine;
    const precisions = inOrder(rows.flatMap((row) => [...row.parts.keys()]));
    const shown = rows.slice(0, kMaxTypes);
    const amount = (t: Totals): number => (hasTimes ? (t.time_ms ?? 0) : t.count);
    const largest = Math.max(0, ...rows.map((row) => amount(row.all)));
    const cell = (row: TypeRow, precision: string | null): HTMLElement => {
      const t = row.parts.get(precision);
      if (t === undefined) return el('td', { class: 'right dim' }, '');
      const field = kSideFields[this.side()];
      return el(
        'td',
        { class: 'right' },
        el(
          'button',
          {
            class: 'cell-button',
            attrs: {
              type: 'button',
              title: `Only ${row.type ?? 'unknown'} layers that ${kPlural[this.side()]} ${precision ?? 'a type that is not recorded'}`,
            },
            on: {
              click: () =>
                store.patch({
                  chips: toggled(store.state.chips, [
                    equals('type', row.type ?? '–'),
                    typeChip(field, precision),
                  ]),
                }),
            },
          },
          hasTimes ? fixed(t.time_ms, 3) : '',
          span('dim', ` ${integer(t.count)}`),
        ),
      );
    };
    const stack = (row: TypeRow): HTMLElement => {
      const track = span('stack');
      for (const precision of precisions) {
        const t = row.parts.get(precision);
        if (t === undefined || !(largest > 0)) continue;
        const part = span(`bar ${fillClass(precision)}`);
        part.style.width = `${((amount(t) / largest) * 100).toFixed(2)}%`;
        track.append(part);
      }
      return track;
    };
    const rest = rows.length - shown.length;
    replace(
      this.node,
      div(
        'wide-scroll',
        el(
          'table',
          { class: 'plain type-precision-table' },
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              el('th', { attrs: { scope: 'col' } }, 'Layer type'),
              ...precisions.map((precision) =>
                el(
                  'th',
                  { class: 'right', attrs: { scope: 'col' } },
                  precision === null ? 'not recorded' : precisionMark(precision),
                ),
              ),
              el('th', { attrs: { scope: 'col' } }, hasTimes ? 'ms, n' : 'n'),
            ),
          ),
          el(
            'tbody',
            {},
            ...shown.map((row) =>
              el(
                'tr',
                { attrs: { 'data-type': row.type ?? '–' } },
                el('td', {}, typeMark(store.engine, row.example)),
                ...precisions.map((precision) => cell(row, precision)),
                el('td', { class: 'stack-cell' }, stack(row)),
              ),
            ),
          ),
        ),
      ),
      rest > 0 ? div('dim table-note', `${integer(rest)} more types: table, CSV`) : null,
    );
  }

  table(): FigureTable {
    const rows = this.rows();
    return {
      columns: [
        { title: 'type', decimals: null },
        { title: kSideNames[this.side()], decimals: null },
        { title: 'layers', decimals: 0 },
        { title: 'ms', decimals: 3 },
        { title: '% of Σ', decimals: 1 },
      ],
      rows: rows.flatMap((row) =>
        inOrder(row.parts.keys()).map((precision) => {
          const t = row.parts.get(precision);
          const share = t?.share ?? null;
          return [
            row.type ?? kMissing,
            precision ?? 'not recorded',
            t?.count ?? 0,
            t?.time_ms ?? null,
            share === null ? null : share * 100,
          ];
        }),
      ),
    };
  }
}

export function typeFigure(context: ViewContext, changes: () => PrecisionChanges | null): Figure {
  const body = new TypeTable(context, changes);
  return new Figure(context, {
    id: 'precision-by-type',
    title: 'Types of layers by precision',
    explain: () =>
      `${context.store.engine.hasTimes ? 'ms and layers' : 'layers'} that ${kPlural[body.side()]} each type`,
    body,
    aside: () => [body.choice()],
    table: () => body.table(),
  });
}
