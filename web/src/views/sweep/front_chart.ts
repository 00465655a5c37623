// Latency against throughput, or against memory: the cells that none beats in both are joined and
// named.

import {
  bodyFont,
  bytesPer,
  bytesText,
  figureTable,
  fitName,
  isNumber,
  plural,
  textWidth,
  type FigureTable,
  type Palette,
  type SweepCell,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { lineShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { frameShapes, xInFrame, yInFrame, type LogFrame } from '../../public/log_frame.ts';
import { logScale } from '../../public/log_scale.ts';
import { idOf, linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import { placeNames, type Box } from './label_places.ts';
import type { Shown } from './state.ts';
import { axisData, cellLines, shortCellText } from './texts.ts';

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
  readonly #shown: Shown;
  readonly #id: FrontId;
  readonly #against: Against;

  constructor(shown: Shown, id: FrontId) {
    this.#shown = shown;
    this.#id = id;
    this.#against = againstOf(id, shown.grid.sweep.cells);
  }

  get #front(): readonly SweepCell[] {
    const { grid } = this.#shown;
    const { throughput_front, memory_front } = grid.sweep;
    const front = this.#id === 'throughput' ? throughput_front : memory_front;
    return front.map((index) => grid.cell(index)).filter((cell) => cell !== null);
  }

  // The best in either figure first: where there is no room for all names, theirs are there.
  get #byImportance(): readonly SweepCell[] {
    const [first, ...others] = this.#front;
    const last = others.pop();
    return [first, last, ...others].filter((cell) => cell !== undefined);
  }

  // Cells that have both figures.
  get #all(): readonly SweepCell[] {
    return this.#shown.grid.sweep.cells.filter(
      (cell) => isNumber(cell.latency_ms) && isNumber(this.#against.of(cell)),
    );
  }

  get isEmpty(): boolean {
    return this.#front.length === 0;
  }

  explain(): string {
    const wanted = this.#id === 'throughput' ? 'more throughput' : 'less memory';
    return `${plural(this.#front.length, 'cell')} of ${String(this.#all.length)}: no other has both a shorter latency and ${wanted}`;
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
    const cell = this.#shown.grid.byId(idOf(data));
    if (cell !== null) this.#shown.choose(cell);
  }

  #x(cell: SweepCell): number {
    return cell.latency_ms ?? Number.NaN;
  }

  #y(cell: SweepCell): number {
    return (this.#against.of(cell) ?? Number.NaN) * this.#against.scale;
  }

  #frame(width: number): LogFrame | null {
    const shown = this.#all;
    // All of them: a cell far from the others is what is looked for.
    const xScale = logScale(
      [],
      shown.map((cell) => this.#x(cell)),
    );
    const yScale = logScale(
      [],
      shown.map((cell) => this.#y(cell)),
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
    const at = (cell: SweepCell): readonly [number, number] => [
      xInFrame(of, this.#x(cell)),
      yInFrame(of, this.#y(cell)),
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
    const chosen = this.#shown.chosen;
    const others = this.#all.filter((cell) => !front.has(cell));
    const marks = [...others, ...this.#front].map((cell): PlacedMark => {
      const [x, y] = at(cell);
      const isFront = front.has(cell);
      const isChosen = cell === chosen;
      return {
        id: cell.id,
        lines: cellLines(this.#shown.grid, cell),
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
    at: (cell: SweepCell) => readonly [number, number],
  ): readonly (readonly [number, number])[] {
    const path: (readonly [number, number])[] = [];
    for (const cell of this.#front) {
      const [x, y] = at(cell);
      const last = path.at(-1);
      if (last !== undefined) path.push([x, last[1]]);
      path.push([x, y]);
    }
    const end = path.at(-1);
    if (end !== undefined) path.push([frame.left + frame.width, end[1]]);
    return path;
  }

  // Where the line of the front is: words on it would be struck through.
  #steps(frame: Box, at: (cell: SweepCell) => readonly [number, number]): readonly Box[] {
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
    at: (cell: SweepCell) => readonly [number, number],
    palette: Palette,
  ): readonly Shape[] {
    const font = bodyFont(11);
    const dots = this.#all.map((cell): Box => {
      const [x, y] = at(cell);
      return { left: x - kFaint, top: y - kFaint, width: 2 * kFaint, height: 2 * kFaint };
    });
    const named = this.#byImportance.map((cell) => {
      const text = fitName(shortCellText(this.#shown.grid, cell), kMaxName, font);
      const [x, y] = at(cell);
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
    return figureTable(this.#all, [
      ...axisData(this.#shown.grid),
      ['median latency ms', 4, (cell) => this.#x(cell)],
      [`${title} ${unit}`, decimals, (cell) => this.#y(cell)],
      ['on the front', null, (cell) => (front.has(cell) ? 'yes' : 'no')],
    ]);
  }
}
