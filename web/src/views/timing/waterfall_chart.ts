// Why the sum of the layers differs from the latency: steps that add up. Dashed is time added by
// measuring; black is end to end.

import {
  bodyFont,
  equals,
  familyKey,
  figureTable,
  fixed,
  integer,
  percent,
  signed,
  textWidth,
  visible,
  type Figure,
  type Palette,
  type ViewContext,
  type WaterfallStep,
} from '../../public/index.ts';
import {
  across,
  familyFill,
  plotFigure,
  ticksTo,
  xAxis,
  type MarkLook,
  type Plot,
} from '../../public/plot/index.ts';

const kRow = 22;
const kBar = 13;
const kAxis = 24;
const kMaxNames = 170;
const kMaxTypes = 9;
const kRight = 96;

export interface Row extends Omit<WaterfallStep, 'kind'> {
  // 'types': several that are drawn as one.
  readonly kind: WaterfallStep['kind'] | 'types';
  readonly name: string;
  // For the tooltip.
  readonly words: string;
}

type StepKind = Exclude<WaterfallStep['kind'], 'type'>;

const kWords: Readonly<Record<StepKind, readonly [string, string]>> = {
  others: ['other records', 'records that do no work but have a time'],
  layers: ['Σ layers', 'the sum of all layer times'],
  between: ['between layers', 'inference time beyond the layers'],
  profiled: ['profiled inferences', 'median while layers were profiled'],
  overhead: ['profiling', 'added by timing each layer'],
  unexplained: ['not explained', 'not accounted for by layers, or the runs differ'],
  'end-to-end': ['end to end', 'the median of whole inferences'],
  'to-device': ['H2D', 'median transfer to the device'],
  'from-device': ['D2H', 'median transfer from the device'],
  rest: ['rest', 'medians do not add up'],
  latency: ['latency', 'the median latency'],
};

const layersText = (count: number | null): string =>
  count === null ? '' : `${integer(count)} layers`;

function nameOf({ kind, type, count, from_ms, to_ms }: WaterfallStep): readonly [string, string] {
  if (kind === 'type') return [visible(type ?? 'unknown'), layersText(count)];
  const ms = to_ms - from_ms;
  if (kind === 'overhead' && count !== null && count > 0) {
    const us = (Math.abs(ms) * 1e3) / count;
    return [`profiling, ${integer(count)} × ${fixed(us, 1)} µs`, kWords[kind][1]];
  }
  if (kind === 'between' && ms < 0) {
    return [
      'beyond end to end',
      'the layers add up to more: they overlap in time, or means are added to medians',
    ];
  }
  return kWords[kind];
}

function rowOf(step: WaterfallStep): Row {
  const [name, words] = nameOf(step);
  return { ...step, name, words };
}

// The steps as drawn: the longest types, the rest as one.
export function waterfallRows(steps: readonly WaterfallStep[]): readonly Row[] {
  const types = steps.filter(({ kind }) => kind === 'type');
  const kept = types.length > kMaxTypes ? types.slice(0, kMaxTypes - 1) : types;
  const rest = types.slice(kept.length);
  const rows = kept.map(rowOf);
  const [first] = rest;
  if (first !== undefined) {
    const count = rest.reduce((sum, step) => sum + (step.count ?? 0), 0);
    rows.push({
      ...first,
      kind: 'types',
      type: null,
      to_ms: rest.at(-1)?.to_ms ?? first.to_ms,
      name: `${integer(rest.length)} other types`,
      words: layersText(count),
    });
  }
  return [...rows, ...steps.filter(({ kind }) => kind !== 'type').map(rowOf)];
}

const isType = ({ kind }: Row): boolean => kind === 'type' || kind === 'types';
const isEnd = ({ kind }: Row): boolean => kind === 'end-to-end' || kind === 'latency';

function valueText(row: Row): string {
  const ms = row.to_ms - row.from_ms;
  return row.is_sum || isType(row) ? fixed(ms, 3) : signed(ms, 3);
}

// Null: nothing to add up.
export function waterfallFigure(
  context: ViewContext,
  steps: readonly WaterfallStep[],
): Figure | null {
  if (steps.length === 0) return null;
  const rows = waterfallRows(steps);
  const explain = (): string => {
    const basis = context.store.engine.hasBasis('median') ? 'medians' : 'means';
    const hasEnd = rows.some(({ kind }) => kind === 'end-to-end');
    return `ms, ${basis} of layers${hasEnd ? ', down to the median end to end' : '; end to end is not known'}`;
  };
  const said = rows
    .filter((row) => !isType(row))
    .map((row) => `${row.name} ${valueText(row)} ms`)
    .join(', ');
  return plotFigure(
    context,
    {
      explain,
      label: () => `Where the time goes, ${explain()}: ${said}. The table has all steps.`,
      height: () => rows.length * kRow + kAxis,
      draw: (plot) => drawRows(plot, context, rows),
      table: () =>
        figureTable(steps, [
          [
            'step',
            null,
            (step) => (step.kind === 'type' ? (step.type ?? 'unknown') : nameOf(step)[0]),
          ],
          ['layers', 0, (step) => step.count],
          ['from ms', 4, (step) => step.from_ms],
          ['to ms', 4, (step) => step.to_ms],
          ['change ms', 4, (step) => (step.is_sum ? null : step.to_ms - step.from_ms)],
        ]),
    },
    { id: 'waterfall', title: 'Where the time goes' },
  );
}

// Types with a layer that passes the filter; null: all do.
function shownTypes({ store }: ViewContext): ReadonlySet<string | null> | null {
  if (store.state.chips.length === 0) return null;
  const { layers } = store.engine;
  return new Set([...store.selection.rows].map((row) => layers.text('type', row)));
}

function lookOf(row: Row, palette: Palette, isFaded: boolean): MarkLook {
  if (isEnd(row)) return { fill: palette.ui('ink') };
  if (row.is_sum) return { fill: palette.ui('ink2') };
  if (row.kind === 'type') {
    return { fill: familyFill(palette, familyKey(row.family)), opacity: isFaded ? 0.25 : 1 };
  }
  if (row.kind === 'types' || row.kind === 'others') return { fill: palette.ui('line2') };
  return { stroke: palette.ui('ink2'), dash: [3, 2] };
}

function drawRows(plot: Plot, context: ViewContext, rows: readonly Row[]): void {
  const { palette } = plot;
  const { store } = context;
  const sum = rows.find(({ kind }) => kind === 'layers')?.to_ms ?? Number.NaN;
  const share = (row: Row): string => percent(Math.abs(row.to_ms - row.from_ms) / sum);
  const font = (row: Row): string => bodyFont(11, row.is_sum ? 600 : 400);
  const widest = Math.max(0, ...rows.map((row) => textWidth(row.name.slice(0, 80), font(row))));
  const left = Math.min(kMaxNames, Math.ceil(widest) + 12, plot.width * 0.45);
  const most = rows.reduce((max, row) => Math.max(max, row.from_ms, row.to_ms), 0);
  const frame = { left, top: 0, width: plot.width - left - kRight, height: rows.length * kRow };
  const x = across(frame, 0, most > 0 ? most : 1);
  xAxis(plot, frame, x, ticksTo(most, plot.width > 500 ? 5 : 3));
  const shown = shownTypes(context);
  for (const [i, row] of rows.entries()) {
    const y = (i + 0.5) * kRow;
    const [from, to] = [x(row.from_ms), x(row.to_ms)];
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const look = lookOf(row, palette, row.type !== null && shown?.has(row.type) === false);
    // Outlines are drawn inside their rectangles.
    const inset = look.fill === undefined ? 0.5 : 0;
    plot.rect(low + inset, y - kBar / 2, Math.max(high - inset, low + 1), y + kBar / 2, look);
    const words = {
      fill: palette.ui(row.is_sum ? 'ink' : 'ink2'),
      weight: row.is_sum ? 600 : 400,
      size: 11,
    } as const;
    const value = valueText(row);
    plot.text(row.name, left - 8, y, { ...words, align: 'right', room: left - 10 });
    plot.text(
      isType(row) ? `${value}, ${share(row)} %` : isEnd(row) ? `${value} median` : value,
      high + 6,
      y,
      words,
    );
    // The level continues to the next step.
    if (i + 1 < rows.length) {
      plot.line([to, y + kBar / 2, to, y + kRow - kBar / 2], palette.ui('line2'));
    }
    const { type } = row;
    plot.hit(0, y - kRow / 2, plot.width, y + kRow / 2, {
      lines: () => [
        row.name,
        `${value} ms, ${share(row)} % of Σ`,
        ...(row.words === '' ? [] : [row.words]),
        ...(type === null ? [] : ['click to filter']),
      ],
      ...(type === null ? {} : { click: () => store.addChip(equals('type', type)) }),
    });
  }
}
