// The distribution of one field's samples after the warm-up; dark are the trusted ones.

import {
  bodyFont,
  figureTable,
  fixed,
  integer,
  joined,
  linkButton,
  niceRange,
  plural,
  span,
  textWidth,
  type FieldSamples,
  type Figure,
  type SampleBins,
  type ViewContext,
} from '../../public/index.ts';
import {
  across,
  linear,
  plotFigure,
  rangeTicks,
  ticksTo,
  upwards,
  xAxis,
  yAxis,
  type Frame,
  type Plot,
} from '../../public/plot/index.ts';
import { drawnBins, fieldName, fieldWords, levelDecimals, percentilesOf } from './data.ts';
import { rowsOf } from './label_rows.ts';

const kMainPlot = 150;
const kSmallPlot = 70;
const kLeft = 56;
const kRight = 24;
const kAxis = 34;
const kRow = 13;
const kBinsOption = 'timing.bins';

// Null: it has no bins.
export function distributionFigure(context: ViewContext, field: FieldSamples): Figure | null {
  const { store } = context;
  const isMain = field.is_end_to_end;
  const all = drawnBins(field.bins);
  const middle = isMain ? drawnBins(field.middle_bins) : null;
  if (all === null) return null;
  const isMiddle = (): boolean => store.option(kBinsOption) === 'middle';
  const bins = (): SampleBins => (isMiddle() ? (middle ?? all) : all);
  const name = fieldName(field.field);
  const explain = (): string => explainBins(field, bins());
  const said = percentilesOf(field.trusted ?? field.all)
    .map(([percentile, value]) => `${percentile} ${fixed(value, 4)} ms`)
    .join(', ');
  // Long tails leave little room for the rest.
  const choice = (): HTMLElement =>
    linkButton(isMiddle() ? 'with the tails' : 'the middle 90 %', null, () =>
      store.setOption(kBinsOption, isMiddle() ? null : 'middle'),
    );
  const legend = (): readonly (HTMLElement | null)[] => [
    span('legend-entry', span('swatch bin-trusted'), 'trusted'),
    span('legend-entry', span('swatch bin-other'), 'other levels'),
    middle === null ? null : choice(),
  ];
  return plotFigure(
    context,
    {
      explain: () => (isMain ? explain() : `${fieldWords(field.field)}; ${explain()}`),
      label: () =>
        `Distribution of ${name}, ${joined([`${explain()}.`, said && `${said}.`], ' ')} The table has the counts.`,
      height: (width) => {
        const { top, height } = frameOf(field, labelsOf(field, bins(), width), width);
        return top + height + kAxis;
      },
      draw: (plot) => drawBins(plot, field, bins()),
      table: () => {
        const { start_ms, step_ms, counts, trusted } = bins();
        return figureTable(counts, [
          ['from ms', 6, (_, i) => start_ms + i * step_ms],
          ['samples', 0, (count) => count],
          ['trusted', 0, (_, i) => trusted[i] ?? 0],
        ]);
      },
    },
    {
      id: isMain ? 'distribution' : `distribution-${field.field}`,
      title: isMain ? 'Distribution' : name.replace(/^./, (letter) => letter.toUpperCase()),
      aside: () => (isMain ? legend() : []),
    },
  );
}

// "bin 1.024 µs = the step of the times".
function binText({ step_ms: clock }: FieldSamples, { step_ms: width }: SampleBins): string {
  const us = (ms: number): string => `${String(Number((ms * 1e3).toPrecision(6)))} µs`;
  if (clock === null || clock * 1e3 < 0.02) return `bin ${us(width)}`;
  const multiple = Math.round(width / clock);
  return multiple === 1
    ? `bin ${us(width)} = the step of the times`
    : `bin ${us(width)} = ${integer(multiple)} steps of ${us(clock)}`;
}

function explainBins(field: FieldSamples, bins: SampleBins): string {
  const { counts, below, above } = bins;
  const all = counts.reduce((sum, n) => sum + n, below + above);
  const outside = joined(
    [below > 0 && `${integer(below)} below`, above > 0 && `${integer(above)} above`],
    ' and ',
  );
  return joined(
    [
      `${plural(all, 'sample')} after the warm-up`,
      binText(field, bins),
      outside && `${outside} not drawn`,
    ],
    '; ',
  );
}

interface Label {
  readonly text: string;
  readonly isMedian: boolean;
  readonly x: number;
  // To the left of its line if there is no room at the right.
  readonly isLeft: boolean;
  // From the bottom.
  readonly row: number;
}

function labelsOf(field: FieldSamples, bins: SampleBins, width: number): readonly Label[] {
  const decimals = levelDecimals(field.all?.median_ms);
  const end = endOf(bins);
  const x = linear(bins.start_ms, end, kLeft, kLeft + innerWidth(width));
  const labels = percentilesOf(field.trusted ?? field.all)
    .filter(([, value]) => value >= bins.start_ms && value <= end)
    .map(([name, value]) => {
      const text = `${name} ${fixed(value, decimals)}`;
      const room = textWidth(text, bodyFont(11)) + 10;
      const isLeft = x(value) + room > width;
      return { text, isMedian: name === 'median', x: x(value), isLeft, room };
    })
    // From the right, so that no line crosses the words of another.
    .reverse();
  const rows = rowsOf(
    labels.map(({ x: from, isLeft, room }) =>
      isLeft ? { from: from - room, to: from } : { from, to: from + room },
    ),
  );
  return labels.map((label, i) => ({ ...label, row: rows[i] ?? 0 }));
}

const innerWidth = (width: number): number => Math.max(1, width - kLeft - kRight);

const endOf = ({ start_ms, step_ms, counts }: SampleBins): number =>
  start_ms + step_ms * counts.length;

// Below the labels, which take more rows in narrow charts.
function frameOf(field: FieldSamples, labels: readonly Label[], width: number): Frame {
  const rows = 1 + Math.max(0, ...labels.map(({ row }) => row));
  return {
    left: kLeft,
    top: rows * kRow + 8,
    width: innerWidth(width),
    height: field.is_end_to_end ? kMainPlot : kSmallPlot,
  };
}

function drawBins(plot: Plot, field: FieldSamples, bins: SampleBins): void {
  const { palette } = plot;
  const { start_ms: start, step_ms: step, counts, trusted } = bins;
  const end = endOf(bins);
  const labels = labelsOf(field, bins, plot.width);
  const frame = frameOf(field, labels, plot.width);
  const floor = frame.top + frame.height;
  const most = counts.reduce((max, n) => Math.max(max, n), 1) * 1.02;
  const x = across(frame, start, end);
  const y = upwards(frame, 0, most);
  yAxis(plot, frame, y, ticksTo(most, field.is_end_to_end ? 4 : 3), { isStrong: true });
  const range = niceRange(start, end, Math.max(2, Math.min(6, Math.floor(plot.width / 110))));
  const within = rangeTicks(range).values.filter((value) => value >= start && value <= end);
  const text = (value: number): string => fixed(value, Math.max(2, range.decimals));
  xAxis(plot, frame, x, { values: within, text }, { lines: false, isStrong: true });
  const soft = { fill: palette.ui('ink3'), align: 'middle' } as const;
  plot.text(`${fieldName(field.field)}, ms`, frame.left + frame.width / 2, floor + 27, soft);
  for (const [bin, count] of counts.entries()) {
    if (count === 0) continue;
    const [x0, x1] = [x(start + bin * step), x(start + (bin + 1) * step)];
    const right = x1 - (x1 - x0 > 4 ? 1 : 0);
    const own = trusted[bin] ?? 0;
    // A nonzero count stays visible.
    const top = (of: number): number => Math.min(y(of), floor - 1.5);
    plot.rect(x0, top(count), right, floor, { fill: palette.ui('line2') });
    if (own > 0) plot.rect(x0, top(own), right, floor, { fill: palette.ui('ink2') });
    plot.hit(x0, frame.top, x1, floor, { lines: () => linesOf(field, bins, bin) });
  }
  const rowY = (row: number): number => frame.top - 8 - row * kRow;
  // All lines are drawn under all words.
  for (const { x: at, row, isMedian } of labels) {
    const look = isMedian ? { width: 1.5 } : { dash: [3, 2] };
    plot.line([at, rowY(row) + 5, at, floor], palette.ui('ink'), look);
  }
  for (const { text: words, x: at, row, isMedian, isLeft } of labels) {
    plot.text(words, isLeft ? at - 4 : at + 4, rowY(row), {
      fill: palette.ui(isMedian ? 'ink' : 'ink2'),
      align: isLeft ? 'right' : 'left',
      size: 11,
      rim: palette.ui('bg'),
    });
  }
}

function linesOf(field: FieldSamples, bins: SampleBins, bin: number): readonly string[] {
  const { start_ms, step_ms, counts, trusted } = bins;
  const decimals = Math.max(levelDecimals(field.all?.median_ms), 4);
  const from = start_ms + bin * step_ms;
  const [count = 0, own = 0] = [counts[bin], trusted[bin]];
  return [
    `${fixed(from, decimals)} to ${fixed(from + step_ms, decimals)} ms`,
    plural(count, 'sample'),
    ...(own === count ? [] : [`${integer(own)} of them trusted`]),
  ];
}
