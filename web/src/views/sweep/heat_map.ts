// The heat map: a cell for each pair of values of two axes. Steps that cost more than their work are
// marked on the border they cross.

import {
  div,
  el,
  heatScale,
  heatStep,
  kHeatSteps,
  kMissing,
  replace,
  span,
  visible,
  type FigureBody,
  type FigureTable,
  type HeatScale,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import { sideOf, type Side, type Slice, type SweepGrid } from './grid.ts';
import { heatPicture } from './heat_picture.ts';
import { intervalText, measureTitle, valueText, type Measure } from './measures.ts';
import { chooseCell, chosenCell, measureNow, sliceNow } from './state.ts';
import { cellLines, ratioText } from './texts.ts';

export interface HeatCell {
  readonly index: number;
  readonly cell: SweepCell;
  // Null: it has no such figure.
  readonly step: number | null;
  readonly text: string;
  // A step that ends here, across another axis than those shown.
  readonly note: string;
  readonly sides: readonly (readonly [Side, string])[];
}

// Of a cell in px, and of all of them where they are few: as high as the lines beside them.
const kMinHeight = 34;
const kMaxHeight = 72;
const kRoom = 216;

const kStateTexts = { done: kMissing, failed: 'failed', pending: 'not run' } as const;

// Where all are the same, none is hot.
function stepOf(scale: HeatScale, value: number): number {
  return scale.least === scale.greatest ? 0 : heatStep(scale, value);
}

export class HeatMap implements FigureBody {
  readonly node = div('sweep-heat');
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;

  constructor(context: ViewContext, grid: SweepGrid) {
    this.#context = context;
    this.#grid = grid;
    this.node.addEventListener('keydown', (event) => this.#key(event));
  }

  get #slice(): Slice {
    return sliceNow(this.#context.store, this.#grid);
  }

  get #measure(): Measure {
    return measureNow(this.#context.store, this.#grid);
  }

  // Over all cells, so that slices can be compared.
  #scale(): HeatScale | null {
    const measure = this.#measure;
    return heatScale(this.#grid.sweep.cells.flatMap((cell) => measure.of(cell) ?? []));
  }

  explain(): string {
    const measure = this.#measure;
    const interval = this.#grid.sweep.cells.some((cell) => measure.interval(cell) !== null);
    return `${measureTitle(measure)}; heat over all cells${interval ? '; the 95 % interval is in the tooltip' : ''}`;
  }

  // By row, then column; null: the grid has no such cell.
  #cells(scale: HeatScale | null): readonly (readonly (HeatCell | null)[])[] {
    const grid = this.#grid;
    const slice = this.#slice;
    return grid.rows(slice).map((_, row) =>
      grid.columns(slice).map((_name, column) => {
        const index = grid.cellIn(slice, column, row);
        return index === null ? null : this.#cellOf(index, slice, scale);
      }),
    );
  }

  #cellOf(index: number, slice: Slice, scale: HeatScale | null): HeatCell | null {
    const grid = this.#grid;
    const cell = grid.cell(index);
    if (cell === null) return null;
    const measure = this.#measure;
    const value = measure.of(cell);
    const sides: (readonly [Side, string])[] = [];
    const notes: string[] = [];
    for (const cliff of grid.cliffsInto(index)) {
      const side = sideOf(grid, slice, cliff);
      const ratio = ratioText(cliff.time_ratio);
      if (side !== null) sides.push([side, ratio]);
      else notes.push(`${ratio} in ${grid.axis(cliff.axis).name}`);
    }
    return {
      index,
      cell,
      step: value === null || scale === null ? null : stepOf(scale, value),
      text: value === null ? kStateTexts[cell.state] : measure.text(value),
      note: visible(notes.join(', ')),
      sides,
    };
  }

  draw(): void {
    const { store } = this.#context;
    const grid = this.#grid;
    const slice = this.#slice;
    const scale = this.#scale();
    const cells = this.#cells(scale);
    const focused = this.#focused();
    const chosen = chosenCell(store, grid);
    const all = cells.flat().filter((cell) => cell !== null);
    const entry = (all.find(({ index }) => index === chosen) ?? all[0])?.index ?? null;
    const columns = grid.columns(slice);
    const x = grid.axis(slice.x).name;
    const y = slice.y === null ? null : grid.axis(slice.y).name;
    const table = el(
      'table',
      { class: 'sweep-grid' },
      el(
        'caption',
        { class: 'offscreen' },
        visible(`${this.#measure.name} by ${x}${y === null ? '' : ` and ${y}`}`),
      ),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('td', { class: 'corner dim' }, visible(`${y === null ? '' : `${y} ↓ `}${x} →`)),
          ...columns.map((value) => el('th', { attrs: { scope: 'col' } }, visible(value))),
        ),
      ),
      el(
        'tbody',
        {},
        ...grid
          .rows(slice)
          .map((value, row) =>
            el(
              'tr',
              {},
              el('th', { attrs: { scope: 'row' } }, visible(value)),
              ...(cells[row] ?? []).map((cell) => this.#cell(cell, entry, chosen)),
            ),
          ),
      ),
    );
    table.style.setProperty('--columns', String(columns.length));
    const height = Math.min(kMaxHeight, Math.max(kMinHeight, kRoom / cells.length));
    table.style.setProperty('--cell-height', `${height.toFixed(0)}px`);
    replace(this.node, div('sweep-scroll', table), this.#legend(scale, all));
    if (focused !== null) this.#button(focused)?.focus();
  }

  #button(id: string): HTMLElement | null {
    return this.node.querySelector<HTMLElement>(`[data-cell="${CSS.escape(id)}"]`);
  }

  // The cell that has the focus, so that drawing anew does not take it.
  #focused(): string | null {
    const { activeElement } = document;
    return this.node.contains(activeElement)
      ? (activeElement?.getAttribute('data-cell') ?? null)
      : null;
  }

  #cell(of: HeatCell | null, entry: number | null, chosen: number | null): HTMLElement {
    if (of === null) return el('td', { class: 'none' });
    const { index, cell, step } = of;
    const { tooltip, store } = this.#context;
    const lines = cellLines(this.#grid, index);
    const look = step === null ? cell.state : `h-${String(step)}`;
    const button = el(
      'button',
      {
        class: `sweep-cell ${look}${cell.state === 'failed' ? ' hatched' : ''}${index === chosen ? ' chosen' : ''}`,
        attrs: {
          type: 'button',
          'data-cell': cell.id,
          // One stop for all: arrows go from cell to cell.
          tabindex: index === entry ? 0 : -1,
          'aria-pressed': index === chosen ? 'true' : 'false',
          'aria-label': lines.join('; '),
        },
        on: {
          click: () => chooseCell(store, this.#grid, index),
          mousemove: (event) => {
            if (event instanceof MouseEvent) tooltip.lines(lines, event);
          },
          mouseleave: () => tooltip.hide(),
          focus: () => {
            if (!button.matches(':focus-visible')) return;
            const { left, bottom } = button.getBoundingClientRect();
            tooltip.lines(lines, { clientX: left, clientY: bottom - 6 });
          },
          blur: () => tooltip.hide(),
        },
      },
      el('b', {}, of.text),
      of.note === '' ? null : span('sweep-note', of.note),
    );
    return el(
      'td',
      {},
      button,
      ...of.sides.map(([side, ratio]) =>
        el('span', {
          class: `cliff-mark ${side}`,
          attrs: { 'aria-hidden': 'true', title: `cliff: ${ratio} as long` },
        }),
      ),
    );
  }

  #key(event: KeyboardEvent): void {
    const by = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      Home: [0, -Infinity],
      End: [0, Infinity],
    }[event.key];
    const { target } = event;
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(target instanceof Element) || !target.matches('.sweep-cell')) return;
    // Elsewhere on the page arrows go from layer to layer.
    event.preventDefault();
    event.stopPropagation();
    const rows = [...this.node.querySelectorAll('tbody tr')].map((row) => [
      ...row.querySelectorAll('td'),
    ]);
    const td = target.closest('td');
    const row = rows.findIndex((list) => td !== null && list.includes(td));
    const column = td === null ? -1 : (rows[row]?.indexOf(td) ?? -1);
    const [down = 0, right = 0] = by;
    const clamp = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value));
    const next = rows[clamp(row + down, rows.length)];
    const button = next?.[clamp(column + right, next.length)]?.querySelector('button');
    if (button === null || button === undefined) return;
    for (const other of this.node.querySelectorAll('.sweep-cell')) {
      other.setAttribute('tabindex', other === button ? '0' : '-1');
    }
    button.focus();
  }

  #legend(scale: HeatScale | null, cells: readonly HeatCell[]): HTMLElement {
    const measure = this.#measure;
    const has = (state: SweepCell['state']): boolean =>
      cells.some(({ cell }) => cell.state === state);
    const entry = (sample: string, text: string): HTMLElement =>
      span('legend-entry', span(sample), text);
    return div(
      'legend',
      scale === null || scale.least === scale.greatest
        ? null
        : span(
            'legend-entry',
            `${valueText(measure, scale.least)} `,
            span(
              'heat-steps',
              ...Array.from({ length: kHeatSteps }, (_, i) => span(`heat-step h-${String(i)}`)),
            ),
            ` ${valueText(measure, scale.greatest)}`,
          ),
      cells.some(({ sides }) => sides.length > 0)
        ? entry('cliff-sample', 'cliff: a step that costs more than its work explains')
        : null,
      has('failed') ? entry('sample sweep-cell failed hatched', 'failed') : null,
      has('pending') ? entry('sample sweep-cell pending', 'not run yet') : null,
    );
  }

  table(): FigureTable {
    const grid = this.#grid;
    const measure = this.#measure;
    const hasInterval = grid.sweep.cells.some((cell) => measure.interval(cell) !== null);
    const slice = this.#slice;
    const decimals = measure.decimals;
    return {
      columns: [
        ...grid.sweep.axes.map(({ name }) => ({ title: name, decimals: null })),
        { title: 'state', decimals: null },
        { title: measureTitle(measure), decimals },
        ...(hasInterval
          ? [
              { title: '95 % from', decimals },
              { title: '95 % to', decimals },
            ]
          : []),
      ],
      rows: grid.sweep.cells.flatMap((cell, index) => {
        if (!grid.holds(slice, index)) return [];
        const interval = measure.interval(cell);
        return [
          [
            ...cell.values,
            cell.state,
            measure.of(cell),
            ...(hasInterval ? [interval?.[0] ?? null, interval?.[1] ?? null] : []),
          ],
        ];
      }),
    };
  }

  svg(): string {
    const grid = this.#grid;
    const slice = this.#slice;
    const scale = this.#scale();
    const x = grid.axis(slice.x).name;
    return heatPicture(
      {
        corner: `${slice.y === null ? '' : `${grid.axis(slice.y).name} ↓ `}${x} →`,
        columns: grid.columns(slice),
        rows: grid.rows(slice),
        cells: this.#cells(scale),
        // Under the value, as a picture has no tooltip.
        interval: (cell) => {
          const interval = this.#measure.interval(cell);
          return interval === null ? '' : intervalText(...interval);
        },
        legend: this.explain().replace(/;[^;]*tooltip$/, ''),
      },
      this.#context.palette(),
    );
  }
}
