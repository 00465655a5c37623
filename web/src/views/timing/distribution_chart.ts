// How the samples of one field are distributed after the warm-up: dark are the trusted ones.

import {
  bodyFont,
  figureTable,
  fixed,
  integer,
  linkButton,
  niceTicks,
  plural,
  textWidth,
  tickDecimals,
  type FigureTable,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import type { ChartBodySpec, ChartSize } from '../../public/chart_body.ts';
import {
  hitShape,
  lineShape,
  markSeries,
  rectShape,
  textShape,
  type Mark,
} from '../../public/chart_marks.ts';
import { axisText, type ChartOption } from '../../public/chart.ts';
import { fieldName, levelDecimals, percentilesOf, type Bins, type Field } from './data.ts';
import { rowsOf } from './label_rows.ts';

const kLeft = 56;
const kRight = 24;
const kAxis = 34;
const kRow = 13;

export class DistributionChart implements ChartBodySpec {
  readonly #context: ViewContext;
  readonly #field: Field;
  readonly #all: Bins;
  readonly #plot: number;

  // `plot`: the height of the bars' part.
  constructor(context: ViewContext, field: Field, bins: Bins, plot: number) {
    this.#context = context;
    this.#field = field;
    this.#all = bins;
    this.#plot = plot;
  }

  get #bins(): Bins {
    const { middle, is_end_to_end: isEndToEnd } = this.#field;
    const wanted = this.#context.store.option('timing.bins') === 'middle';
    return wanted && isEndToEnd && middle !== null ? middle : this.#all;
  }

  // Long tails leave little room for the rest.
  choice(): HTMLElement | null {
    const { store } = this.#context;
    if (this.#field.middle === null || !this.#field.is_end_to_end) return null;
    const isMiddle = store.option('timing.bins') === 'middle';
    return linkButton(isMiddle ? 'with the tails' : 'the middle 90 %', null, () =>
      store.setOption('timing.bins', isMiddle ? null : 'middle'),
    );
  }

  // "bin 1.024 µs, the clock's step".
  #bin(): string {
    const { step_ms: width } = this.#bins;
    const us = (ms: number): string => `${String(Number((ms * 1e3).toPrecision(6)))} µs`;
    const clock = this.#field.step_ms;
    if (clock === null || clock * 1e3 < 0.02) return `bin ${us(width)}`;
    const multiple = Math.round(width / clock);
    return multiple === 1
      ? `bin ${us(width)} = the step of the times`
      : `bin ${us(width)} = ${integer(multiple)} steps of ${us(clock)}`;
  }

  #outside(): string {
    const { below, above } = this.#bins;
    const parts = [
      below > 0 ? `${integer(below)} below` : null,
      above > 0 ? `${integer(above)} above` : null,
    ].filter((part) => part !== null);
    return parts.length === 0 ? '' : `; ${parts.join(' and ')} not drawn`;
  }

  explain(): string {
    const { counts, below, above } = this.#bins;
    const all = counts.reduce((sum, n) => sum + n, below + above);
    return `${plural(all, 'sample')} after the warm-up; ${this.#bin()}${this.#outside()}`;
  }

  label(): string {
    const { trusted, all } = this.#field;
    const said = percentilesOf(trusted ?? all)
      .map(([name, value]) => `${name} ${fixed(value, 4)} ms`)
      .join(', ');
    return (
      `Distribution of ${fieldName(this.#field.field)}, ${this.explain()}. ` +
      `${said}${said === '' ? '' : '. '}The table holds the counts.`
    );
  }

  #rows(
    width: number,
  ): readonly { readonly text: string; readonly value: number; readonly row: number }[] {
    const figures = this.#field.trusted ?? this.#field.all;
    const decimals = levelDecimals(this.#field.all?.median_ms ?? null);
    const end = this.#bins.start_ms + this.#bins.step_ms * this.#bins.counts.length;
    const labels = percentilesOf(figures).flatMap(([name, value]) =>
      value >= this.#bins.start_ms && value <= end
        ? [{ text: `${name} ${fixed(value, decimals)}`, value }]
        : [],
    );
    const inner = Math.max(1, width - kLeft - kRight);
    const x = (value: number): number =>
      kLeft + ((value - this.#bins.start_ms) / (end - this.#bins.start_ms)) * inner;
    // From the right: so no line runs through the words of another.
    labels.reverse();
    const rows = rowsOf(
      labels.map(({ text, value }) => {
        const w = textWidth(text, bodyFont(11)) + 10;
        // To the left of its line where there is no room at the right.
        const left = x(value) + w > width ? x(value) - w : x(value);
        return { from: left, to: left + w };
      }),
    );
    return labels.map((label, i) => ({ ...label, row: rows[i] ?? 0 }));
  }

  #top(width: number): number {
    return kRow * (1 + Math.max(0, ...this.#rows(width).map(({ row }) => row))) + 8;
  }

  height(width: number): number {
    return this.#top(width) + this.#plot + kAxis;
  }

  lines(data: unknown): readonly string[] | null {
    if (typeof data !== 'object' || data === null || !('bin' in data)) return null;
    const bin = Number(data.bin);
    const { start_ms, step_ms, counts, trusted } = this.#bins;
    const decimals = Math.max(levelDecimals(this.#field.all?.median_ms ?? null), 4);
    const from = start_ms + bin * step_ms;
    const count = counts[bin] ?? 0;
    const own = trusted[bin] ?? 0;
    return [
      `${fixed(from, decimals)} to ${fixed(from + step_ms, decimals)} ms`,
      plural(count, 'sample'),
      ...(own === count ? [] : [`${integer(own)} of them trusted`]),
    ];
  }

  option(palette: Palette, size: ChartSize): ChartOption {
    const text = axisText(palette);
    const { start_ms, step_ms, counts, trusted } = this.#bins;
    const end = start_ms + step_ms * counts.length;
    const most = counts.reduce((max, n) => Math.max(max, n), 1);
    const ticks = niceTicks(most * 1.02, this.#plot > 100 ? 4 : 3);
    const top = this.#top(size.width);
    // At least as many as tell one tick from the next.
    const decimals = Math.max(2, Math.ceil(-Math.log10((end - start_ms) / 6)));
    const bars = counts.map((count, bin): Mark => {
      const own = trusted[bin] ?? 0;
      return {
        data: count > 0 ? { bin } : null,
        draw: (place) => {
          if (count === 0) return [];
          const [x0, y] = place(start_ms + bin * step_ms, count);
          const [x1, floor] = place(start_ms + (bin + 1) * step_ms, 0);
          const [, ceiling] = place(0, most * 1.02);
          const [, yOwn] = place(0, own);
          const gap = x1 - x0 > 4 ? 1 : 0;
          // What is there is seen.
          const yTop = Math.min(y, floor - 1.5);
          return [
            hitShape(x0, ceiling, x1, floor),
            rectShape(x0, yTop, x1 - gap, floor, { fill: palette.ui('line2') }),
            ...(own > 0
              ? [
                  rectShape(x0, Math.min(yOwn, floor - 1.5), x1 - gap, floor, {
                    fill: palette.ui('ink2'),
                  }),
                ]
              : []),
          ];
        },
      };
    });
    const rows = this.#rows(size.width);
    const isMedian = (words: string): boolean => words.startsWith('median');
    const rowY = (row: number): number => top - 8 - row * kRow;
    // All lines lie under all words.
    const lines = rows.map(({ text: words, value, row }): Mark => ({
      data: null,
      draw: (place) => {
        const [x, floor] = place(value, 0);
        return [
          lineShape(
            [
              [x, rowY(row) + 5],
              [x, floor],
            ],
            palette.ui('ink'),
            isMedian(words) ? 1.5 : 1,
            isMedian(words) ? undefined : [3, 2],
          ),
        ];
      },
    }));
    const labels = rows.map(({ text: words, value, row }): Mark => ({
      data: null,
      draw: (place) => {
        const [x] = place(value, 0);
        const left = x + textWidth(words, bodyFont(11)) + 6 > size.width;
        return [
          textShape(words, left ? x - 4 : x + 4, rowY(row), {
            fill: palette.ui(isMedian(words) ? 'ink' : 'ink2'),
            align: left ? 'right' : 'left',
            rim: palette.ui('bg'),
          }),
        ];
      },
    }));
    return {
      grid: { left: kLeft, right: kRight, top, height: this.#plot, outerBoundsMode: 'none' },
      xAxis: {
        type: 'value',
        min: start_ms,
        max: end,
        splitNumber: Math.max(2, Math.min(6, Math.floor(size.width / 110))),
        axisLine: { onZero: false, lineStyle: { color: palette.ui('line2') } },
        axisTick: { lineStyle: { color: palette.ui('line2') } },
        splitLine: { show: false },
        name: `${fieldName(this.#field.field)}, ms`,
        nameLocation: 'middle',
        nameGap: 22,
        nameTextStyle: text,
        axisLabel: {
          ...text,
          showMinLabel: false,
          showMaxLabel: false,
          hideOverlap: true,
          formatter: (value: number) => fixed(value, decimals),
        },
      },
      yAxis: {
        type: 'value',
        min: 0,
        max: most * 1.02,
        interval: ticks[1] ?? most,
        axisLabel: {
          ...text,
          showMaxLabel: false,
          formatter: (value: number) => fixed(value, tickDecimals(ticks)),
        },
        splitLine: { showMaxLine: false, lineStyle: { color: palette.ui('line') } },
      },
      series: [
        markSeries(bars, { z: 2 }),
        markSeries(lines, { z: 3 }),
        markSeries(labels, { z: 4 }),
      ],
    };
  }

  table(): FigureTable {
    const { start_ms, step_ms, counts, trusted } = this.#bins;
    return figureTable(counts, [
      ['from ms', 6, (_, i) => start_ms + i * step_ms],
      ['samples', 0, (count) => count],
      ['trusted', 0, (_, i) => trusted[i] ?? 0],
    ]);
  }
}
