// The properties that colour layers in this view, and that bars are grouped by.

import {
  bodyFont,
  familyKey,
  familySwatch,
  fitName,
  fixed,
  grouped,
  heatScale,
  heatStep,
  kHeatSteps,
  nameTitle,
  precisionSwatch,
  span,
  visible,
  windowsOf,
  el,
  type ConvolutionWindow,
  type Engine,
  type FamilyKey,
  type HeatScale,
  type Option,
  type Palette,
} from '../../public/index.ts';
import {
  isKnown,
  measure,
  measureName,
  type Measure,
  type MeasureId,
  type WorkData,
} from './measures.ts';

// Text properties: columns of the table of layers.
const kColumns = {
  precision: 'precision',
  output: 'output_precision',
  compute: 'compute_precision',
  type: 'type',
  subtype: 'subtype',
  tactic: 'tactic',
} as const;
type ColumnId = keyof typeof kColumns;

// Properties of convolutions.
type WindowId = 'kernel' | 'groups';

export type ColourId = ColumnId | WindowId | MeasureId;
export type GroupingId = ColumnId | WindowId | 'order';

const kColours: readonly (readonly [ColumnId, string])[] = [
  ['precision', 'input precision'],
  ['output', 'output precision'],
  ['compute', 'computed precision'],
  ['type', 'layer type'],
  ['tactic', 'tactic'],
];

const kGroupings: readonly (readonly [GroupingId, string])[] = [
  ['order', 'execution order'],
  ['kernel', 'kernel'],
  ['groups', 'groups'],
  ['precision', 'input precision'],
  ['output', 'output precision'],
  ['type', 'type'],
  ['subtype', 'subtype'],
  ['tactic', 'tactic'],
];

const isColumn = (id: string): id is ColumnId => id in kColumns;

export function listText(list: readonly number[] | null | undefined): string | null {
  return list === null || list === undefined || list.length === 0 ? null : list.join('×');
}

// "2" for 2×2.
export function strideText(list: readonly number[] | null | undefined): string | null {
  return listText(new Set(list).size === 1 ? list?.slice(0, 1) : list);
}

export function kernelArea(window: ConvolutionWindow | undefined): number {
  return window?.kernel?.reduce((product, size) => product * size, 1) ?? Number.NaN;
}

export interface Colouring {
  // Null is drawn as a dashed outline: unknown.
  readonly fill: (row: number) => string | null;
  legend(): readonly HTMLElement[];
}

const entry = (swatch: HTMLElement, words: string, title?: string): HTMLElement =>
  el('span', { class: 'legend-entry', attrs: { title } }, swatch, words);

const swatchOf = (colour: string): HTMLElement =>
  el('span', { class: 'swatch', css: { background: colour } });

function precisionColouring(
  typeOf: (row: number) => string | null,
  rows: Int32Array,
  palette: Palette,
): Colouring {
  const types = new Set([...rows].map(typeOf));
  return {
    fill: (row) => palette.precision(typeOf(row)),
    legend: () =>
      [...types].map((type) => entry(precisionSwatch(type), visible(type ?? 'not recorded'))),
  };
}

function typeColouring({ layers }: Engine, rows: Int32Array, palette: Palette): Colouring {
  const types = grouped(rows, (row) => layers.text('type', row) ?? 'not recorded');
  return {
    fill: (row) => palette.family(familyKey(layers.text('family', row))),
    legend: () =>
      [...types].map(([type, [first = -1]]) =>
        entry(familySwatch(layers.text('family', first)), visible(type)),
      ),
  };
}

// Kernels have no colours of their own: the most used ones take those of the families, the rest is
// grey.
const kTacticFills: readonly FamilyKey[] = [
  'convolution',
  'opaque',
  'pool',
  'norm',
  'pointwise',
  'gemm',
];
const kTacticName = 200;

function tacticColouring({ layers }: Engine, rows: Int32Array, palette: Palette): Colouring {
  const tacticOf = (row: number): string | null => layers.text('tactic', row);
  const known = rows.filter((row) => tacticOf(row) !== null);
  const all = [...grouped(known, tacticOf)].sort((a, b) => b[1].length - a[1].length);
  const most = all.slice(0, kTacticFills.length).map(([tactic, { length }], i) => ({
    tactic: visible(tactic ?? ''),
    count: length,
    colour: palette.family(kTacticFills[i] ?? 'other'),
  }));
  const colours = new Map(
    all.map(([tactic], i) => [tactic, most[i]?.colour ?? palette.ui('ink3')]),
  );
  const rest = all.length - most.length;
  return {
    fill: (row) => colours.get(tacticOf(row)) ?? null,
    legend: () => [
      ...most.map(({ tactic, count, colour }) => {
        const name = fitName(tactic, kTacticName, bodyFont(11));
        return entry(swatchOf(colour), `${name} (${String(count)})`, nameTitle(tactic));
      }),
      ...(rest > 0 ? [entry(swatchOf(palette.ui('ink3')), `${String(rest)} more tactics`)] : []),
    ],
  };
}

function heatColouring(size: Measure, rows: Int32Array, palette: Palette): Colouring {
  const { values, unit, scale: factor, decimals } = size;
  const name = measureName(size);
  const text = (value: number): string => `${fixed(value * factor, decimals)} ${unit}`.trim();
  const known = [...rows].map((row) => values[row] ?? Number.NaN);
  const distinct = [...new Set(known.filter((v) => v > 0))].sort((a, b) => a - b);
  const [least] = distinct;
  const isFew = distinct.length <= kHeatSteps;
  // A few distinct sizes get one step each.
  const scale: HeatScale | null =
    isFew && least !== undefined
      ? { bounds: distinct.slice(1), least, greatest: distinct.at(-1) ?? least }
      : heatScale(known);
  const legend = (of: HeatScale): readonly HTMLElement[] => {
    if (isFew) return distinct.map((value, i) => entry(swatchOf(palette.heat(i)), text(value)));
    const edges = [of.least, ...of.bounds, of.greatest];
    const steps = of.bounds.concat(of.greatest).map((to, i) =>
      el('span', {
        class: 'heat-step',
        css: { background: palette.heat(i) },
        attrs: { title: `${text(edges[i] ?? 0)} to ${text(to)}` },
      }),
    );
    const ends = [`${name}: ${text(of.least)} `, ` ${text(of.greatest)}, quantiles`] as const;
    return [span('legend-entry', ends[0], span('heat-steps', ...steps), ends[1])];
  };
  return {
    fill: (row) => {
      const value = values[row] ?? 0;
      return scale === null || !(value > 0) ? null : palette.heat(heatStep(scale, value));
    },
    legend: () => (scale === null ? [span('legend-entry', `${name}: unknown`)] : legend(scale)),
  };
}

function windowMeasure(
  engine: Engine,
  name: string,
  unit: string,
  of: (window: ConvolutionWindow) => number | null,
): Measure {
  const values = new Float64Array(engine.layers.rowCount).fill(Number.NaN);
  for (const [row, window] of windowsOf(engine)) values[row] = of(window) ?? Number.NaN;
  return measure(name, values, unit);
}

// Properties coloured by magnitude.
function sizesOf(engine: Engine, { measures }: WorkData): ReadonlyMap<ColourId, Measure> {
  // Not M, N and K, which have no unit.
  const rest = Object.entries(measures).filter(([, { unit }]) => unit !== '');
  return new Map<ColourId, Measure>([
    ['kernel', windowMeasure(engine, 'kernel size', 'positions', kernelArea)],
    ['groups', windowMeasure(engine, 'groups', '', ({ groups }) => groups)],
    ...(rest as [MeasureId, Measure][]),
  ]);
}

export function colouringOf(
  id: ColourId,
  engine: Engine,
  data: WorkData,
  palette: Palette,
): Colouring {
  const { rows } = data;
  if (id === 'type') return typeColouring(engine, rows, palette);
  if (id === 'tactic') return tacticColouring(engine, rows, palette);
  const size = sizesOf(engine, data).get(id);
  if (size !== undefined) return heatColouring(size, rows, palette);
  const column = isColumn(id) ? kColumns[id] : 'precision';
  return precisionColouring((row) => engine.layers.text(column, row), rows, palette);
}

export function colourOptions(engine: Engine, data: WorkData): readonly Option<ColourId>[] {
  const { rows } = data;
  const isThere = (id: ColumnId): boolean =>
    rows.some((row) => engine.layers.text(kColumns[id], row) !== null);
  return [
    ...kColours.map(([id, name]) => ({ id, name, available: isThere(id) })),
    ...Array.from(sizesOf(engine, data), ([id, size]) => ({
      id,
      name: measureName(size),
      available: isKnown(size, rows),
    })),
  ];
}

export function groupingOptions(engine: Engine): readonly Option<GroupingId>[] {
  const isThere = (id: GroupingId): boolean => {
    if (isColumn(id)) return engine.layers.has(kColumns[id]);
    return id === 'order' || windowsOf(engine).size > 0;
  };
  return kGroupings.map(([id, name]) => ({ id, name, available: isThere(id) }));
}

// The group of a layer; null: unknown.
export function groupOf(engine: Engine, id: GroupingId): (row: number) => string | null {
  if (isColumn(id)) return (row) => engine.layers.text(kColumns[id], row);
  // All in one group.
  if (id === 'order') return () => null;
  const windows = windowsOf(engine);
  if (id === 'kernel') return (row) => listText(windows.get(row)?.kernel);
  return (row) => windows.get(row)?.groups?.toString() ?? null;
}
