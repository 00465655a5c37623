// The front of a search: how near models come to the float one, for how much left in float.

import {
  bodyFont,
  choiceLinks,
  figureTable,
  fixed,
  isNumber,
  niceRange,
  plural,
  textWidth,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { lineShape, ringShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import type { AccuracyData } from './data.ts';
import {
  costOf,
  dbOf,
  goalDb,
  kCosts,
  knownCosts,
  placedPoints,
  pointLines,
  type Cost,
  type PlacedPoint,
} from './front.ts';

const kLeft = 44;
const kRight = 20;
const kTop = 24;
const kPlot = 200;
const kBottom = 40;
const kRadius = 4;
const kHit = 12;
const kCostOption = 'accuracy.cost';

interface Frame {
  readonly xOf: (cost: number) => number;
  readonly yOf: (db: number) => number;
  readonly right: number;
}

export class FrontChart implements TabledChart {
  readonly #context: ViewContext;
  readonly #data: AccuracyData;

  constructor(context: ViewContext, data: AccuracyData) {
    this.#context = context;
    this.#data = data;
  }

  get #cost(): Cost {
    return costOf(this.#data.accuracy, this.#context.store.option(kCostOption));
  }

  get #points(): readonly PlacedPoint[] {
    return placedPoints(this.#data.accuracy, this.#cost);
  }

  aside(): readonly (HTMLElement | null)[] {
    const { store } = this.#context;
    const known = knownCosts(this.#data.accuracy);
    if (known.length < 2) return [];
    const options = known.map((id) => ({ id, name: kCosts[id].name }));
    return [choiceLinks('cost', options, this.#cost, (id) => store.setOption(kCostOption, id))];
  }

  explain(): string {
    const { front } = this.#data.accuracy;
    const points = this.#points;
    const missing = front.length - points.length;
    return [
      `${plural(front.length, 'model')} of a search: SQNR of the outputs, simulated, against what is left in float`,
      points.some(({ isBeaten }) => isBeaten) ? 'hollow: beaten at this cost' : null,
      this.#cost === 'median' ? 'whiskers: 95 % interval' : null,
      missing > 0 ? `${plural(missing, 'point')} without a figure` : null,
    ]
      .filter((part) => part !== null)
      .join('; ');
  }

  label(): string {
    return `Front of a search. ${this.explain()}. The table holds the numbers.`;
  }

  height(): number {
    return this.#points.length === 0 ? 0 : kTop + kPlot + kBottom;
  }

  lines(data: unknown): readonly string[] | null {
    return linesOf(data);
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const points = this.#points;
    const cost = this.#cost;
    if (points.length === 0) return placedOption([], [], []);
    const goal = goalDb(this.#data.accuracy);
    const costs = points.flatMap(({ point, cost: x }) =>
      [x, ...(cost === 'median' ? [point.median_low_ms, point.median_high_ms] : [])].filter(
        isNumber,
      ),
    );
    const most = Math.max(...costs);
    // Times of whole models lie close together, what is left in float begins at nothing.
    const xs = niceRange(
      cost === 'median' ? Math.min(...costs) : 0,
      most > 0 ? most : cost === 'layers' ? 1 : 1e-3,
      5,
    );
    const ys = niceRange(
      Math.min(...points.map(({ db }) => db), goal ?? Number.POSITIVE_INFINITY),
      Math.max(...points.map(({ db }) => db), goal ?? Number.NEGATIVE_INFINITY),
      5,
    );
    const right = Math.max(kLeft + 40, size.width - kRight);
    const frame: Frame = {
      xOf: (x) => kLeft + ((x - xs.min) / (xs.max - xs.min)) * (right - kLeft),
      yOf: (db) => kTop + kPlot * (1 - (db - ys.min) / (ys.max - ys.min)),
      right,
    };
    const below: Shape[] = [];
    const soft = palette.ui('ink3');
    for (let db = ys.min; db <= ys.max + ys.step / 2; db += ys.step) {
      const y = Math.round(frame.yOf(db)) + 0.5;
      below.push(
        lineShape(
          [
            [kLeft, y],
            [right, y],
          ],
          palette.ui('line'),
        ),
        textShape(fixed(db, ys.decimals), kLeft - 6, y, { fill: soft, align: 'right', size: 10 }),
      );
    }
    const base = kTop + kPlot;
    for (let x = xs.min; x <= xs.max + xs.step / 2; x += xs.step) {
      // Half a layer is none.
      if (cost === 'layers' && Math.abs(x - Math.round(x)) > 1e-9) continue;
      const at = Math.round(frame.xOf(x)) + 0.5;
      below.push(
        lineShape(
          [
            [at, base],
            [at, base + 4],
          ],
          palette.ui('line2'),
        ),
        textShape(kCosts[cost].text(x), at, base + 12, { fill: soft, align: 'center', size: 10 }),
      );
    }
    below.push(
      textShape('dB', kLeft - 6, kTop - 14, { fill: soft, align: 'right', size: 10 }),
      textShape(kCosts[cost].title, right, base + 28, { fill: soft, align: 'right', size: 10 }),
      ...this.#goal(palette, frame, goal),
      ...this.#line(palette, frame, points),
    );
    return placedOption(
      below,
      points.map((one) => this.#mark(one, palette, frame)),
      points.flatMap((one) => this.#above(one, palette, frame)),
    );
  }

  #goal(palette: Palette, { yOf, right }: Frame, goal: number | null): readonly Shape[] {
    if (goal === null) return [];
    const y = Math.round(yOf(goal)) + 0.5;
    return [
      lineShape(
        [
          [kLeft, y],
          [right, y],
        ],
        palette.ui('ink3'),
        1,
        [3, 3],
      ),
      textShape(`goal ${fixed(goal, 0)} dB`, right, y - 8, {
        fill: palette.ui('ink2'),
        align: 'right',
        size: 10,
        rim: palette.ui('bg'),
      }),
    ];
  }

  // What can be had: each point's dB until the next one.
  #line(palette: Palette, { xOf, yOf, right }: Frame, points: readonly PlacedPoint[]): Shape[] {
    const corners: (readonly [number, number])[] = [];
    for (const { cost, db, isBeaten } of points) {
      if (isBeaten) continue;
      const before = corners.at(-1);
      if (before !== undefined) corners.push([xOf(cost), before[1]]);
      corners.push([xOf(cost), yOf(db)]);
    }
    const last = corners.at(-1);
    if (last === undefined) return [];
    corners.push([right, last[1]]);
    return [lineShape(corners, palette.ui('line2'), 1.5)];
  }

  #mark({ point, cost, db, isBeaten }: PlacedPoint, palette: Palette, frame: Frame): PlacedMark {
    const [x, y] = [frame.xOf(cost), frame.yOf(db)];
    const ink = palette.ui('ink2');
    return {
      lines: pointLines(point),
      shape: {
        type: 'group',
        children: [
          { type: 'circle', shape: { cx: x, cy: y, r: kHit }, style: { fill: 'transparent' } },
          {
            type: 'circle',
            shape: { cx: x, cy: y, r: kRadius },
            style: {
              fill: isBeaten ? palette.ui('bg') : ink,
              stroke: isBeaten ? ink : palette.ui('bg'),
              lineWidth: isBeaten ? 1.5 : 1,
            },
          },
        ],
      },
    };
  }

  // Whiskers, and the point that was written.
  #above({ point, cost, db }: PlacedPoint, palette: Palette, frame: Frame): readonly Shape[] {
    const [x, y] = [frame.xOf(cost), frame.yOf(db)];
    const shapes: Shape[] = [];
    const { median_low_ms: low, median_high_ms: high } = point;
    if (this.#cost === 'median' && isNumber(low) && isNumber(high)) {
      const ink = palette.ui('ink2');
      const bar = (from: readonly [number, number], to: readonly [number, number]): Shape =>
        lineShape([from, to], ink, 1);
      const [x0, x1] = [frame.xOf(low), frame.xOf(high)];
      shapes.push(
        bar([x0, y], [x1, y]),
        bar([x0, y - 3], [x0, y + 3]),
        bar([x1, y - 3], [x1, y + 3]),
      );
    }
    if (point.is_chosen !== 1) return shapes;
    const text = 'written';
    const width = textWidth(text, bodyFont(11, 600));
    const isLeft = x + kRadius + 8 + width > frame.right;
    shapes.push(
      ringShape(x, y, kRadius + 3.5, palette.ui('selb')),
      textShape(text, isLeft ? x - kRadius - 8 : x + kRadius + 8, y + 12, {
        fill: palette.ui('ink'),
        weight: 600,
        align: isLeft ? 'right' : 'left',
        rim: palette.ui('bg'),
      }),
    );
    return shapes;
  }

  table(): FigureTable {
    return figureTable(this.#data.accuracy.front, [
      ['layers in float', 0, (point) => point.float_layers],
      ['dB', 2, (point) => dbOf(point)],
      ['top-1', 4, (point) => point.judged_top1_ratio ?? point.top1_ratio],
      ['MACs ratio', 4, (point) => point.macs_ratio],
      ['weight bytes', 0, (point) => point.weight_bytes],
      ['their ms', 4, (point) => point.ms],
      ['median ms', 4, (point) => point.median_ms],
      ['from', 4, (point) => point.median_low_ms],
      ['to', 4, (point) => point.median_high_ms],
      ['written', null, (point) => (point.is_chosen === 1 ? 'yes' : 'no')],
      ['names', null, (point) => point.kept.join(' ')],
    ]);
  }
}
