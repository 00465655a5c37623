// What is live at the peak, what is resident besides, where the weights are, and which memory is
// reused.

import {
  bar,
  bytesText,
  column,
  div,
  el,
  equals,
  factsList,
  familyClass,
  familySwatch,
  fixed,
  grouped,
  integer,
  isNumber,
  kMissing,
  layerRow,
  nameColumn,
  numbers,
  percent,
  plainFigure,
  plural,
  sectionTitle,
  span,
  visible,
  type Column,
  type ExplainMemory,
  type Figure,
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
  // A nonzero amount is not shown as zero.
  if (bytes > 0 && bytes < 50) return '<0.0001';
  return fixed(bytes / 1e6, bytes >= 1e8 ? 0 : bytes >= 1e5 ? 2 : 4);
}

export function holdersFigure(
  context: ViewContext,
  { contributors, peak }: Timeline,
  index: TensorIndex,
): Figure | null {
  const all = peak.bytes;
  if (contributors.length === 0 || all === null) return null;
  const { store } = context;
  const anyWithout = contributors.some(({ peak_without_bytes: bytes }) => bytes !== null);
  const use = (one: (typeof contributors)[number]): string =>
    one.is_live_through ? 'waits' : 'in use';
  return plainFigure(context, {
    id: 'contributors',
    title: 'Peak contributors',
    class: 'clickable contributors',
    explain: () =>
      `${plural(contributors.length, 'tensor')}: ${bytesText(peak.used_bytes)} in use there, ` +
      `${bytesText(peak.live_through_bytes)} waiting for later layers`,
    items: () => contributors,
    most: kMaxContributors,
    columns: (names) => [
      nameColumn('Live at the peak', names, ({ tensor, tensor_id: id }) =>
        tensor === '' ? index.name(id) : visible(tensor),
      ),
      numbers('MB', ({ bytes }) => mb(bytes), { cellClass: 'by', width: 56 }),
      // Both together would leave no room for names.
      !anyWithout && numbers('% of peak', ({ bytes }) => percent(bytes / all), { width: 74 }),
      numbers('layers', (one) => `${integer(one.first_layer_id)}–${integer(one.last_layer_id)}`, {
        width: 62,
      }),
      column('', use, { cellClass: 'soft', width: 52 }),
      anyWithout &&
        numbers('peak without', (one) => mb(one.peak_without_bytes), {
          help: 'Peak in MB if this tensor were not kept alive between the layers that use it',
          width: 78,
        }),
    ],
    row: (one) => layerRow(store, store.engine.rowOf(one.first_layer_id)),
    rest: (more) => `${plural(more.length, 'more tensor')} in the CSV.`,
    data: [
      ['tensor_id', 0, (one) => one.tensor_id],
      ['tensor', null, (one) => one.tensor],
      ['bytes', 0, (one) => one.bytes],
      ['first_layer_id', 0, (one) => one.first_layer_id],
      ['last_layer_id', 0, (one) => one.last_layer_id],
      ['span', 0, (one) => one.span],
      ['use', null, use],
      ['peak_without_bytes', 0, (one) => one.peak_without_bytes],
    ],
  });
}

// Resident memory, and the builder's figures, which are not sums of the timeline.
export function beside({ peak, other_memory: other }: ExplainMemory): HTMLElement | null {
  const upper = peak.stream_count > 1 ? ', an upper bound' : '';
  const facts: readonly (readonly [string, number | null, string])[] = [
    ['Peak', peak.bytes, `of activations${upper}`],
    ['With scratch', peak.with_scratch_bytes, 'reserved by layers while they run'],
    ['Weights', other.weight_bytes, 'resident while the engine is loaded'],
    ['Inputs', other.input_bytes, "the caller's"],
    ['Outputs', other.output_bytes, "the caller's"],
    ['Activations', other.reported_activation_bytes, 'as the builder reports them'],
    [
      'Scratch',
      other.reported_scratch_bytes,
      'as the builder reports it; included in the row above',
    ],
    [
      'Persistent',
      other.reported_device_persistent_bytes,
      'of a context, as the builder reports it',
    ],
  ];
  if (facts.every(([, bytes]) => bytes === null)) return null;
  return div(
    'block beside',
    sectionTitle('Total memory', 'live at once, and everything else'),
    factsList(
      facts.map(([name, bytes, note]) =>
        bytes === null ? null : [name, [bytesText(bytes), span('dim', ` ${note}`)]],
      ),
    ),
  );
}

// The bytes of a family's item, and a bar that is full at the maximum.
function weightColumns<Item>(
  bytesOf: (item: Item) => number,
  familyOf: (item: Item) => string | null,
  { most, all, width }: { readonly most: number; readonly all: number; readonly width: number },
): readonly Column<Item>[] {
  const barOf = (item: Item): HTMLElement =>
    bar(bytesOf(item) / most, kBar, familyClass(familyOf(item)));
  return [
    numbers('MB', (item) => mb(bytesOf(item)), { cellClass: 'by', width }),
    column('', barOf, { class: 'bar-cell' }),
    numbers('% of weights', (item) => percent(bytesOf(item) / all), { width: 78 }),
  ];
}

// By type and by layer; for an engine that has weights.
export function weightFigures(context: ViewContext): readonly Figure[] {
  const { store } = context;
  const { engine } = store;
  const values = engine.layers.numbers('weight_bytes');
  const bytesOf = (row: number): number => values[row] ?? 0;
  const withWeights = (rows: Int32Array): readonly number[] =>
    [...rows].filter((row) => bytesOf(row) > 0);
  const rows = withWeights(engine.workRows);
  if (rows.length === 0) return [];
  const all = engine.sum(values);
  const greatest = rows.reduce((most, row) => Math.max(most, bytesOf(row)), 0);
  const typeOf = (row: number): string | null => engine.layers.text('type', row);
  const familyOf = (row: number): string | null => engine.layers.text('family', row);
  const types = [...grouped(rows, typeOf)]
    .map(([type, own]) => ({
      type,
      family: familyOf(own[0] ?? -1),
      count: own.length,
      bytes: own.reduce((sum, row) => sum + bytesOf(row), 0),
    }))
    .sort((a, b) => b.bytes - a.bytes);
  type TypeWeights = (typeof types)[number];
  const largest = (): readonly number[] =>
    [...withWeights(store.selection.rows)].sort((a, b) => bytesOf(b) - bytesOf(a) || a - b);
  return [
    plainFigure<TypeWeights>(context, {
      id: 'weights-by-type',
      title: 'Weights by type',
      class: 'groups clickable',
      explain: () => `${bytesText(all)} that ${plural(rows.length, 'layer')} read`,
      items: () => types,
      most: kMaxTypes,
      columns: () => [
        column('Type', ({ family, type }) => [familySwatch(family), visible(type ?? 'unknown')], {
          class: 'name',
        }),
        numbers('layers', ({ count }) => integer(count), { width: 54 }),
        ...weightColumns<TypeWeights>(
          ({ bytes }) => bytes,
          ({ family }) => family,
          { most: types[0]?.bytes ?? 1, all, width: 78 },
        ),
      ],
      row: ({ type }) => ({ on: { click: () => store.addChip(equals('type', type ?? '–')) } }),
      rest: (more) => {
        const bytes = more.reduce((sum, group) => sum + group.bytes, 0);
        return `${plural(more.length, 'more type')} in the CSV: ${bytesText(bytes)}.`;
      },
      data: [
        ['type', null, ({ type }) => type],
        ['layers', 0, ({ count }) => count],
        ['weight_bytes', 0, ({ bytes }) => bytes],
        ['share', 4, ({ bytes }) => bytes / all],
      ],
    }),
    plainFigure<number>(context, {
      id: 'weights-by-layer',
      title: 'Weights by layer',
      class: 'slowest weights',
      explain: () => {
        const { length } = largest();
        return `${integer(Math.min(kMaxWeights, length))} of ${plural(length, 'layer')} with weights`;
      },
      items: largest,
      most: kMaxWeights,
      columns: (names) => [
        numbers('#', (row) => span('dim', String(engine.layerId(row))), { width: 38 }),
        nameColumn('Layer', names, (row) => store.layerLabel(row)),
        // The type's colour; its name is in the tooltip, the panel and the table of types.
        column('', (row) => familySwatch(familyOf(row)), {
          class: 'mark',
          title: (row) => visible(typeOf(row) ?? 'unknown type'),
        }),
        ...weightColumns(bytesOf, familyOf, { most: greatest, all, width: 66 }),
      ],
      row: (row) => layerRow(store, row),
      data: [
        ['layer_id', 0, (row) => engine.layerId(row)],
        ['name', null, (row) => engine.rawName(row)],
        ['type', null, typeOf],
        ['weight_bytes', 0, bytesOf],
      ],
    }),
  ];
}

// Tensors whose memory is rewritten after being read: the graph has one node per use.
export function reuse({ store }: ViewContext): HTMLElement | null {
  const view = store.engine.graph('memory');
  if (view === null) return null;
  const uses = new Map<string, number>();
  for (const [node, count] of view.nodes.generations.entries()) {
    if (count > 1) uses.set(view.name(node) ?? '', count);
  }
  if (uses.size === 0) return null;
  const most = [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const rest = most.length - kMaxReused;
  return div(
    'block reuse',
    sectionTitle('Reused memory', `${plural(most.length, 'tensor')} rewritten after being read`),
    factsList(
      most
        .slice(0, kMaxReused)
        .map(([name, count]) => [`${integer(count)} uses`, visible(name)] as const),
    ),
    rest > 0 ? el('p', { class: 'soft' }, `${integer(rest)} more.`) : null,
  );
}
