// The distribution of a figure of the layers: bins with round, growing edges, so that layers of
// microseconds and of milliseconds both fit; colour is the type, a click filters to a bin.

import { integer, percent, plural } from '../../base/format.ts';
import { joined } from '../../base/text.ts';
import type { FamilyKey } from '../../base/tokens.ts';
import type { Engine } from '../../model/engine.ts';
import { knownSum } from '../../model/table.ts';
import { figureTable } from '../grid/data.ts';
import { across, ticksTo, upwards, xAxis, yAxis, type Frame } from './axes.ts';
import { familyFill } from './pen.ts';
import type { Plot } from './plot.ts';
import type { TabledPlot } from './plot_body.ts';
import type { ViewContext } from '../page/view.ts';

const kLeft = 44;
const kRight = 22;
const kTop = 8;
const kAxis = 34;
const kEdges = [1, 1.5, 2, 3, 5, 7] as const;
const kFaded = 0.25;
const kMaxEdges = 100;

export interface HistogramSpec {
  // For the layers that do work; NaN if a layer has none.
  values(): Float64Array;
  // A value with its unit: edges of bins, with two digits, and sums.
  text(value: number): string;
  // The unit of the values themselves, in tables: "ms".
  readonly unit: string;
  // "median time": on the axis and in sentences.
  readonly what: () => string;
  // "without weights": layers whose value is 0.
  readonly zero: string;
  // The field of filters, and its unit there; null: not clickable.
  readonly filter: { readonly field: string; readonly scale: number } | null;
  readonly plot: number;
}

export interface LayerBin {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly number[];
}

export interface LayerBins {
  readonly bins: readonly LayerBin[];
  readonly zeros: number;
  readonly missing: number;
}

function edgeBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-12);
  const digit = [...kEdges].reverse().find((edge) => edge * power <= value * (1 + 1e-9)) ?? 1;
  return digit * power;
}

function edgeAfter(edge: number): number {
  const power = 10 ** Math.floor(Math.log10(edge) + 1e-9);
  const next = kEdges.find((digit) => digit * power > edge * (1 + 1e-9));
  return next === undefined ? 10 * power : next * power;
}

// Bins between 1, 1.5, 2, 3, 5 and 7 times powers of ten, from the least to the greatest value.
export function layerBins(values: Float64Array, rows: Int32Array): LayerBins {
  let zeros = 0;
  let missing = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) missing += 1;
    else if (!(value > 0)) zeros += 1;
    else {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(high > 0)) return { bins: [], zeros, missing };
  // Values twelve orders of magnitude below the greatest go into the first bin.
  const edges = [edgeBelow(Math.max(low, high * 1e-12))];
  while ((edges.at(-1) ?? high) <= high && edges.length < kMaxEdges) {
    edges.push(edgeAfter(edges.at(-1) ?? high));
  }
  const lists: number[][] = edges.slice(1).map(() => []);
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (!(value > 0)) continue;
    let first = 0;
    let last = lists.length - 1;
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((edges[middle] ?? 0) <= value * (1 + 1e-12)) first = middle;
      else last = middle - 1;
    }
    lists[first]?.push(row);
  }
  const bins = lists.map((list, i) => ({ from: edges[i] ?? 0, to: edges[i + 1] ?? 0, rows: list }));
  return { bins, zeros, missing };
}

// One part of a bar: layers of a family that pass the filter, or don't, and their sum.
export interface BarPart {
  readonly family: FamilyKey;
  readonly shown: boolean;
  sum: number;
}

// From the base of the bar: reformats first, filtered-out layers on top.
export function partsOf(
  engine: Engine,
  rows: Iterable<number>,
  mask: Uint8Array,
  valueOf: (row: number) => number,
): readonly Readonly<BarPart>[] {
  const parts = new Map<string, BarPart>();
  for (const row of rows) {
    const value = valueOf(row);
    if (!(value > 0)) continue;
    const family = engine.family(row);
    const shown = mask[row] === 1;
    const key = `${family} ${String(shown)}`;
    const part = parts.get(key) ?? { family, shown, sum: 0 };
    part.sum += value;
    parts.set(key, part);
  }
  const rank = ({ shown, family }: BarPart): number =>
    (shown ? 0 : 2) + (family === 'reformat' ? 0 : 1);
  return [...parts.values()].sort((a, b) => rank(a) - rank(b) || b.sum - a.sum);
}

export function layerHistogram(
  { store }: ViewContext,
  spec: HistogramSpec,
): TabledPlot & { readonly isEmpty: boolean } {
  const { filter } = spec;
  const allBins = (): LayerBins => layerBins(spec.values(), store.engine.workRows);
  const sumOf = (rows: Iterable<number>): number => knownSum(spec.values(), rows) ?? 0;
  // Removes rounding errors from adding up the edges.
  const edgeText = (value: number): string => {
    const text = spec.text(Number(value.toPrecision(2)));
    return text.replace(/(\.\d*?)0+(?= )/, '$1').replace(/\.(?= )/, '');
  };
  const lines = ({ from, to, rows }: LayerBin): readonly string[] => {
    const own = sumOf(rows);
    return [
      `${edgeText(from)} to ${edgeText(to)}`,
      plural(rows.length, 'layer'),
      `together ${spec.text(own)}, ${percent(own / sumOf(store.engine.workRows))} % of Σ`,
      ...(filter === null ? [] : ['click to filter']),
    ];
  };
  const filterTo = (bin: LayerBin, { field, scale }: NonNullable<typeof filter>): void => {
    const chip = (op: '>=' | '<', value: number) => ({
      field,
      op,
      values: [String(Number((value * scale).toPrecision(12)))],
      negated: false,
    });
    const others = store.state.chips.filter((one) => one.field !== field);
    store.patch({ chips: [...others, chip('>=', bin.from), chip('<', bin.to)] });
  };
  const explain = (): string => {
    const { bins, zeros, missing } = allBins();
    const count = bins.reduce((sum, bin) => sum + bin.rows.length, 0);
    return joined(
      [
        `${plural(count, 'layer')} by ${spec.what()}, logarithmic bins`,
        zeros > 0 && `${integer(zeros)} ${spec.zero}`,
        missing > 0 && `${integer(missing)} unknown`,
      ],
      '; ',
    );
  };
  const draw = (plot: Plot): void => {
    const { palette } = plot;
    const { mask } = store.selection;
    const { bins } = allBins();
    const most = bins.reduce((max, bin) => Math.max(max, bin.rows.length), 1) * 1.04;
    const width = plot.width - kLeft - kRight;
    const frame: Frame = { left: kLeft, top: kTop, width, height: spec.plot };
    const [ceiling, floor] = [kTop, kTop + spec.plot];
    const x = across(frame, 0, bins.length);
    const y = upwards(frame, 0, most);
    const counts = ticksTo(most, 3);
    yAxis(plot, frame, y, { ...counts, values: counts.values.filter(Number.isInteger) });
    const edges = [...bins.map(({ from }) => from), bins.at(-1)?.to ?? Number.NaN];
    const every = Math.max(1, Math.ceil((bins.length * 46) / Math.max(1, width)));
    xAxis(
      plot,
      frame,
      x,
      {
        values: [...edges.keys()].filter((i) => i % every === 0),
        text: (i) => edgeText(edges[i] ?? Number.NaN),
      },
      { lines: false, isStrong: true },
    );
    const middle = kLeft + width / 2;
    plot.text(spec.what(), middle, floor + 27, { fill: palette.ui('ink3'), align: 'middle' });
    for (const [i, bin] of bins.entries()) {
      if (bin.rows.length === 0) continue;
      let count = 0;
      for (const part of partsOf(store.engine, bin.rows, mask, () => 1)) {
        const bottom = y(count);
        count += part.sum;
        plot.rect(x(i), y(count), x(i + 1) - 1, bottom, {
          fill: familyFill(palette, part.family),
          opacity: part.shown ? 1 : kFaded,
          ...(part.family === 'other' ? { stroke: palette.ui('line2') } : {}),
        });
      }
      plot.hit(x(i), ceiling, x(i + 1), floor, {
        lines: () => lines(bin),
        ...(filter === null ? {} : { click: () => filterTo(bin, filter) }),
      });
    }
    const selected = store.state.selected;
    const chosen = selected === null ? Number.NaN : (spec.values()[selected] ?? Number.NaN);
    const within = bins.findIndex((bin) => bin.from <= chosen && chosen < bin.to);
    const bin = bins[within];
    if (bin === undefined) return;
    const at = x(within + Math.log(chosen / bin.from) / Math.log(bin.to / bin.from));
    plot.line([at, ceiling, at, floor + 4], palette.ui('selb'), { width: 2 });
  };
  return {
    get isEmpty() {
      return allBins().bins.length === 0;
    },
    explain,
    label: () => `Distribution: ${explain()}. The table has the counts.`,
    height: () => kTop + spec.plot + kAxis,
    draw,
    table: () =>
      figureTable(allBins().bins, [
        [`from ${spec.unit}`, 4, ({ from }) => Number(from.toPrecision(6))],
        [`to ${spec.unit}`, 4, ({ to }) => Number(to.toPrecision(6))],
        ['layers', 0, ({ rows }) => rows.length],
        [`together ${spec.unit}`, 3, ({ rows }) => sumOf(rows)],
      ]),
  };
}
