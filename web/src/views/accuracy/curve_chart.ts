// SQNR along the graph: what the model's own arithmetic keeps, what the engine keeps, and the gap
// between them.

import {
  bodyFont,
  figureTable,
  fixed,
  isNumber,
  niceRange,
  plural,
  textWidth,
  visible,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { hitShape, lineShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { idOf, linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import { choose, chosenItem, dbText, gapOf, isDisturbed } from './data.ts';
import type { AccuracyData, AccuracyItem } from './data.ts';

const kLeft = 44;
const kTop = 22;
const kPlot = 220;
const kBottom = 30;
const kRadius = 3;
// Below it answers change; the program names the first tensor that is.
const kLowDb = 20;
// Points nearer than this are a line without marks.
const kMinStep = 5;

type Side = 'simulated_db' | 'engine_db';

interface Frame {
  readonly xOf: (at: number) => number;
  readonly yOf: (db: number) => number;
  readonly step: number;
  readonly inner: number;
}

export class CurveChart implements TabledChart {
  readonly #context: ViewContext;
  readonly #data: AccuracyData;

  constructor(context: ViewContext, data: AccuracyData) {
    this.#context = context;
    this.#data = data;
  }

  get #hasEngine(): boolean {
    return this.#data.compared.some(({ loss }) => isNumber(loss?.engine_db));
  }

  explain(): string {
    const { compared } = this.#data;
    const disturbed = compared.filter(isDisturbed).length;
    return [
      `SQNR against the float model, dB, of ${plural(compared.length, 'tensor')} in its order`,
      this.#hasEngine ? 'shaded: the engine’s loss' : null,
      disturbed > 0 ? 'hollow: looking changed the engine' : null,
    ]
      .filter((part) => part !== null)
      .join('; ');
  }

  label(): string {
    return `Signal to noise along the graph. ${this.explain()}. The table holds the numbers.`;
  }

  height(): number {
    return kTop + kPlot + kBottom;
  }

  lines(data: unknown): readonly string[] | null {
    return linesOf(data);
  }

  click(data: unknown): void {
    const id = idOf(data);
    const item = this.#data.items.find(({ tensor }) => tensor === id);
    if (item !== undefined) choose(this.#context.store, item);
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const { compared } = this.#data;
    const sides: readonly (readonly [Side, string, string])[] = [
      ['simulated_db', 'simulated', palette.ui('ink2')],
      ...(this.#hasEngine
        ? ([['engine_db', 'engine', palette.ui('slower')]] as const)
        : ([] as const)),
    ];
    const right = 12 + Math.max(...sides.map(([, name]) => textWidth(name, bodyFont(11, 500))));
    const inner = Math.max(40, size.width - kLeft - right);
    const step = inner / Math.max(1, compared.length);
    const values = compared.flatMap(({ loss }) =>
      [loss?.simulated_db, loss?.engine_db].filter(isNumber),
    );
    const range = niceRange(Math.min(0, ...values), Math.max(kLowDb, ...values), 5);
    const frame: Frame = {
      xOf: (at) => kLeft + (at + 0.5) * step,
      yOf: (db) => kTop + kPlot * (1 - (db - range.min) / (range.max - range.min)),
      step,
      inner,
    };
    const below = [...this.#axis(palette, frame, range), ...this.#gaps(palette, frame)];
    const above: Shape[] = [];
    for (const [side, name, colour] of sides) {
      below.push(...this.#line(side, colour, frame));
      above.push(...this.#points(side, colour, palette, frame));
      const last = compared.findLastIndex(({ loss }) => isNumber(loss?.[side]));
      const db = compared[last]?.loss?.[side];
      if (!isNumber(db)) continue;
      // Where both end together, one stands above the other.
      const other = compared[last]?.loss?.[side === 'engine_db' ? 'simulated_db' : 'engine_db'];
      const gap = isNumber(other) ? frame.yOf(db) - frame.yOf(other) : 100;
      const isAbove = gap < 0 || (gap === 0 && side === 'simulated_db');
      const shift = Math.abs(gap) < 13 && this.#hasEngine ? (isAbove ? -7 : 7) : 0;
      above.push(
        textShape(name, frame.xOf(last) + kRadius + 5, frame.yOf(db) + shift, {
          fill: colour,
          weight: 500,
        }),
      );
    }
    above.push(...this.#notFinite(palette, frame));
    return placedOption([...this.#chosen(palette, frame), ...below], this.#marks(frame), above);
  }

  #axis(
    palette: Palette,
    { yOf, inner }: Frame,
    range: { readonly min: number; readonly max: number; readonly step: number },
  ): readonly Shape[] {
    const soft = palette.ui('ink3');
    const shapes: Shape[] = [];
    const across = (y: number): readonly (readonly [number, number])[] => [
      [kLeft, y],
      [kLeft + inner, y],
    ];
    for (let db = range.min; db <= range.max + range.step / 2; db += range.step) {
      const y = Math.round(yOf(db)) + 0.5;
      shapes.push(
        lineShape(across(y), palette.ui(Math.abs(db) < 1e-9 ? 'line2' : 'line')),
        textShape(fixed(db, 0), kLeft - 6, y, { fill: soft, align: 'right', size: 10 }),
      );
    }
    const low = Math.round(yOf(kLowDb)) + 0.5;
    shapes.push(
      lineShape(across(low), soft, 1, [3, 3]),
      textShape('dB', kLeft - 6, kTop - 14, { fill: soft, align: 'right', size: 10 }),
      textShape('first', kLeft, kTop + kPlot + 14, { fill: soft, size: 10 }),
      textShape('last tensor of the graph', kLeft + inner, kTop + kPlot + 14, {
        fill: soft,
        align: 'right',
        size: 10,
      }),
    );
    return shapes;
  }

  // Between both lines, from each point to the next one.
  #gaps(palette: Palette, { xOf, yOf }: Frame): readonly Shape[] {
    const { compared } = this.#data;
    return compared.flatMap((item, at): readonly Shape[] => {
      const next = compared[at + 1];
      const corners = [item, next].map((one) => [one?.loss?.simulated_db, one?.loss?.engine_db]);
      const [a, b] = corners;
      const [a0, a1, b0, b1] = [a?.[0], a?.[1], b?.[0], b?.[1]];
      if (!isNumber(a0) || !isNumber(a1) || !isNumber(b0) || !isNumber(b1)) return [];
      return [
        {
          type: 'polygon',
          silent: true,
          shape: {
            points: [
              [xOf(at), yOf(a0)],
              [xOf(at + 1), yOf(b0)],
              [xOf(at + 1), yOf(b1)],
              [xOf(at), yOf(a1)],
            ],
          },
          style: { fill: palette.ui('slower'), opacity: 0.16 },
        },
      ];
    });
  }

  // Where a tensor has no figure, the line has a gap.
  #line(side: Side, colour: string, { xOf, yOf }: Frame): readonly Shape[] {
    const runs: (readonly [number, number])[][] = [[]];
    for (const [at, { loss }] of this.#data.compared.entries()) {
      const db = loss?.[side];
      if (isNumber(db)) runs.at(-1)?.push([xOf(at), yOf(db)]);
      else if (runs.at(-1)?.length !== 0) runs.push([]);
    }
    return runs.filter((run) => run.length > 1).map((run) => lineShape(run, colour, 1.5));
  }

  #points(side: Side, colour: string, palette: Palette, frame: Frame): readonly Shape[] {
    const chosen = chosenItem(this.#context.store, this.#data);
    const { compared } = this.#data;
    return compared.flatMap((item, at): readonly Shape[] => {
      const db = item.loss?.[side];
      if (!isNumber(db)) return [];
      const isHollow = side === 'engine_db' && isDisturbed(item);
      const isAlone =
        !isNumber(compared[at - 1]?.loss?.[side]) && !isNumber(compared[at + 1]?.loss?.[side]);
      if (frame.step < kMinStep && !isHollow && !isAlone && item !== chosen) return [];
      return [
        {
          type: 'circle',
          silent: true,
          shape: {
            cx: frame.xOf(at),
            cy: frame.yOf(db),
            r: item === chosen ? kRadius + 1.5 : frame.step < 2 * kMinStep ? 2 : kRadius,
          },
          style: {
            fill: isHollow ? palette.ui('bg') : colour,
            stroke: isHollow ? colour : palette.ui('bg'),
            lineWidth: isHollow ? 1.5 : 1,
          },
        },
      ];
    });
  }

  #notFinite(palette: Palette, { xOf }: Frame): readonly Shape[] {
    return this.#data.compared.flatMap(({ loss }, at): readonly Shape[] => {
      const bad = (loss?.engine_not_finite_count ?? 0) + (loss?.simulated_not_finite_count ?? 0);
      return bad > 0
        ? [
            textShape('×', xOf(at), kTop + kPlot - 6, {
              fill: palette.ui('error'),
              align: 'center',
              weight: 600,
              size: 14,
            }),
          ]
        : [];
    });
  }

  #chosen(palette: Palette, { xOf }: Frame): readonly Shape[] {
    const chosen = chosenItem(this.#context.store, this.#data);
    const at = chosen === null ? -1 : this.#data.compared.indexOf(chosen);
    if (at < 0) return [];
    const points = [
      [xOf(at), kTop],
      [xOf(at), kTop + kPlot],
    ] as const;
    return [lineShape(points, palette.ui('selb'), 1.5)];
  }

  // A column for each tensor, so that points that lie close are hit.
  #marks({ xOf, step }: Frame): readonly PlacedMark[] {
    return this.#data.compared.map((item, at) => ({
      id: item.tensor,
      lines: tensorLines(item),
      shape: hitShape(xOf(at) - step / 2, kTop, xOf(at) + step / 2, kTop + kPlot),
    }));
  }

  table(): FigureTable {
    return figureTable(this.#data.compared, [
      ['tensor', null, ({ tensor }) => tensor],
      ['operation', null, ({ loss }) => loss?.op_name ?? null],
      ['type', null, ({ loss }) => loss?.op_type ?? null],
      ['simulated dB', 2, ({ loss }) => loss?.simulated_db ?? null],
      ['engine dB', 2, ({ loss }) => loss?.engine_db ?? null],
      ['tap', null, ({ loss }) => loss?.tap ?? null],
    ]);
  }
}

export function tensorLines(item: AccuracyItem): readonly string[] {
  const { loss } = item;
  if (loss === null) return [visible(item.name)];
  const gap = gapOf(item);
  const bad = (loss.engine_not_finite_count ?? 0) + (loss.simulated_not_finite_count ?? 0);
  const side = (name: string, db: number | null, isEqual: number | null): string =>
    isEqual === 1 && db === null
      ? `${name}: bit for bit as in float`
      : `${name}: ${dbText(db, isEqual, '–')} dB`;
  return [
    visible(`${item.name}${loss.op_type === null ? '' : ` · ${loss.op_type}`}`),
    side('simulated', loss.simulated_db, loss.simulated_is_equal),
    side('engine', loss.engine_db, loss.engine_is_equal) +
      (Number.isNaN(gap) ? '' : `, ${fixed(gap, 1)} dB behind`),
    ...(bad > 0 ? [`${plural(bad, 'value')} NaN or infinite`] : []),
    ...(isDisturbed(item) ? ['looking at it changed the engine'] : []),
  ].slice(0, 6);
}
