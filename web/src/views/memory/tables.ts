// Who holds the peak, what is held beside it, where the weights are, and whose memory is used again.

import {
  bar,
  bytesText,
  div,
  el,
  familyClass,
  familySwatch,
  Figure,
  fixed,
  integer,
  isNumber,
  kMissing,
  nameTitle,
  percent,
  plural,
  sectionTitle,
  span,
  visible,
  type Child,
  type Engine,
  type FigureBody,
  type FittedName,
  type ViewContext,
  type ExplainMemory,
} from '../../public/index.ts';
import type { Timeline, TensorIndex } from './data.ts';

const kMaxContributors = 12;
const kMaxTypes = 12;
const kMaxWeights = 10;
const kMaxReused = 10;
const kBar = 64;

const th = (text: Child, className = '', title?: string): HTMLElement =>
  el('th', { class: className, attrs: { scope: 'col', title } }, text);
const td = (className: string, ...children: readonly Child[]): HTMLElement =>
  el('td', { class: className }, ...children);

class TableBody implements FigureBody {
  readonly node = div('table-body');
  // Drawn anew with the state: rows are marked, numbers are not.
  readonly #draw: () => readonly (HTMLElement | null)[];

  constructor(draw: () => readonly (HTMLElement | null)[]) {
    this.#draw = draw;
  }
  draw(): void {
    this.node.replaceChildren(...this.#draw().filter((part) => part !== null));
  }
  svg(): null {
    return null;
  }
  destroy(): void {
    // Nothing is held.
  }
}

function mb(bytes: number | null | undefined): string {
  if (!isNumber(bytes)) return kMissing;
  // What is there is not shown as nothing.
  if (bytes > 0 && bytes < 50) return '<0.0001';
  return fixed(bytes / 1e6, bytes >= 1e8 ? 0 : bytes >= 1e5 ? 2 : 4);
}

// A row that stands for a layer: hovered and selected with it.
function layerRow(context: ViewContext, row: number | null, ...cells: readonly HTMLElement[]) {
  const { store } = context;
  const selected = row !== null && store.selectedRows.includes(row);
  return el(
    'tr',
    {
      class: selected ? 'selected' : '',
      attrs: { 'data-row': row },
      on:
        row === null
          ? {}
          : {
              click: () => store.patch({ selected: row }),
              mouseenter: () => store.hover(row),
              mouseleave: () => store.hover(null),
            },
    },
    ...cells,
  );
}

function nameCell(name: string, names: FittedName[]): HTMLElement {
  const node = span('');
  names.push({ name, node });
  const cell = td('name', node);
  cell.title = nameTitle(name);
  return cell;
}

// The type's colour; its name is in the tooltip, the panel and the table of types.
function typeCell(engine: Engine, row: number): HTMLElement {
  const cell = td('mark', familySwatch(engine.layers.text('family', row)));
  cell.title = visible(engine.layers.text('type', row) ?? 'unknown type');
  return cell;
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
  const { engine } = context.store;
  const anyWithout = timeline.contributors.some(
    (contributor) => contributor.peak_without_bytes !== null,
  );
  const body = new TableBody(() => {
    names = [];
    const rest = timeline.contributors.length - kMaxContributors;
    return [
      el(
        'table',
        { class: 'plain clickable contributors' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            th('Live at the peak', 'name'),
            th('MB', 'right value'),
            // Both would leave no room for names.
            ...(anyWithout ? [] : [th('% of peak', 'right share')]),
            th('layers', 'right span'),
            th('', 'use'),
            ...(anyWithout
              ? [
                  th(
                    'peak without',
                    'right without',
                    'Peak in MB if this tensor were not kept alive between the layers that use it',
                  ),
                ]
              : []),
          ),
        ),
        el(
          'tbody',
          {},
          ...timeline.contributors
            .slice(0, kMaxContributors)
            .map((contributor) =>
              layerRow(
                context,
                engine.rowOf(contributor.first_layer_id),
                nameCell(
                  contributor.tensor === ''
                    ? index.name(contributor.tensor_id)
                    : visible(contributor.tensor),
                  names,
                ),
                td('right by', mb(contributor.bytes)),
                ...(anyWithout ? [] : [td('right', percent(contributor.bytes / peak))]),
                td(
                  'right',
                  `${integer(contributor.first_layer_id)}–${integer(contributor.last_layer_id)}`,
                ),
                td('soft', contributor.is_live_through ? 'waits' : 'in use'),
                ...(anyWithout ? [td('right', mb(contributor.peak_without_bytes))] : []),
              ),
            ),
        ),
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
    table: () => ({
      columns: [
        { title: 'tensor_id', decimals: 0 },
        { title: 'tensor', decimals: null },
        { title: 'bytes', decimals: 0 },
        { title: 'first_layer_id', decimals: 0 },
        { title: 'last_layer_id', decimals: 0 },
        { title: 'span', decimals: 0 },
        { title: 'use', decimals: null },
        { title: 'peak_without_bytes', decimals: 0 },
      ],
      rows: timeline.contributors.map((contributor) => [
        contributor.tensor_id,
        contributor.tensor,
        contributor.bytes,
        contributor.first_layer_id,
        contributor.last_layer_id,
        contributor.span,
        contributor.is_live_through ? 'waits' : 'in use',
        contributor.peak_without_bytes,
      ]),
    }),
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
  const body = new TableBody(() => [
    el(
      'table',
      { class: 'plain groups clickable' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          th('Type', 'name'),
          th('layers', 'right count'),
          th('MB', 'right value'),
          th('', 'bar-cell'),
          th('% of weights', 'right value'),
        ),
      ),
      el(
        'tbody',
        {},
        ...types.slice(0, kMaxTypes).map((group) =>
          el(
            'tr',
            {
              on: {
                click: () =>
                  context.store.addChip({
                    field: 'type',
                    op: ':',
                    values: [group.type ?? '–'],
                    negated: false,
                  }),
              },
            },
            td('name', familySwatch(group.family), visible(group.type ?? 'unknown')),
            td('right', integer(group.count)),
            td('right by', mb(group.bytes)),
            td('bar-cell', bar(group.bytes / most, kBar, familyClass(group.family))),
            td('right', percent(group.bytes / all)),
          ),
        ),
      ),
    ),
    rest.length === 0
      ? null
      : el(
          'p',
          { class: 'soft' },
          `${plural(rest.length, 'more type')} in the CSV: ${bytesText(rest.reduce((sum, g) => sum + g.bytes, 0))}.`,
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
    table: () => ({
      columns: [
        { title: 'type', decimals: null },
        { title: 'layers', decimals: 0 },
        { title: 'weight_bytes', decimals: 0 },
        { title: 'share', decimals: 4 },
      ],
      rows: types.map((group) => [group.type, group.count, group.bytes, group.bytes / all]),
    }),
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
  const body = new TableBody(() => {
    names = [];
    return [
      el(
        'table',
        { class: 'plain slowest weights' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            th('#', 'right number'),
            th('Layer', 'name'),
            th('', 'mark'),
            th('MB', 'right value'),
            th('', 'bar-cell'),
            th('% of weights', 'right share'),
          ),
        ),
        el(
          'tbody',
          {},
          ...sorted()
            .slice(0, kMaxWeights)
            .map((row) =>
              layerRow(
                context,
                row,
                td('right dim', String(engine.layerId(row))),
                nameCell(store.layerLabel(row), names),
                typeCell(engine, row),
                td('right by', mb(values[row])),
                td(
                  'bar-cell',
                  bar(
                    (values[row] ?? 0) / most,
                    kBar,
                    familyClass(engine.layers.text('family', row)),
                  ),
                ),
                td('right', percent((values[row] ?? 0) / all)),
              ),
            ),
        ),
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
    table: () => ({
      columns: [
        { title: 'layer_id', decimals: 0 },
        { title: 'name', decimals: null },
        { title: 'type', decimals: null },
        { title: 'weight_bytes', decimals: 0 },
      ],
      rows: sorted().map((row) => [
        engine.layerId(row),
        engine.rawName(row),
        engine.layers.text('type', row),
        values[row] ?? null,
      ]),
    }),
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
