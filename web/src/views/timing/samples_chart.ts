// Samples over time: minimum to maximum in grey, the running median as a line; warm-up, steps and
// the trusted part are marked. The other fields of the file are below, on the same axis.

import {
  figureTable,
  fixed,
  integer,
  isNumber,
  linkButton,
  niceRange,
  plural,
  signed,
  type DataColumn,
  type FieldSamples,
  type Figure,
  type FigureTable,
  type NiceRange,
  type SampleSeries,
  type SteadyState,
  type Timing,
  type ViewContext,
} from '../../public/index.ts';
import {
  across,
  plotFigure,
  rangeTicks,
  ticksTo,
  upwards,
  xAxis,
  yAxis,
  type Frame,
  type Plot,
  type Scale,
} from '../../public/plot/index.ts';
import {
  causeLabel,
  drawnBins,
  drawnSeries,
  fieldName,
  fieldWords,
  isAllZero,
  levelDecimals,
  percentilesOf,
} from './data.ts';
import {
  columnsOf,
  mergeLabels,
  partEdges,
  placeOf,
  stepLabelTop,
  type Column,
} from './samples_layout.ts';

const kLeft = 56;
const kRight = 92;
const kTop = 26;
const kMain = 190;
const kLane = 40;
const kGap = 26;
const kAxis = 34;
const kColumn = 2;
const kSparse = 60;
const kPoint = 5;
// A warm-up of at most this many samples is circled sample by sample.
const kRinged = 3;
const kMaxStepLabels = 8;
const kLabelLine = 12;

interface Drawn {
  readonly field: FieldSamples;
  readonly series: SampleSeries;
}

interface Samples {
  readonly context: ViewContext;
  readonly timing: Timing;
  readonly steady: SteadyState;
  readonly drawn: readonly Drawn[];
  readonly decimals: number;
}

// One field in its frame.
interface Lane extends Drawn {
  readonly frame: Frame;
  readonly range: NiceRange;
  readonly y: Scale;
  // Where parts begin, in samples or ms, and where the last one ends.
  readonly edges: readonly number[];
  readonly x: Scale;
}

// Null: no samples to draw.
export function samplesFigure(context: ViewContext, timing: Timing): Figure | null {
  const { steady_state: steady } = timing;
  const { fields } = timing.samples;
  if (steady === null || fields.every((field) => drawnSeries(field) === null)) return null;
  const drawn = fields.flatMap((field) => {
    const series = drawnSeries(field);
    return series === null || isAllZero(field) ? [] : [{ field, series }];
  });
  const decimals = levelDecimals(timing.end_to_end?.median_ms);
  const samples: Samples = { context, timing, steady, drawn, decimals };
  const lanes = Math.max(0, drawn.length - 1);
  const explain = (): string => {
    const marks = isSparse(steady)
      ? 'one point per sample'
      : `gray: minimum to maximum per ${String(kColumn)} px`;
    return `${integer(steady.sample_count)}, ${fieldWords(steady.field)}; ${marks}; line: running median`;
  };
  return plotFigure(
    context,
    {
      explain,
      label: () =>
        `Samples over time, ${explain()}. ${timing.conclusion.headline} The table has the numbers.`,
      height: () => kTop + kMain + lanes * (kGap + kLane) + kAxis,
      draw: (plot) => drawSamples(plot, samples),
      table: () => dataOf(samples),
    },
    { id: 'samples', title: 'Samples', aside: () => choices(samples) },
  );
}

// So few samples that single columns would hardly be visible.
function isSparse({ sample_count: count }: SteadyState): boolean {
  return count <= kSparse;
}

const isTimed = ({ drawn }: Samples): boolean =>
  drawn.every(({ series }) => series.start_ms !== undefined);

function isByTime(samples: Samples): boolean {
  return isTimed(samples) && samples.context.store.option('timing.x') === 'time';
}

// What the axes show: two switches.
function choices(samples: Samples): readonly (HTMLElement | null)[] {
  const { store } = samples.context;
  const choice = (key: 'timing.x' | 'timing.scale', other: string, on: string, off: string) =>
    linkButton(store.option(key) === other ? on : off, null, () =>
      store.setOption(key, store.option(key) === other ? null : other),
    );
  const main = samples.drawn[0]?.field;
  return [
    drawnBins(main?.bins ?? null) === null
      ? null
      : choice('timing.scale', 'steady', 'scale: all samples', 'scale: steady samples'),
    isTimed(samples) ? choice('timing.x', 'time', 'by sample', 'by time') : null,
  ];
}

function rangeOf({ context }: Samples, { field, series }: Drawn): NiceRange {
  const bins = drawnBins(field.bins);
  const isSteady = context.store.option('timing.scale') === 'steady';
  if (isSteady && field.is_end_to_end && bins !== null) {
    return niceRange(bins.start_ms, bins.start_ms + bins.step_ms * bins.counts.length);
  }
  const low = Math.min(...series.min_ms.filter(isNumber));
  const high = Math.max(...(series.max_ms ?? series.min_ms).filter(isNumber));
  return niceRange(low, high, field.is_end_to_end ? 4 : 1);
}

function laneOf(plot: Plot, samples: Samples, drawn: Drawn, at: number): Lane {
  const { timing, steady } = samples;
  const { series } = drawn;
  const frame = {
    left: kLeft,
    top: at === 0 ? kTop : kTop + kMain + kGap + (at - 1) * (kLane + kGap),
    width: Math.max(1, plot.width - kLeft - kRight),
    height: at === 0 ? kMain : kLane,
  };
  const starts = isByTime(samples) ? series.start_ms : undefined;
  const edges =
    starts === undefined
      ? partEdges(series.first, timing.samples.count)
      : partEdges(starts, steady.duration_ms);
  const range = rangeOf(samples, drawn);
  const x = across(frame, 0, (edges.at(-1) ?? 0) || 1);
  return { ...drawn, frame, range, y: upwards(frame, range.min, range.max), edges, x };
}

function drawSamples(plot: Plot, samples: Samples): void {
  const { palette } = plot;
  const lanes = samples.drawn.map((drawn, i) => laneOf(plot, samples, drawn, i));
  const last = lanes.at(-1);
  const xTitle = isByTime(samples) ? 's since the first sample' : 'sample';
  for (const lane of lanes) {
    const { field, frame, range, x, y } = lane;
    yAxis(plot, frame, y, rangeTicks(range), { isStrong: true });
    const ticks = lane === last ? xTicks(samples, lane) : { values: [], text: String };
    const title = lane === last ? { title: xTitle } : {};
    xAxis(plot, frame, x, ticks, { lines: false, isStrong: true, ...title });
    drawColumns(plot, samples, lane);
    drawRunning(plot, lane);
    if (lane === lanes[0]) drawMarks(plot, samples, lane);
    else {
      const look = { fill: palette.ui('ink2'), weight: 500, size: 11 } as const;
      plot.text(`${fieldName(field.field)}, ms`, frame.left + 2, frame.top - 9, look);
    }
  }
}

function xTicks(samples: Samples, { edges }: Lane) {
  const end = edges.at(-1) ?? 0;
  if (!isByTime(samples)) return { ...ticksTo(end, 5), text: integer };
  const { values, text } = ticksTo(end / 1e3, 5);
  return { values: values.map((s) => s * 1e3), text: (ms: number) => text(ms / 1e3) };
}

function drawColumns(plot: Plot, samples: Samples, lane: Lane): void {
  const { palette } = plot;
  const { frame, range, series, edges, x, y } = lane;
  const isPoint = isSparse(samples.steady);
  const least = isPoint ? kPoint : 1.5;
  const most = Math.max(1, Math.floor(frame.width / kColumn));
  for (const column of columnsOf(series, samples.timing.samples.count, edges, most)) {
    const high = Math.min(column.max, range.max);
    const [top, bottom] = [y(high), y(Math.max(range.min, Math.min(column.min, high)))];
    const left = x(column.from);
    const right = Math.max(x(column.to), left + 1);
    const middle = (left + right) / 2;
    const half = (isPoint ? kPoint : Math.min(kColumn, right - left)) / 2;
    const y0 = bottom - top < least ? (top + bottom - least) / 2 : top;
    const fill = palette.ui(isPoint ? 'ink3' : 'line2');
    plot.rect(middle - half, y0, middle + half, Math.max(bottom, y0 + least), { fill });
    // Cut where the scale ends: the spike continues above it.
    if (column.max > range.max) {
      const ceiling = frame.top - 1;
      const tip = [middle - 3, ceiling, middle + 3, ceiling, middle, ceiling - 5];
      plot.shape(tip, palette.ui('ink3'));
    }
    plot.hit(left, frame.top, right, frame.top + frame.height, {
      lines: () => columnLines(samples, lane, column),
    });
  }
}

function columnLines(
  { steady, decimals }: Samples,
  { field }: Lane,
  { first, last, min, max }: Column,
): readonly string[] {
  const [least, greatest] = [fixed(min, decimals), fixed(max, decimals)];
  const phase = steady.phases.find((range) => range.first <= first && first <= range.last);
  return [
    first === last ? `sample ${integer(first)}` : `samples ${integer(first)} to ${integer(last)}`,
    `${fieldName(field.field)} ${min === max ? least : `${least} to ${greatest}`} ms`,
    ...(phase?.is_warm_up === true ? ['warm-up, left out'] : []),
    ...(phase?.is_trusted === true ? ['trusted'] : []),
  ];
}

function drawRunning(plot: Plot, { series, range, edges, x, y }: Lane): void {
  let path: number[] = [];
  const finish = (): void => {
    plot.line(path, plot.palette.ui('ink'), { width: 1.25 });
    path = [];
  };
  for (const [i, value] of series.running_ms.entries()) {
    if (value === null || value > range.max || value < range.min) finish();
    else path.push(x(((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2), y(value));
  }
  finish();
}

function drawMarks(plot: Plot, samples: Samples, lane: Lane): void {
  const { palette } = plot;
  const { warm_up: warmUp, steps, excursions, trusted } = samples.steady;
  const { series, edges, frame, x, y } = lane;
  const { top } = frame;
  const bottom = top + frame.height;
  const at = (sample: number): number =>
    x(placeOf(series, samples.timing.samples.count, edges, sample));
  // From one sample to the end of another, at a visible minimum width.
  const span = (first: number, last: number): readonly [number, number] => [
    at(first),
    Math.max(at(last + 1), at(first) + 2),
  ];
  const words = { fill: palette.ui('ink2'), rim: palette.ui('bg') };
  plot.text('ms', frame.left - 8, top - 14, { fill: palette.ui('ink3'), align: 'right' });
  if (warmUp !== null) drawWarmUp(plot, samples, lane, warmUp, at);
  for (const step of steps) {
    const left = at(step.at);
    plot.line([left, top, left, bottom], palette.ui('ink2'), { dash: [3, 3] });
    const lines = steps.length <= kMaxStepLabels ? stepLines(samples, step) : [];
    const first = stepLabelTop(y(step.after_ms), top, bottom, lines.length, kLabelLine);
    for (const [line, text] of lines.entries()) {
      plot.text(text, left + 3, first + line * kLabelLine, words);
    }
  }
  for (const { first, last } of excursions) {
    const [left, right] = span(first, last);
    plot.rect(left, bottom - 5, right, bottom - 2, { fill: palette.ui('ink3') });
  }
  if (trusted === null) return;
  const [left, right] = span(trusted.first, trusted.last);
  plot.rect(left, bottom, right, bottom + 3, { fill: palette.ui('ink') });
  // If the samples leave room above it.
  plot.text('trusted', right, bottom - 8, { ...words, align: 'right', size: 11 });
  drawPercentiles(plot, samples, lane, percentilesOf(trusted));
}

// At the right, where the axis ends.
function drawPercentiles(
  plot: Plot,
  { decimals }: Samples,
  { range, frame, y }: Lane,
  percentiles: readonly (readonly [string, number])[],
): void {
  const { palette } = plot;
  const right = frame.left + frame.width;
  const known = percentiles.filter(([, value]) => value >= range.min && value <= range.max);
  for (const [name, value] of known) {
    const [isMedian, at] = [name === 'median', y(value)];
    const colour = palette.ui(isMedian ? 'ink' : 'ink3');
    plot.line([right - 4, at, right + 4, at], colour, { width: isMedian ? 2 : 1 });
  }
  const labels = known.map(([name, value]) => ({
    text: `${name} ${fixed(value, decimals)}`,
    at: y(value),
  }));
  // The median is what readers look for; the others are in the table of percentiles.
  const join = (texts: readonly string[]): string =>
    texts.find((text) => text.startsWith('median')) ??
    texts.map((text) => text.split(' ')[0]).join(', ');
  for (const { text, at } of mergeLabels(labels, kLabelLine, join)) {
    plot.text(text, right + 8, at, { fill: palette.ui('ink2') });
  }
}

// By how much the times changed, and what changed on the machine at the same moment: "GPU clock
// 1410 → 1110 MHz".
function stepLines({ timing }: Samples, step: SteadyState['steps'][number]): readonly string[] {
  const causes = (timing.machine?.causes ?? []).filter(
    ({ event, at }) => event === 'step' && at === step.at,
  );
  return [
    ...(isNumber(step.change_ratio) ? [`${signed(step.change_ratio * 100, 1)} %`] : []),
    ...causes.map(causeLabel),
  ];
}

function drawWarmUp(
  plot: Plot,
  { decimals }: Samples,
  { series, frame, range, y }: Lane,
  { count, last, from_ms }: NonNullable<SteadyState['warm_up']>,
  at: Scale,
): void {
  const stroke = plot.palette.ui('slower');
  const { top, height } = frame;
  const left = at(0);
  const isRinged = count <= kRinged;
  if (!isRinged) {
    const right = Math.max(at(last + 1), left + 2);
    plot.rect(left, top, right, top + height, { stroke, dash: [3, 2] });
  }
  for (let i = 0; isRinged && i <= last; i += 1) {
    const part = series.first.findLastIndex((first) => first <= i);
    const value = (series.max_ms ?? series.min_ms)[part] ?? null;
    if (value === null) continue;
    plot.circle(at(i), y(Math.min(value, range.max)), 4, { stroke, width: 1.5 });
  }
  const text =
    count === 1
      ? `first sample ${fixed(from_ms, decimals)}: warm-up, left out`
      : `warm-up: the first ${plural(count, 'sample')}, left out`;
  const look = { fill: plot.palette.ui('ink2'), size: 11 };
  plot.text(text, left + (isRinged ? 9 : 0), top - 14, look);
}

function dataOf({ drawn, decimals }: Samples): FigureTable {
  const main = drawn[0]?.series;
  const start = main?.start_ms;
  const of =
    (values: readonly (number | null)[] | undefined) =>
    (_: number, part: number): number | null | undefined =>
      values?.[part];
  return figureTable<number>(main?.first ?? [], [
    ['first sample', 0, (sample) => sample],
    ...(start === undefined ? [] : [['start ms', 3, of(start)] as const]),
    ...drawn.flatMap(({ field, series }): readonly DataColumn<number>[] => {
      const name = fieldName(field.field);
      return [
        [`${name} min ms`, decimals, of(series.min_ms)],
        [`${name} max ms`, decimals, of(series.max_ms ?? series.min_ms)],
        [`${name} running median ms`, decimals, of(series.running_ms)],
      ];
    }),
  ]);
}
