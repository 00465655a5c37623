// Engines side by side: time by type as stacks with a tick for the end-to-end time, layers by input
// precision, and the totals.

import {
  bodyFont,
  div,
  el,
  familyKey,
  fixed,
  fitName,
  integer,
  isNumber,
  kMissing,
  nameTitle,
  niceTicks,
  percent,
  precisionKey,
  sectionTitle,
  span,
  textWidth,
  tickDecimals,
  visible,
  type FamilyKey,
  type Palette,
  type Report,
  type ViewContext,
  type WireComparePrecision,
  type WireComparison,
  type WireTotal,
} from '../../public/index.ts';
import {
  axisText,
  familyPaint,
  makeChart,
  type BarSeriesOption,
  type Chart,
  type ChartOption,
  type PatternFill,
  type ScatterSeriesOption,
} from '../../public/chart.ts';
import { td, th } from './sections.ts';

const kLeastRow = 26;
const kMostRow = 36;
const kTotalsRow = 20;
const kAxisHeight = 22;
const kMostName = 124;
const kMostHead = 104;
const kMostSegments = 9;
// Room for the sum at the end of a stack.
const kTotalWidth = 64;

// Where the writer sent no comparison, the engines' own summaries side by side: nothing is computed.
export function comparisonOf(report: Report): WireComparison {
  if (report.comparison !== null) return report.comparison;
  const summaries = report.engines.map((e) => e.summary);
  const types = new Map<string | null, string | null>();
  for (const s of summaries) for (const g of s.by_type) types.set(g.type, g.family);
  const precisions = [...new Set(summaries.flatMap((s) => s.by_precision.map((g) => g.precision)))];
  const total = (
    metric: string,
    label: string,
    unit: string,
    better: WireTotal['better'],
    values: readonly (number | null)[],
  ): WireTotal => ({ metric, label, unit, better, values });
  return {
    engines: report.engines.map((e) => ({ name: e.name, label: e.id })),
    totals: [
      total(
        'end_to_end_median_ms',
        'end to end',
        'ms',
        'lower',
        summaries.map((s) => s.time.end_to_end?.median_ms ?? null),
      ),
      total(
        'layers_median_ms',
        'Σ layers',
        'ms',
        'lower',
        summaries.map((s) => s.time.layers_median_ms),
      ),
      total(
        'layer_count',
        'layers',
        'count',
        'none',
        summaries.map((s) => s.layer_count),
      ),
      total(
        'activation_bytes',
        'activation traffic',
        'bytes',
        'lower',
        summaries.map((s) => s.activation_bytes),
      ),
      total(
        'weight_bytes',
        'weights',
        'bytes',
        'none',
        summaries.map((s) => s.weight_bytes),
      ),
    ],
    by_type: [...types].map(([type, family]) => {
      const groups = summaries.map((s) => s.by_type.find((g) => g.type === type));
      return {
        type,
        family,
        median_ms: groups.map((g) => g?.median_ms ?? g?.mean_ms ?? null),
        count: groups.map((g) => g?.count ?? null),
      };
    }),
    by_precision: precisions.map((precision) => {
      const groups = summaries.map((s) => s.by_precision.find((g) => g.precision === precision));
      return {
        precision,
        median_ms: groups.map((g) => g?.median_ms ?? null),
        count: groups.map((g) => g?.count ?? null),
      };
    }),
    by_output_precision: [],
  };
}

interface Segment {
  readonly name: string;
  readonly paint: string | PatternFill;
  // The plain colour under the paint, to choose the ink of its label.
  readonly colour: string;
  readonly legendClass: string;
  readonly values: readonly (number | null)[];
}

interface StackOptions {
  readonly names: readonly string[];
  readonly current: number;
  readonly segments: readonly Segment[];
  readonly ticks: readonly (number | null)[] | null;
  readonly decimals: number;
  readonly unit: string;
  readonly palette: Palette;
  readonly width: number;
  readonly nameWidth: number;
}

function sums(segments: readonly Segment[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) =>
    segments.reduce((sum, s) => sum + (s.values[i] ?? 0), 0),
  );
}

function stackOption(o: StackOptions): ChartOption {
  const { palette } = o;
  const totals = sums(o.segments, o.names.length);
  const longest = Math.max(...totals, ...(o.ticks ?? []).map((t) => t ?? 0), 0);
  const ticks = niceTicks(longest);
  const axis = axisText(palette);
  const room = o.width - o.nameWidth - kTotalWidth;
  const text = { fontSize: 11, fontFamily: axis.fontFamily };
  const past = (total: number, tick: number | null): number => {
    const gap = (((tick ?? 0) - total) / longest) * room;
    return gap > -2 && gap < textWidth(fixed(total, o.decimals), bodyFont(11)) + 12 ? gap + 3 : 0;
  };
  const bars = o.segments.map((segment): BarSeriesOption => ({
    type: 'bar',
    stack: 'all',
    silent: true,
    barWidth: 16,
    name: segment.name,
    data: segment.values.map((value) => {
      const ink = palette.inkOn(segment.colour);
      const shown = fixed(value, o.decimals);
      const fits =
        isNumber(value) &&
        typeof segment.paint === 'string' &&
        ink !== null &&
        (value / longest) * room > shown.length * 6.2 + 8;
      return {
        value: value ?? 0,
        itemStyle: {
          color: segment.paint,
          borderColor: palette.ui('bg'),
          borderWidth: isNumber(value) && value > 0 ? 0.6 : 0,
        },
        label: {
          show: fits,
          position: 'insideLeft',
          distance: 5,
          formatter: shown,
          color: ink ?? '',
          ...text,
        },
      };
    }),
  }));
  const end: ScatterSeriesOption = {
    type: 'scatter',
    silent: true,
    symbolSize: 0,
    data: totals.map((total, i) => ({
      value: [total, i],
      label: {
        show: total > 0,
        position: 'right',
        // Past the tick, where the tick would run through the number.
        distance: 6 + past(total, o.ticks?.[i] ?? null),
        formatter: fixed(total, o.decimals),
        color: palette.ui('ink2'),
        ...text,
      },
    })),
  };
  const tick: ScatterSeriesOption = {
    type: 'scatter',
    silent: true,
    symbol: 'rect',
    symbolSize: [2.5, 22],
    itemStyle: {
      color: palette.ui('ink'),
      borderColor: palette.ui('bg'),
      borderWidth: 0.8,
      opacity: 1,
    },
    data: (o.ticks ?? []).flatMap((value, i) => (isNumber(value) ? [[value, i]] : [])),
  };
  return {
    animation: false,
    grid: {
      left: o.nameWidth,
      right: kTotalWidth,
      top: 2,
      bottom: kAxisHeight,
      outerBoundsMode: 'none',
    },
    xAxis: {
      type: 'value',
      max: longest,
      interval: ticks[1] ?? 1,
      axisLabel: {
        ...axis,
        hideOverlap: true,
        // The axis ends with the longest bar, which is no tick.
        formatter: (value: number) =>
          ticks.some((t) => Math.abs(t - value) < longest * 1e-6)
            ? fixed(value, tickDecimals(ticks))
            : '',
      },
      splitLine: { showMaxLine: false, lineStyle: { color: palette.ui('line') } },
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: o.names.map(String),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: palette.ui('line2') } },
      axisLabel: {
        ...text,
        margin: 8,
        interval: 0,
        color: (_value?: string | number, index?: number) =>
          palette.ui(index === o.current ? 'ink' : 'ink2'),
        formatter: (_value: string, index: number) => {
          const name = fitName(o.names[index] ?? '', o.nameWidth - 12, bodyFont(11, 600));
          return index === o.current ? `{on|${name}}` : `{off|${name}}`;
        },
        rich: { on: { fontWeight: 600, color: palette.ui('ink'), ...text }, off: text },
      },
    },
    series: [...bars, end, tick],
  };
}

function legend(segments: readonly Segment[], unit: string): HTMLElement {
  return span(
    'legend',
    ...segments.map((s) => span('legend-entry', span(`swatch ${s.legendClass}`), s.name)),
    unit === '' ? null : span('legend-entry', span('tick-mark'), unit),
  );
}

// Types that are small in all engines are put together: nine shades are what an eye holds apart.
function typeSegments(comparison: WireComparison, palette: Palette): readonly Segment[] {
  const weight = (values: readonly (number | null)[]): number =>
    values.reduce((sum: number, v) => sum + (v ?? 0), 0);
  const sorted = [...comparison.by_type]
    .filter((t) => weight(t.median_ms) > 0)
    .sort((a, b) => weight(b.median_ms) - weight(a.median_ms));
  const kept = sorted.length > kMostSegments ? sorted.slice(0, kMostSegments - 1) : sorted;
  const rest = sorted.slice(kept.length);
  // Types of one family share a colour, so they stand together; the overhead comes last.
  const families = [...new Set(kept.map((t) => familyKey(t.family)))];
  const place = (family: FamilyKey): number =>
    family === 'reformat' ? families.length : families.indexOf(family);
  const shown = kept.sort((a, b) => place(familyKey(a.family)) - place(familyKey(b.family)));
  const make = (name: string, family: FamilyKey, values: readonly (number | null)[]): Segment => ({
    name,
    paint: familyPaint(palette, family),
    colour: palette.family(family),
    legendClass: `f-${family}${family === 'reformat' ? ' hatched' : ''}`,
    values,
  });
  const segments = shown.map((t) =>
    make(visible((t.type ?? 'unknown').slice(0, 60)), familyKey(t.family), t.median_ms),
  );
  if (rest.length > 0) {
    const values = comparison.engines.map((_, i) =>
      rest.reduce((sum, t) => sum + (t.median_ms[i] ?? 0), 0),
    );
    segments.push(make(`${integer(rest.length)} others`, 'other', values));
  }
  return segments;
}

// Precisions of one colour (UINT8 and INT8) are one segment: two of them could not be told apart.
function precisionSegments(comparison: WireComparison, palette: Palette): readonly Segment[] {
  const groups = new Map<string, WireComparePrecision[]>();
  for (const p of comparison.by_precision) {
    const key = precisionKey(p.precision);
    const id = key === 'unknown' ? `unknown ${p.precision ?? ''}` : key;
    groups.set(id, [...(groups.get(id) ?? []), p]);
  }
  return [...groups.values()].map((group) => {
    const precision = group[0]?.precision ?? null;
    const key = precisionKey(precision);
    const colour = palette.precision(precision) ?? palette.ui('s2');
    return {
      name: group.map((p) => visible((p.precision ?? 'unknown').slice(0, 60))).join(', '),
      paint: colour,
      colour,
      legendClass: key === 'unknown' ? 'unknown' : `p-${key}`,
      values: comparison.engines.map((_, i) => {
        const known = group.map((p) => p.count[i] ?? null).filter(isNumber);
        return known.length === 0 ? null : known.reduce((sum, n) => sum + n, 0);
      }),
    };
  });
}

interface Shown {
  readonly head: string;
  readonly text: (value: number) => string;
}

// How a total is written, by its unit on the wire.
function totalForm(total: WireTotal): Shown {
  const { label, unit } = total;
  switch (unit) {
    case 'ms':
      return { head: `${label}, ms`, text: (v) => fixed(v, 3) };
    case 'us':
      return { head: `${label}, µs`, text: (v) => fixed(v, 1) };
    case 'bytes':
      return { head: `${label}, MB`, text: (v) => fixed(v / 1e6, Math.abs(v) >= 1e8 ? 0 : 1) };
    case 'flops':
      return { head: `${label}, GFLOP`, text: (v) => fixed(v / 1e9, 1) };
    case 'macs':
      return { head: `${label}, GMAC`, text: (v) => fixed(v / 1e9, 1) };
    case 'share':
      return { head: `${label.replace(/, of Σ layers$/, '')}, % of Σ`, text: (v) => percent(v) };
    case 'ratio':
      return { head: `${label}, ×`, text: (v) => fixed(v, 2) };
    case 'per_s':
      return { head: `${label}, 1/s`, text: (v) => fixed(v, Math.abs(v) >= 100 ? 0 : 1) };
    case 'count':
    case '':
      return { head: label, text: (v) => integer(v) };
    default:
      return { head: `${label}, ${unit}`, text: (v) => fixed(v, 3) };
  }
}

function totalsTable(
  comparison: WireComparison,
  current: number,
  names: readonly string[],
  titles: readonly string[],
): HTMLElement {
  const rows = comparison.totals.map((total) => {
    const form = totalForm(total);
    const known = total.values.filter(isNumber);
    const best =
      total.better === 'none' || known.length < 2
        ? null
        : total.better === 'lower'
          ? Math.min(...known)
          : Math.max(...known);
    const cells = names.map((_, i) => {
      const value = total.values[i] ?? null;
      const classes = [
        'right',
        i === current ? 'current' : '',
        // What reads the same is as good.
        value !== null && best !== null && form.text(value) === form.text(best) ? 'best' : '',
      ];
      return td(classes.join(' '), value === null ? span('dim', kMissing) : form.text(value));
    });
    return el('tr', {}, el('th', { attrs: { scope: 'row' } }, visible(form.head)), ...cells);
  });
  return el(
    'table',
    { class: 'plain totals' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        th(''),
        ...names.map((name, i) => {
          const head = th(
            fitName(name, kMostHead, bodyFont(11, 600)),
            `right${i === current ? ' current' : ''}`,
          );
          head.title = titles[i] ?? '';
          return head;
        }),
      ),
    ),
    el('tbody', {}, ...rows),
  );
}

export class Compare {
  readonly node = div('compare');
  readonly #context: ViewContext;
  readonly #comparison: WireComparison;
  readonly #time = div('stack-chart');
  readonly #precision = div('stack-chart');
  readonly #charts = new Map<HTMLElement, Chart>();

  constructor(context: ViewContext) {
    this.#context = context;
    this.#comparison = comparisonOf(context.store.report);
  }

  draw(): void {
    const { store } = this.#context;
    const palette = this.#context.palette();
    const names = store.report.engines.map((e) => visible(e.id));
    const titles = store.report.engines.map((e) => nameTitle(visible(e.name)));
    const font = bodyFont(11, 600);
    const widest = Math.max(...names.map((name) => textWidth(name.slice(0, 200), font)));
    const nameWidth = Math.min(kMostName, Math.ceil(widest) + 14);
    const current = store.state.engine;
    const types = typeSegments(this.#comparison, palette);
    const precisions = precisionSegments(this.#comparison, palette);
    const ticks =
      this.#comparison.totals.find((t) => t.metric === 'end_to_end_median_ms')?.values ??
      store.report.engines.map((e) => e.summary.time.end_to_end?.median_ms ?? null);
    const hasTicks = ticks.some(isNumber);
    // As high as the totals beside them, within reason.
    const beside = this.#comparison.totals.length * kTotalsRow - kAxisHeight;
    const rowHeight = Math.min(kMostRow, Math.max(kLeastRow, beside / names.length));
    const height = Math.round(names.length * rowHeight) + kAxisHeight + 4;
    this.#time.style.height = `${String(height)}px`;
    this.#precision.style.height = `${String(height)}px`;
    this.node.replaceChildren(
      ...[
        types.length === 0
          ? null
          : div(
              'compare-part',
              sectionTitle('Time by type', 'Σ layers, ms'),
              legend(types, hasTicks ? 'end to end' : ''),
              this.#time,
            ),
        precisions.length === 0
          ? null
          : div(
              'compare-part',
              sectionTitle('Layers by input precision', 'count'),
              legend(precisions, ''),
              this.#precision,
            ),
        div(
          'compare-part totals-part',
          sectionTitle('Totals', 'best in bold'),
          el(
            'div',
            {
              class: 'totals-scroll',
              attrs: { tabindex: '0', role: 'region', 'aria-label': 'Totals' },
            },
            totalsTable(this.#comparison, current, names, titles),
          ),
        ),
      ].filter((part) => part !== null),
    );
    const base = { names, current, palette, nameWidth };
    if (types.length > 0) {
      this.#stack(
        this.#time,
        `Layer time by type of ${integer(names.length)} engines, with the end-to-end time`,
        {
          ...base,
          segments: types,
          ticks,
          decimals: 3,
          unit: 'ms',
          width: this.#time.clientWidth,
        },
      );
    }
    if (precisions.length > 0) {
      this.#stack(
        this.#precision,
        `Layers by input precision of ${integer(names.length)} engines`,
        {
          ...base,
          segments: precisions,
          ticks: null,
          decimals: 0,
          unit: '',
          width: this.#precision.clientWidth,
        },
      );
    }
  }

  #stack(host: HTMLElement, label: string, options: StackOptions): void {
    let chart = this.#charts.get(host);
    if (chart === undefined) {
      chart = makeChart(host, label);
      this.#charts.set(host, chart);
      chart.getZr().on('click', (event) => {
        const at = this.#charts
          .get(host)
          ?.convertFromPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY]) as
          readonly number[] | null | undefined;
        const engine = Math.round(at?.[1] ?? -1);
        if (engine >= 0 && engine < options.names.length) this.#context.store.patch({ engine });
      });
    }
    chart.resize({ width: host.clientWidth, height: host.clientHeight });
    chart.setOption(stackOption(options), { notMerge: true });
  }

  destroy(): void {
    for (const chart of this.#charts.values()) chart.dispose();
    this.#charts.clear();
  }
}
