// Who holds the peak, what is held beside it, where the weights are, and whose memory is used again.

import {
  bar,
  bytesText,
  column,
  div,
  el,
  equals,
  familyClass,
  familySwatch,
  Figure,
  figureTable,
  fixed,
  htmlBody,
  integer,
  isNumber,
  kMissing,
  layerRow,
  nameColumn,
  numbers,
  percent,
  plainTable,
  plural,
  sectionTitle,
  span,
  visible,
  type Engine,
  type ExplainMemory,
  type FittedName,
  type ViewContext,
} from '../../public/index.ts';
import type { Timeline, TensorIndex } from './data.ts';

const kMaxContributors = 12;
const kMaxTypes = 12;
const kMaxWeights = 10;
const kMaxReused = 10;
const kBar = 64;

function mb(bytes: number | null | undefined): string {
  if (!isNumber(bytes)) return kMissing;
  // What is there is not shown as nothing.
  if (bytes > 0 && bytes < 50) return '<0.0001';
  return fixed(bytes / 1e6, bytes >= 1e8 ? 0 : bytes >= 1e5 ? 2 : 4);
}

export interface NamedFigure {
  readonly figure: Figure;
  // To be fitted when the cells have their width.
  names(): readonly FittedName[];
}

export function holdersFigure(
  context: ViewContext,
  timeline: Timeline,
  index: TensorIndex,
): NamedFigure | null {
  if (timeline.contributors.length === 0 || timeline.peak.bytes === null) return null;
  const peak = timeline.peak.bytes;
  let names: FittedName[] = [];
  const { store } = context;
  const { engine } = store;
  const anyWithout = timeline.contributors.some(
    (contributor) => contributor.peak_without_bytes !== null,
  );
  const rest = timeline.contributors.length - kMaxContributors;
  const body = htmlBody('table-body', () => {
    names = [];
    return [
      plainTable(
        'clickable contributors',
        timeline.contributors.slice(0, kMaxContributors),
        [
          nameColumn('Live at the peak', names, ({ tensor, tensor_id: id }) =>
            tensor === '' ? index.name(id) : visible(tensor),
          ),
          numbers('MB', ({ bytes }) => mb(bytes), { cellClass: 'by', width: 56 }),
          // Both would leave no room for names.
          !anyWithout && numbers('% of peak', ({ bytes }) => percent(bytes / peak), { width: 74 }),
          numbers(
            'layers',
            ({ first_layer_id: first, last_layer_id: last }) =>
              `${integer(first)}–${integer(last)}`,
            { width: 62 },
          ),
          column('', (one) => (one.is_live_through ? 'waits' : 'in use'), {
            cellClass: 'soft',
            width: 52,
          }),
          anyWithout &&
            numbers('peak without', (one) => mb(one.peak_without_bytes), {
              help: 'Peak in MB if this tensor were not kept alive between the layers that use it',
              width: 78,
            }),
        ],
        { row: (one) => layerRow(store, engine.rowOf(one.first_layer_id)) },
      ),
      rest > 0 ? el('p', { class: 'soft' }, `${plural(rest, 'more tensor')} in the CSV.`) : null,
    ];
  });
  const figure = new Figure(context, {
    id: 'contributors',
    title: 'Peak contributors',
    explain: () =>
      `${plural(timeline.contributors.length, 'tensor')}: ${bytesText(timeline.peak.used_bytes)} in use there, ` +
      `${bytesText(timeline.peak.live_through_bytes)} waiting for later layers`,
    body,
    table: () =>
      figureTable(timeline.contributors, [
        ['tensor_id', 0, (contributor) => contributor.tensor_id],
        ['tensor', null, (contributor) => contributor.tensor],
        ['bytes', 0, (contributor) => contributor.bytes],
        ['first_layer_id', 0, (contributor) => contributor.first_layer_id],
        ['last_layer_id', 0, (contributor) => contributor.last_layer_id],
        ['span', 0, (contributor) => contributor.span],
        ['use', null, (contributor) => (contributor.is_live_through ? 'waits' : 'in use')],
        ['peak_without_bytes', 0, (contributor) => contributor.peak_without_bytes],
      ]),
  });
  return { figure, names: () => names };
}

// What is held all the time, and what the builder says: figures that are no sum of the timeline.
export function beside(timeline: Timeline): HTMLElement | null {
  const rows: readonly (readonly [string, keyof ExplainMemory['other_memory'], string | null])[] = [
    ['Weights', 'weight_bytes', 'resident while the engine is loaded'],
    ['Inputs', 'input_bytes', "the caller's"],
    ['Outputs', 'output_bytes', "the caller's"],
    ['Activations', 'reported_activation_bytes', 'as the builder reports them'],
    ['Scratch', 'reported_scratch_bytes', 'as the builder reports it; included in the row above'],
    ['Persistent', 'reported_device_persistent_bytes', 'of a context, as the builder reports it'],
  ];
  const known = rows.flatMap(([name, key, note]) => {
    const bytes = timeline.other_memory[key];
    return bytes === null ? [] : [{ name, bytes, note }];
  });
  const scratch = timeline.peak.with_scratch_bytes;
  if (known.length === 0 && scratch === null && timeline.peak.bytes === null) return null;
  const row = (name: string, bytes: number, note: string | null): readonly HTMLElement[] => [
    el('dt', {}, name),
    el('dd', {}, bytesText(bytes), note === null ? null : span('dim', ` ${note}`)),
  ];
  return div(
    'block beside',
    sectionTitle('Total memory', 'live at once, and everything else'),
    el(
      'dl',
      { class: 'facts-list' },
      ...(timeline.peak.bytes === null
        ? []
        : row(
            'Peak',
            timeline.peak.bytes,
            timeline.peak.stream_count > 1 ? 'of activations, an upper bound' : 'of activations',
          )),
      ...(scratch === null
        ? []
        : row('With scratch', scratch, 'reserved by layers while they run')),
      ...known.flatMap(({ name, bytes, note }) => row(name, bytes, note)),
    ),
  );
}

interface TypeWeights {
  readonly type: string | null;
  readonly family: string | null;
  count: number;
  bytes: number;
}

function weightsByType(engine: Engine, values: Float64Array): readonly TypeWeights[] {
  const groups = new Map<string, TypeWeights>();
  for (const row of engine.workRows) {
    const bytes = values[row] ?? Number.NaN;
    if (!(bytes > 0)) continue;
    const type = engine.layers.text('type', row);
    const known = groups.get(type ?? '');
    if (known === undefined) {
      const family = engine.layers.text('family', row);
      groups.set(type ?? '', { type, family, count: 1, bytes });
    } else {
      known.count += 1;
      known.bytes += bytes;
    }
  }
  return [...groups.values()].sort((a, b) => b.bytes - a.bytes);
}

export function weightsByTypeFigure(context: ViewContext): Figure | null {
  const { engine } = context.store;
  const values = engine.layers.numbers('weight_bytes');
  const types = weightsByType(engine, values);
  if (types.length === 0) return null;
  const all = engine.sum(values);
  const most = types[0]?.bytes ?? 1;
  const rest = types.slice(kMaxTypes);
  const table = (): HTMLElement =>
    plainTable(
      'groups clickable',
      types.slice(0, kMaxTypes),
      [
        column('Type', ({ family, type }) => [familySwatch(family), visible(type ?? 'unknown')], {
          class: 'name',
        }),
        numbers('layers', ({ count }) => integer(count), { width: 54 }),
        numbers('MB', ({ bytes }) => mb(bytes), { cellClass: 'by', width: 78 }),
        column('', ({ bytes, family }) => bar(bytes / most, kBar, familyClass(family)), {
          class: 'bar-cell',
        }),
        numbers('% of weights', ({ bytes }) => percent(bytes / all), { width: 78 }),
      ],
      {
        row: ({ type }) => ({
          on: { click: () => context.store.addChip(equals('type', type ?? '–')) },
        }),
      },
    );
  const restBytes = rest.reduce((sum, group) => sum + group.bytes, 0);
  const body = htmlBody('table-body', () => [
    table(),
    rest.length === 0
      ? null
      : el(
          'p',
          { class: 'soft' },
          `${plural(rest.length, 'more type')} in the CSV: ${bytesText(restBytes)}.`,
        ),
  ]);
  return new Figure(context, {
    id: 'weights-by-type',
    title: 'Weights by type',
    explain: () =>
      `${bytesText(all)} that ${plural(
        types.reduce((n, g) => n + g.count, 0),
        'layer',
      )} read`,
    body,
    table: () =>
      figureTable(types, [
        ['type', null, (group) => group.type],
        ['layers', 0, (group) => group.count],
        ['weight_bytes', 0, (group) => group.bytes],
        ['share', 4, (group) => group.bytes / all],
      ]),
  });
}

export function weightsByLayerFigure(context: ViewContext): NamedFigure | null {
  const { store } = context;
  const { engine } = store;
  const values = engine.layers.numbers('weight_bytes');
  if (!engine.workRows.some((row) => (values[row] ?? 0) > 0)) return null;
  const all = engine.sum(values);
  let names: FittedName[] = [];
  const sorted = (): readonly number[] =>
    [...store.selection.rows]
      .filter((row) => (values[row] ?? 0) > 0)
      .sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  let most = 0;
  for (const row of engine.workRows) if ((values[row] ?? 0) > most) most = values[row] ?? 0;
  const bytesOf = (row: number): number => values[row] ?? 0;
  const barOf = (row: number): HTMLElement =>
    bar(bytesOf(row) / most, kBar, familyClass(engine.layers.text('family', row)));
  const body = htmlBody('table-body', () => {
    names = [];
    return [
      plainTable(
        'slowest weights',
        sorted().slice(0, kMaxWeights),
        [
          numbers('#', (row) => span('dim', String(engine.layerId(row))), { width: 38 }),
          nameColumn('Layer', names, (row) => store.layerLabel(row)),
          // The type's colour; its name is in the tooltip, the panel and the table of types.
          column('', (row) => familySwatch(engine.layers.text('family', row)), {
            class: 'mark',
            title: (row) => visible(engine.layers.text('type', row) ?? 'unknown type'),
          }),
          numbers('MB', (row) => mb(values[row]), { cellClass: 'by', width: 66 }),
          column('', barOf, { class: 'bar-cell' }),
          numbers('% of weights', (row) => percent(bytesOf(row) / all), { width: 78 }),
        ],
        { row: (row) => layerRow(store, row) },
      ),
    ];
  });
  const figure = new Figure(context, {
    id: 'weights-by-layer',
    title: 'Weights by layer',
    explain: () => {
      const rows = sorted();
      return `${integer(Math.min(kMaxWeights, rows.length))} of ${plural(rows.length, 'layer')} with weights`;
    },
    body,
    table: () =>
      figureTable(sorted(), [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['name', null, (row) => engine.rawName(row)],
        ['type', null, (row) => engine.layers.text('type', row)],
        ['weight_bytes', 0, (row) => values[row] ?? null],
      ]),
  });
  return { figure, names: () => names };
}

interface Reused {
  readonly name: string;
  readonly generations: number;
}

// Tensors whose memory is rewritten after being read: the graph has a node for each use.
export function reusedTensors(engine: Engine): readonly Reused[] {
  const view = engine.graph('memory');
  if (view === null) return [];
  const reused = new Map<string, number>();
  for (let node = 0; node < view.nodes.count; node += 1) {
    const generations = view.nodes.generations[node] ?? 1;
    if (generations > 1) reused.set(view.name(node) ?? '', generations);
  }
  return [...reused]
    .map(([name, generations]) => ({ name, generations }))
    .sort((a, b) => b.generations - a.generations || (a.name < b.name ? -1 : 1));
}

export function reuse(context: ViewContext): HTMLElement | null {
  const reused = reusedTensors(context.store.engine);
  if (reused.length === 0) return null;
  const rest = reused.length - kMaxReused;
  return div(
    'block reuse',
    sectionTitle('Reused memory', `${plural(reused.length, 'tensor')} rewritten after being read`),
    el(
      'dl',
      { class: 'facts-list' },
      ...reused
        .slice(0, kMaxReused)
        .flatMap(({ name, generations }) => [
          el('dt', {}, `${integer(generations)} uses`),
          el('dd', {}, visible(name)),
        ]),
    ),
    rest > 0 ? el('p', { class: 'soft' }, `${integer(rest)} more.`) : null,
  );
}
