// What the heat map shows, as lines: along x, a line for each value of y, with its intervals.

import {
  bodyFont,
  choiceLinks,
  coveringTicks,
  fitName,
  isNumber,
  plural,
  precisionKey,
  textWidth,
  tickDecimals,
  visible,
  fixed,
  type FamilyKey,
  type FigureTable,
  type Palette,
  type SweepCell,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { lineShape, rectShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { logScale, logTicks, placeOn, tickText } from '../../public/log_scale.ts';
import { idOf, linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import type { Slice } from './grid.ts';
import { spreadApart } from './label_places.ts';
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

// Values of an axis have no colours of their own: those that can be told apart, then grey.
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

interface Axis {
  readonly ticks: readonly number[];
  readonly yOf: (value: number) => number;
  readonly text: (tick: number) => string;
}

interface Line {
  readonly name: string;
  readonly row: number;
  readonly points: readonly Point[];
}

export class LinesChart implements TabledChart {
  readonly #shown: Shown;

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  #lines(): readonly Line[] {
    const { grid, slice, measure } = this.#shown;
    return grid.rows(slice).map((name, row) => ({
      name,
      row,
      points: grid.columns(slice).flatMap((_, column): readonly Point[] => {
        const cell = grid.cellIn(slice, column, row);
        const value = cell?.[measure.key] ?? null;
        if (cell === null || value === null) return [];
        return [{ cell, column, value, interval: intervalOf(measure, cell) }];
      }),
    }));
  }

  explain(): string {
    const { grid, slice, measure } = this.#shown;
    const lines = this.#lines().filter(({ points }) => points.length > 0);
    const hasInterval = lines.some(({ points }) =>
      points.some(({ interval }) => interval !== null),
    );
    return [
      `${measureTitle(measure)} over ${grid.axis(slice.x).name}`,
      slice.y === null ? null : `a line for each ${grid.axis(slice.y).name}`,
      hasInterval ? 'bars: 95 % intervals' : null,
    ]
      .filter((part) => part !== null)
      .map(visible)
      .join('; ');
  }

  label(): string {
    const lines = this.#lines();
    return `${plural(lines.length, 'line')}: ${this.explain()}. The table holds the numbers.`;
  }

  height(): number {
    return kTop + kPlot + kBottom;
  }

  lines(data: unknown): readonly string[] | null {
    return linesOf(data);
  }

  click(data: unknown): void {
    const cell = this.#shown.grid.byId(idOf(data));
    if (cell !== null) this.#shown.choose(cell);
  }

  #colour(line: Line, slice: Slice, palette: Palette): string {
    const isPrecision = slice.y !== null && this.#shown.grid.axis(slice.y).name === 'precision';
    const key = isPrecision ? precisionOf(line.name) : null;
    const known = key === null ? null : palette.precision(key);
    const family = kFills[line.row];
    return known ?? (family === undefined ? palette.ui('ink3') : palette.family(family));
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const { grid, slice } = this.#shown;
    const lines = this.#lines();
    const font = bodyFont(11);
    const nameOf = (line: Line): string => fitName(visible(line.name), kMaxName, font);
    const axisName = slice.y === null ? '' : visible(grid.axis(slice.y).name);
    const widest = Math.max(
      textWidth(axisName, bodyFont(10)),
      ...lines.map((line) => textWidth(nameOf(line), font)),
    );
    const right = slice.y === null ? 16 : 14 + widest;
    const columns = grid.columns(slice);
    const inner = Math.max(40, size.width - kLeft - right);
    const xOf = (column: number): number => kLeft + ((column + 0.5) / columns.length) * inner;
    const values = lines.flatMap(({ points }) =>
      points.flatMap(({ value, interval }) => [value, interval?.[1] ?? value]),
    );
    const axis = this.#axis(values);
    const { yOf } = axis;
    const below = this.#frame(palette, axis, columns, xOf, inner);
    const marks: PlacedMark[] = [];
    const above: Shape[] = [];
    const ends = lines.flatMap((line) => {
      const last = line.points.at(-1);
      return last === undefined ? [] : [{ line, y: yOf(last.value), x: xOf(last.column) }];
    });
    for (const line of lines) {
      const colour = this.#colour(line, slice, palette);
      below.push(...this.#line(line, colour, palette, xOf, yOf));
      marks.push(...line.points.map((point) => this.#point(point, colour, palette, xOf, yOf)));
    }
    above.push(...this.#cliffs(lines, palette, xOf, yOf));
    if (slice.y !== null) {
      const places = spreadApart(
        ends.map(({ y }) => y),
        kLabelHeight,
        kTop,
        kTop + kPlot,
      );
      for (const [i, { line, x, y }] of ends.entries()) {
        const at = places[i] ?? y;
        const left = kLeft + inner + 6;
        above.push(
          lineShape(
            [
              [x + kRadius + 2, y],
              [left - 2, at],
            ],
            palette.ui('line2'),
          ),
          textShape(nameOf(line), left, at, { fill: palette.ui('ink2') }),
        );
      }
      above.push(
        textShape(axisName, kLeft + inner + 6, kTop - 16, {
          fill: palette.ui('ink3'),
          size: 10,
        }),
      );
    }
    return placedOption(below, marks, above);
  }

  // From 0, or by powers of ten.
  #axis(values: readonly number[]): Axis {
    const { measure } = this.#shown;
    const scale = this.#isLog ? logScale([], values) : null;
    if (scale !== null) {
      return {
        ticks: logTicks(scale, kMaxTicks),
        yOf: (value) => kTop + kPlot * (1 - placeOn(scale, value)),
        text: measure.id === 'memory' ? measure.text : tickText,
      };
    }
    const ticks = coveringTicks(Math.max(0, ...values), 4);
    const most = ticks.at(-1) ?? 1;
    const decimals = tickDecimals(ticks);
    return {
      ticks,
      yOf: (value) => kTop + kPlot * (1 - value / (most > 0 ? most : 1)),
      text: measure.id === 'memory' ? measure.text : (tick) => fixed(tick, decimals),
    };
  }

  get #isLog(): boolean {
    return this.#shown.context.store.option('sweep.scale') === 'log';
  }

  choice(): HTMLElement {
    const { store } = this.#shown.context;
    return choiceLinks(
      'scale',
      [
        { id: 'linear', name: 'from 0' },
        { id: 'log', name: 'logarithmic' },
      ],
      this.#isLog ? 'log' : 'linear',
      (id) => store.setOption('sweep.scale', id === 'log' ? id : null),
    );
  }

  #frame(
    palette: Palette,
    { ticks, yOf, text }: Axis,
    columns: readonly string[],
    xOf: (column: number) => number,
    inner: number,
  ): Shape[] {
    const soft = palette.ui('ink3');
    const { grid, slice, measure } = this.#shown;
    const shapes: Shape[] = [];
    for (const tick of ticks) {
      const y = Math.round(yOf(tick)) + 0.5;
      shapes.push(
        lineShape(
          [
            [kLeft, y],
            [kLeft + inner, y],
          ],
          palette.ui(tick === 0 ? 'line2' : 'line'),
        ),
        textShape(text(tick), kLeft - 6, y, { fill: soft, align: 'right', size: 10 }),
      );
    }
    const room = inner / columns.length - 6;
    for (const [column, value] of columns.entries()) {
      shapes.push(
        textShape(fitName(visible(value), room, bodyFont(10)), xOf(column), kTop + kPlot + 12, {
          fill: soft,
          align: 'center',
          size: 10,
        }),
      );
    }
    shapes.push(
      textShape(measureTitle(measure), kLeft - 40, kTop - 16, { fill: soft, size: 10 }),
      textShape(visible(grid.axis(slice.x).name), kLeft + inner, kTop + kPlot + 28, {
        fill: soft,
        align: 'right',
        size: 10,
      }),
    );
    return shapes;
  }

  // Where a cell failed, the line has a gap.
  #line(
    line: Line,
    colour: string,
    palette: Palette,
    xOf: (column: number) => number,
    yOf: (value: number) => number,
  ): readonly Shape[] {
    const shapes: Shape[] = [];
    for (const [i, point] of line.points.entries()) {
      const x = xOf(point.column);
      const before = line.points[i - 1];
      if (before?.column === point.column - 1) {
        const from = [xOf(before.column), yOf(before.value)] as const;
        shapes.push(lineShape([from, [x, yOf(point.value)]], colour, 1.5));
      }
      if (point.interval !== null) {
        const [low, high] = [yOf(point.interval[0]), yOf(point.interval[1])];
        const ink = palette.ui('ink2');
        const cap = (y: number): Shape =>
          lineShape(
            [
              [x - kCap, y],
              [x + kCap, y],
            ],
            ink,
          );
        shapes.push(
          lineShape(
            [
              [x, low],
              [x, high],
            ],
            ink,
          ),
          cap(low),
          cap(high),
        );
      }
    }
    return shapes;
  }

  #point(
    { cell, column, value }: Point,
    colour: string,
    palette: Palette,
    xOf: (column: number) => number,
    yOf: (value: number) => number,
  ): PlacedMark {
    const [x, y] = [xOf(column), yOf(value)];
    const isChosen = this.#shown.chosen === cell;
    return {
      lines: cellLines(this.#shown.grid, cell),
      id: cell.id,
      shape: {
        type: 'group',
        children: [
          // More than can be seen, to be hit.
          rectShape(x - kHit, y - kHit, x + kHit, y + kHit, { fill: 'transparent' }),
          {
            type: 'circle',
            shape: { cx: x, cy: y, r: isChosen ? kRadius + 2 : kRadius },
            style: {
              fill: colour,
              stroke: palette.ui(isChosen ? 'selb' : 'bg'),
              lineWidth: isChosen ? 2 : 1,
            },
          },
        ],
      },
    };
  }

  #cliffs(
    lines: readonly Line[],
    palette: Palette,
    xOf: (column: number) => number,
    yOf: (value: number) => number,
  ): readonly Shape[] {
    const points = lines.flatMap((line) => line.points);
    const { grid, slice } = this.#shown;
    const pointOf = (index: number): Point | undefined =>
      points.find(({ cell }) => cell === grid.cell(index));
    return grid.sweep.cliffs.flatMap((cliff): readonly Shape[] => {
      const [a, b] = [pointOf(cliff.a), pointOf(cliff.b)];
      if (a === undefined || b === undefined || cliff.axis !== slice.x) return [];
      const from = [xOf(a.column), yOf(a.value)] as const;
      const to = [xOf(b.column), yOf(b.value)] as const;
      const colour = palette.ui('slower');
      return [
        lineShape([from, to], colour, 3.5),
        textShape(
          `cliff ${ratioText(cliff.time_ratio)}`,
          (from[0] + to[0]) / 2 - 8,
          (from[1] + to[1]) / 2 - 8,
          { fill: colour, align: 'right', weight: 600, rim: palette.ui('bg') },
        ),
      ];
    });
  }

  table(): FigureTable {
    const { grid, slice, measure } = this.#shown;
    const { decimals } = measure;
    const lines = this.#lines();
    const title = slice.y === null ? measure.name : grid.axis(slice.y).name;
    return {
      columns: [
        { title: grid.axis(slice.x).name, decimals: null },
        ...lines.map(({ name }) => ({ title: `${title} ${name}`.trim(), decimals })),
      ],
      rows: grid.columns(slice).map((value, column) => [
        value,
        ...lines.map(({ points }) => {
          const point = points.find((one) => one.column === column);
          return isNumber(point?.value) ? point.value : null;
        }),
      ]),
    };
  }
}

// "f32" is what OpenVINO calls FP32.
function precisionOf(value: string): string | null {
  const name = value.toUpperCase().replace(/^F(?=\d)/, 'FP');
  return precisionKey(name) === 'unknown' ? null : name;
}
