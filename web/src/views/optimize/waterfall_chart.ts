// From the model as it is to the best: what each kept step brought, with its 95 % interval.

import {
  bodyFont,
  figureTable,
  textWidth,
  visible,
  type Figure,
  type UiColour,
} from '../../public/index.ts';
import {
  across,
  plotFigure,
  ticksTo,
  xAxis,
  type Plot,
  type Scale,
} from '../../public/plot/index.ts';
import { aimOf, type Aim } from './aim.ts';
import { waterfallBars, type Bar } from './bars.ts';
import { changeText, stepLines, whatText } from './record.ts';
import type { Shown } from './state.ts';

// Few bars are thick, so that the chart is as high as the one beside it.
const kRows = 200;
const kMinRow = 24;
const kMaxRow = 44;
const kAxis = 40;
const kMaxNames = 150;
const kCap = 3.5;
const kGap = 8;
const kRim = 4;

const rowHeight = ({ length }: readonly Bar[]): number =>
  Math.min(kMaxRow, Math.max(kMinRow, Math.round(kRows / length)));

const lookOf = (aim: Aim, { step, to, from }: Bar): UiColour =>
  step === null ? 'ink2' : aim.isBetter(from, to) ? 'faster' : 'slower';

// Null: nothing was kept, so there is nothing between the ends.
export function waterfallFigure(shown: Shown): Figure | null {
  const bars = waterfallBars(shown.record);
  if (bars.every(({ step }) => step === null)) return null;
  const { unit } = aimOf(shown.record);
  const said = bars.map(({ name, value }) => `${visible(name)} ${value}`).join(', ');
  return plotFigure(
    shown.context,
    {
      explain: () =>
        bars.some(({ interval }) => interval !== null)
          ? `${unit}; whiskers: 95 % intervals; each step in turns with the best before it, so steps do not add up exactly`
          : unit,
      label: () => `From the model as it is to the best: ${said}. The table has the numbers.`,
      height: () => bars.length * rowHeight(bars) + kAxis,
      draw: (plot) => drawBars(plot, shown, bars),
      table: () =>
        figureTable(bars, [
          ['step', null, ({ name }) => name],
          ['what', null, ({ step }) => (step === null ? null : whatText(step))],
          [`before ${unit}`, 4, ({ step, from }) => (step === null ? null : from)],
          [`after ${unit}`, 4, ({ to }) => to],
          [`95 % from ${unit}`, 4, ({ interval }) => interval?.[0]],
          [`95 % to ${unit}`, 4, ({ interval }) => interval?.[1]],
          ['change ratio', 4, ({ step }) => step?.change_ratio],
        ]),
    },
    { id: 'optimize-waterfall', title: 'What each step brought' },
  );
}

function drawBars(plot: Plot, shown: Shown, bars: readonly Bar[]): void {
  const { palette } = plot;
  const row = rowHeight(bars);
  const half = row / 4;
  const bold = bodyFont(11, 600);
  const names = bars.map(({ name }) => visible(name));
  const widest = Math.max(...names.map((name) => textWidth(name, bold)));
  const left = Math.min(kMaxNames, Math.ceil(widest) + 12, plot.width * 0.4);
  const frame = { left, top: 0, width: plot.width - left - 12, height: bars.length * row };
  const aim = aimOf(shown.record);
  const ends = bars.flatMap(({ from, to, interval }) => [from, to, ...(interval ?? [])]);
  const most = Math.max(...ends);
  const x = across(frame, 0, most > 0 ? most : 1);
  const ticks = ticksTo(most, plot.width > 500 ? 5 : 3);
  xAxis(plot, frame, x, ticks, { title: aim.title });
  for (const [i, bar] of bars.entries()) {
    const y = (i + 0.5) * row;
    const [from, to] = [x(bar.from), x(bar.to)];
    const next = bars[i + 1];
    // From the level that it reached to where the next one begins.
    if (next !== undefined) {
      const start = next.step === null ? to : x(next.from);
      plot.line([to, y + half, start, y + row - half], palette.ui('line2'));
    }
    const isChosen = bar.step !== null && bar.step === shown.chosen;
    plot.rect(Math.min(from, to), y - half, Math.max(from, to, Math.min(from, to) + 1), y + half, {
      fill: palette.ui(lookOf(aim, bar)),
      ...(isChosen ? { stroke: palette.ui('selb'), width: 2 } : {}),
    });
    whiskers(plot, bar, x, y);
    const isEnd = bar.step === null;
    const look = { fill: palette.ui(isEnd ? 'ink' : 'ink2'), size: 11 } as const;
    plot.text(names[i] ?? '', left - kGap, y, {
      ...look,
      align: 'right',
      weight: isEnd ? 600 : 400,
      room: left - 10,
    });
    placeValue(plot, bar, frame.left + frame.width, x, y);
    const { step } = bar;
    if (step === null) continue;
    plot.hit(0, y - row / 2, plot.width, y + row / 2, {
      lines: () => stepLines(aim, step),
      click: () => shown.choose(step),
    });
  }
}

function whiskers(plot: Plot, { interval }: Bar, x: Scale, y: number): void {
  if (interval === null) return;
  const [low, high] = [x(interval[0]), x(interval[1])];
  // In two colours, to be seen on the bar and beside it.
  for (const [colour, width] of [
    ['bg', 3],
    ['ink', 1],
  ] as const) {
    const ink = plot.palette.ui(colour);
    plot.line([low, y, high, y], ink, { width });
    for (const end of [low, high]) plot.line([end, y - kCap, end, y + kCap], ink, { width });
  }
}

// At the right of the bar, else at its left, else on it; with the interval where that fits, too.
function placeValue(
  plot: Plot,
  { value, range, from, to, interval, step }: Bar,
  right: number,
  x: Scale,
  y: number,
): void {
  const weight = step === null ? 600 : 500;
  const font = bodyFont(11, weight);
  const texts = [...(range === null ? [] : [`${value} (${range})`]), value];
  const ends = [from, to, ...(interval ?? [])].map(x);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const start = x(0);
  const look = {
    fill: plot.palette.ui('ink'),
    weight,
    size: 11,
    rim: plot.palette.ui('bg'),
  } as const;
  for (const text of texts) {
    const width = textWidth(text, font) + kGap + kRim;
    if (high + width <= right) return plot.text(text, high + kGap, y, look);
    if (low - width >= start) return plot.text(text, low - kGap, y, { ...look, align: 'right' });
  }
  // On a bar that takes all of the width.
  const shortest = texts.at(-1) ?? changeText(null);
  plot.text(shortest, start + kGap, y, { fill: plot.palette.ui('bg'), weight: 600, size: 11 });
}
