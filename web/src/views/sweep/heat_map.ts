// The heat map: one cell per pair of values of two axes. Steps that cost more than their work
// explains are marked on the border they cross.

import {
  div,
  el,
  Figure,
  figureTable,
  heatScale,
  heatStep,
  keepFocus,
  kHeatSteps,
  kMissing,
  replace,
  span,
  visible,
  type Child,
  type DataColumn,
  type FigureTable,
  type HeatScale,
  type SweepCell,
} from '../../public/index.ts';
import { sideOf, type Side } from './grid.ts';
import { heatPicture } from './heat_picture.ts';
import { intervalOf, measureTitle, valueText } from './measures.ts';
import type { Shown } from './state.ts';
import { axisData, cellLines, ratioText } from './texts.ts';

export interface HeatCell {
  readonly cell: SweepCell;
  // Null: it has no such figure.
  readonly step: number | null;
  readonly text: string;
  // A step that ends here, along an axis other than those shown.
  readonly note: string;
  readonly sides: readonly (readonly [Side, string])[];
}

export interface HeatMap {
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  // By row, then column; null: the grid has no such cell.
  readonly cells: readonly (readonly (HeatCell | null)[])[];
  // Over all cells, so that slices can be compared; null: none has the figure.
  readonly scale: HeatScale | null;
}

// Of a cell in px, and of all of them if there are few: as high as the lines next to them.
const kMinHeight = 34;
const kMaxHeight = 72;
const kRoom = 216;

const kStateTexts = { done: kMissing, failed: 'failed', pending: 'not run' } as const;

// By rows and columns.
const kKeySteps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

export function heatFigure(shown: Shown): Figure {
  const node = div('sweep-heat');
  node.addEventListener('keydown', (event) => moveFocus(node, event));
  return new Figure(shown.context, {
    id: 'sweep-heat',
    title: 'Cells',
    explain: () =>
      `${explain(shown)}${hasInterval(shown) ? '; the 95 % interval is in the tooltip' : ''}`,
    body: {
      node,
      draw: () => keepFocus(node, () => replace(node, ...heatTable(shown, heatOf(shown)))),
      svg: () => heatPicture(shown, heatOf(shown), explain(shown)),
    },
    table: () => dataOf(shown),
  });
}

function explain({ measure }: Shown): string {
  return `${measureTitle(measure)}; heat over all cells`;
}

function hasInterval({ grid, measure }: Shown): boolean {
  return grid.sweep.cells.some((cell) => intervalOf(measure, cell) !== null);
}

function heatOf(shown: Shown): HeatMap {
  const { grid, slice, measure } = shown;
  const [columns, rows] = [grid.columns(slice), grid.rows(slice)];
  const scale = heatScale(grid.sweep.cells.flatMap((cell) => cell[measure.key] ?? []));
  const y = slice.y === null ? '' : `${grid.axis(slice.y).name} ↓ `;
  return {
    corner: visible(`${y}${grid.axis(slice.x).name} →`),
    columns: columns.map(visible),
    rows: rows.map(visible),
    cells: rows.map((_, row) =>
      columns.map((_name, column) => heatCell(shown, grid.cellIn(slice, column, row), scale)),
    ),
    scale,
  };
}

function heatCell(shown: Shown, cell: SweepCell | null, scale: HeatScale | null): HeatCell | null {
  if (cell === null) return null;
  const { grid, slice, measure } = shown;
  const value = cell[measure.key];
  const sides: (readonly [Side, string])[] = [];
  const notes: string[] = [];
  for (const cliff of grid.cliffsInto(cell)) {
    const side = sideOf(grid, slice, cliff);
    const ratio = ratioText(cliff.time_ratio);
    if (side !== null) sides.push([side, ratio]);
    else notes.push(`${ratio} in ${grid.axis(cliff.axis).name}`);
  }
  return {
    cell,
    step: value === null || scale === null ? null : stepOf(scale, value),
    text: value === null ? kStateTexts[cell.state] : measure.text(value),
    note: visible(notes.join(', ')),
    sides,
  };
}

// If all are equal, none is hot.
function stepOf(scale: HeatScale, value: number): number {
  return scale.least === scale.greatest ? 0 : heatStep(scale, value);
}

function heatTable(shown: Shown, map: HeatMap): readonly HTMLElement[] {
  const { grid, slice, measure, chosen } = shown;
  const { columns, rows, cells } = map;
  const all = cells.flat().filter((one) => one !== null);
  const entry = all.find(({ cell }) => cell === chosen) ?? all[0];
  const y = slice.y === null ? '' : ` and ${grid.axis(slice.y).name}`;
  const caption = visible(`${measure.name} by ${grid.axis(slice.x).name}${y}`);
  const head = (scope: string, value: string): HTMLElement => el('th', { attrs: { scope } }, value);
  const row = (value: string, at: number): HTMLElement => {
    const own = (cells[at] ?? []).map((of) =>
      of === null ? el('td') : tableCell(shown, of, of === entry),
    );
    return el('tr', {}, head('row', value), ...own);
  };
  const corner = el('td', { class: 'corner dim' }, map.corner);
  const height = Math.min(kMaxHeight, Math.max(kMinHeight, kRoom / rows.length));
  const css = { '--columns': String(columns.length), '--cell-height': `${height.toFixed(0)}px` };
  const table = el(
    'table',
    { class: 'heat-table sweep-grid', css },
    el('caption', { class: 'offscreen' }, caption),
    el('thead', {}, el('tr', {}, corner, ...columns.map((value) => head('col', value)))),
    el('tbody', {}, ...rows.map(row)),
  );
  return [div('wide-scroll', table), legend(shown, map.scale, all)];
}

// `isEntry`: one tab stop for all cells; arrow keys move between them.
function tableCell(shown: Shown, of: HeatCell, isEntry: boolean): HTMLElement {
  const { cell, step } = of;
  const { tooltip } = shown.context;
  const lines = cellLines(shown.grid, cell);
  const isChosen = cell === shown.chosen;
  const look = step === null ? cell.state : `h-${String(step)}`;
  const hide = (): void => tooltip.hide();
  const attrs = {
    type: 'button',
    'data-cell': cell.id,
    tabindex: isEntry ? 0 : -1,
    'aria-pressed': String(isChosen),
    'aria-label': lines.join('; '),
  };
  const on = {
    click: () => shown.choose(cell),
    mousemove: (event: Event) => {
      if (event instanceof MouseEvent) tooltip.lines(lines, event);
    },
    mouseleave: hide,
    focus: () => {
      if (!button.matches(':focus-visible')) return;
      const { left, bottom } = button.getBoundingClientRect();
      tooltip.lines(lines, { clientX: left, clientY: bottom - 6 });
    },
    blur: hide,
  };
  const hatch = cell.state === 'failed' ? ' hatched' : '';
  const button = el(
    'button',
    { class: `heat-cell sweep-cell ${look}${hatch}${isChosen ? ' chosen' : ''}`, attrs, on },
    el('b', {}, of.text),
    of.note !== '' && span('sweep-note cut', of.note),
  );
  const marks = of.sides.map(([side, ratio]) => {
    const title = `cliff: ${ratio} as long`;
    return el('span', { class: `cliff-mark ${side}`, attrs: { 'aria-hidden': 'true', title } });
  });
  return el('td', {}, button, ...marks);
}

function moveFocus(node: HTMLElement, event: KeyboardEvent): void {
  const step = kKeySteps[event.key];
  const button = event.target;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(button instanceof Element) || !button.matches('.sweep-cell')) return;
  // Elsewhere on the page, arrow keys move from layer to layer.
  event.preventDefault();
  event.stopPropagation();
  const at = button.closest('td');
  const rows = [...node.querySelectorAll<HTMLTableRowElement>('tbody tr')];
  const row = rows.findIndex((one) => one.contains(button));
  const clamp = (value: number, from: number, count: number): number =>
    Math.min(count - 1, Math.max(from, value));
  const cells = rows[clamp(row + step[0], 0, rows.length)]?.cells;
  // The first is the head of the row.
  const next =
    cells?.[clamp((at?.cellIndex ?? 1) + step[1], 1, cells.length)]?.querySelector('button');
  if (next === null || next === undefined) return;
  node.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
  next.setAttribute('tabindex', '0');
  next.focus();
}

function legend(
  { measure }: Shown,
  scale: HeatScale | null,
  all: readonly HeatCell[],
): HTMLElement {
  const entry = (isThere: boolean, ...content: readonly Child[]): Child =>
    isThere && span('legend-entry', ...content);
  const has = (state: SweepCell['state']): boolean => all.some(({ cell }) => cell.state === state);
  const value = (of: number | undefined): string => valueText(measure, of ?? Number.NaN);
  const steps = Array.from({ length: kHeatSteps }, (_, i) => span(`heat-step h-${String(i)}`));
  return div(
    'legend sweep-legend',
    entry(
      scale?.least !== scale?.greatest,
      `${value(scale?.least)} `,
      span('heat-steps', ...steps),
      ` ${value(scale?.greatest)}`,
    ),
    entry(
      all.some(({ sides }) => sides.length > 0),
      span('tick-mark cliff-sample'),
      'cliff: a step that costs more than its work explains',
    ),
    entry(has('failed'), span('sample sweep-cell failed hatched'), 'failed'),
    entry(has('pending'), span('sample sweep-cell pending'), 'not run yet'),
  );
}

function dataOf(shown: Shown): FigureTable {
  const { grid, slice, measure } = shown;
  const end = (at: 0 | 1) => (cell: SweepCell) => intervalOf(measure, cell)?.[at];
  const ends: readonly DataColumn<SweepCell>[] = [
    ['95 % from', measure.decimals, end(0)],
    ['95 % to', measure.decimals, end(1)],
  ];
  return figureTable(
    grid.sweep.cells.filter((cell) => grid.holds(slice, cell)),
    [
      ...axisData(grid),
      ['state', null, (cell) => cell.state],
      [measureTitle(measure), measure.decimals, (cell) => cell[measure.key]],
      ...(hasInterval(shown) ? ends : []),
    ],
  );
}
