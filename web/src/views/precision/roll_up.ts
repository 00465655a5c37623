// How much of the engine runs in which type: read, written and computed in, by layers and by time; and
// the same for each type of layer.

import {
  bodyFont,
  choiceLinks,
  column,
  div,
  el,
  equals,
  Figure,
  figureTable,
  fixed,
  integer,
  kMissing,
  numbers,
  percent,
  plainTable,
  precisionKey,
  precisionMark,
  replace,
  span,
  textWidth,
  totalsOf,
  typeMark,
  visible,
  type Columns,
  type Content,
  type DataColumn,
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

// Layers, their time and its share, of what is saved.
function totalsData<Row>(of: (row: Row) => Totals | undefined): readonly DataColumn<Row>[] {
  const share = (row: Row): number | null => {
    const ratio = of(row)?.share ?? null;
    return ratio === null ? null : ratio * 100;
  };
  return [
    ['layers', 0, (row) => of(row)?.count ?? 0],
    ['ms', 3, (row) => of(row)?.time_ms],
    ['% of Σ', 1, share],
  ];
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
    const ofSide = (side: Side): Columns<string | null> => {
      const of = (type: string | null): Totals | undefined => sides.get(side)?.get(type);
      const text = (figure: (totals: Totals) => string) => (type: string | null) => {
        const totals = of(type);
        return totals === undefined ? '' : figure(totals);
      };
      return [
        numbers(
          'n',
          text((t) => integer(t.count)),
          { help: `layers that ${kPlural[side]} it`, class: 'group-start' },
        ),
        hasTimes &&
          numbers(
            'ms',
            text((t) => fixed(t.time_ms, 3)),
            { help: 'their time' },
          ),
        hasTimes &&
          numbers(
            '% of Σ',
            text((t) => percent(t.share)),
            { help: 'their share of Σ layers', cellClass: 'dim' },
          ),
      ];
    };
    const attrs = { colspan: hasTimes ? 3 : 1, scope: 'colgroup' };
    const over = el(
      'tr',
      { class: 'over' },
      el('td'),
      ...kSides.map((side) => el('th', { class: 'right group-start', attrs }, kSideNames[side])),
    );
    return div(
      'wide-scroll',
      plainTable(
        'roll-up-table',
        types,
        [
          column(
            'Type',
            (type) => (type === null ? span('dim', 'not recorded') : precisionMark(type)),
            { help: 'type of the data' },
          ),
          ...kSides.flatMap(ofSide),
        ],
        { over, row: (type) => ({ attrs: { 'data-type': type ?? '–' } }) },
      ),
    );
  }

  table(): FigureTable {
    const rows = [...this.#sides()].flatMap(([side, totals]) =>
      inOrder(totals.keys()).map((type) => ({ side, type, of: totals.get(type) })),
    );
    return figureTable(rows, [
      ['side', null, ({ side }) => kSideNames[side]],
      ['type', null, ({ type }) => type ?? 'not recorded'],
      ...totalsData<(typeof rows)[number]>(({ of }) => of),
    ]);
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
    const field = kSideFields[this.side()];
    const cell = (row: TypeRow, precision: string | null): Content => {
      const t = row.parts.get(precision);
      if (t === undefined) return '';
      const filter = [equals('type', row.type ?? '–'), typeChip(field, precision)];
      const attrs = {
        type: 'button',
        title: `Only ${row.type ?? 'unknown'} layers that ${kPlural[this.side()]} ${precision ?? 'a type that is not recorded'}`,
      };
      const click = (): void => store.patch({ chips: toggled(store.state.chips, filter) });
      return el(
        'button',
        { class: 'cell-button', attrs, on: { click } },
        hasTimes ? fixed(t.time_ms, 3) : '',
        span('dim', ` ${integer(t.count)}`),
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
        plainTable(
          'type-precision-table',
          shown,
          [
            column('Layer type', (row) => typeMark(store.engine, row.example)),
            ...precisions.map((precision) =>
              numbers<TypeRow>(
                precision === null ? 'not recorded' : precisionMark(precision),
                (row) => cell(row, precision),
              ),
            ),
            column(hasTimes ? 'ms, n' : 'n', stack, { cellClass: 'stack-cell' }),
          ],
          { row: ({ type }) => ({ attrs: { 'data-type': type ?? '–' } }) },
        ),
      ),
      rest > 0 ? div('dim table-note', `${integer(rest)} more types: table, CSV`) : null,
    );
  }

  table(): FigureTable {
    const rows = this.rows().flatMap(({ type, parts }) =>
      inOrder(parts.keys()).map((precision) => ({ type, precision, of: parts.get(precision) })),
    );
    return figureTable(rows, [
      ['type', null, ({ type }) => type ?? kMissing],
      [kSideNames[this.side()], null, ({ precision }) => precision ?? 'not recorded'],
      ...totalsData<(typeof rows)[number]>(({ of }) => of),
    ]);
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
