// The heat map's values as lines: along x, one line per value of y, with its intervals.

import {
  bodyFont,
  choiceLinks,
  coveringTicks,
  figureTable,
  fitName,
  fixed,
  joined,
  plural,
  precisionKey,
  textWidth,
  tickDecimals,
  visible,
  type FamilyKey,
  type Figure,
  type FigureTable,
  type Palette,
  type SweepCell,
} from '../../public/index.ts';
import { logScale } from '../../public/page/log_scale.ts';
import {
  plotFigure,
  ticksOfLog,
  upwards,
  upwardsLog,
  xAxis,
  yAxis,
  type Frame,
  type Plot,
  type Scale,
  type Ticks,
} from '../../public/plot/index.ts';
import { spreadApart } from '../../public/plot/label_places.ts';
import { intervalOf, measureTitle } from './measures.ts';
import type { Shown } from './state.ts';
import { cellLines, ratioText } from './texts.ts';

const kLeft = 52;
const kTop = 26;
const kPlot = 220;
const kBottom = 44;
const kMaxName = 120;
const kLabelHeight = 13;
const kRadius = 3.5;
const kHit = 9;
const kCap = 4;
const kMaxTicks = 7;

// Values of an axis have no colours of their own: distinguishable ones first, then grey.
const kFills: readonly FamilyKey[] = [
  'convolution',
  'opaque',
  'pool',
  'norm',
  'plugin',
  'pointwise',
];

interface Point {
  readonly cell: SweepCell;
  readonly column: number;
  readonly value: number;
  readonly interval: readonly [number, number] | null;
}

interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

export function linesFigure(shown: Shown): Figure {
  const label = (): string => `${plural(linesOf(shown).length, 'line')}: ${explain(shown)}`;
  return plotFigure(
    shown.context,
    {
      explain: () => explain(shown),
      label: () => `${label()}. The table has the numbers.`,
      height: () => kTop + kPlot + kBottom,
      draw: (plot) => drawLines(plot, shown),
      table: () => dataOf(shown),
    },
    { id: 'sweep-lines', title: 'As lines', aside: () => [scaleChoice(shown)] },
  );
}

function linesOf({ grid, slice, measure }: Shown): readonly Line[] {
  return grid.rows(slice).map((name, row) => ({
    name: visible(name),
    points: grid.columns(slice).flatMap((_, column): readonly Point[] => {
      const cell = grid.cellIn(slice, column, row);
      const value = cell?.[measure.key] ?? null;
      if (cell === null || value === null) return [];
      return [{ cell, column, value, interval: intervalOf(measure, cell) }];
    }),
  }));
}

function explain(shown: Shown): string {
  const { grid, slice, measure } = shown;
  const points = linesOf(shown).flatMap((line) => line.points);
  const parts = [
    `${measureTitle(measure)} over ${grid.axis(slice.x).name}`,
    slice.y !== null && `one line per ${grid.axis(slice.y).name}`,
    points.some(({ interval }) => interval !== null) && 'bars: 95 % intervals',
  ];
  return visible(joined(parts, '; '));
}

function isLog({ context }: Shown): boolean {
  return context.store.option('sweep.scale') === 'log';
}

function scaleChoice(shown: Shown): HTMLElement {
  const options = [
    { id: 'linear', name: 'from 0' },
    { id: 'log', name: 'logarithmic' },
  ];
  return choiceLinks('scale', options, isLog(shown) ? 'log' : 'linear', (id) =>
    shown.context.store.setOption('sweep.scale', id === 'log' ? id : null),
  );
}

function colourOf({ grid, slice }: Shown, name: string, row: number, palette: Palette): string {
  const isPrecision = slice.y !== null && grid.axis(slice.y).name === 'precision';
  // "f32" is what OpenVINO calls FP32.
  const precision = name.toUpperCase().replace(/^F(?=\d)/, 'FP');
  const isKnown = isPrecision && precisionKey(precision) !== 'unknown';
  const known = isKnown ? palette.precision(precision) : null;
  const family = kFills[row];
  return known ?? (family === undefined ? palette.ui('ink3') : palette.family(family));
}

// From 0, or by powers of ten.
function axisOf(shown: Shown, frame: Frame, values: readonly number[]): readonly [Scale, Ticks] {
  const { measure } = shown;
  const withText = (ticks: Ticks): Ticks =>
    measure.key === 'memory_bytes' ? { ...ticks, text: measure.text } : ticks;
  const scale = isLog(shown) ? logScale([], values) : null;
  if (scale !== null) return [upwardsLog(frame, scale), withText(ticksOfLog(scale, kMaxTicks))];
  const ticks = coveringTicks(Math.max(0, ...values), 4);
  const decimals = tickDecimals(ticks);
  const text = (tick: number): string => fixed(tick, decimals);
  const most = ticks.at(-1) ?? 0;
  return [upwards(frame, 0, most > 0 ? most : 1), withText({ values: ticks, text })];
}

function drawLines(plot: Plot, shown: Shown): void {
  const { grid, slice, measure } = shown;
  const { palette } = plot;
  const lines = linesOf(shown);
  const soft = palette.ui('ink3');
  const names = lines.map(({ name }) => fitName(name, kMaxName, bodyFont(11)));
  const axisName = slice.y === null ? '' : visible(grid.axis(slice.y).name);
  const widest = Math.max(
    textWidth(axisName, bodyFont(10)),
    ...names.map((name) => textWidth(name, bodyFont(11))),
  );
  const right = slice.y === null ? 16 : 14 + widest;
  const width = Math.max(40, plot.width - kLeft - right);
  const frame: Frame = { left: kLeft, top: kTop, width, height: kPlot };
  const columns = grid.columns(slice).map(visible);
  const step = width / columns.length;
  const x: Scale = (column) => kLeft + (column + 0.5) * step;
  const points = lines.flatMap((line) => line.points);
  const [y, ticks] = axisOf(
    shown,
    frame,
    points.flatMap(({ value, interval }) => [value, interval?.[1] ?? value]),
  );
  yAxis(plot, frame, y, ticks);
  const text = (column: number): string => fitName(columns[column] ?? '', step - 6, bodyFont(10));
  const title = visible(grid.axis(slice.x).name);
  xAxis(plot, frame, x, { values: [...columns.keys()], text }, { lines: false, title });
  plot.text(measureTitle(measure), kLeft - 40, kTop - 16, { fill: soft });
  for (const [row, { name, points }] of lines.entries()) {
    const colour = colourOf(shown, name, row, palette);
    drawStretches(plot, points, colour, x, y);
    for (const { cell, column, value } of points) {
      const [left, top] = [x(column), y(value)];
      const isChosen = shown.chosen === cell;
      plot.circle(left, top, isChosen ? kRadius + 2 : kRadius, {
        fill: colour,
        stroke: palette.ui(isChosen ? 'selb' : 'bg'),
        width: isChosen ? 2 : 1,
      });
      // Larger than the visible mark, to be easy to hit.
      plot.hit(left - kHit, top - kHit, left + kHit, top + kHit, {
        lines: () => cellLines(grid, cell),
        click: () => shown.choose(cell),
      });
    }
  }
  drawCliffs(plot, shown, points, x, y);
  if (slice.y === null) return;
  const edge = kLeft + width;
  const ends = lines.flatMap(({ points }, row) => {
    const last = points.at(-1);
    return last === undefined ? [] : [{ x: x(last.column), y: y(last.value), name: names[row] }];
  });
  const wanted = ends.map((end) => end.y);
  const places = spreadApart(wanted, kLabelHeight, kTop, kTop + kPlot);
  for (const [i, end] of ends.entries()) {
    const at = places[i] ?? end.y;
    plot.line([end.x + kRadius + 2, end.y, edge + 4, at], palette.ui('line2'));
    plot.text(end.name ?? '', edge + 6, at, { fill: palette.ui('ink2'), size: 11 });
  }
  plot.text(axisName, edge + 6, kTop - 16, { fill: soft });
}

// If a cell failed, the line has a gap.
function drawStretches(
  plot: Plot,
  points: readonly Point[],
  colour: string,
  x: Scale,
  y: Scale,
): void {
  const ink = plot.palette.ui('ink2');
  for (const [i, { column, value, interval }] of points.entries()) {
    const at = x(column);
    const before = points[i - 1];
    if (before?.column === column - 1) {
      plot.line([x(before.column), y(before.value), at, y(value)], colour, { width: 1.5 });
    }
    if (interval === null) continue;
    const [low, high] = [y(interval[0]), y(interval[1])];
    plot.line([at, low, at, high], ink);
    for (const end of [low, high]) plot.line([at - kCap, end, at + kCap, end], ink);
  }
}

function drawCliffs(
  plot: Plot,
  { grid, slice }: Shown,
  points: readonly Point[],
  x: Scale,
  y: Scale,
): void {
  const colour = plot.palette.ui('slower');
  const pointOf = (index: number): Point | undefined =>
    points.find(({ cell }) => cell === grid.cell(index));
  for (const { a, b, axis, time_ratio } of grid.sweep.cliffs) {
    const [before, after] = [pointOf(a), pointOf(b)];
    if (before === undefined || after === undefined || axis !== slice.x) continue;
    const [x0, y0] = [x(before.column), y(before.value)];
    const [x1, y1] = [x(after.column), y(after.value)];
    plot.line([x0, y0, x1, y1], colour, { width: 3.5 });
    plot.text(`cliff ${ratioText(time_ratio)}`, (x0 + x1) / 2 - 8, (y0 + y1) / 2 - 8, {
      fill: colour,
      align: 'right',
      weight: 600,
      size: 11,
      rim: plot.palette.ui('bg'),
    });
  }
}

function dataOf(shown: Shown): FigureTable {
  const { grid, slice, measure } = shown;
  const title = slice.y === null ? measure.name : grid.axis(slice.y).name;
  return figureTable(grid.columns(slice), [
    [grid.axis(slice.x).name, null, (value) => value],
    ...grid
      .rows(slice)
      .map(
        (name, row) =>
          [
            `${title} ${name}`.trim(),
            measure.decimals,
            (_: string, column: number) => grid.cellIn(slice, column, row)?.[measure.key],
          ] as const,
      ),
  ]);
}
