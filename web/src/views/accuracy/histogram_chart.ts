// How the values of one tensor lie, and what its scale covers of them.

import {
  figureTable,
  fixed,
  kMissing,
  percent,
  significant,
  visible,
  type CalibratedTensor,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartSize, TabledChart } from '../../public/chart_body.ts';
import { lineShape, rectShape, textShape, type Shape } from '../../public/chart_marks.ts';
import type { ChartOption } from '../../public/chart.ts';
import { linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import { dbText, shownCalibration, type AccuracyData } from './data.ts';

const kLeft = 12;
const kRight = 12;
const kTop = 22;
const kPlot = 130;
const kBottom = 22;
const kTicks = 4;

interface Bins {
  readonly counts: readonly number[];
  readonly range: number;
  readonly threshold: number;
  readonly total: number;
}

function binsOf(calibration: CalibratedTensor | null): Bins | null {
  const counts = calibration?.histogram ?? null;
  const range = calibration?.histogram_max ?? 0;
  if (calibration === null || counts === null || counts.length === 0 || !(range > 0)) return null;
  const total = counts.reduce((sum, count) => sum + count, 0);
  return { counts, range, threshold: calibration.threshold ?? range, total };
}

export class HistogramChart implements TabledChart {
  readonly #context: ViewContext;
  readonly #data: AccuracyData;

  constructor(context: ViewContext, data: AccuracyData) {
    this.#context = context;
    this.#data = data;
  }

  get #calibration(): CalibratedTensor | null {
    return shownCalibration(this.#context.store, this.#data)?.calibration ?? null;
  }

  explain(): string {
    const calibration = this.#calibration;
    const item = shownCalibration(this.#context.store, this.#data);
    if (calibration === null) {
      return item === null ? '' : `${visible(item.name)} has no scale of its own`;
    }
    const type = calibration.dtype?.toLowerCase() ?? kMissing;
    const zeroPoint = calibration.zero_point ?? 0;
    const share = calibration.clipped_ratio;
    return [
      visible(item?.name ?? ''),
      share === null ? null : `${percent(share)} % beyond the threshold`,
      `${type}, scale ${significant(calibration.scale)}`,
      zeroPoint === 0 ? null : `zero point ${zeroPoint}`,
      `${dbText(calibration.sqnr_db, null, kMissing)} dB by itself`,
    ]
      .filter((part) => part !== null)
      .join('; ');
  }

  label(): string {
    return `Values of a tensor by their magnitude. ${this.explain()}. The table holds the numbers.`;
  }

  height(): number {
    return binsOf(this.#calibration) === null ? 0 : kTop + kPlot + kBottom;
  }

  lines(data: unknown): readonly string[] | null {
    return linesOf(data);
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const bins = binsOf(this.#calibration);
    if (bins === null) return placedOption([], [], []);
    const { counts, range, threshold } = bins;
    const inner = Math.max(40, size.width - kLeft - kRight);
    // A threshold may lie beyond all values, of tensors that share a scale.
    const most = Math.max(range, threshold);
    const xOf = (value: number): number => kLeft + (value / most) * inner;
    const logs = counts.map((count) => Math.log10(1 + count));
    const highest = Math.max(...logs, 1e-9);
    const yOf = (log: number): number => kTop + kPlot * (1 - log / highest);
    const width = range / counts.length;
    const base = kTop + kPlot;
    const marks = counts.map((count, at): PlacedMark => {
      const [from, to] = [at * width, (at + 1) * width];
      const isClipped = (from + to) / 2 > threshold;
      const [x0, x1] = [xOf(from), Math.max(xOf(from) + 1, xOf(to) - 0.5)];
      return {
        lines: this.#lines(bins, at),
        shape: {
          type: 'group',
          children: [
            rectShape(x0, kTop, x1, base, { fill: 'transparent' }),
            rectShape(x0, yOf(logs[at] ?? 0), x1, base, {
              fill: count === 0 ? 'transparent' : palette.ui(isClipped ? 'slower' : 'ink3'),
            }),
          ],
        },
      };
    });
    return placedOption(
      this.#axis(palette, most, xOf, inner),
      marks,
      this.#threshold(palette, threshold, xOf, size.width),
    );
  }

  #axis(
    palette: Palette,
    most: number,
    xOf: (value: number) => number,
    inner: number,
  ): readonly Shape[] {
    const soft = palette.ui('ink3');
    const base = kTop + kPlot + 0.5;
    const shapes: Shape[] = [
      lineShape(
        [
          [kLeft, base],
          [kLeft + inner, base],
        ],
        palette.ui('line2'),
      ),
    ];
    for (let i = 0; i <= kTicks; i += 1) {
      const value = (most * i) / kTicks;
      shapes.push(
        textShape(i === 0 ? '0' : significant(value), xOf(value), base + 12, {
          fill: soft,
          size: 10,
          align: i === 0 ? 'left' : i === kTicks ? 'right' : 'center',
        }),
      );
    }
    return shapes;
  }

  #threshold(
    palette: Palette,
    threshold: number,
    xOf: (value: number) => number,
    width: number,
  ): readonly Shape[] {
    const x = xOf(threshold);
    const isRight = x > width / 2;
    return [
      lineShape(
        [
          [x, kTop - 8],
          [x, kTop + kPlot],
        ],
        palette.ui('selb'),
        1.5,
      ),
      textShape(`threshold ${significant(threshold)}`, x + (isRight ? -5 : 5), kTop - 10, {
        fill: palette.ui('ink2'),
        align: isRight ? 'right' : 'left',
        rim: palette.ui('bg'),
      }),
    ];
  }

  #lines({ counts, range, total }: Bins, at: number): readonly string[] {
    const width = range / counts.length;
    const count = counts[at] ?? 0;
    return [
      `|x| from ${significant(at * width)} to ${significant((at + 1) * width)}`,
      `${fixed(count, 0)} values, ${percent(total > 0 ? count / total : 0)} %`,
    ];
  }

  table(): FigureTable {
    const bins = binsOf(this.#calibration);
    const width = bins === null ? 0 : bins.range / bins.counts.length;
    return figureTable(bins?.counts ?? [], [
      ['from', 5, (_, at) => Number((at * width).toPrecision(6))],
      ['to', 5, (_, at) => Number(((at + 1) * width).toPrecision(6))],
      ['values', 0, (count) => count],
    ]);
  }
}
