// The state that a link carries: #v=layers&e=qat&sel=6&f=type:Reformat,ms>0.01&sort=-time&cols=…

import { chipText, parseChip, type Chip } from './filter.ts';
import { kBases, type Basis } from './engine.ts';
import { formatChoice, parseChoice, type GraphChoice } from './graph_choice.ts';

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

export type NameStyle = 'short' | 'original';

// "memory.by": the view's id and a name of its own.
export type ViewOptionKey = `${string}.${string}`;
export type ViewOptions = Readonly<Record<string, string>>;

export interface LinkState {
  readonly view: string | null;
  readonly engine: string | null;
  // The engines that are compared.
  readonly a: string | null;
  readonly b: string | null;
  readonly selected: number | null;
  readonly more: readonly number[];
  readonly chips: readonly Chip[];
  readonly sort: SortKey | null;
  readonly columns: readonly string[] | null;
  readonly basis: Basis | null;
  readonly names: NameStyle | null;
  readonly theme: 'light' | 'dark' | null;
  readonly graph: GraphChoice;
  // A selected part of the graph that is not a layer, in the form of graph_choice.ts.
  readonly item: string | null;
  readonly options: ViewOptions;
  // Parts that could not be parsed, for a note.
  readonly problems: readonly string[];
}

// Colons and comparison signs stay readable; characters that would end a part are encoded.
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/%3A/g, ':')
    .replace(/%3D/g, '=')
    .replace(/%3E/g, '>')
    .replace(/%2F/g, '/')
    .replace(/%7E/g, '~')
    .replace(/%7C/g, '|');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone % in a hand-written link.
    return text;
  }
}

function orderOf(text: string): SortKey {
  const descending = text.startsWith('-');
  return { column: descending ? text.slice(1) : text, descending };
}

export function formatLink(state: Omit<LinkState, 'problems'>): string {
  const parts: string[] = [];
  const add = (key: string, value: string | number | null): void => {
    if (value !== null && value !== '') parts.push(`${key}=${String(value)}`);
  };
  const addText = (key: string, text: string | null): void => add(key, text && encode(text));
  add('v', state.view);
  addText('e', state.engine);
  addText('a', state.a);
  addText('b', state.b);
  add('sel', state.selected);
  add('more', state.more.join(','));
  add('f', state.chips.map((chip) => encode(chipText(chip))).join(','));
  add('sort', state.sort && (state.sort.descending ? '-' : '') + state.sort.column);
  add('cols', state.columns?.join(',') ?? null);
  add('basis', state.basis);
  add('names', state.names);
  add('theme', state.theme);
  const graph = formatChoice(state.graph);
  add('gv', graph.gv);
  add('colour', graph.colour);
  add('constants', graph.constants);
  add('groups', graph.groups);
  add('toggled', graph.toggled.map(encode).join(','));
  addText('item', state.item);
  for (const [key, value] of Object.entries(state.options).sort()) addText(key, value);
  return `#${parts.join('&')}`;
}

export function parseLink(hash: string): LinkState {
  const values = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const at = part.indexOf('=');
    if (at > 0) values.set(part.slice(0, at), part.slice(at + 1));
  }
  const problems: string[] = [];
  const chips: Chip[] = [];
  for (const text of (values.get('f') ?? '').split(',')) {
    if (text === '') continue;
    const parsed = parseChip(decode(text));
    if (parsed.chip !== null) chips.push(parsed.chip);
    else problems.push(`filter "${decode(text)}": ${parsed.error}`);
  }
  const text = (key: string): string | null => {
    const value = values.get(key);
    return value === undefined || value === '' ? null : decode(value);
  };
  const selected = Number(text('sel') ?? Number.NaN);
  const sort = text('sort');
  const theme = text('theme');
  return {
    view: text('v'),
    engine: text('e'),
    a: text('a'),
    b: text('b'),
    selected: Number.isInteger(selected) && selected >= 0 ? selected : null,
    more: (text('more') ?? '')
      .split(',')
      .filter((id) => /^\d+$/.test(id))
      .map(Number),
    chips,
    sort: sort === null ? null : orderOf(sort),
    columns: text('cols')?.split(',') ?? null,
    basis: kBases.find((b) => b === text('basis')) ?? null,
    names: text('names') === 'original' ? 'original' : null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    graph: parseChoice({
      gv: text('gv'),
      colour: text('colour'),
      constants: text('constants'),
      groups: text('groups'),
      toggled: (values.get('toggled') ?? '')
        .split(',')
        .filter((key) => key !== '')
        .map(decode),
    }),
    item: text('item'),
    options: Object.fromEntries(
      [...values].flatMap(([key, value]) => (key.includes('.') ? [[key, decode(value)]] : [])),
    ),
    problems,
  };
}
