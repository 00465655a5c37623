// SQNR along the graph: what is left in the model's own arithmetic, what is left in the engine, and
// the gap between them.

import {
  bodyFont,
  figureTable,
  fixed,
  isNumber,
  joined,
  niceRange,
  plural,
  textWidth,
  visible,
  type ViewContext,
} from '../../public/index.ts';
import {
  linear,
  rangeTicks,
  upwards,
  yAxis,
  type Plot,
  type Scale,
  type TabledPlot,
} from '../../public/plot/index.ts';
import { choose, chosenItem, dbText, gapOf, isDisturbed } from './data.ts';
import type { AccuracyData, AccuracyItem } from './data.ts';

const kLeft = 44;
const kTop = 22;
const kPlot = 220;
const kBottom = 30;
const kBase = kTop + kPlot;
const kRadius = 3;
// Below this SQNR answers change; the program names the first tensor below it.
const kLowDb = 20;
// Points closer than this are drawn as a line without marks.
const kMinStep = 5;

type Side = 'simulated_db' | 'engine_db';

// What is drawn for one tensor, and where.
interface Point {
  readonly item: AccuracyItem;
  readonly x: number;
  readonly simulated_db: number | null;
  readonly engine_db: number | null;
}

// NaN or infinite values.
const notFinite = ({ loss }: AccuracyItem): number =>
  (loss?.engine_not_finite_count ?? 0) + (loss?.simulated_not_finite_count ?? 0);

// The area between both lines, from each point to the next one.
function drawGaps(plot: Plot, points: readonly Point[], y: Scale): void {
  for (const [at, { x, simulated_db: top, engine_db: bottom }] of points.entries()) {
    const next = points[at + 1];
    if (top === null || bottom === null || next === undefined) continue;
    if (next.simulated_db === null || next.engine_db === null) continue;
    const above = [x, y(top), next.x, y(next.simulated_db)];
    const below = [next.x, y(next.engine_db), x, y(bottom)];
    plot.shape([...above, ...below], plot.palette.ui('slower'), 0.16);
  }
}

// If a tensor has no value, the line has a gap.
function drawLine(plot: Plot, points: readonly Point[], side: Side, y: Scale, ink: string): void {
  let run: number[] = [];
  for (const point of points) {
    const db = point[side];
    if (db !== null) run.push(point.x, y(db));
    else {
      plot.line(run, ink, { width: 1.5 });
      run = [];
    }
  }
  plot.line(run, ink, { width: 1.5 });
}

function drawPoints(
  plot: Plot,
  points: readonly Point[],
  side: Side,
  y: Scale,
  ink: string,
  chosen: AccuracyItem | null,
): void {
  const ground = plot.palette.ui('bg');
  const step = (points[1]?.x ?? Number.POSITIVE_INFINITY) - (points[0]?.x ?? 0);
  for (const [at, point] of points.entries()) {
    const { item, x, [side]: db } = point;
    if (db === null) continue;
    const isHollow = side === 'engine_db' && isDisturbed(item);
    const isAlone = (points[at - 1]?.[side] ?? points[at + 1]?.[side] ?? null) === null;
    if (step < kMinStep && !isHollow && !isAlone && item !== chosen) continue;
    const radius = item === chosen ? kRadius + 1.5 : step < 2 * kMinStep ? 2 : kRadius;
    plot.circle(
      x,
      y(db),
      radius,
      isHollow ? { fill: ground, stroke: ink, width: 1.5 } : { fill: ink, stroke: ground },
    );
  }
}

export function curveChart({ store }: ViewContext, data: AccuracyData): TabledPlot {
  const { compared } = data;
  const hasEngine = compared.some(({ loss }) => isNumber(loss?.engine_db));
  const explain = (): string =>
    joined(
      [
        `SQNR against the float model, dB, of ${plural(compared.length, 'tensor')} in model order`,
        hasEngine && 'shaded: the engine’s loss',
        compared.some(isDisturbed) && 'hollow: tapping changed the engine',
      ],
      '; ',
    );
  const draw = (plot: Plot): void => {
    const { palette } = plot;
    const soft = palette.ui('ink3');
    const names = hasEngine ? ['simulated', 'engine'] : ['simulated'];
    const right = 12 + Math.max(...names.map((name) => textWidth(name, bodyFont(11, 500))));
    const frame = {
      left: kLeft,
      top: kTop,
      width: Math.max(40, plot.width - kLeft - right),
      height: kPlot,
    };
    const end = kLeft + frame.width;
    const step = frame.width / Math.max(1, compared.length);
    const x = linear(0, 1, kLeft + step / 2, kLeft + step * 1.5);
    const known = (db: number | null | undefined): number | null => (isNumber(db) ? db : null);
    const points = compared.map((item, at): Point => ({
      item,
      x: x(at),
      simulated_db: known(item.loss?.simulated_db),
      engine_db: known(item.loss?.engine_db),
    }));
    const values = points
      .flatMap((point) => [point.simulated_db, point.engine_db])
      .filter(isNumber);
    const range = niceRange(Math.min(0, ...values), Math.max(kLowDb, ...values), 5);
    const y = upwards(frame, range.min, range.max);
    const chosen = chosenItem(store, data);
    const chosenPoint = points.find(({ item }) => item === chosen);
    if (chosenPoint !== undefined) {
      const ink = palette.ui('selb');
      plot.line([chosenPoint.x, kTop, chosenPoint.x, kBase], ink, { width: 1.5 });
    }
    yAxis(plot, frame, y, rangeTicks(range), { title: 'dB' });
    const low = Math.round(y(kLowDb)) + 0.5;
    plot.line([kLeft, low, end, low], soft, { dash: [3, 3] });
    plot.text('first', kLeft, kBase + 14, { fill: soft });
    plot.text('last tensor of the graph', end, kBase + 14, { fill: soft, align: 'right' });
    drawGaps(plot, points, y);
    const sides = [
      { side: 'simulated_db', other: 'engine_db', name: 'simulated', ink: palette.ui('ink2') },
      { side: 'engine_db', other: 'simulated_db', name: 'engine', ink: palette.ui('slower') },
    ] as const;
    for (const { side, ink } of sides) drawLine(plot, points, side, y, ink);
    for (const { side, other, name, ink } of sides) {
      drawPoints(plot, points, side, y, ink, chosen);
      const last = points.findLast((point) => point[side] !== null);
      const db = last?.[side] ?? null;
      if (last === undefined || db === null) continue;
      // If both lines end at the same height, one label is above the other.
      const beside = last[other];
      const gap = beside === null ? 100 : y(db) - y(beside);
      const isAbove = gap < 0 || (gap === 0 && side === 'simulated_db');
      const shift = Math.abs(gap) < 13 ? (isAbove ? -7 : 7) : 0;
      const look = { fill: ink, weight: 500, size: 11 } as const;
      plot.text(name, last.x + kRadius + 5, y(db) + shift, look);
    }
    const cross = { fill: palette.ui('error'), align: 'middle', weight: 600, size: 14 } as const;
    for (const point of points) {
      if (notFinite(point.item) > 0) plot.text('×', point.x, kBase - 6, cross);
      // A target column per tensor, so that points close together can be hit.
      plot.hit(point.x - step / 2, kTop, point.x + step / 2, kBase, {
        lines: () => tensorLines(point.item),
        click: () => choose(store, point.item),
      });
    }
  };
  return {
    explain,
    label: () => `Signal to noise along the graph. ${explain()}. The table has the numbers.`,
    height: () => kBase + kBottom,
    draw,
    table: () =>
      figureTable(compared, [
        ['tensor', null, ({ tensor }) => tensor],
        ['operation', null, ({ loss }) => loss?.op_name],
        ['type', null, ({ loss }) => loss?.op_type],
        ['simulated dB', 2, ({ loss }) => loss?.simulated_db],
        ['engine dB', 2, ({ loss }) => loss?.engine_db],
        ['tap', null, ({ loss }) => loss?.tap],
      ]),
  };
}

function tensorLines(item: AccuracyItem): readonly string[] {
  const { loss } = item;
  if (loss === null) return [visible(item.name)];
  const gap = gapOf(item);
  const bad = notFinite(item);
  const side = (name: string, db: number | null, isEqual: number | null): string =>
    isEqual === 1 && db === null
      ? `${name}: bit for bit as in float`
      : `${name}: ${dbText(db, isEqual, '–')} dB`;
  return [
    visible(joined([item.name, loss.op_type], ' · ')),
    side('simulated', loss.simulated_db, loss.simulated_is_equal),
    side('engine', loss.engine_db, loss.engine_is_equal) +
      (Number.isNaN(gap) ? '' : `, ${fixed(gap, 1)} dB behind`),
    ...(bad > 0 ? [`${plural(bad, 'value')} NaN or infinite`] : []),
    ...(isDisturbed(item) ? ['tapping it changed the engine'] : []),
  ];
}
