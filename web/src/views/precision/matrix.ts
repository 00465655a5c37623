// What layers read and write: a cell for each pair of types, its heat the time, a hatched bar the part
// of it that only converts.

import {
  bytesText,
  div,
  el,
  Figure,
  figureTable,
  fixed,
  integer,
  percent,
  plural,
  precisionMark,
  replace,
  span,
  visible,
  type FigureBody,
  type FigureTable,
  type PrecisionChanges,
  type Totals,
  type TransitionCell,
  type ViewContext,
} from '../../public/index.ts';
import { matrixSvg } from './pictures.ts';
import { inOrder, kSteps, stepOf, toggled, typeChip } from './order.ts';

const word = (type: string | null): string => (type === null ? 'unknown' : visible(type));

// Cells by "from>to".
function keyOf(from: string | null, to: string | null): string {
  return `${from ?? ''}>${to ?? ''}`;
}

interface Parts {
  // Of all layers, whatever the filter leaves.
  readonly all: ReadonlyMap<string, TransitionCell>;
  readonly shown: ReadonlyMap<string, TransitionCell>;
  readonly reads: readonly (string | null)[];
  readonly writes: readonly (string | null)[];
  readonly isFiltered: boolean;
  // What cells are compared by: time, else bytes, else layers.
  readonly unit: 'ms' | 'bytes' | 'layers';
}

type Unit = Parts['unit'];

const kUnitNames: Readonly<Record<Unit, string>> = {
  ms: 'ms',
  bytes: 'bytes moved',
  layers: 'layers',
};

function amountOf(totals: Totals, unit: Unit): number {
  return (unit === 'ms' ? totals.time_ms : unit === 'bytes' ? totals.io_bytes : totals.count) ?? 0;
}

class Matrix implements FigureBody {
  readonly node = div('matrix-body');
  readonly #context: ViewContext;
  readonly #changes: () => PrecisionChanges | null;
  #cells = new Map<string, HTMLElement>();
  readonly #unsubscribe: () => void;

  constructor(context: ViewContext, changes: () => PrecisionChanges | null) {
    this.#context = context;
    this.#changes = changes;
    this.#unsubscribe = context.store.onHover(() => this.mark());
  }

  parts(): Parts | null {
    const changes = this.#changes();
    if (changes === null) return null;
    const { store } = this.#context;
    const isFiltered = store.state.chips.length > 0;
    const map = (cells: readonly TransitionCell[]): ReadonlyMap<string, TransitionCell> =>
      new Map(cells.map((cell) => [keyOf(cell.from, cell.to), cell]));
    const whole = changes.cells(store.engine.workRows, store.basis, true);
    const all = map(whole);
    return {
      all,
      shown: isFiltered ? map(changes.cells(store.selection.rows, store.basis, false)) : all,
      reads: inOrder(whole.map((cell) => cell.from)),
      writes: inOrder(whole.map((cell) => cell.to)),
      isFiltered,
      unit: store.engine.hasTimes
        ? 'ms'
        : whole.some((cell) => (cell.all.io_bytes ?? 0) > 0)
          ? 'bytes'
          : 'layers',
    };
  }

  #greatest(parts: Parts): number {
    return Math.max(0, ...[...parts.all.values()].map(({ all }) => amountOf(all, parts.unit)));
  }

  draw(): void {
    const parts = this.parts();
    this.#cells = new Map();
    if (parts === null) {
      replace(this.node);
      return;
    }
    const greatest = this.#greatest(parts);
    const heads = parts.writes.map((type) =>
      el('th', { attrs: { scope: 'col' } }, this.#head('out', type)),
    );
    const rows = parts.reads.map((from) =>
      el(
        'tr',
        {},
        el('th', { class: 'reads', attrs: { scope: 'row' } }, this.#head('precision', from)),
        ...parts.writes.map((to) => this.#cell(from, to, parts, greatest)),
        this.#margin(parts, (cell) => cell.from === from),
      ),
    );
    const table = el(
      'table',
      { class: 'matrix' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('td', { class: 'corner' }, el('span', { class: 'dim' }, 'reads ↓ writes →')),
          ...heads,
          el('th', { class: 'margin', attrs: { scope: 'col' } }, 'Σ read'),
        ),
      ),
      el('tbody', {}, ...rows),
      el(
        'tfoot',
        {},
        el(
          'tr',
          {},
          el('th', { class: 'reads', attrs: { scope: 'row' } }, 'Σ written'),
          ...parts.writes.map((to) => this.#margin(parts, (cell) => cell.to === to)),
          this.#margin(parts, () => true),
        ),
      ),
    );
    table.style.setProperty('--columns', String(parts.writes.length));
    replace(this.node, div('matrix-scroll', table), this.#legend(parts, greatest));
    this.mark();
  }

  #head(field: 'precision' | 'out', type: string | null): HTMLElement {
    const verb = field === 'out' ? 'write' : 'read';
    return el(
      'button',
      {
        class: 'matrix-head',
        attrs: { type: 'button', title: `Only layers that ${verb} ${word(type)}` },
        on: { click: () => this.#filter([typeChip(field, type)]) },
      },
      type === null ? span('dim', 'unknown') : precisionMark(type),
    );
  }

  #filter(chips: readonly ReturnType<typeof typeChip>[]): void {
    const { store } = this.#context;
    store.patch({ chips: toggled(store.state.chips, chips) });
  }

  #cell(from: string | null, to: string | null, parts: Parts, greatest: number): HTMLElement {
    const key = keyOf(from, to);
    const whole = parts.all.get(key);
    if (whole === undefined) return el('td', { class: 'none' }, 'none');
    const stays = parts.shown.get(key);
    // What the filter leaves nothing of stays as 25 % ink.
    const cell = stays ?? whole;
    const { step, converted, lines } = this.#words(whole, stays, parts, greatest);
    const bar = span('matrix-bar');
    if (converted > 0) {
      const fill = span('bar f-reformat hatched');
      fill.style.width = `${(converted * 100).toFixed(1)}%`;
      bar.append(fill);
    }
    const button = el(
      'button',
      {
        class: `matrix-cell h-${String(step)}`,
        attrs: { type: 'button', 'data-from': from ?? '–', 'data-to': to ?? '–' },
        on: {
          click: () => this.#filter([typeChip('precision', from), typeChip('out', to)]),
          mousemove: (event) => {
            if (event instanceof MouseEvent) {
              this.#context.tooltip.lines(this.#lines(from, to, cell), event);
            }
          },
          mouseleave: () => this.#context.tooltip.hide(),
        },
      },
      el('b', {}, lines[0] ?? ''),
      lines[1] === '' ? null : span('matrix-sub', lines[1] ?? ''),
      bar,
    );
    this.#cells.set(key, button);
    const isOut = stays === undefined;
    return el('td', { class: `${from === to ? 'same' : ''}${isOut ? ' faded' : ''}` }, button);
  }

  // How warm a cell is, what of it only converts, and its two lines.
  #words(
    whole: TransitionCell,
    stays: TransitionCell | undefined,
    parts: Parts,
    greatest: number,
  ): { readonly step: number; readonly converted: number; readonly lines: readonly string[] } {
    const cell = stays ?? whole;
    const value = amountOf(cell.all, parts.unit);
    const [part, all] =
      parts.unit === 'ms'
        ? [cell.conversions.time_ms ?? 0, cell.all.time_ms ?? 0]
        : [cell.conversions.count, cell.all.count];
    const ofAll =
      stays !== undefined && cell.all.count < whole.all.count
        ? ` of ${integer(whole.all.count)}`
        : '';
    const count = `${integer(cell.all.count)}${ofAll} ${whole.all.count === 1 ? 'layer' : 'layers'}`;
    const bytes = cell.all.io_bytes === null ? '' : ` · ${bytesText(cell.all.io_bytes)}`;
    return {
      step: stepOf(value, greatest),
      converted: all > 0 ? part / all : 0,
      lines:
        parts.unit === 'layers'
          ? [count, '']
          : parts.unit === 'ms'
            ? [`${fixed(cell.all.time_ms, 3)} ms`, count + bytes]
            : [bytesText(cell.all.io_bytes), count],
    };
  }

  #lines(from: string | null, to: string | null, cell: TransitionCell): readonly string[] {
    const share = cell.all.share === null ? '' : `, ${percent(cell.all.share)} % of Σ`;
    const part = (name: string, totals: Totals): string | null =>
      totals.count === 0
        ? null
        : `${plural(totals.count, name)}${totals.time_ms === null ? '' : `: ${fixed(totals.time_ms, 3)} ms`}`;
    return [
      `reads ${word(from)}, writes ${word(to)}`,
      `${plural(cell.all.count, 'layer')}${cell.all.time_ms === null ? '' : `: ${fixed(cell.all.time_ms, 3)} ms`}${share}`,
      part('conversion', cell.conversions),
      part('convolution or product', cell.matrix),
      part('other', cell.others),
    ].filter((line) => line !== null);
  }

  #marginWords(parts: Parts, keep: (cell: TransitionCell) => boolean): readonly string[] {
    const cells = [...parts.shown.values()].filter(keep);
    const sum = (of: (totals: Totals) => number | null): number | null => {
      const known = cells.map((cell) => of(cell.all)).filter((v) => v !== null);
      return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
    };
    const count = sum((t) => t.count) ?? 0;
    const ms = sum((t) => t.time_ms);
    const bytes = sum((t) => t.io_bytes);
    const share = sum((t) => t.share);
    return [
      ...(parts.unit === 'layers'
        ? []
        : [parts.unit === 'ms' ? `${fixed(ms, 3)} ms` : bytesText(bytes)]),
      parts.unit === 'ms' ? `${percent(share)} % of Σ` : plural(count, 'layer'),
    ];
  }

  #margin(parts: Parts, keep: (cell: TransitionCell) => boolean): HTMLElement {
    const [first = '', second = ''] = this.#marginWords(parts, keep);
    return el('td', { class: 'margin' }, first, span('matrix-sub dim', second));
  }

  #legend(parts: Parts, greatest: number): HTMLElement {
    const edge = (step: number): string => {
      const at = (greatest * step) / kSteps;
      return parts.unit === 'layers'
        ? integer(at)
        : parts.unit === 'ms'
          ? fixed(at, 3)
          : bytesText(at);
    };
    const unit = parts.unit === 'ms' ? ' ms' : parts.unit === 'layers' ? ' layers' : '';
    const steps = span(
      'heat-steps',
      ...Array.from({ length: kSteps }, (_, i) => span(`heat-step h-${String(i)}`)),
    );
    const hasUnknown = parts.reads.includes(null) || parts.writes.includes(null);
    return div(
      'matrix-legend',
      span('legend-entry', '0 ', steps, ` ${edge(kSteps)}${unit}`),
      span(
        'legend-entry',
        span('bar matrix-sample f-reformat hatched'),
        `share of the cell's ${parts.unit === 'ms' ? 'time' : 'layers'} that only converts`,
      ),
      span('legend-entry', span('matrix-sample same'), 'framed: same type'),
      hasUnknown ? span('legend-entry', 'unknown: type not recorded') : null,
    );
  }

  // The cells of the layer under the pointer and of the selected one.
  mark(): void {
    const changes = this.#changes();
    if (changes === null) return;
    const { store } = this.#context;
    const cellOf = (row: number | null): string | null =>
      row === null ? null : keyOf(changes.readType(row), changes.writtenType(row));
    const hovered = cellOf(store.hovered);
    const selected = cellOf(store.state.selected);
    for (const [key, cell] of this.#cells) {
      cell.classList.toggle('lit', key === hovered);
      cell.classList.toggle('chosen', key === selected);
    }
  }

  table(): FigureTable {
    const parts = this.parts();
    const cells = [...(parts?.shown.values() ?? [])];
    return figureTable(cells, [
      ['reads', null, (cell) => word(cell.from)],
      ['writes', null, (cell) => word(cell.to)],
      ['layers', 0, (cell) => cell.all.count],
      ['ms', 3, (cell) => cell.all.time_ms],
      ['% of Σ', 1, (cell) => (cell.all.share === null ? null : cell.all.share * 100)],
      ['moved MB', 1, (cell) => (cell.all.io_bytes === null ? null : cell.all.io_bytes / 1e6)],
      ['conversions', 0, (cell) => cell.conversions.count],
      ['conversions ms', 3, (cell) => cell.conversions.time_ms],
      ['convolutions and products', 0, (cell) => cell.matrix.count],
      ['their ms', 3, (cell) => cell.matrix.time_ms],
    ]);
  }

  svg(): string {
    const parts = this.parts();
    if (parts === null || this.#cells.size === 0) return '';
    const greatest = this.#greatest(parts);
    return matrixSvg(
      {
        reads: parts.reads,
        writes: parts.writes,
        ofRow: parts.reads.map((from) => this.#marginWords(parts, (cell) => cell.from === from)),
        ofColumn: parts.writes.map((to) => this.#marginWords(parts, (cell) => cell.to === to)),
        ofAll: this.#marginWords(parts, () => true),
        cell: (from, to) => {
          const whole = parts.all.get(keyOf(from, to));
          if (whole === undefined) return null;
          const stays = parts.shown.get(keyOf(from, to));
          return {
            ...this.#words(whole, stays, parts, greatest),
            isSame: from === to,
            isOut: stays === undefined,
          };
        },
        legend: `heat: ${kUnitNames[parts.unit]}; hatched: share of the cell that only converts; framed: same type`,
      },
      this.#context.palette(),
    );
  }

  destroy(): void {
    this.#unsubscribe();
  }
}

export interface MatrixFigure {
  readonly figure: Figure;
  mark(): void;
}

export function matrixFigure(
  context: ViewContext,
  changes: () => PrecisionChanges | null,
): MatrixFigure {
  const body = new Matrix(context, changes);
  const figure = new Figure(context, {
    id: 'precision-transitions',
    title: 'Precision transitions',
    explain: () => {
      const { store } = context;
      const of = store.state.chips.length > 0 ? 'filtered layers' : 'layers';
      return `what layers read and write: ${plural(store.selection.rows.length, of.replace(/s$/, ''), of)}, heat = ${kUnitNames[body.parts()?.unit ?? 'layers']}; click to filter`;
    },
    body,
    table: () => body.table(),
  });
  return { figure, mark: () => body.mark() };
}
