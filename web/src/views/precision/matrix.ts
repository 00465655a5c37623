// What layers read and write: one cell per pair of types, its heat the time, a hatched bar the
// share of it that only converts.

import {
  bytesText,
  column,
  div,
  el,
  equals,
  Figure,
  figureTable,
  fixed,
  heatSteps,
  htmlBody,
  htmlSvg,
  integer,
  kMissing,
  percent,
  plainTable,
  plural,
  precisionMark,
  precisionOf,
  span,
  visible,
  type Content,
  type Totals,
  type TransitionCell,
  type ViewContext,
} from '../../public/index.ts';
import { inOrder, stepOf, toggleChips } from './order.ts';
import { costText, timeText, totalsData } from './totals.ts';

const word = (type: string | null): string => (type === null ? 'unknown' : visible(type));

// The quantity that cells compare: time, else bytes, else layers.
interface Unit {
  readonly name: string;
  readonly amount: (totals: Totals) => number | null;
  readonly text: (amount: number | null) => string;
}

const kTime: Unit = {
  name: 'ms',
  amount: ({ time_ms }) => time_ms,
  text: (ms) => `${fixed(ms, 3)} ms`,
};
const kBytes: Unit = { name: 'bytes moved', amount: ({ io_bytes }) => io_bytes, text: bytesText };
const kLayers: Unit = {
  name: 'layers',
  amount: ({ count }) => count,
  text: (count) => plural(count ?? 0, 'layer'),
};

// Cells by "from>to".
const keyOf = (from: string | null, to: string | null): string => `${from ?? ''}>${to ?? ''}`;

function byKey(cells: readonly TransitionCell[]): ReadonlyMap<string, TransitionCell> {
  return new Map(cells.map((cell) => [keyOf(cell.from, cell.to), cell]));
}

class Matrix {
  readonly #context: ViewContext;
  // Over all layers, whatever the filter.
  readonly whole: readonly TransitionCell[];
  readonly shown: readonly TransitionCell[];
  readonly unit: Unit;
  readonly #all: ReadonlyMap<string, TransitionCell>;
  readonly #stays: ReadonlyMap<string, TransitionCell>;
  readonly #greatest: number;

  constructor(context: ViewContext) {
    const { engine, basis, selection, state } = context.store;
    const changes = precisionOf(engine);
    this.#context = context;
    this.whole = changes?.cells(engine.workRows, basis, true) ?? [];
    this.shown =
      state.chips.length > 0 ? (changes?.cells(selection.rows, basis, false) ?? []) : this.whole;
    this.#all = byKey(this.whole);
    this.#stays = byKey(this.shown);
    const hasBytes = this.whole.some(({ all }) => (all.io_bytes ?? 0) > 0);
    this.unit = engine.hasTimes ? kTime : hasBytes ? kBytes : kLayers;
    this.#greatest = Math.max(0, ...this.whole.map(({ all }) => this.unit.amount(all) ?? 0));
  }

  nodes(): readonly HTMLElement[] {
    const reads = inOrder(this.whole.map(({ from }) => from));
    const writes = inOrder(this.whole.map(({ to }) => to));
    const table = plainTable('heat-table matrix', reads, [
      column(span('dim', 'reads ↓ writes →'), (from) => this.#head('precision', from), {
        isHead: true,
        class: 'corner',
        foot: () => 'Σ written',
      }),
      ...writes.map((to) =>
        column<string | null>(this.#head('out', to), (from) => this.#cell(from, to), {
          cellClass: (from) => this.#cellClass(from, to),
          foot: () => this.#margin((cell) => cell.to === to),
        }),
      ),
      column('Σ read', (from) => this.#margin((cell) => cell.from === from), {
        class: 'margin',
        foot: () => this.#margin(() => true),
      }),
    ]);
    table.style.setProperty('--columns', String(writes.length));
    return [div('wide-scroll', table), this.#legend(reads.includes(null) || writes.includes(null))];
  }

  #head(field: 'precision' | 'out', type: string | null): HTMLElement {
    const { store } = this.#context;
    const title = `Only layers that ${field === 'out' ? 'write' : 'read'} ${word(type)}`;
    const click = (): void => toggleChips(store, equals(field, type ?? kMissing));
    return el(
      'button',
      { class: 'matrix-head', attrs: { type: 'button', title }, on: { click } },
      type === null ? span('dim', 'unknown') : precisionMark(type),
    );
  }

  #cellClass(from: string | null, to: string | null): string {
    const key = keyOf(from, to);
    if (!this.#all.has(key)) return 'cell none';
    // Cells with no layer that passes the filter are drawn with 25 % opacity.
    return this.#stays.has(key) ? 'cell' : 'cell faded';
  }

  #cell(from: string | null, to: string | null): Content {
    const { store, tooltip } = this.#context;
    const key = keyOf(from, to);
    const whole = this.#all.get(key);
    if (whole === undefined) return 'none';
    const cell = this.#stays.get(key) ?? whole;
    const { all, conversions } = cell;
    const [part, sum] =
      this.unit === kTime
        ? [conversions.time_ms ?? 0, all.time_ms ?? 0]
        : [conversions.count, all.count];
    const step = stepOf(this.unit.amount(all) ?? 0, this.#greatest);
    const of = all.count < whole.all.count ? ` of ${integer(whole.all.count)}` : '';
    const layers = `${integer(all.count)}${of} ${whole.all.count === 1 ? 'layer' : 'layers'}`;
    const bytes =
      this.unit === kTime && all.io_bytes !== null ? ` · ${bytesText(all.io_bytes)}` : '';
    const css = { width: `${((part / sum) * 100).toFixed(1)}%` };
    return el(
      'button',
      {
        class: `heat-cell matrix-cell h-${String(step)}${from === to ? ' same' : ''}`,
        attrs: { type: 'button', 'data-from': from ?? kMissing, 'data-to': to ?? kMissing },
        on: {
          click: () =>
            toggleChips(
              store,
              equals('precision', from ?? kMissing),
              equals('out', to ?? kMissing),
            ),
          mousemove: (event) => tooltip.lines(this.#lines(cell), event as MouseEvent),
          mouseleave: () => tooltip.hide(),
        },
      },
      el('b', {}, this.unit === kLayers ? layers : this.unit.text(this.unit.amount(all))),
      this.unit === kLayers ? null : span('matrix-sub', layers + bytes),
      span('matrix-bar', part > 0 ? el('span', { class: 'bar f-reformat hatched', css }) : null),
    );
  }

  #lines({ from, to, all, conversions, matrix, others }: TransitionCell): readonly string[] {
    const part = (name: string, totals: Totals): readonly string[] =>
      totals.count === 0 ? [] : [`${plural(totals.count, name)}${timeText(totals, ': ')}`];
    return [
      `reads ${word(from)}, writes ${word(to)}`,
      `${plural(all.count, 'layer')}${costText(all, ': ')}`,
      ...part('conversion', conversions),
      ...part('convolution or product', matrix),
      ...part('other', others),
    ];
  }

  #margin(keep: (cell: TransitionCell) => boolean): Content {
    const cells = this.shown.filter(keep);
    const sum = (of: (totals: Totals) => number | null): number | null => {
      const known = cells.map(({ all }) => of(all)).filter((value) => value !== null);
      return known.length === 0 ? null : known.reduce((a, b) => a + b);
    };
    const share = `${percent(sum(({ share: own }) => own))} % of Σ`;
    const layers = plural(sum(kLayers.amount) ?? 0, 'layer');
    const below = this.unit === kTime ? share : this.unit === kLayers ? '' : layers;
    return [this.unit.text(sum(this.unit.amount)), span('matrix-sub dim', below)];
  }

  #legend(hasUnknown: boolean): HTMLElement {
    const what = this.unit === kTime ? 'time' : 'layers';
    return div(
      'legend',
      span('legend-entry', '0 ', heatSteps(), ` ${this.unit.text(this.#greatest)}`),
      span(
        'legend-entry',
        span('sample bar f-reformat hatched'),
        `share of the cell's ${what} that only converts`,
      ),
      span('legend-entry', span('sample same'), 'framed: same type'),
      hasUnknown ? span('legend-entry', 'unknown: type not recorded') : null,
    );
  }
}

export interface MatrixFigure {
  readonly figure: Figure;
  mark(): void;
}

export function matrixFigure(context: ViewContext): MatrixFigure {
  const { store } = context;
  const body = htmlBody('matrix-body', () => new Matrix(context).nodes());
  // The cells of the layer under the pointer and of the selected one.
  const mark = (): void => {
    const changes = precisionOf(store.engine);
    const cellOf = (row: number | null): string | null =>
      row === null || changes === null
        ? null
        : keyOf(changes.readType(row) ?? kMissing, changes.writtenType(row) ?? kMissing);
    const hovered = cellOf(store.hovered);
    const selected = cellOf(store.state.selected);
    for (const cell of body.node.querySelectorAll<HTMLElement>('.matrix-cell')) {
      const key = keyOf(cell.dataset.from ?? null, cell.dataset.to ?? null);
      cell.classList.toggle('lit', key === hovered);
      cell.classList.toggle('chosen', key === selected);
    }
  };
  const explain = (): string => {
    const of = store.state.chips.length > 0 ? 'filtered layer' : 'layer';
    const { unit } = new Matrix(context);
    return `what layers read and write: ${plural(store.selection.rows.length, of)}, heat = ${unit.name}; click to filter`;
  };
  const figure = new Figure(context, {
    id: 'precision-transitions',
    title: 'Precision transitions',
    explain,
    body: {
      node: body.node,
      draw: (width) => {
        body.draw(width);
        mark();
      },
      svg: () => htmlSvg(body.node, explain(), context.palette()),
      destroy: store.onHover(mark),
    },
    table: () =>
      figureTable(new Matrix(context).shown, [
        ['reads', null, ({ from }) => word(from)],
        ['writes', null, ({ to }) => word(to)],
        ...totalsData<TransitionCell>(({ all }) => all),
        ['moved MB', 1, ({ all }) => (all.io_bytes === null ? null : all.io_bytes / 1e6)],
        ['conversions', 0, ({ conversions }) => conversions.count],
        ['conversions ms', 3, ({ conversions }) => conversions.time_ms],
        ['convolutions and products', 0, ({ matrix }) => matrix.count],
        ['their ms', 3, ({ matrix }) => matrix.time_ms],
      ]),
  });
  return { figure, mark };
}
