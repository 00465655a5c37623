// The front of a search: how close models come to the float one, and how much stays in float for
// that.

import {
  bodyFont,
  choiceLinks,
  Figure,
  figureTable,
  fixed,
  goalDb,
  isNumber,
  joined,
  niceRange,
  plural,
  textWidth,
  type EngineAccuracy,
  type ViewContext,
} from '../../public/index.ts';
import {
  across,
  plotFigure,
  rangeTicks,
  upwards,
  xAxis,
  yAxis,
  type Plot,
} from '../../public/plot/index.ts';
import {
  costOf,
  dbOf,
  kCosts,
  knownCosts,
  placedPoints,
  pointLines,
  topOf,
  type Cost,
} from './front.ts';

const kLeft = 44;
const kRight = 20;
const kTop = 24;
const kPlot = 200;
const kBottom = 40;
const kRadius = 4;
const kHit = 12;
const kCostOption = 'accuracy.cost';

function drawFront(plot: Plot, accuracy: EngineAccuracy, cost: Cost): void {
  const { palette } = plot;
  const points = placedPoints(accuracy, cost);
  if (points.length === 0) return;
  const [ground, ink] = [palette.ui('bg'), palette.ui('ink2')];
  const goal = goalDb(accuracy.goal);
  const isMeasured = cost === 'median';
  const costs = points.flatMap(({ point, cost: own }) =>
    [own, ...(isMeasured ? [point.median_low_ms, point.median_high_ms] : [])].filter(isNumber),
  );
  const most = Math.max(...costs);
  // Times of whole models are close together; the amount left in float starts at zero.
  const xs = niceRange(
    isMeasured ? Math.min(...costs) : 0,
    most > 0 ? most : cost === 'layers' ? 1 : 1e-3,
    5,
  );
  const dbs = [...points.map(({ db }) => db), goal].filter(isNumber);
  const ys = niceRange(Math.min(...dbs), Math.max(...dbs), 5);
  const width = Math.max(40, plot.width - kRight - kLeft);
  const frame = { left: kLeft, top: kTop, width, height: kPlot };
  const right = kLeft + width;
  const base = kTop + kPlot;
  const x = across(frame, xs.min, xs.max);
  const y = upwards(frame, ys.min, ys.max);
  yAxis(plot, frame, y, rangeTicks(ys), { title: 'dB' });
  // No ticks at fractions of a layer.
  const values = rangeTicks(xs).values.filter(
    (tick) => cost !== 'layers' || Math.abs(tick - Math.round(tick)) < 1e-9,
  );
  const { title, text } = kCosts[cost];
  xAxis(plot, frame, x, { values, text }, { lines: false, title });
  for (const tick of values) {
    const at = Math.round(x(tick)) + 0.5;
    plot.line([at, base, at, base + 4], palette.ui('line2'));
  }
  if (goal !== null) {
    const at = Math.round(y(goal)) + 0.5;
    plot.line([kLeft, at, right, at], palette.ui('ink3'), { dash: [3, 3] });
    const look = { fill: ink, align: 'right', rim: ground } as const;
    plot.text(`goal ${fixed(goal, 0)} dB`, right, at - 8, look);
  }
  // The best available: each point's dB up to the next point.
  const best = points.filter(({ isBeaten }) => !isBeaten);
  const corners = best.flatMap((point, at) => [
    ...[x(point.cost), y(point.db)],
    ...[at + 1 < best.length ? x(best[at + 1]?.cost ?? 0) : right, y(point.db)],
  ]);
  plot.line(corners, palette.ui('line2'), { width: 1.5 });
  for (const { point, cost: own, db, isBeaten } of points) {
    const [cx, cy] = [x(own), y(db)];
    const target = { lines: () => pointLines(point) };
    const look = isBeaten
      ? { fill: ground, stroke: ink, width: 1.5 }
      : { fill: ink, stroke: ground };
    plot.circle(cx, cy, kHit, {}, target);
    plot.circle(cx, cy, kRadius, look, target);
  }
  // Whiskers, and the point that was written.
  for (const { point, cost: own, db } of points) {
    const [cx, cy] = [x(own), y(db)];
    const { median_low_ms: low, median_high_ms: high } = point;
    if (isMeasured && isNumber(low) && isNumber(high)) {
      plot.line([x(low), cy, x(high), cy], ink);
      for (const end of [x(low), x(high)]) plot.line([end, cy - 3, end, cy + 3], ink);
    }
    if (point.is_chosen !== 1) continue;
    const words = 'written';
    const away = kRadius + 8;
    const isLeft = cx + away + textWidth(words, bodyFont(11, 600)) > right;
    plot.circle(cx, cy, kRadius + 3.5, { stroke: palette.ui('selb'), width: 1.5 });
    plot.text(words, isLeft ? cx - away : cx + away, cy + 12, {
      fill: palette.ui('ink'),
      weight: 600,
      size: 11,
      align: isLeft ? 'right' : 'left',
      rim: ground,
    });
  }
}

export function frontFigure(context: ViewContext, accuracy: EngineAccuracy): Figure {
  const { store } = context;
  const { front } = accuracy;
  const costNow = (): Cost => costOf(accuracy, store.option(kCostOption));
  const explain = (): string => {
    const points = placedPoints(accuracy, costNow());
    const missing = front.length - points.length;
    return joined(
      [
        `${plural(front.length, 'model')} of a search: simulated SQNR of the outputs against what stays in float`,
        points.some(({ isBeaten }) => isBeaten) && 'hollow: beaten at this cost',
        costNow() === 'median' && 'whiskers: 95 % interval',
        missing > 0 && `${plural(missing, 'point')} without a value`,
      ],
      '; ',
    );
  };
  const chart = {
    explain,
    label: () => `Front of a search. ${explain()}. The table has the numbers.`,
    height: () => (placedPoints(accuracy, costNow()).length === 0 ? 0 : kTop + kPlot + kBottom),
    draw: (plot: Plot) => drawFront(plot, accuracy, costNow()),
    table: () =>
      figureTable(front, [
        ['layers in float', 0, (point) => point.float_layers],
        ['dB', 2, dbOf],
        ['top-1', 4, topOf],
        ['MACs ratio', 4, (point) => point.macs_ratio],
        ['weight bytes', 0, (point) => point.weight_bytes],
        ['their ms', 4, (point) => point.ms],
        ['median ms', 4, (point) => point.median_ms],
        ['from', 4, (point) => point.median_low_ms],
        ['to', 4, (point) => point.median_high_ms],
        ['written', null, (point) => (point.is_chosen === 1 ? 'yes' : 'no')],
        ['names', null, (point) => point.kept.join(' ')],
      ]),
  };
  const known = knownCosts(accuracy).map((id) => ({ id, name: kCosts[id].name }));
  return plotFigure(context, chart, {
    id: 'accuracy-front',
    title: 'What float layers buy',
    aside: () =>
      known.length < 2
        ? []
        : [choiceLinks('cost', known, costNow(), (id) => store.setOption(kCostOption, id))],
  });
}
