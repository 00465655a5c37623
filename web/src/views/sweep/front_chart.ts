// Latency against throughput, or against memory: the cells that none beats in both are joined and
// named.

import {
  bodyFont,
  bytesPer,
  bytesText,
  fitName,
  isNumber,
  plural,
  textWidth,
  type FigureTable,
  type Palette,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { lineShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { frameShapes, xInFrame, yInFrame, type LogFrame } from '../../public/log_frame.ts';
import { logScale } from '../../public/log_scale.ts';
import { idOf, linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import type { SweepGrid } from './grid.ts';
import { placeNames, type Box } from './label_places.ts';
import { chooseCell, chosenCell } from './state.ts';
import { cellLines, shortCellText } from './texts.ts';

const kMargin = { left: 52, right: 18, top: 24, bottom: 42 };
const kPlot = 230;
const kRadius = 5;
const kFaint = 4;
const kNameHeight = 14;
const kMaxName = 190;
const kAbove = 18;
const kTitleWidth = 110;

export type FrontId = 'throughput' | 'memory';

interface Against {
  readonly title: string;
  readonly unit: string;
  // From the stored figure to the axis' unit.
  readonly scale: number;
  readonly decimals: number;
  of(cell: SweepCell): number | null;
}

function againstOf(id: FrontId, cells: readonly SweepCell[]): Against {
  if (id === 'throughput') {
    return {
      title: 'throughput',
      unit: 'items/s',
      scale: 1,
      decimals: 1,
      of: (cell) => cell.items_per_s,
    };
  }
  const most = Math.max(0, ...cells.map((cell) => cell.memory_bytes ?? 0));
  const [, unit = 'B'] = bytesText(most).split(' ');
  return {
    title: 'memory',
    unit,
    scale: 1 / bytesPer(unit),
    decimals: 1,
    of: (cell) => cell.memory_bytes,
  };
}

export class FrontChart implements TabledChart {
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;
  readonly #id: FrontId;
  readonly #against: Against;

  constructor(context: ViewContext, grid: SweepGrid, id: FrontId) {
    this.#context = context;
    this.#grid = grid;
    this.#id = id;
    this.#against = againstOf(id, grid.sweep.cells);
  }

  get #front(): readonly number[] {
    const { throughput_front, memory_front } = this.#grid.sweep;
    return this.#id === 'throughput' ? throughput_front : memory_front;
  }

  // The best in either figure first: where there is no room for all names, theirs are there.
  get #byImportance(): readonly number[] {
    const [first, ...others] = this.#front;
    const last = others.pop();
    return [first, last, ...others].filter((index) => index !== undefined);
  }

  // Cells that have both figures.
  get #shown(): readonly number[] {
    return this.#grid.sweep.cells.flatMap((cell, i) =>
      isNumber(cell.latency_ms) && isNumber(this.#against.of(cell)) ? [i] : [],
    );
  }

  get isEmpty(): boolean {
    return this.#front.length === 0;
  }

  explain(): string {
    const wanted = this.#id === 'throughput' ? 'more throughput' : 'less memory';
    return `${plural(this.#front.length, 'cell')} of ${String(this.#shown.length)}: no other has both a shorter latency and ${wanted}`;
  }

  label(): string {
    return `Latency against ${this.#against.title}. ${this.explain()}. The table holds the numbers.`;
  }

  height(): number {
    return kMargin.top + kPlot + kMargin.bottom;
  }

  lines(data: unknown): readonly string[] | null {
    return linesOf(data);
  }

  click(data: unknown): void {
    const index = this.#grid.indexOf(idOf(data));
    if (index !== null) chooseCell(this.#context.store, this.#grid, index);
  }

  #x(index: number): number {
    return this.#grid.cell(index)?.latency_ms ?? Number.NaN;
  }

  #y(index: number): number {
    const cell = this.#grid.cell(index);
    return ((cell === null ? null : this.#against.of(cell)) ?? Number.NaN) * this.#against.scale;
  }

  #frame(width: number): LogFrame | null {
    const shown = this.#shown;
    // All of them: a cell far from the others is what is looked for.
    const xScale = logScale(
      [],
      shown.map((index) => this.#x(index)),
    );
    const yScale = logScale(
      [],
      shown.map((index) => this.#y(index)),
    );
    if (xScale === null || yScale === null) return null;
    const frame = {
      left: kMargin.left,
      top: kMargin.top,
      width: Math.max(40, width - kMargin.left - kMargin.right),
      height: kPlot,
    };
    return { frame, xScale, yScale };
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const of = this.#frame(size.width);
    if (of === null) return placedOption([], [], []);
    const at = (index: number): readonly [number, number] => [
      xInFrame(of, this.#x(index)),
      yInFrame(of, this.#y(index)),
    ];
    const below = [
      ...frameShapes(
        of,
        'median latency, ms',
        `${this.#against.title}, ${this.#against.unit}`,
        palette,
      ),
      lineShape(this.#stairs(of.frame, at), palette.ui('ink2'), 1.5),
    ];
    const front = new Set(this.#front);
    const chosen = chosenCell(this.#context.store, this.#grid);
    const others = this.#shown.filter((index) => !front.has(index));
    const marks = [...others, ...this.#front].map((index): PlacedMark => {
      const [x, y] = at(index);
      const isFront = front.has(index);
      const isChosen = index === chosen;
      return {
        id: this.#grid.cell(index)?.id ?? '',
        lines: cellLines(this.#grid, index),
        shape: {
          type: 'circle',
          shape: { cx: x, cy: y, r: (isFront ? kRadius : kFaint) + (isChosen ? 2 : 0) },
          style: {
            fill: palette.ui(isFront ? 'ink' : 'line2'),
            stroke: palette.ui(isChosen ? 'selb' : 'bg'),
            lineWidth: isChosen ? 2.5 : 1,
          },
        },
      };
    });
    return placedOption(below, marks, this.#names(of, at, palette));
  }

  // What can be had at a latency, at most or at least: level up to the next cell of the front.
  #stairs(
    frame: Box,
    at: (index: number) => readonly [number, number],
  ): readonly (readonly [number, number])[] {
    const path: (readonly [number, number])[] = [];
    for (const index of this.#front) {
      const [x, y] = at(index);
      const last = path.at(-1);
      if (last !== undefined) path.push([x, last[1]]);
      path.push([x, y]);
    }
    const end = path.at(-1);
    if (end !== undefined) path.push([frame.left + frame.width, end[1]]);
    return path;
  }

  // Where the line of the front is: words on it would be struck through.
  #steps(frame: Box, at: (index: number) => readonly [number, number]): readonly Box[] {
    const path = this.#stairs(frame, at);
    return path.slice(1).map(([x, y], i): Box => {
      const [x0, y0] = path[i] ?? [x, y];
      return {
        left: Math.min(x0, x),
        top: Math.min(y0, y) - 1,
        width: Math.abs(x - x0) + 1,
        height: Math.abs(y - y0) + 2,
      };
    });
  }

  #names(
    { frame }: LogFrame,
    at: (index: number) => readonly [number, number],
    palette: Palette,
  ): readonly Shape[] {
    const font = bodyFont(11);
    const dots = this.#shown.map((index): Box => {
      const [x, y] = at(index);
      return { left: x - kFaint, top: y - kFaint, width: 2 * kFaint, height: 2 * kFaint };
    });
    const named = this.#byImportance.map((index) => {
      const text = fitName(shortCellText(this.#grid, index), kMaxName, font);
      const [x, y] = at(index);
      return { text, x, y, width: textWidth(text, font) };
    });
    // Above the frame there is room, but for the title of the axis.
    const within = { ...frame, top: frame.top - kAbove, height: frame.height + kAbove };
    const title = { ...within, width: kTitleWidth, height: kAbove };
    const taken = [title, ...this.#steps(frame, at)];
    const places = placeNames(named, kNameHeight, within, taken, dots);
    return named.flatMap(({ text }, i) => {
      const place = places[i] ?? null;
      return place === null
        ? []
        : [
            textShape(text, place.x, place.y, {
              fill: palette.ui('ink'),
              rim: palette.ui('bg'),
            }),
          ];
    });
  }

  table(): FigureTable {
    const { title, unit, decimals } = this.#against;
    const front = new Set(this.#front);
    return {
      columns: [
        ...this.#grid.sweep.axes.map(({ name }) => ({ title: name, decimals: null })),
        { title: 'median latency ms', decimals: 4 },
        { title: `${title} ${unit}`, decimals },
        { title: 'on the front', decimals: null },
      ],
      rows: this.#shown.map((index) => [
        ...(this.#grid.cell(index)?.values ?? []),
        this.#x(index),
        this.#y(index),
        front.has(index) ? 'yes' : 'no',
      ]),
    };
  }
}
