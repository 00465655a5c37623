// Engines as stacked bars, one above the other on one axis, with a tick where a bar is a part of
// something that has a length of its own: Σ layers and the end-to-end time.

import { fixed, integer, isNumber, niceTicks, tickDecimals } from '../base/format.ts';
import { span } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import { familyKey, precisionKey, type FamilyKey } from '../base/tokens.ts';
import type { ComparedPrecision, ComparedType } from '../model/report_types.ts';
import {
  axisText,
  familyPaint,
  type BarSeriesOption,
  type ChartOption,
  type PatternFill,
  type ScatterSeriesOption,
} from './chart.ts';
import { ChartBody } from './chart_body.ts';
import type { FigureTable } from './grid/data.ts';
import { bodyFont, fitName, textWidth } from './marks.ts';
import type { Palette } from './palette.ts';
import type { ViewContext } from './view.ts';

export interface Segment {
  readonly name: string;
  readonly paint: string | PatternFill;
  // The plain colour under the paint, to choose the ink of its label.
  readonly colour: string;
  readonly legendClass: string;
  // One an engine.
  readonly values: readonly (number | null)[];
}

export interface Stacks {
  readonly names: readonly string[];
  // Whose names are bold.
  readonly strong: readonly boolean[];
  readonly segments: readonly Segment[];
  readonly ticks: readonly (number | null)[] | null;
  // What the tick is: "end to end".
  readonly tickName: string;
  readonly decimals: number;
}

const kRow = 26;
const kMaxRow = 36;
const kAxisHeight = 22;
const kMaxName = 124;
const kMaxSegments = 9;
// Room for the sum at the end of a stack.
const kTotalWidth = 64;
const kBar = 16;

export interface StacksSpec {
  label(): string;
  stacks(palette: Palette): Stacks;
  // As high as what stands beside it, within reason.
  wantedHeight?(): number;
  click?(engine: number): void;
}

function sums(segments: readonly Segment[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) =>
    segments.reduce((sum, s) => sum + (s.values[i] ?? 0), 0),
  );
}

// Names take no more than a third of the room.
function nameWidth(names: readonly string[], width: number): number {
  const font = bodyFont(11, 600);
  const widest = Math.max(0, ...names.map((name) => textWidth(name.slice(0, 200), font)));
  return Math.min(kMaxName, Math.round(width / 3), Math.ceil(widest) + 14);
}

function option(o: Stacks, palette: Palette, width: number): ChartOption {
  const left = nameWidth(o.names, width);
  const totals = sums(o.segments, o.names.length);
  const longest = Math.max(...totals, ...(o.ticks ?? []).map((t) => t ?? 0), 0);
  const ticks = niceTicks(longest, Math.max(2, Math.min(5, (width - left - kTotalWidth) / 50)));
  const axis = axisText(palette);
  const room = width - left - kTotalWidth;
  const text = { fontSize: 11, fontFamily: axis.fontFamily };
  const past = (total: number, tick: number | null): number => {
    const gap = (((tick ?? 0) - total) / longest) * room;
    return gap > -2 && gap < textWidth(fixed(total, o.decimals), bodyFont(11)) + 12 ? gap + 3 : 0;
  };
  // Where the segment of each engine begins that is next.
  const starts = o.names.map(() => 0);
  const bars = o.segments.map((segment): BarSeriesOption => ({
    type: 'bar',
    stack: 'all',
    barWidth: kBar,
    name: segment.name,
    emphasis: { disabled: true },
    data: segment.values.map((value, engine) => {
      const ink = palette.inkOn(segment.colour);
      const shown = fixed(value, o.decimals);
      const start = starts[engine] ?? 0;
      starts[engine] = start + (value ?? 0);
      const toTick = (((o.ticks?.[engine] ?? -longest) - start) / longest) * room;
      // A bar of one part has its number at its end.
      const isWhole = value === totals[engine];
      const isStruck = toTick > 0 && toTick < shown.length * 6.2 + 10;
      const fits =
        isNumber(value) &&
        typeof segment.paint === 'string' &&
        ink !== null &&
        !isStruck &&
        !isWhole &&
        (value / longest) * room > shown.length * 6.2 + 8;
      return {
        value: value ?? 0,
        engine,
        segment: segment.name,
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
    grid: {
      left,
      right: kTotalWidth,
      top: 2,
      bottom: kAxisHeight,
      outerBoundsMode: 'none',
    },
    xAxis: {
      type: 'value',
      max: longest > 0 ? longest : 1,
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
          palette.ui(o.strong[index ?? -1] === true ? 'ink' : 'ink2'),
        formatter: (_value: string, index: number) => {
          const name = fitName(o.names[index] ?? '', left - 12, bodyFont(11, 600));
          return o.strong[index] === true ? `{on|${name}}` : `{off|${name}}`;
        },
        rich: { on: { fontWeight: 600, color: palette.ui('ink'), ...text }, off: text },
      },
    },
    series: [...bars, end, tick],
  };
}

interface Mark {
  readonly engine: number;
  readonly segment: string;
  readonly value: number;
}

function markOf(data: unknown): Mark | null {
  if (typeof data !== 'object' || data === null) return null;
  if (!('engine' in data) || !('segment' in data) || !('value' in data)) return null;
  const { engine, segment, value } = data;
  if (typeof engine !== 'number' || typeof segment !== 'string') return null;
  return typeof value === 'number' ? { engine, segment, value } : null;
}

// Of a figure; how many engines there are decides its height.
export function stacksBody(context: ViewContext, spec: StacksSpec): ChartBody {
  return new ChartBody(context, {
    label: () => spec.label(),
    height: () => {
      const count = spec.stacks(context.palette()).names.length;
      const wanted = ((spec.wantedHeight?.() ?? 0) - kAxisHeight) / Math.max(1, count);
      const row = Math.min(kMaxRow, Math.max(kRow, wanted));
      return Math.round(count * row) + kAxisHeight + 4;
    },
    option: (palette, size) => option(spec.stacks(palette), palette, size.width),
    lines: (data) => {
      const mark = markOf(data);
      if (mark === null) return null;
      const stacks = spec.stacks(context.palette());
      const value = fixed(mark.value, stacks.decimals);
      const tick = stacks.ticks?.[mark.engine] ?? null;
      return [
        stacks.names[mark.engine] ?? '',
        `${mark.segment}: ${value}`,
        ...(tick === null ? [] : [`${stacks.tickName}: ${fixed(tick, stacks.decimals)}`]),
      ];
    },
    click: (data) => {
      const mark = markOf(data);
      if (mark !== null) spec.click?.(mark.engine);
    },
  });
}

export function stacksTable(stacks: Stacks, unit: string): FigureTable {
  const suffix = unit === '' ? '' : `, ${unit}`;
  const number = (title: string): FigureTable['columns'][number] => ({
    title,
    decimals: stacks.decimals,
  });
  const totals = sums(stacks.segments, stacks.names.length);
  return {
    columns: [
      { title: 'engine', decimals: null },
      ...stacks.segments.map((s) => number(s.name + suffix)),
      number(`sum${suffix}`),
      ...(stacks.ticks === null ? [] : [number(stacks.tickName + suffix)]),
    ],
    rows: stacks.names.map((name, i) => [
      name,
      ...stacks.segments.map((s) => s.values[i] ?? null),
      totals[i] ?? null,
      ...(stacks.ticks === null ? [] : [stacks.ticks[i] ?? null]),
    ]),
  };
}

export function stacksLegend(stacks: Stacks): HTMLElement {
  const hasTicks = stacks.ticks?.some(isNumber) === true;
  // What is painted alike is one entry; of one entry there is nothing to tell apart.
  const entries = new Map<string, string[]>();
  for (const { legendClass, name } of stacks.segments) {
    entries.set(legendClass, [...(entries.get(legendClass) ?? []), name]);
  }
  const isAlone = stacks.segments.length === 1 && !hasTicks;
  return span(
    'legend',
    ...(isAlone ? [] : [...entries]).map(([legendClass, names]) =>
      span('legend-entry', span(`swatch ${legendClass}`), names.join(', ')),
    ),
    hasTicks ? span('legend-entry', span('tick-mark'), stacks.tickName) : null,
  );
}

type Values = readonly (number | null)[];

// Types that are small in all engines are put together: nine shades are what an eye holds apart.
export function typeSegments(
  types: readonly ComparedType[],
  valuesOf: (type: ComparedType) => Values,
  palette: Palette,
): readonly Segment[] {
  const weight = (values: Values): number => values.reduce((sum: number, v) => sum + (v ?? 0), 0);
  const sorted = types
    .map((type) => ({ type, values: valuesOf(type) }))
    .filter(({ values }) => weight(values) > 0)
    .sort((x, y) => weight(y.values) - weight(x.values));
  const kept = sorted.length > kMaxSegments ? sorted.slice(0, kMaxSegments - 1) : sorted;
  const rest = sorted.slice(kept.length);
  // Types of one family share a colour, so they stand together; the overhead comes last.
  const families = [...new Set(kept.map(({ type }) => familyKey(type.family)))];
  const place = (family: FamilyKey): number =>
    family === 'reformat' ? families.length : families.indexOf(family);
  const shown = kept.sort(
    (x, y) => place(familyKey(x.type.family)) - place(familyKey(y.type.family)),
  );
  const make = (name: string, family: FamilyKey, values: Values): Segment => ({
    name,
    paint: familyPaint(palette, family),
    colour: palette.family(family),
    legendClass: `f-${family}${family === 'reformat' ? ' hatched' : ''}`,
    values,
  });
  const segments = shown.map(({ type, values }) =>
    make(visible((type.type ?? 'unknown').slice(0, 60)), familyKey(type.family), values),
  );
  if (rest.length > 0) {
    const count = Math.max(...rest.map(({ values }) => values.length));
    const values = Array.from({ length: count }, (_, i) =>
      rest.reduce((sum, row) => sum + (row.values[i] ?? 0), 0),
    );
    segments.push(make(`${integer(rest.length)} others`, 'other', values));
  }
  return segments;
}

// Precisions of one colour (UINT8 and INT8) are one segment: two of them could not be told apart.
export function precisionSegments(
  precisions: readonly ComparedPrecision[],
  valuesOf: (precision: ComparedPrecision) => Values,
  palette: Palette,
): readonly Segment[] {
  const groups = new Map<string, ComparedPrecision[]>();
  for (const p of precisions) {
    const key = precisionKey(p.precision);
    const id = key === 'unknown' ? `unknown ${p.precision ?? ''}` : key;
    groups.set(id, [...(groups.get(id) ?? []), p]);
  }
  return [...groups.values()]
    .map((group) => {
      const precision = group[0]?.precision ?? null;
      const key = precisionKey(precision);
      const colour = palette.precision(precision) ?? palette.ui('s2');
      const columns = group.map(valuesOf);
      const count = Math.max(...columns.map((values) => values.length));
      return {
        name: group.map((p) => visible((p.precision ?? 'unknown').slice(0, 60))).join(', '),
        paint: colour,
        colour,
        legendClass: key === 'unknown' ? 'unknown' : `p-${key}`,
        values: Array.from({ length: count }, (_, i) => {
          const known = columns.map((values) => values[i] ?? null).filter(isNumber);
          return known.length === 0 ? null : known.reduce((sum, n) => sum + n, 0);
        }),
      };
    })
    .filter((segment) => segment.values.some((value) => (value ?? 0) > 0));
}

// The times of a group in each engine: medians, else means.
export function timesOf(group: { readonly median_ms: Values; readonly mean_ms: Values }): Values {
  return group.median_ms.map((median, i) => median ?? group.mean_ms[i] ?? null);
}
