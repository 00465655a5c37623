// The details of a part of the graph that is not a layer: a block, a tensor's memory, a binding, an
// operation of the source model.

import { div, span, type Child } from '../base/dom.ts';
import { bytesText, dimsText, integer, inUnit, percent, plural, timeUnit } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { GraphGroup, GraphView, GroupKind, NodeKind } from '../model/graph.ts';
import { itemText, parseItem, type GraphItem } from '../model/graph_choice.ts';
import { groupFigures } from '../model/group_figures.ts';
import type { Store } from '../model/store.ts';
import { keyFigure } from '../public/key_figures.ts';
import {
  familySwatch,
  iconButton,
  layerPrecision,
  precisionMark,
  typeMark,
  type FittedName,
} from '../public/page/marks.ts';
import { panelHead, panelSection } from '../public/panel.ts';
import type { ViewContext } from '../public/page/view.ts';
import { factGrid, kShownRows, layerLine, nameLine, shownOf, timeText } from './panel_parts.ts';

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

function itemOf({ engine, state }: Store): readonly [GraphView, GraphItem] | null {
  const view = engine.graph(state.graph.view);
  const item = view === null ? null : parseItem(view, state.item);
  return view === null || item === null ? null : [view, item];
}

const nameOf = (view: GraphView, node: number): string => view.name(node) ?? '';

// A sentence for screen readers; '': no item is selected.
export function itemAnnouncement(store: Store): string {
  const found = itemOf(store);
  if (found === null) return '';
  const [view, item] = found;
  if (item.kind === 'node') {
    return `${kNodeKinds[view.nodes.kind[item.node] ?? 'other']} ${nameOf(view, item.node)}`;
  }
  const group = view.groups[item.group];
  return `block ${visible(group?.name ?? '')}, ${plural(group?.nodeCount ?? 0, 'node')}`;
}

export function itemParts(context: ViewContext, names: FittedName[]): readonly Child[] {
  const found = itemOf(context.store);
  if (found === null) return [];
  const [view, item] = found;
  return item.kind === 'group'
    ? groupParts(context, view, item.group, names)
    : nodeParts(context, view, item.node, names);
}

function head(
  context: ViewContext,
  kind: string,
  name: string,
  ...figures: readonly Child[]
): HTMLElement {
  return panelHead(
    [span('dim', kind)],
    [iconButton('copy', 'Copy the name', () => context.copy(name, 'name'))],
    () => context.store.patch({ item: null }),
    div('panel-name', visible(name.slice(0, kLongestName)) || '(no name)'),
    div('panel-line figures', ...figures),
  );
}

// The first items of a list under a heading; null if it is empty.
function listed<Item>(
  title: string,
  items: readonly Item[],
  line: (item: Item) => HTMLElement,
): HTMLElement | null {
  if (items.length === 0) return null;
  return panelSection(title, shownOf(items.length), ...items.slice(0, kShownRows).map(line));
}

// --- groups

function groupParts(
  context: ViewContext,
  view: GraphView,
  index: number,
  names: FittedName[],
): readonly Child[] {
  const { store } = context;
  const { engine, basis } = store;
  const group = view.groups[index];
  if (group === undefined) return [];
  const figures = groupFigures(engine, view, index, basis);
  const unit = timeUnit(figures.ms ?? 0);
  const times = engine.times(basis);
  const slowest = [...figures.rows].sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
  const { turns } = figures;
  const block = ({ name, index: inner }: GraphGroup): HTMLElement =>
    nameLine(
      names,
      span('dim', '▸'),
      visible(name) || '(no name)',
      () => store.patch({ item: itemText(view, { kind: 'group', group: inner }) }),
      timeText(groupFigures(engine, view, inner, basis).ms),
    );
  return [
    head(
      context,
      kGroupKinds[group.kind],
      group.name,
      figures.ms === null
        ? span('dim', 'no times')
        : keyFigure(inUnit(figures.ms, unit), unit.unit),
      figures.share !== null && span('soft', `${percent(figures.share)} % of Σ`),
    ),
    group.path !== group.name &&
      panelSection('Path', null, div('code-text', visible(group.path.slice(0, kLongestName)))),
    panelSection(
      'Numbers',
      null,
      factGrid([
        ['layers', integer(figures.layers)],
        ['nodes', integer(group.nodeCount)],
        ['instances', group.children.length === 0 ? null : integer(group.children.length)],
        ['shortest instance', timeText(turns?.least)],
        ['median instance', timeText(turns?.median)],
        ['longest instance', timeText(turns?.most)],
      ]),
    ),
    listed('Outliers', figures.odd, block),
    layerList(store, 'Slowest layers', slowest, names),
    listed(
      'Blocks',
      group.children.flatMap((child) => view.groups[child] ?? []),
      block,
    ),
  ];
}

function layerList(
  store: Store,
  title: string,
  rows: readonly number[],
  names: FittedName[],
): HTMLElement | null {
  const { engine, basis } = store;
  return listed(title, rows, (row) => {
    const swatch = familySwatch(engine.layers.text('family', row));
    return layerLine(store, names, swatch, row, timeText(engine.times(basis)[row]));
  });
}

// --- nodes

function nodeParts(
  context: ViewContext,
  view: GraphView,
  node: number,
  names: FittedName[],
): readonly Child[] {
  const { store } = context;
  const { nodes } = view;
  const kind = nodes.kind[node] ?? 'other';
  const way = nodes.isOutput[node] === 1 ? 'output of the engine' : 'input of the engine';
  const generations = nodes.generations[node] ?? 1;
  const use = integer((nodes.generation[node] ?? 0) + 1);
  const type = view.type(node);
  return [
    head(
      context,
      kind === 'binding' ? way : kNodeKinds[kind],
      nameOf(view, node),
      type !== null && span('chip', visible(type.slice(0, 100))),
      portFacts(store, view, node),
      generations > 1 && span('soft', `use ${use} of ${integer(generations)}`),
    ),
    view.view === 'source' &&
      layerList(store, 'Became', layersMadeOf(store, nameOf(view, node)), names),
    nodeList(store, 'Written by', view, endsOf(view.edgesInto(node), view.edges.from), names),
    nodeList(store, 'Read by', view, endsOf(view.edgesFrom(node), view.edges.to), names),
  ];
}

// The tensor as seen by one of the layers that write or read it.
function portFacts({ engine: { ports } }: Store, view: GraphView, node: number): Child {
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
      layout !== null && span('soft', visible(layout)),
      bytes !== null && span('soft', bytesText(bytes)),
    );
  }
  return null;
}

// The layers that contain an operation.
function layersMadeOf({ engine }: Store, operation: string): readonly number[] {
  if (operation === '') return [];
  const isIt = (source: number): boolean => engine.sources.text('op_name', source) === operation;
  return [...engine.workRows].filter((row) => engine.sourcesOf(row).some(isIt));
}

function endsOf(edges: readonly number[], ends: Int32Array): readonly number[] {
  return [...new Set([...edges].map((edge) => ends[edge] ?? -1))].filter((node) => node >= 0);
}

function nodeList(
  store: Store,
  title: string,
  view: GraphView,
  nodes: readonly number[],
  names: FittedName[],
): HTMLElement | null {
  const { engine } = store;
  return listed(title, nodes, (node) => {
    const row = engine.rowOf(view.nodes.layerId[node] ?? -1);
    if (row !== null) {
      return layerLine(store, names, typeMark(engine, row), row, layerPrecision(engine, row));
    }
    const item = itemText(view, { kind: 'node', node });
    const go = (): void => store.patch({ item });
    return nameLine(names, span('dim', '·'), visible(nameOf(view, node)), go);
  });
}
