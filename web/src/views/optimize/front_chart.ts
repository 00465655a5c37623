// The aim against accuracy of all that was tried: what was kept is filled and joined.

import {
  bodyFont,
  choiceLinks,
  figureTable,
  fitName,
  fixed,
  goalDb,
  isNumber,
  joined,
  niceRange,
  textWidth,
  visible,
  type Figure,
} from '../../public/index.ts';
import { placeNames, type Box } from '../../public/plot/label_places.ts';
import {
  across,
  plotFigure,
  rangeTicks,
  upwards,
  xAxis,
  yAxis,
  type Plot,
  type Scale,
} from '../../public/plot/index.ts';
import { aimOf } from './aim.ts';
import { kSameDb, measuresOf, pointsOf, type Measure, type Point } from './points.ts';
import { stepLines } from './record.ts';
import type { Shown } from './state.ts';

const kMargin = { left: 48, right: 16, top: 24, bottom: 40 };
const kPlot = 210;
// For those with the same results, above the scale.
const kLane = 26;
const kRadius = 4.5;
const kHit = 10;
const kCap = 3;
const kMaxName = 150;
const kNameHeight = 14;
// Between two names side by side.
const kApart = 6;
const kOption = 'optimize.accuracy';

const kMeasures: Readonly<Record<Measure, { readonly name: string; readonly title: string }>> = {
  sqnr: { name: 'SQNR', title: 'dB' },
  top1: { name: 'top-1', title: 'top-1, %' },
};

// Null: no step has both.
export function frontFigure(shown: Shown): Figure | null {
  const { context, record } = shown;
  const { store } = context;
  const aim = aimOf(record);
  const title = `${aim.name.slice(0, 1).toUpperCase()}${aim.name.slice(1)} against accuracy`;
  const known = measuresOf(record);
  const [usual] = known;
  if (usual === undefined) return null;
  const by = (): Measure => known.find((one) => one === store.option(kOption)) ?? usual;
  const missing = (): number => record.steps.length + 1 - pointsOf(record, by()).length;
  const explain = (): string =>
    joined(
      [
        'filled: kept; hollow: tried',
        pointsOf(record, by()).some(({ interval }) => interval !== null) &&
          'whiskers: 95 % intervals',
        missing() > 0 && `${String(missing())} without both figures`,
      ],
      '; ',
    );
  const valueOf = ({ value }: Point): number | null => value;
  return plotFigure(
    context,
    {
      explain,
      label: () => `${title}: ${explain()}. The table has the numbers.`,
      height: () => kMargin.top + kLane + plotHeight(shown, by()) + kMargin.bottom,
      draw: (plot) => drawFront(plot, shown, by()),
      table: () =>
        figureTable(pointsOf(record, by()), [
          ['step', null, ({ name }) => name],
          [aim.column, 4, ({ figure }) => figure],
          [`95 % from ${aim.unit}`, 4, ({ interval }) => interval?.[0]],
          [`95 % to ${aim.unit}`, 4, ({ interval }) => interval?.[1]],
          by() === 'sqnr' ? ['SQNR dB', 1, valueOf] : ['top-1 ratio', 4, valueOf],
          ['same results', null, ({ value }) => (value === null ? 'yes' : 'no')],
          ['kept', null, (point) => (point.isKept ? 'yes' : 'no')],
        ]),
    },
    {
      id: 'optimize-front',
      title,
      aside: () => {
        const options = known.map((id) => ({ id, name: kMeasures[id].name }));
        const pick = (id: Measure): void => store.setOption(kOption, id === usual ? null : id);
        return known.length < 2 ? [] : [choiceLinks('accuracy', options, by(), pick)];
      },
    },
  );
}

// The scale is left out where all results are the same.
function plotHeight({ record }: Shown, by: Measure): number {
  return pointsOf(record, by).some(({ value }) => value !== null) ? kPlot : 0;
}

interface Axes {
  readonly x: Scale;
  // Null: the lane of the same results.
  readonly y: (value: number | null) => number;
  readonly frame: Box;
}

function axesOf(plot: Plot, shown: Shown, by: Measure, points: readonly Point[]): Axes {
  const { palette } = plot;
  const isTop1 = by === 'top1';
  const scale = isTop1 ? 100 : 1;
  const lane = isTop1 ? 0 : kLane;
  const width = Math.max(40, plot.width - kMargin.left - kMargin.right);
  const top = kMargin.top + lane;
  const height = plotHeight(shown, by);
  const frame = { left: kMargin.left, top, width, height: height + kLane - lane };
  const right = frame.left + width;
  const figures = points.flatMap(({ figure, interval }) => [figure, ...(interval ?? [])]);
  const xs = niceRange(Math.min(...figures), Math.max(...figures), width > 400 ? 5 : 3);
  const goal = isTop1 || height === 0 ? null : goalDb(shown.record.goal);
  const values = [...points.map(({ value }) => value), goal].filter(isNumber);
  const known = values.map((value) => value * scale);
  const least = isTop1 ? Math.min(99, ...known) : Math.min(...known);
  const most = isTop1 ? 100 : Math.max(...known);
  const ys = known.length === 0 ? niceRange(0, kSameDb) : niceRange(least, most, 4);
  const x = across(frame, xs.min, xs.max);
  const onScale = upwards(frame, ys.min, ys.max);
  if (height > 0) yAxis(plot, frame, onScale, rangeTicks(ys));
  xAxis(plot, frame, x, rangeTicks(xs), { isStrong: true, title: aimOf(shown.record).title });
  const soft = palette.ui('ink3');
  if (height > 0)
    plot.text(kMeasures[by].title, kMargin.left - 40, kMargin.top - 14, { fill: soft });
  if (!isTop1) {
    const middle = kMargin.top + kLane / 2 - 4;
    plot.rect(frame.left, middle - 10, right, middle + 10, { fill: palette.ui('s1') });
    plot.text('same', frame.left - 6, middle, { fill: soft, align: 'right' });
  }
  if (goal !== null) {
    const at = Math.round(onScale(goal)) + 0.5;
    plot.line([frame.left, at, right, at], palette.ui('ink3'), { dash: [3, 3] });
    const look = { fill: palette.ui('ink2'), align: 'right', rim: palette.ui('bg') } as const;
    plot.text(`goal ${fixed(goal, 0)} dB`, right, at - 8, look);
  }
  const y = (value: number | null): number =>
    value === null ? kMargin.top + kLane / 2 - 4 : onScale(value * scale);
  return { x, y, frame: { ...frame, top: kMargin.top, height: height + kLane } };
}

function drawFront(plot: Plot, shown: Shown, by: Measure): void {
  const points = pointsOf(shown.record, by);
  if (points.length === 0) return;
  const { palette } = plot;
  const { x, y, frame } = axesOf(plot, shown, by, points);
  const place = ({ figure, value }: Point): readonly [number, number] => [x(figure), y(value)];
  const [ground, ink] = [palette.ui('bg'), palette.ui('ink')];
  const kept = points.filter((point) => point.isKept);
  plot.line(kept.flatMap(place), palette.ui('line2'), { width: 1.5 });
  for (const point of [...points.filter((one) => !one.isKept), ...kept]) {
    const [left, top] = place(point);
    const { step, interval } = point;
    const colour = palette.ui(point.isKept ? 'ink' : 'ink3');
    if (interval !== null) {
      const [low, high] = [x(interval[0]), x(interval[1])];
      plot.line([low, top, high, top], colour);
      for (const end of [low, high]) plot.line([end, top - kCap, end, top + kCap], colour);
    }
    const isChosen = step !== null && step === shown.chosen;
    plot.circle(left, top, kRadius + (isChosen ? 2 : 0), {
      fill: point.isKept ? ink : ground,
      stroke: isChosen ? palette.ui('selb') : colour,
      width: isChosen ? 2.5 : 1.5,
    });
    // Larger than the mark, to be easy to hit.
    plot.hit(left - kHit, top - kHit, left + kHit, top + kHit, {
      lines: () => (step === null ? ['the model as it is'] : stepLines(aimOf(shown.record), step)),
      ...(step === null ? {} : { click: () => shown.choose(step) }),
    });
  }
  const whiskers = points.flatMap((point): readonly Box[] => {
    if (point.interval === null) return [];
    const [low, high] = point.interval.map(x);
    const [, top] = place(point);
    if (low === undefined || high === undefined) return [];
    return [{ left: low, top: top - kCap, width: high - low, height: 2 * kCap }];
  });
  nameKept(plot, points, place, frame, whiskers);
}

// The kept ones first; of the others, those for whose names there is room.
function nameKept(
  plot: Plot,
  points: readonly Point[],
  place: (point: Point) => readonly [number, number],
  frame: Box,
  whiskers: readonly Box[],
): void {
  const order = [...points].sort((a, b) => Number(b.isKept) - Number(a.isKept));
  const named = order.map((point) => {
    const [left, top] = place(point);
    const font = bodyFont(11, point.isKept ? 600 : 400);
    const text = fitName(visible(point.name), kMaxName, font);
    return { point, text, x: left, y: top, width: textWidth(text, font) + kApart };
  });
  const dots = points.map((point): Box => {
    const [left, top] = place(point);
    return { left: left - kRadius, top: top - kRadius, width: 2 * kRadius, height: 2 * kRadius };
  });
  // Above the frame there is room, but for the title of the axis, which is left of it.
  const within = { ...frame, top: 0, height: frame.height + frame.top };
  const places = placeNames(named, kNameHeight, within, dots, whiskers);
  for (const [i, at] of places.entries()) {
    const one = named[i];
    if (at === null || one === undefined) continue;
    plot.text(one.text, at.x, at.y, {
      fill: plot.palette.ui(one.point.isKept ? 'ink' : 'ink2'),
      weight: one.point.isKept ? 600 : 400,
      size: 11,
      rim: plot.palette.ui('bg'),
    });
  }
}
