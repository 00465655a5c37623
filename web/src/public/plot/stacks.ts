// Engines as stacked bars, one above the other on one axis, with a tick if the bar is part of a
// quantity with its own length: Σ layers and the end-to-end time.

import { fixed, integer, isNumber } from '../../base/format.ts';
import { span } from '../../base/dom.ts';
import { visible } from '../../base/text.ts';
import { familyKey, precisionKey, type FamilyKey } from '../../base/tokens.ts';
import type { ComparedPrecision, ComparedType } from '../../model/report_types.ts';
import { figureTable, type FigureTable } from '../grid/data.ts';
import { bodyFont, textWidth } from '../page/marks.ts';
import type { Palette } from '../page/palette.ts';
import { across, ticksTo, xAxis, type Frame } from './axes.ts';
import { familyFill, type Fill } from './pen.ts';
import type { Plot } from './plot.ts';
import { PlotBody } from './plot_body.ts';
import type { ViewContext } from '../page/view.ts';

export interface Segment {
  readonly name: string;
  readonly fill: Fill;
  // The plain colour under the fill, to choose the ink of its label.
  readonly colour: string;
  readonly legendClass: string;
  // One an engine.
  readonly values: readonly (number | null)[];
}

export interface Stacks {
  readonly names: readonly string[];
  // The engines whose names are bold.
  readonly strong: readonly boolean[];
  readonly segments: readonly Segment[];
  readonly ticks: readonly (number | null)[] | null;
  // What the tick means: "end to end".
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
  // As high as the neighbouring element, within limits.
  wantedHeight?(): number;
  click?(engine: number): void;
}

function sums(segments: readonly Segment[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) =>
    segments.reduce((sum, s) => sum + (s.values[i] ?? 0), 0),
  );
}

// Names take at most a third of the width.
function nameWidth(names: readonly string[], width: number): number {
  const font = bodyFont(11, 600);
  const widest = Math.max(0, ...names.map((name) => textWidth(name.slice(0, 200), font)));
  return Math.min(kMaxName, Math.round(width / 3), Math.ceil(widest) + 14);
}

// The sum at the end of a bar is past the tick if the tick would run through it.
function drawStacks(plot: Plot, o: Stacks, click: (engine: number) => void): void {
  const { palette } = plot;
  const left = nameWidth(o.names, plot.width);
  const frame: Frame = {
    left,
    top: 2,
    width: Math.max(1, plot.width - left - kTotalWidth),
    height: plot.height - kAxisHeight - 2,
  };
  const totals = sums(o.segments, o.names.length);
  const longest = Math.max(...totals, ...(o.ticks ?? []).map((t) => t ?? 0), 0);
  const x = across(frame, 0, longest > 0 ? longest : 1);
  xAxis(plot, frame, x, ticksTo(longest, Math.max(2, Math.min(5, frame.width / 50))));
  plot.line([left - 0.5, frame.top, left - 0.5, frame.top + frame.height], palette.ui('line2'));
  const row = frame.height / Math.max(1, o.names.length);
  for (const [engine, name] of o.names.entries()) {
    const y = frame.top + (engine + 0.5) * row;
    const isStrong = o.strong[engine] === true;
    const weight = isStrong ? 600 : 400;
    const fill = palette.ui(isStrong ? 'ink' : 'ink2');
    plot.text(name, left - 8, y, { fill, align: 'right', size: 11, weight, room: left - 12 });
    const total = totals[engine] ?? 0;
    const tick = o.ticks?.[engine] ?? null;
    let start = 0;
    for (const segment of o.segments) {
      const value = segment.values[engine] ?? 0;
      if (!(value > 0)) continue;
      const [from, to] = [x(start), x(start + value)];
      const outline = { stroke: palette.ui('bg'), width: 0.6 };
      plot.rect(
        from,
        y - kBar / 2,
        to,
        y + kBar / 2,
        { fill: segment.fill, ...outline },
        {
          lines: () => [
            name,
            `${segment.name}: ${fixed(value, o.decimals)}`,
            ...(tick === null ? [] : [`${o.tickName}: ${fixed(tick, o.decimals)}`]),
          ],
          click: () => click(engine),
        },
      );
      const shown = fixed(value, o.decimals);
      const needed = textWidth(shown, bodyFont(11));
      const ink = palette.inkOn(segment.colour);
      const toTick = tick === null ? 0 : x(tick) - from;
      const isStruck = toTick > 0 && toTick < needed + 10;
      // A bar of one part has its number at its end.
      const fits = typeof segment.fill === 'string' && value !== total && to - from > needed + 8;
      if (fits && ink !== null && !isStruck) plot.text(shown, from + 5, y, { fill: ink, size: 11 });
      start += value;
    }
    const gap = tick === null ? -Infinity : x(tick) - x(total);
    if (total > 0) {
      const sum = fixed(total, o.decimals);
      const isCrossed = gap > -2 && gap < textWidth(sum, bodyFont(11)) + 12;
      plot.text(sum, x(total) + 6 + (isCrossed ? gap + 3 : 0), y, {
        fill: palette.ui('ink2'),
        size: 11,
      });
    }
    if (tick !== null) {
      const look = { fill: palette.ui('ink'), stroke: palette.ui('bg'), width: 0.8 };
      plot.rect(x(tick) - 1.25, y - 11, x(tick) + 1.25, y + 11, look);
    }
  }
}

// For a figure; the number of engines decides its height.
export function stacksBody(context: ViewContext, spec: StacksSpec): PlotBody {
  return new PlotBody(context, {
    label: () => spec.label(),
    height: () => {
      const count = spec.stacks(context.palette()).names.length;
      const wanted = ((spec.wantedHeight?.() ?? 0) - kAxisHeight) / Math.max(1, count);
      const row = Math.min(kMaxRow, Math.max(kRow, wanted));
      return Math.round(count * row) + kAxisHeight + 4;
    },
    draw: (plot) => drawStacks(plot, spec.stacks(plot.palette), (engine) => spec.click?.(engine)),
  });
}

export function stacksTable(stacks: Stacks, unit: string): FigureTable {
  const { names, segments, ticks, tickName, decimals } = stacks;
  const sum = { name: 'sum', values: sums(segments, names.length) };
  const tick = ticks === null ? [] : [{ name: tickName, values: ticks }];
  return figureTable(names, [
    ['engine', null, (name) => name],
    ...[...segments, sum, ...tick].map(({ name, values }) => {
      const title = unit === '' ? name : `${name}, ${unit}`;
      return [title, decimals, (_: string, engine: number) => values[engine]] as const;
    }),
  ]);
}

export function stacksLegend(stacks: Stacks): HTMLElement {
  const hasTicks = stacks.ticks?.some(isNumber) === true;
  // Segments painted the same are one entry; a single entry needs no legend.
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

// Types that are small in all engines are combined: the eye can tell about nine shades apart.
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
  // Types of one family share a colour, so they are adjacent; the overhead comes last.
  const families = [...new Set(kept.map(({ type }) => familyKey(type.family)))];
  const place = (family: FamilyKey): number =>
    family === 'reformat' ? families.length : families.indexOf(family);
  const shown = kept.sort(
    (x, y) => place(familyKey(x.type.family)) - place(familyKey(y.type.family)),
  );
  const make = (name: string, family: FamilyKey, values: Values): Segment => ({
    name,
    fill: familyFill(palette, family),
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

// Precisions of one colour (UINT8 and INT8) are one segment: two could not be told apart.
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
        fill: colour,
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
