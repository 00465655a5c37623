// The reader's settings for the graph: a view, a colouring, which groups are open. Part of the
// link.

import { kGraphViews, type GraphGroup, type GraphView, type GraphViewName } from './graph.ts';

export const kColourModes = ['type', 'precision', 'time', 'memory', 'stream'] as const;
export type ColourMode = (typeof kColourModes)[number];

// The baseline for the exceptions in `toggled`: as the program folded, all groups open, or all
// folded.
export const kFoldings = ['chosen', 'open', 'folded'] as const;
export type Folding = (typeof kFoldings)[number];

export interface GraphChoice {
  readonly view: GraphViewName;
  readonly colour: ColourMode;
  readonly constants: boolean;
  readonly folding: Folding;
  // Paths of groups that differ from it.
  readonly toggled: readonly string[];
}

export const kStandardChoice: GraphChoice = {
  view: 'execution',
  colour: 'type',
  constants: false,
  folding: 'chosen',
  toggled: [],
};

// A path too long for a link is replaced by its group's number.
const kLongestPath = 120;

export function groupKey(group: GraphGroup): string {
  const { path } = group;
  return path === '' || path.length > kLongestPath || path.startsWith('@')
    ? `@${String(group.index)}`
    : path;
}

export function groupOfKey(view: GraphView, key: string): number | null {
  const byNumber = /^@(\d{1,9})$/.exec(key);
  if (byNumber === null) return view.groupByPath(key);
  const index = Number(byNumber[1]);
  return index < view.groups.length ? index : null;
}

export function isFoldedByDefault(group: GraphGroup, folding: Folding): boolean {
  return folding === 'chosen' ? group.isFolded : folding === 'folded';
}

// One value per group.
export function foldedGroups(view: GraphView, choice: GraphChoice): Uint8Array {
  const folded = Uint8Array.from(view.groups, (g) =>
    isFoldedByDefault(g, choice.folding) ? 1 : 0,
  );
  for (const key of choice.toggled) {
    const group = groupOfKey(view, key);
    if (group !== null) folded[group] = folded[group] === 1 ? 0 : 1;
  }
  return folded;
}

// The settings after some groups were opened or folded.
export function withGroups(
  view: GraphView,
  choice: GraphChoice,
  groups: readonly number[],
  fold: boolean,
): GraphChoice {
  const toggled = new Set(choice.toggled);
  for (const index of groups) {
    const group = view.groups[index];
    if (group === undefined) continue;
    const key = groupKey(group);
    if (isFoldedByDefault(group, choice.folding) === fold) toggled.delete(key);
    else toggled.add(key);
  }
  return { ...choice, toggled: [...toggled] };
}

// A selected part of the graph that is not a layer.
export type GraphItem =
  | { readonly kind: 'group'; readonly group: number }
  | { readonly kind: 'node'; readonly node: number };

export function itemText(view: GraphView, item: GraphItem): string {
  if (item.kind === 'node') return `node:${String(item.node)}`;
  const group = view.groups[item.group];
  return group === undefined ? '' : `group:${groupKey(group)}`;
}

export function parseItem(view: GraphView, text: string | null): GraphItem | null {
  if (text === null) return null;
  if (text.startsWith('group:')) {
    const group = groupOfKey(view, text.slice('group:'.length));
    return group === null ? null : { kind: 'group', group };
  }
  const node = /^node:(\d{1,9})$/.exec(text);
  // A layer is selected as a row of the table of layers.
  const index = Number(node?.[1] ?? -1);
  const isItem = index >= 0 && index < view.nodes.count && (view.nodes.layerId[index] ?? -1) < 0;
  return isItem ? { kind: 'node', node: index } : null;
}

export interface GraphLinkParts {
  readonly gv: string | null;
  readonly colour: string | null;
  readonly constants: string | null;
  readonly groups: string | null;
  readonly toggled: readonly string[];
}

export function formatChoice(choice: GraphChoice): GraphLinkParts {
  return {
    gv: choice.view === kStandardChoice.view ? null : choice.view,
    colour: choice.colour === kStandardChoice.colour ? null : choice.colour,
    constants: choice.constants ? 'shown' : null,
    groups: choice.folding === 'chosen' ? null : choice.folding,
    toggled: choice.toggled,
  };
}

export function parseChoice(parts: GraphLinkParts): GraphChoice {
  return {
    view: kGraphViews.find((v) => v === parts.gv) ?? kStandardChoice.view,
    colour: kColourModes.find((c) => c === parts.colour) ?? kStandardChoice.colour,
    constants: parts.constants === 'shown',
    folding: kFoldings.find((f) => f === parts.groups) ?? 'chosen',
    toggled: parts.toggled,
  };
}
