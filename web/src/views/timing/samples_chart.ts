// Samples over time: least to greatest in grey, the running median as a line; warm-up, steps and what
// to trust are marked. The other fields of the file lie below, on the same axis.

import {
  fixed,
  integer,
  isNumber,
  linkButton,
  niceRange,
  plural,
  signed,
  type FigureTable,
  type NiceRange,
  type Palette,
  type SteadyState,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartBodySpec, ChartSize } from '../../public/chart_body.ts';
import {
  hitShape,
  lineShape,
  markSeries,
  rectShape,
  ringShape,
  textShape,
  type Mark,
  type Shape,
} from '../../public/chart_marks.ts';
import { axisText, type ChartOption } from '../../public/chart.ts';
import {
  causeLabel,
  percentilesOf,
  fieldName,
  fieldWords,
  isAllZero,
  levelDecimals,
  type Course,
  type Field,
  type Timing,
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
// A warm-up of no more samples than this is ringed, sample by sample.
const kRinged = 3;
const kMaxStepLabels = 8;
const kLabelLine = 12;

interface Drawn {
  readonly field: Field;
  readonly course: Course;
}

interface Hovered {
  readonly field: string;
  readonly column: Column;
}

export class SamplesChart implements ChartBodySpec {
  readonly #context: ViewContext;
  readonly #timing: Timing;
  readonly #steady: SteadyState;
  readonly #drawn: readonly Drawn[];

  constructor(context: ViewContext, timing: Timing, steady: SteadyState) {
    this.#context = context;
    this.#timing = timing;
    this.#steady = steady;
    this.#drawn = timing.fields.flatMap((field) =>
      field.course === null || isAllZero(field) ? [] : [{ field, course: field.course }],
    );
  }

  get #byTime(): boolean {
    const timed = this.#drawn.every(({ course }) => course.start !== null);
    return timed && this.#context.store.option('timing.x') === 'time';
  }

  get #onlyTrusted(): boolean {
    return this.#context.store.option('timing.scale') === 'steady';
  }

  explain(): string {
    const { sample_count: count } = this.#steady;
    const words = fieldWords(this.#steady.field);
    return `${integer(count)}, ${words}; ${this.#isSparse ? 'a point each' : `gray: minimum to maximum per ${String(kColumn)} px`}; line: running median`;
  }

  // So few samples that one column would hardly be seen.
  get #isSparse(): boolean {
    return this.#steady.sample_count <= kSparse;
  }

  label(): string {
    const conclusion = this.#timing.conclusion.headline;
    return `Samples over time, ${this.explain()}. ${conclusion} The table holds the numbers.`;
  }

  // What the axes show: two switches.
  choices(): readonly HTMLElement[] {
    const { store } = this.#context;
    const choice = (key: 'timing.x' | 'timing.scale', other: string, on: string, off: string) =>
      linkButton(store.option(key) === other ? on : off, null, () =>
        store.setOption(key, store.option(key) === other ? null : other),
      );
    const [main] = this.#drawn;
    return [
      ...(main?.field.bins === null || main === undefined
        ? []
        : [choice('timing.scale', 'steady', 'scale: all samples', 'scale: steady samples')]),
      ...(this.#drawn.every(({ course }) => course.start !== null)
        ? [choice('timing.x', 'time', 'by sample', 'by time')]
        : []),
    ];
  }

  height(): number {
    const lanes = this.#drawn.length - 1;
    return kTop + kMain + Math.max(0, lanes) * (kGap + kLane) + kAxis;
  }

  #edges(course: Course): Float64Array {
    const edgesOf = this.#byTime ? course : { ...course, start: null };
    return partEdges(edgesOf, this.#timing.sampleCount, this.#steady.duration_ms);
  }

  #range({ field, course }: Drawn): NiceRange {
    const { bins } = field;
    if (this.#onlyTrusted && field.is_end_to_end && bins !== null) {
      return niceRange(bins.start_ms, bins.start_ms + bins.step_ms * bins.counts.length);
    }
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const value of course.min) if (value < low) low = value;
    for (const value of course.max) if (value > high) high = value;
    return niceRange(low, high, field.is_end_to_end ? 4 : 1);
  }

  lines(data: unknown): readonly string[] | null {
    if (typeof data !== 'object' || data === null || !('column' in data)) return null;
    const { column, field } = data as Hovered;
    const decimals = levelDecimals(this.#timing.end_to_end?.median_ms ?? null);
    const ms = (value: number): string => fixed(value, decimals);
    const where =
      column.first === column.last
        ? `sample ${integer(column.first)}`
        : `samples ${integer(column.first)} to ${integer(column.last)}`;
    const phase = this.#steady.phases.find(
      (range) => range.first <= column.first && column.first <= range.last,
    );
    return [
      where,
      column.min === column.max
        ? `${fieldName(field)} ${ms(column.min)} ms`
        : `${fieldName(field)} ${ms(column.min)} to ${ms(column.max)} ms`,
      ...(phase?.is_warm_up === true ? ['warm-up, left out'] : []),
      ...(phase?.is_trusted === true ? ['trusted'] : []),
    ];
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const text = axisText(palette);
    const inner = Math.max(1, size.width - kLeft - kRight);
    const [main] = this.#drawn;
    const edges = main === undefined ? new Float64Array([0, 1]) : this.#edges(main.course);
    const unit = this.#byTime ? 1e-3 : 1;
    const end = (edges.at(-1) ?? 1) * unit;
    const tops = this.#drawn.map((_, i) =>
      i === 0 ? kTop : kTop + kMain + kGap + (i - 1) * (kLane + kGap),
    );
    const heights = this.#drawn.map((_, i) => (i === 0 ? kMain : kLane));
    const ranges = this.#drawn.map((one) => this.#range(one));
    const last = this.#drawn.length - 1;
    return {
      grid: this.#drawn.map((_, i) => ({
        left: kLeft,
        right: kRight,
        top: tops[i] ?? 0,
        height: heights[i] ?? 0,
        outerBoundsMode: 'none' as const,
      })),
      xAxis: this.#drawn.map((_, i) => ({
        type: 'value' as const,
        gridIndex: i,
        min: 0,
        max: end > 0 ? end : 1,
        splitNumber: 5,
        axisLine: { show: true, onZero: false, lineStyle: { color: palette.ui('line2') } },
        axisTick: { show: i === last, lineStyle: { color: palette.ui('line2') } },
        splitLine: { show: false },
        name: i === last ? (this.#byTime ? 's since the first sample' : 'sample') : '',
        nameLocation: 'end' as const,
        nameGap: 6,
        nameTextStyle: { ...text, align: 'left' as const },
        axisLabel: {
          ...text,
          show: i === last,
          showMaxLabel: false,
          formatter: (value: number) => (this.#byTime ? String(value) : integer(value)),
        },
      })),
      yAxis: ranges.map((range, i) => ({
        type: 'value' as const,
        gridIndex: i,
        min: range.min,
        max: range.max,
        interval: range.step,
        axisLabel: {
          ...text,
          formatter: (value: number) => fixed(value, range.decimals),
        },
        splitLine: { lineStyle: { color: palette.ui('line') } },
      })),
      series: this.#drawn.flatMap((one, i) => [
        markSeries(this.#columns(one, inner, unit, ranges[i] ?? niceRange(0, 1), palette), {
          xAxisIndex: i,
          yAxisIndex: i,
          z: 2,
        }),
        markSeries([this.#line(one, unit, ranges[i] ?? niceRange(0, 1), palette)], {
          xAxisIndex: i,
          yAxisIndex: i,
          z: 3,
        }),
        markSeries(
          i === 0
            ? [...this.#marks(one, edges, unit, ranges[0] ?? niceRange(0, 1), palette)]
            : [this.#laneTitle(one, ranges[i] ?? niceRange(0, 1), palette)],
          { xAxisIndex: i, yAxisIndex: i, z: 4 },
        ),
      ]),
    };
  }

  #columns(
    { field, course }: Drawn,
    inner: number,
    unit: number,
    range: NiceRange,
    palette: Palette,
  ): readonly Mark[] {
    const most = Math.max(1, Math.floor(inner / kColumn));
    const columns = columnsOf(course, this.#timing.sampleCount, this.#edges(course), most);
    return columns.map((column): Mark => {
      const high = Math.min(column.max, range.max);
      return {
        data: { column, field: field.field },
        draw: (place) => {
          const [x0, top] = place(column.from * unit, high);
          const [x1, bottom] = place(
            column.to * unit,
            Math.max(range.min, Math.min(column.min, high)),
          );
          const [, ceiling] = place(0, range.max);
          const [, floor] = place(0, range.min);
          const right = Math.max(x1, x0 + 1);
          const middle = (x0 + right) / 2;
          const isPoint = this.#isSparse;
          const width = isPoint ? kPoint : Math.min(kColumn, right - x0);
          const least = isPoint ? kPoint : 1.5;
          const shapes: Shape[] = [hitShape(x0, ceiling, right, floor)];
          const y0 = bottom - top < least ? (top + bottom - least) / 2 : top;
          shapes.push(
            rectShape(middle - width / 2, y0, middle + width / 2, Math.max(bottom, y0 + least), {
              fill: palette.ui(isPoint ? 'ink3' : 'line2'),
            }),
          );
          // Cut where the scale ends: the spike goes on.
          if (column.max > range.max) {
            shapes.push({
              type: 'polygon',
              silent: true,
              shape: {
                points: [
                  [middle - 3, ceiling - 1],
                  [middle + 3, ceiling - 1],
                  [middle, ceiling - 6],
                ],
              },
              style: { fill: palette.ui('ink3') },
            });
          }
          return shapes;
        },
      };
    });
  }

  #line({ course }: Drawn, unit: number, range: NiceRange, palette: Palette): Mark {
    const edges = this.#edges(course);
    return {
      data: null,
      draw: (place) => {
        const paths: (readonly [number, number])[][] = [[]];
        for (const [i, value] of course.running.entries()) {
          if (Number.isNaN(value) || value > range.max || value < range.min) {
            if ((paths.at(-1)?.length ?? 0) > 0) paths.push([]);
            continue;
          }
          const [x, y] = place((((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2) * unit, value);
          paths.at(-1)?.push([x, y]);
        }
        return paths
          .filter((path) => path.length > 1)
          .map((path) => lineShape(path, palette.ui('ink'), 1.25));
      },
    };
  }

  #laneTitle({ field }: Drawn, range: NiceRange, palette: Palette): Mark {
    return {
      data: null,
      draw: (place) => {
        const [left, top] = place(0, range.max);
        return [
          textShape(`${fieldName(field.field)}, ms`, left + 2, top - 9, {
            fill: palette.ui('ink2'),
            weight: 500,
          }),
        ];
      },
    };
  }

  *#marks(
    { course }: Drawn,
    edges: Float64Array,
    unit: number,
    range: NiceRange,
    palette: Palette,
  ): Iterable<Mark> {
    const at = (sample: number): number =>
      placeOf(course, this.#timing.sampleCount, edges, sample) * unit;
    const { warm_up: warmUp, steps, excursions, trusted } = this.#steady;
    const decimals = levelDecimals(this.#timing.end_to_end?.median_ms ?? null);
    yield {
      data: null,
      draw: (place) => {
        const [, top] = place(0, range.max);
        const [left] = place(0, range.min);
        return [
          textShape('ms', left - 8, top - 14, {
            fill: palette.ui('ink3'),
            align: 'right',
            size: 10,
          }),
        ];
      },
    };
    if (warmUp !== null) yield this.#warmUp(warmUp, course, at, range, palette);
    const labelled = steps.length <= kMaxStepLabels;
    for (const step of steps) {
      yield {
        data: null,
        draw: (place) => {
          const [x, top] = place(at(step.at), range.max);
          const [, bottom] = place(0, range.min);
          const shapes = [
            lineShape(
              [
                [x, top],
                [x, bottom],
              ],
              palette.ui('ink2'),
              1,
              [3, 3],
            ),
          ];
          const words = labelled ? this.#stepWords(step) : [];
          const [, level] = place(0, step.after_ms);
          const first = stepLabelTop(level, top, bottom, words.length, kLabelLine);
          for (const [line, text] of words.entries()) {
            shapes.push(
              textShape(text, x + 3, first + line * kLabelLine, {
                fill: palette.ui('ink2'),
                rim: palette.ui('bg'),
                size: 10,
              }),
            );
          }
          return shapes;
        },
      };
    }
    for (const span of excursions) {
      yield {
        data: null,
        draw: (place) => {
          const [x0, bottom] = place(at(span.first), range.min);
          const [x1] = place(at(span.last + 1), range.min);
          return [
            rectShape(x0, bottom - 5, Math.max(x1, x0 + 2), bottom - 2, {
              fill: palette.ui('ink3'),
            }),
          ];
        },
      };
    }
    if (trusted === null) return;
    yield {
      data: null,
      draw: (place) => {
        const [x0, bottom] = place(at(trusted.first), range.min);
        const [x1] = place(at(trusted.last + 1), range.min);
        return [
          rectShape(x0, bottom, Math.max(x1, x0 + 2), bottom + 3, { fill: palette.ui('ink') }),
          // Where the samples leave room above it.
          textShape('trusted', x1, bottom - 8, {
            fill: palette.ui('ink2'),
            align: 'right',
            rim: palette.ui('bg'),
          }),
        ];
      },
    };
    yield {
      data: null,
      draw: (place) => {
        const right = place(edges.at(-1) === undefined ? 0 : (edges.at(-1) ?? 0) * unit, 0)[0];
        const known = percentilesOf(trusted).flatMap(([name, value]) =>
          value >= range.min && value <= range.max ? [{ name, value, y: place(0, value)[1] }] : [],
        );
        const labels = mergeLabels(
          known.map(({ name, value, y }) => ({ text: `${name} ${fixed(value, decimals)}`, at: y })),
          12,
          // The median is what is looked for; the others are in the table of percentiles.
          (texts) =>
            texts.find((one) => one.startsWith('median')) ??
            texts.map((one) => one.split(' ')[0]).join(', '),
        );
        return [
          ...known.map(({ name, y }) =>
            lineShape(
              [
                [right - 4, y],
                [right + 4, y],
              ],
              palette.ui(name === 'median' ? 'ink' : 'ink3'),
              name === 'median' ? 2 : 1,
            ),
          ),
          ...labels.map(({ text, at: y }) =>
            textShape(text, right + 8, y, { fill: palette.ui('ink2'), size: 10 }),
          ),
        ];
      },
    };
  }

  // By how much the times changed, and what changed on the machine at the same moment:
  // "GPU clock 1410 → 1110 MHz".
  #stepWords(step: SteadyState['steps'][number]): readonly string[] {
    const causes = (this.#timing.machine?.causes ?? []).filter(
      ({ event, at }) => event === 'step' && at === step.at,
    );
    return [
      ...(isNumber(step.change_ratio) ? [`${signed(step.change_ratio * 100, 1)} %`] : []),
      ...causes.map(causeLabel),
    ];
  }

  #warmUp(
    warmUp: NonNullable<SteadyState['warm_up']>,
    course: Course,
    at: (sample: number) => number,
    range: NiceRange,
    palette: Palette,
  ): Mark {
    const count = warmUp.count;
    const decimals = levelDecimals(this.#timing.end_to_end?.median_ms ?? null);
    const text =
      count === 1
        ? `first sample ${fixed(warmUp.from_ms, decimals)}: warm-up, left out`
        : `warm-up: the first ${plural(count, 'sample')}, left out`;
    return {
      data: null,
      draw: (place) => {
        const [x0, top] = place(at(0), range.max);
        const [x1, bottom] = place(at(warmUp.last + 1), range.min);
        const shapes: Shape[] = [];
        if (count > kRinged) {
          shapes.push(
            rectShape(x0, top, Math.max(x1, x0 + 2), bottom, {
              fill: 'none',
              stroke: palette.ui('slower'),
              dash: [3, 2],
            }),
          );
        }
        for (let i = 0; count <= kRinged && i <= warmUp.last; i += 1) {
          const part = course.first.findIndex(
            (first, k) => first <= i && (course.first[k + 1] ?? Infinity) > i,
          );
          const value = course.max[part] ?? Number.NaN;
          if (Number.isNaN(value)) continue;
          const [x, y] = place(at(i), Math.min(value, range.max));
          shapes.push(ringShape(x, y, 4, palette.ui('slower')));
        }
        shapes.push(
          textShape(text, x0 + (count <= kRinged ? 9 : 0), top - 14, { fill: palette.ui('ink2') }),
        );
        return shapes;
      },
    };
  }

  table(): FigureTable {
    const decimals = levelDecimals(this.#timing.end_to_end?.median_ms ?? null);
    const name = (field: Field): string => fieldName(field.field);
    const [main] = this.#drawn;
    const first = main?.course.first ?? new Float64Array();
    const start = main?.course.start ?? null;
    return {
      columns: [
        { title: 'first sample', decimals: 0 },
        ...(start === null ? [] : [{ title: 'start ms', decimals: 3 }]),
        ...this.#drawn.flatMap(({ field }) =>
          ['min', 'max', 'running median'].map((what) => ({
            title: `${name(field)} ${what} ms`,
            decimals,
          })),
        ),
      ],
      rows: [...first].map((sample, i) => {
        const cell = (values: Float64Array): number | null => {
          const value = values[i] ?? Number.NaN;
          return Number.isNaN(value) ? null : value;
        };
        return [
          sample,
          ...(start === null ? [] : [cell(start)]),
          ...this.#drawn.flatMap(({ course }) => [
            cell(course.min),
            cell(course.max),
            cell(course.running),
          ]),
        ];
      }),
    };
  }
}
