// The details of a part of the graph that is no layer: a block, a tensor's memory, a binding, an
// operation of the source model.

import { div, el, span, type Child } from '../base/dom.ts';
import {
  bytesText,
  dimsText,
  integer,
  inUnit,
  isNumber,
  percent,
  plural,
  timeUnit,
} from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { GraphGroup, GraphView, GroupKind, NodeKind } from '../model/graph.ts';
import { itemText, parseItem, type GraphItem } from '../model/graph_choice.ts';
import { groupFigures } from '../model/group_figures.ts';
import type { Store } from '../model/store.ts';
import {
  familySwatch,
  iconButton,
  linkButton,
  layerPrecision,
  precisionMark,
  typeMark,
  type FittedName,
} from '../public/marks.ts';
import type { ViewContext } from '../public/view.ts';

const kShown = 12;
const kLongestName = 600;

const kGroupKinds: Readonly<Record<GroupKind, string>> = {
  scope: 'block, from the names of its layers',
  series: 'repeated block',
  repeat: 'one instance of a repeated block',
  layer: 'layer with its source operations',
  opaque: 'opaque layer with what is known about it',
  conditional: 'conditional',
  branch: 'branch of a conditional',
  loop: 'loop',
  section: 'range of layers',
  other: 'group',
};
const kNodeKinds: Readonly<Record<NodeKind, string>> = {
  layer: 'layer',
  constant: 'constant',
  binding: 'binding',
  memory: 'memory of a tensor',
  operation: 'operation of the source model',
  other: 'node',
};

function section(title: string, right: Child, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title, span('grow'), right), ...children);
}

function more(count: number): string | null {
  return count > kShown ? `${integer(kShown)} of ${integer(count)}` : null;
}

export class ItemPanel {
  readonly #store: Store;
  readonly #context: ViewContext;

  constructor(store: Store, context: ViewContext) {
    this.#store = store;
    this.#context = context;
  }

  get #view(): GraphView | null {
    return this.#store.engine.graph(this.#store.state.graph.view);
  }

  get item(): GraphItem | null {
    const view = this.#view;
    return view === null ? null : parseItem(view, this.#store.state.item);
  }

  // A sentence for those who hear the page.
  announcement(): string {
    const view = this.#view;
    const { item } = this;
    if (view === null || item === null) return '';
    if (item.kind === 'node')
      return `${kNodeKinds[view.nodes.kind[item.node] ?? 'other']} ${this.#name(view, item.node)}`;
    const group = view.groups[item.group];
    return `block ${visible(group?.name ?? '')}, ${plural(group?.nodeCount ?? 0, 'node')}`;
  }

  parts(names: FittedName[]): readonly Child[] {
    const view = this.#view;
    const { item } = this;
    if (view === null || item === null) return [];
    return item.kind === 'group'
      ? this.#group(view, item.group, names)
      : this.#node(view, item.node, names);
  }

  #head(kind: string, name: string, ...figures: readonly Child[]): HTMLElement {
    return div(
      'panel-head',
      div(
        'panel-line',
        span('dim', kind),
        span('grow'),
        iconButton('copy', 'Copy the name', () => this.#context.copy(name, 'name')),
        iconButton('close', 'Close (Esc)', () => this.#store.patch({ item: null })),
      ),
      div('panel-name', visible(name.slice(0, kLongestName)) || '(no name)'),
      div('panel-line figures', ...figures),
    );
  }

  #timeText(ms: number | null | undefined): string | null {
    if (!isNumber(ms)) return null;
    const unit = timeUnit(ms);
    return `${inUnit(ms, unit)} ${unit.unit}`;
  }

  // --- groups

  #group(view: GraphView, index: number, names: FittedName[]): readonly Child[] {
    const { engine, basis } = this.#store;
    const group = view.groups[index];
    if (group === undefined) return [];
    const figures = groupFigures(engine, view, index, basis);
    const unit = timeUnit(figures.ms ?? 0);
    const times = engine.times(basis);
    const slowest = [...figures.rows].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
    const { turns } = figures;
    const facts: readonly (readonly [string, string | null])[] = [
      ['layers', integer(figures.layers)],
      ['nodes', integer(group.nodeCount)],
      ['instances', group.children.length === 0 ? null : integer(group.children.length)],
      ['shortest instance', this.#timeText(turns?.least)],
      ['median instance', this.#timeText(turns?.median)],
      ['longest instance', this.#timeText(turns?.most)],
    ];
    return [
      this.#head(
        kGroupKinds[group.kind],
        group.name,
        figures.ms === null
          ? span('dim', 'no times')
          : span('key-figure', inUnit(figures.ms, unit), el('small', {}, unit.unit)),
        figures.share === null ? null : span('soft', `${percent(figures.share)} % of Σ`),
      ),
      group.path === group.name
        ? null
        : section('Path', null, div('code-text', visible(group.path.slice(0, kLongestName)))),
      section('Numbers', null, this.#facts(facts)),
      figures.odd.length === 0
        ? null
        : section('Outliers', more(figures.odd.length), ...this.#groups(view, figures.odd)),
      slowest.length === 0
        ? null
        : section('Slowest layers', more(slowest.length), ...this.#layers(slowest, names)),
      group.children.length === 0
        ? null
        : section(
            'Blocks',
            more(group.children.length),
            ...this.#groups(
              view,
              group.children.flatMap((child) => view.groups[child] ?? []),
            ),
          ),
    ];
  }

  #facts(facts: readonly (readonly [string, string | null])[]): HTMLElement {
    const cells = facts.flatMap(([key, value]) =>
      value === null ? [] : [div('fact', span('fact-key', key), span('fact-value', value))],
    );
    return div('facts', ...cells);
  }

  #groups(view: GraphView, groups: readonly GraphGroup[]): readonly HTMLElement[] {
    const { engine, basis } = this.#store;
    return groups.slice(0, kShown).map((group) => {
      const { ms } = groupFigures(engine, view, group.index, basis);
      const button = linkButton(visible(group.name.slice(0, 60)) || '(no name)', null, () =>
        this.#store.patch({ item: itemText(view, { kind: 'group', group: group.index }) }),
      );
      return div('neighbour', span('', '▸'), div('neighbour-name', button), this.#timeText(ms));
    });
  }

  #layers(rows: readonly number[], names: FittedName[]): readonly HTMLElement[] {
    const { engine, basis } = this.#store;
    const times = engine.times(basis);
    return rows.slice(0, kShown).map((row) => {
      const name = el('button', {
        class: 'link',
        attrs: { type: 'button', title: engine.layerName(row).slice(0, 1000) },
        on: { click: () => this.#store.patch({ selected: row }) },
      });
      names.push({ name: this.#store.layerLabel(row), node: name });
      return div(
        'neighbour',
        familySwatch(engine.layers.text('family', row)),
        div('neighbour-name', name),
        this.#timeText(times[row]),
      );
    });
  }

  // --- nodes

  #name(view: GraphView, node: number): string {
    return view.name(node) ?? '';
  }

  #node(view: GraphView, node: number, names: FittedName[]): readonly Child[] {
    const { nodes } = view;
    const kind = nodes.kind[node] ?? 'other';
    const isBinding = kind === 'binding';
    const way = nodes.isOutput[node] === 1 ? 'output of the engine' : 'input of the engine';
    const generations = nodes.generations[node] ?? 1;
    const port = this.#port(view, node);
    const type = view.type(node);
    return [
      this.#head(
        isBinding ? way : kNodeKinds[kind],
        this.#name(view, node),
        type === null ? null : span('chip', visible(type.slice(0, 100))),
        port,
        generations > 1
          ? span(
              'soft',
              `use ${integer((nodes.generation[node] ?? 0) + 1)} of ${integer(generations)}`,
            )
          : null,
      ),
      this.#made(view, node, names),
      this.#ends('Written by', view, view.edgesInto(node), view.edges.from, names),
      this.#ends('Read by', view, view.edgesFrom(node), view.edges.to, names),
    ];
  }

  // The tensor as one of those sees it who write or read it.
  #port(view: GraphView, node: number): HTMLElement | null {
    const { ports } = this.#store.engine;
    for (const edge of [...view.edgesInto(node), ...view.edgesFrom(node)]) {
      const from = view.edges.fromPort[edge] ?? -1;
      const port = from >= 0 ? from : (view.edges.toPort[edge] ?? -1);
      if (port < 0) continue;
      const bytes = ports.number('bytes', port);
      const layout = ports.text('layout', port);
      return div(
        'port-facts',
        dimsText(ports.list('dims', port)),
        precisionMark(ports.text('dtype', port)),
        layout === null ? null : span('soft', visible(layout)),
        bytes === null ? null : span('soft', bytesText(bytes)),
      );
    }
    return null;
  }

  // The layer that an operation became a part of.
  #made(view: GraphView, node: number, names: FittedName[]): HTMLElement | null {
    if (view.view !== 'source') return null;
    const { engine } = this.#store;
    const name = this.#name(view, node);
    if (name === '') return null;
    const rows: number[] = [];
    for (const row of engine.workRows) {
      const isSource = engine
        .sourcesOf(row)
        .some((i) => engine.sources.text('op_name', i) === name);
      if (isSource) rows.push(row);
    }
    if (rows.length === 0) return null;
    return section('Became', more(rows.length), ...this.#layers(rows, names));
  }

  #ends(
    title: string,
    view: GraphView,
    edges: Int32Array,
    ends: Int32Array,
    names: FittedName[],
  ): HTMLElement | null {
    const others = [...new Set([...edges].map((edge) => ends[edge] ?? -1))].filter((n) => n >= 0);
    if (others.length === 0) return null;
    const { engine } = this.#store;
    const lines = others.slice(0, kShown).map((other) => {
      const row = engine.rowOf(view.nodes.layerId[other] ?? -1);
      const name = el('button', {
        class: 'link',
        attrs: { type: 'button' },
        on: {
          click: () =>
            this.#store.patch(
              row === null
                ? { item: itemText(view, { kind: 'node', node: other }) }
                : { selected: row },
            ),
        },
      });
      const text = row === null ? visible(this.#name(view, other)) : this.#store.layerLabel(row);
      names.push({ name: text, node: name });
      return div(
        'neighbour',
        row === null ? span('', '·') : typeMark(engine, row),
        div('neighbour-name', name),
        row === null ? null : layerPrecision(engine, row),
      );
    });
    return section(title, more(others.length), ...lines);
  }
}
