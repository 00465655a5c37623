// Latency against throughput, or against memory: the cells that no other beats in both are joined
// and named.

import {
  bodyFont,
  bytesPer,
  bytesQuantity,
  figureTable,
  fitName,
  plural,
  textWidth,
  type Figure,
  type SweepCell,
} from '../../public/index.ts';
import { logScale } from '../../public/page/log_scale.ts';
import {
  acrossLog,
  logAxes,
  plotFigure,
  upwardsLog,
  type Frame,
  type Plot,
} from '../../public/plot/index.ts';
import { placeNames, type Box } from '../../public/plot/label_places.ts';
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

type Point = readonly [x: number, y: number];

interface Front {
  readonly title: 'throughput' | 'memory';
  readonly unit: string;
  // Cells that have both figures.
  readonly all: readonly SweepCell[];
  // Those that no other beats in both, by latency.
  readonly best: readonly SweepCell[];
  // In the units of the axes.
  readonly of: (cell: SweepCell) => Point;
}

function frontOf({ grid }: Shown, title: Front['title']): Front {
  const { cells, throughput_front, memory_front } = grid.sweep;
  const isMemory = title === 'memory';
  const key = isMemory ? 'memory_bytes' : 'items_per_s';
  const most = Math.max(0, ...cells.map((cell) => cell.memory_bytes ?? 0));
  const unit = isMemory ? bytesQuantity(most).unit : 'items/s';
  const per = isMemory ? bytesPer(unit) : 1;
  return {
    title,
    unit,
    all: cells.filter((cell) => cell.latency_ms !== null && cell[key] !== null),
    best: (isMemory ? memory_front : throughput_front)
      .map((index) => grid.cell(index))
      .filter((cell) => cell !== null),
    of: (cell) => [cell.latency_ms ?? Number.NaN, (cell[key] ?? Number.NaN) / per],
  };
}

// Null: no cell has both.
export function frontFigure(shown: Shown, title: Front['title']): Figure | null {
  const front = frontOf(shown, title);
  const { unit, all, best, of } = front;
  if (best.length === 0) return null;
  const wanted = title === 'memory' ? 'less memory' : 'more throughput';
  const explain = (): string =>
    `${plural(best.length, 'cell')} of ${String(all.length)}: no other has both a shorter latency and ${wanted}`;
  return plotFigure(
    shown.context,
    {
      explain,
      label: () => `Latency against ${title}. ${explain()}. The table has the numbers.`,
      height: () => kMargin.top + kPlot + kMargin.bottom,
      draw: (plot) => drawFront(plot, shown, front),
      table: () =>
        figureTable(all, [
          ...axisData(shown.grid),
          ['median latency ms', 4, (cell) => of(cell)[0]],
          [`${title} ${unit}`, 1, (cell) => of(cell)[1]],
          ['on the front', null, (cell) => (best.includes(cell) ? 'yes' : 'no')],
        ]),
    },
    { id: `sweep-front-${title}`, title: `Latency against ${title}` },
  );
}

function drawFront(plot: Plot, shown: Shown, { title, unit, all, best, of }: Front): void {
  const { palette } = plot;
  const width = Math.max(40, plot.width - kMargin.left - kMargin.right);
  const frame: Frame = { left: kMargin.left, top: kMargin.top, width, height: kPlot };
  // All of them: a cell far from the others is an interesting one.
  const points = all.map(of);
  const xScale = logScale(
    [],
    points.map(([x]) => x),
  );
  const yScale = logScale(
    [],
    points.map(([, y]) => y),
  );
  if (xScale === null || yScale === null) return;
  logAxes(plot, frame, xScale, yScale, 'median latency, ms', `${title}, ${unit}`);
  const [xOf, yOf] = [acrossLog(frame, xScale), upwardsLog(frame, yScale)];
  const at = (cell: SweepCell): Point => {
    const [x, y] = of(cell);
    return [xOf(x), yOf(y)];
  };
  const path = stairs(best.map(at), frame.left + width);
  plot.line(path.flat(), palette.ui('ink2'), { width: 1.5 });
  for (const cell of [...all.filter((one) => !best.includes(one)), ...best]) {
    const isBest = best.includes(cell);
    const isChosen = cell === shown.chosen;
    plot.circle(
      ...at(cell),
      (isBest ? kRadius : kFaint) + (isChosen ? 2 : 0),
      {
        fill: palette.ui(isBest ? 'ink' : 'line2'),
        stroke: palette.ui(isChosen ? 'selb' : 'bg'),
        width: isChosen ? 2.5 : 1,
      },
      { lines: () => cellLines(shown.grid, cell), click: () => shown.choose(cell) },
    );
  }
  // The best in either figure first, so that their names are shown if not all fit.
  const [first, ...others] = best;
  const named = [first, others.pop(), ...others].flatMap((cell) => {
    if (cell === undefined) return [];
    const text = fitName(shortCellText(shown.grid, cell), kMaxName, bodyFont(11));
    const [x, y] = at(cell);
    return [{ text, x, y, width: textWidth(text, bodyFont(11)) }];
  });
  const dots = all.map((cell): Box => {
    const [x, y] = at(cell);
    return { left: x - kFaint, top: y - kFaint, width: 2 * kFaint, height: 2 * kFaint };
  });
  // Above the frame there is room, except for the title of the axis.
  const within = { ...frame, top: frame.top - kAbove, height: frame.height + kAbove };
  const taken = [{ ...within, width: kTitleWidth, height: kAbove }, ...boxesOf(path)];
  const places = placeNames(named, kNameHeight, within, taken, dots);
  for (const [i, place] of places.entries()) {
    if (place === null) continue;
    const look = { fill: palette.ui('ink'), rim: palette.ui('bg'), size: 11 };
    plot.text(named[i]?.text ?? '', place.x, place.y, look);
  }
}

// The best available at a latency: level up to the next cell of the front.
function stairs(best: readonly Point[], right: number): readonly Point[] {
  return best.flatMap((point, i): readonly Point[] => [
    point,
    [best[i + 1]?.[0] ?? right, point[1]],
  ]);
}

// The line of the front: it would cross words placed on it.
function boxesOf(path: readonly Point[]): readonly Box[] {
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
