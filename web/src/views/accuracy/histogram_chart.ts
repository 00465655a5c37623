// The distribution of one tensor's values, and how much of it the scale covers.

import {
  figureTable,
  fixed,
  joined,
  kMissing,
  percent,
  significant,
  visible,
  type CalibratedTensor,
  type ViewContext,
} from '../../public/index.ts';
import { across, upwards, xAxis, type TabledPlot } from '../../public/plot/index.ts';
import { dbText, shownCalibration, type AccuracyData } from './data.ts';

const kSide = 12;
const kTop = 22;
const kPlot = 130;
const kBottom = 22;
const kTicks = 4;

interface Bins {
  readonly counts: readonly number[];
  // Of one bin.
  readonly width: number;
  readonly threshold: number;
}

function binsOf(calibration: CalibratedTensor | null): Bins | null {
  const counts = calibration?.histogram ?? [];
  const range = calibration?.histogram_max ?? 0;
  if (counts.length === 0 || !(range > 0)) return null;
  return { counts, width: range / counts.length, threshold: calibration?.threshold ?? range };
}

export function histogramChart({ store }: ViewContext, data: AccuracyData): TabledPlot {
  const bins = (): Bins | null => binsOf(shownCalibration(store, data)?.calibration ?? null);
  const explain = (): string => {
    const item = shownCalibration(store, data);
    if (item === null) return '';
    const { calibration } = item;
    const name = visible(item.name);
    if (calibration === null) return `${name} has no scale of its own`;
    const { clipped_ratio: share, scale } = calibration;
    const zeroPoint = calibration.zero_point ?? 0;
    return joined(
      [
        name,
        share === null ? null : `${percent(share)} % beyond the threshold`,
        `${calibration.dtype?.toLowerCase() ?? kMissing}, scale ${significant(scale)}`,
        zeroPoint === 0 ? null : `zero point ${zeroPoint}`,
        `${dbText(calibration.sqnr_db, null, kMissing)} dB by itself`,
      ],
      '; ',
    );
  };
  return {
    explain,
    label: () => `Values of a tensor by magnitude. ${explain()}. The table has the numbers.`,
    height: () => (bins() === null ? 0 : kTop + kPlot + kBottom),
    draw: (plot) => {
      const found = bins();
      if (found === null) return;
      const { palette } = plot;
      const { counts, width, threshold } = found;
      const inner = Math.max(40, plot.width - 2 * kSide);
      const frame = { left: kSide, top: kTop, width: inner, height: kPlot };
      const base = kTop + kPlot;
      // A threshold can be above all values, for tensors that share a scale.
      const most = Math.max(width * counts.length, threshold);
      const x = across(frame, 0, most);
      const logOf = (count: number): number => Math.log10(1 + count);
      const y = upwards(frame, 0, Math.max(...counts.map(logOf), 1e-9));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const ticks = {
        values: Array.from({ length: kTicks + 1 }, (_, i) => (most * i) / kTicks),
        text: significant,
      };
      xAxis(plot, frame, x, ticks, { lines: false, isStrong: true });
      for (const [at, count] of counts.entries()) {
        const [from, to] = [at * width, (at + 1) * width];
        const [left, right] = [x(from), Math.max(x(from) + 1, x(to) - 0.5)];
        const fill = palette.ui((from + to) / 2 > threshold ? 'slower' : 'ink3');
        if (count > 0) plot.rect(left, y(logOf(count)), right, base, { fill });
        plot.hit(left, kTop, right, base, {
          lines: () => [
            `|x| from ${significant(from)} to ${significant(to)}`,
            `${fixed(count, 0)} values, ${percent(total > 0 ? count / total : 0)} %`,
          ],
        });
      }
      const edge = x(threshold);
      const isRight = edge > plot.width / 2;
      plot.line([edge, kTop - 8, edge, base], palette.ui('selb'), { width: 1.5 });
      plot.text(`threshold ${significant(threshold)}`, edge + (isRight ? -5 : 5), kTop - 10, {
        fill: palette.ui('ink2'),
        align: isRight ? 'right' : 'left',
        rim: palette.ui('bg'),
        size: 11,
      });
    },
    table: () => {
      const { counts, width } = bins() ?? { counts: [], width: 0 };
      return figureTable(counts, [
        ['from', 5, (_, at) => Number((at * width).toPrecision(6))],
        ['to', 5, (_, at) => Number(((at + 1) * width).toPrecision(6))],
        ['values', 0, (count) => count],
      ]);
    },
  };
}
