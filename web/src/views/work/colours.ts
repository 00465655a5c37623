// What colours layers in this view, and what bars are grouped by.

import {
  bodyFont,
  familyKey,
  familySwatch,
  fitName,
  fixed,
  heatScale,
  heatStep,
  kHeatSteps,
  nameTitle,
  precisionSwatch,
  span,
  visible,
  windowsOf,
  type ConvolutionWindow,
  type Engine,
  type FamilyKey,
  type HeatScale,
  type Option,
  type Palette,
} from '../../public/index.ts';
import type { Measure, MeasureId } from './measures.ts';

export const kColours = [
  'precision',
  'output',
  'compute',
  'type',
  'tactic',
  'kernel',
  'groups',
  'time',
  'macs',
  'footprint',
  'intensity',
  'rate',
  'bandwidth',
  'reached',
] as const;
export type ColourId = (typeof kColours)[number];

export const kGroupings = [
  'order',
  'kernel',
  'groups',
  'precision',
  'output',
  'type',
  'subtype',
  'tactic',
] as const;
export type GroupingId = (typeof kGroupings)[number];

const kColourNames: Readonly<Record<ColourId, string>> = {
  precision: 'input precision',
  output: 'output precision',
  compute: 'computed precision',
  type: 'layer type',
  tactic: 'tactic',
  kernel: 'kernel size',
  groups: 'groups',
  time: 'time',
  macs: 'MACs',
  footprint: 'bytes moved',
  intensity: 'intensity',
  rate: 'compute rate',
  bandwidth: 'memory rate',
  reached: '% of limit',
};

const kGroupingNames: Readonly<Record<GroupingId, string>> = {
  order: 'execution order',
  kernel: 'kernel',
  groups: 'groups',
  precision: 'input precision',
  output: 'output precision',
  type: 'type',
  subtype: 'subtype',
  tactic: 'tactic',
};

const kColumns: Readonly<Partial<Record<ColourId | GroupingId, string>>> = {
  precision: 'precision',
  output: 'output_precision',
  compute: 'compute_precision',
  type: 'type',
  subtype: 'subtype',
  tactic: 'tactic',
};

export function listText(list: readonly number[] | null): string | null {
  return list === null || list.length === 0 ? null : list.join('×');
}

// "2" for 2×2.
export function strideText(list: readonly number[] | null): string | null {
  const [first] = list ?? [];
  if (list === null || first === undefined) return null;
  return list.every((step) => step === first) ? String(first) : list.join('×');
}

function area(window: ConvolutionWindow | undefined): number {
  const { kernel = null } = window ?? {};
  return kernel === null ? Number.NaN : kernel.reduce((product, size) => product * size, 1);
}

// By layer row.
function windowValues(engine: Engine, of: (window: ConvolutionWindow) => number): Float64Array {
  const values = new Float64Array(engine.layers.rowCount).fill(Number.NaN);
  for (const [row, window] of windowsOf(engine)) values[row] = of(window);
  return values;
}

export interface Colouring {
  readonly id: ColourId;
  readonly name: string;
  // Null is drawn as a dashed outline: not known.
  fill(row: number): string | null;
  legend(): readonly HTMLElement[];
}

function heatLegend(
  palette: Palette,
  scale: HeatScale,
  text: (value: number) => string,
  name: string,
): readonly HTMLElement[] {
  const steps = span('heat-steps');
  const edges = [scale.least, ...scale.bounds, scale.greatest];
  for (let i = 0; i < kHeatSteps; i += 1) {
    const step = span('heat-step');
    step.style.background = palette.heat(i);
    step.title = `${text(edges[i] ?? 0)} to ${text(edges[i + 1] ?? 0)}`;
    steps.append(step);
  }
  return [
    span(
      'legend-entry',
      `${name}: ${text(scale.least)} `,
      steps,
      ` ${text(scale.greatest)}, quantiles`,
    ),
  ];
}

function typeColouring(engine: Engine, rows: Int32Array, palette: Palette): Colouring {
  const { layers } = engine;
  const examples = new Map<string, number>();
  for (const row of rows) {
    const type = layers.text('type', row) ?? 'not recorded';
    if (!examples.has(type)) examples.set(type, row);
  }
  return {
    id: 'type',
    name: kColourNames.type,
    fill: (row) => palette.family(familyKey(layers.text('family', row))),
    legend: () =>
      [...examples].map(([type, row]) =>
        span('legend-entry', familySwatch(layers.text('family', row)), visible(type)),
      ),
  };
}

// Kernels have no colours of their own: the most used take those of the families, the rest is grey.
const kTacticFills: readonly FamilyKey[] = [
  'convolution',
  'opaque',
  'pool',
  'norm',
  'pointwise',
  'gemm',
];
const kTacticName = 200;

function tacticColouring(engine: Engine, rows: Int32Array, palette: Palette): Colouring {
  const { layers } = engine;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const tactic = layers.text('tactic', row);
    if (tactic !== null) counts.set(tactic, (counts.get(tactic) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, kTacticFills.length);
  const fills = new Map(most.map(([tactic], i) => [tactic, kTacticFills[i] ?? 'other']));
  const swatch = (colour: string): HTMLElement => {
    const node = span('swatch');
    node.style.background = colour;
    return node;
  };
  const rest = counts.size - most.length;
  return {
    id: 'tactic',
    name: kColourNames.tactic,
    fill: (row) => {
      const tactic = layers.text('tactic', row);
      if (tactic === null) return null;
      const key = fills.get(tactic);
      return key === undefined ? palette.ui('ink3') : palette.family(key);
    },
    legend: () => [
      ...most.map(([tactic, count], i) => {
        const node = span(
          'legend-entry',
          swatch(palette.family(kTacticFills[i] ?? 'other')),
          `${fitName(visible(tactic), kTacticName, bodyFont(11))} (${String(count)})`,
        );
        node.title = nameTitle(visible(tactic));
        return node;
      }),
      ...(rest > 0
        ? [span('legend-entry', swatch(palette.ui('ink3')), `${String(rest)} more tactics`)]
        : []),
    ],
  };
}

export function colouringOf(
  id: ColourId,
  engine: Engine,
  measures: ReadonlyMap<MeasureId, Measure>,
  rows: Int32Array,
  palette: Palette,
): Colouring {
  const name = kColourNames[id];
  const column = kColumns[id];
  if (column !== undefined && id !== 'type' && id !== 'tactic') {
    const typeOf = (row: number): string | null => engine.layers.text(column, row);
    return {
      id,
      name,
      fill: (row) => palette.precision(typeOf(row)),
      legend: () =>
        [...new Set([...rows].map(typeOf))].map((type) =>
          span(
            'legend-entry',
            precisionSwatch(type),
            type === null ? 'not recorded' : visible(type),
          ),
        ),
    };
  }
  if (id === 'type') return typeColouring(engine, rows, palette);
  if (id === 'tactic') return tacticColouring(engine, rows, palette);
  let values: Float64Array;
  let text: (value: number) => string;
  if (id === 'kernel' || id === 'groups') {
    values = windowValues(engine, (window) =>
      id === 'kernel' ? area(window) : (window.groups ?? Number.NaN),
    );
    text = (value) => (id === 'kernel' ? `${fixed(value, 0)} positions` : fixed(value, 0));
  } else {
    const measure = measures.get(id as MeasureId);
    values = measure?.values ?? new Float64Array(engine.layers.rowCount).fill(Number.NaN);
    const { scale = 1, decimals = 0, unit = '' } = measure ?? {};
    text = (value) => `${fixed(value * scale, decimals)}${unit === '' ? '' : ` ${unit}`}`;
  }
  const known = [...rows].map((row) => values[row] ?? Number.NaN);
  const distinct = [...new Set(known.filter((v) => v > 0))].sort((a, b) => a - b);
  // A few sizes are a step each.
  const scale: HeatScale | null =
    distinct.length > 0 && distinct.length <= kHeatSteps
      ? {
          bounds: distinct.slice(1),
          least: distinct[0] ?? 0,
          greatest: distinct.at(-1) ?? 0,
        }
      : heatScale(known);
  return {
    id,
    name,
    fill: (row) => {
      const value = values[row] ?? Number.NaN;
      return scale === null || !(value > 0) ? null : palette.heat(heatStep(scale, value));
    },
    legend: () => {
      if (scale === null) return [span('legend-entry', `${name}: unknown`)];
      if (distinct.length <= kHeatSteps) {
        return distinct.map((value, i) => {
          const swatch = span('swatch');
          swatch.style.background = palette.heat(i);
          return span('legend-entry', swatch, text(value));
        });
      }
      return heatLegend(palette, scale, text, name);
    },
  };
}

export function colourOptions(
  engine: Engine,
  measures: ReadonlyMap<MeasureId, Measure>,
  rows: Int32Array,
): readonly Option<ColourId>[] {
  const windows = windowsOf(engine);
  return kColours.map((id) => {
    const column = kColumns[id];
    const measure = measures.get(id as MeasureId);
    const available =
      column !== undefined
        ? rows.some((row) => engine.layers.text(column, row) !== null)
        : id === 'kernel'
          ? [...windows.values()].some((w) => w.kernel !== null)
          : id === 'groups'
            ? [...windows.values()].some((w) => w.groups !== null)
            : measure !== undefined && rows.some((row) => (measure.values[row] ?? Number.NaN) > 0);
    return { id, name: kColourNames[id], available };
  });
}

export function groupingOptions(engine: Engine): readonly Option<GroupingId>[] {
  const windows = windowsOf(engine);
  return kGroupings.map((id) => {
    const column = kColumns[id];
    const available =
      id === 'order' ? true : column !== undefined ? engine.layers.has(column) : windows.size > 0;
    return { id, name: kGroupingNames[id], available };
  });
}

// What a layer is grouped under; null: not known.
export function groupOf(engine: Engine, id: GroupingId): (row: number) => string | null {
  const column = kColumns[id];
  if (column !== undefined) return (row) => engine.layers.text(column, row);
  const windows = windowsOf(engine);
  if (id === 'kernel') return (row) => listText(windows.get(row)?.kernel ?? null);
  if (id === 'groups') {
    return (row) => {
      const groups = windows.get(row)?.groups ?? null;
      return groups === null ? null : String(groups);
    };
  }
  return () => null;
}
