// The one state of the page: view, engine, selection, filter, sort, columns, basis. Views read it
// and request changes; the store keeps the link in step and notifies listeners of what changed.

import { Names } from '../base/names.ts';
import type { Comparison, Pairs } from './comparison.ts';
import type { Report } from './decode.ts';
import type { Basis, Engine } from './engine.ts';
import { findingOf, kFindingOption, rowOfFinding } from './finding_state.ts';
import { sameChip, select, type Chip, type Selection } from './filter.ts';
import type { GraphChoice } from './graph_choice.ts';
import {
  formatLink,
  parseLink,
  type NameStyle,
  type SortKey,
  type ViewOptionKey,
  type ViewOptions,
} from './url_state.ts';

export type Theme = 'light' | 'dark';

export interface State {
  readonly view: string;
  readonly engine: number;
  // The engines that are compared, as the reader chose them; null: the defaults.
  readonly a: number | null;
  readonly b: number | null;
  // A row of the layers table of that engine.
  readonly selected: number | null;
  // Further rows; empty unless several are selected.
  readonly more: readonly number[];
  readonly chips: readonly Chip[];
  readonly sort: SortKey | null;
  readonly columns: readonly string[] | null;
  readonly basis: Basis;
  // How layers are named in narrow places.
  readonly names: NameStyle;
  // Null follows the system.
  readonly theme: Theme | null;
  readonly graph: GraphChoice;
  // A selected part of the graph that is not a layer; null if a layer or nothing is selected.
  readonly item: string | null;
  // A view's settings in the link, by "view.key".
  readonly options: ViewOptions;
}

// The two engines that are compared, as indices into the report.
export interface EnginePair {
  readonly a: number;
  readonly b: number;
}

export interface PairedRows {
  readonly pair: number;
  readonly a: readonly number[];
  readonly b: readonly number[];
}

export interface Hovered {
  readonly engine: number;
  readonly row: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type StateKey = keyof State;
export type Change = ReadonlySet<StateKey>;
export type Listener = (change: Change) => void;

// Where the link is kept; tests have one without a browser.
export interface LinkHost {
  read(): string;
  push(hash: string): void;
  replace(hash: string): void;
}

const kNone: readonly number[] = [];
// Maximum number of further selected layers, so that a link stays short enough to send.
const kMaxInLink = 200;

const kPushed: readonly StateKey[] = ['view', 'engine', 'chips', 'a', 'b'];

export interface Tally {
  readonly shown: number;
  readonly all: number;
  // Null if the engine has no times.
  readonly ms: number | null;
  readonly allMs: number | null;
}

// The reader's choice; by default the first engine is the base, compared with the one on screen, or
// with the last.
function enginePairOf(state: State, count: number): EnginePair | null {
  if (count < 2) return null;
  const last = count - 1;
  const a = state.a ?? (state.b === 0 ? last : 0);
  const usual = a === last ? 0 : last;
  const b = state.b ?? (state.a === null && state.engine !== a ? state.engine : usual);
  return { a, b };
}

const kMaxLabels = 30_000;

export class Store {
  #report: Report;
  readonly #views: readonly string[];
  readonly #host: LinkHost;
  readonly #comparing: ReadonlySet<string>;
  readonly #listeners = new Set<Listener>();
  readonly #hoverListeners = new Set<(row: number | null) => void>();
  #state: State;
  #hover: Hovered | null = null;
  // By engine.
  readonly #selections = new Map<number, Selection>();
  #problems: readonly string[] = [];

  // `comparing`: views that have two engines on screen.
  readonly #labels = new WeakMap<Engine, { readonly names: string; readonly list: Names }>();

  constructor(
    report: Report,
    views: readonly string[],
    host: LinkHost,
    comparing: ReadonlySet<string> = new Set(),
  ) {
    this.#comparing = comparing;
    this.#report = report;
    this.#views = views;
    this.#host = host;
    this.#state = this.#settled(this.#fromLink(host.read()));
  }

  // If two engines are on screen, the current engine is one of them.
  #settled(state: State): State {
    const enginePair = enginePairOf(state, this.report.engines.length);
    if (enginePair === null || !this.#comparing.has(state.view)) return state;
    if (state.engine === enginePair.a || state.engine === enginePair.b) return state;
    return { ...state, engine: enginePair.a, selected: null, item: null };
  }

  get report(): Report {
    return this.#report;
  }

  get state(): State {
    return this.#state;
  }

  get engine(): Engine {
    const engine = this.report.engines[this.#state.engine] ?? this.report.engines[0];
    if (engine === undefined) throw new Error('a report has at least one engine');
    return engine;
  }

  // The two engines that are compared; null if there is only one.
  get enginePair(): EnginePair | null {
    return enginePairOf(this.#state, this.report.engines.length);
  }

  // Null if the report has no pairs for the two engines.
  get pairs(): Pairs | null {
    const { enginePair } = this;
    return enginePair === null
      ? null
      : (this.report.comparison?.pairs(enginePair.a, enginePair.b) ?? null);
  }

  // A layer's name in charts and other narrow places.
  layerLabel(row: number, engine = this.engine): string {
    return this.#state.names === 'short' ? engine.shortName(row) : engine.layerName(row);
  }

  // All names, so that cut ones stay distinguishable; null if there are too many to sort.
  labels(engine = this.engine): Names | null {
    if (engine.workRows.length > kMaxLabels) return null;
    let known = this.#labels.get(engine);
    if (known?.names !== this.#state.names) {
      const list = new Names(() =>
        Array.from(engine.workRows, (row) => this.layerLabel(row, engine)),
      );
      known = { names: this.#state.names, list };
      this.#labels.set(engine, known);
    }
    return known.list;
  }

  // The base name of files saved from here.
  get engineTitle(): string {
    const { engine } = this;
    return (this.report.engines.length > 1 ? engine.id : engine.name).slice(0, 80);
  }

  // The basis that is drawn: the wanted one, if this engine has it.
  get basis(): Basis {
    return this.engine.basisOr(this.#state.basis);
  }

  // What the last link requested and could not get; cleared when read.
  takeProblems(): readonly string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  #fromLink(hash: string): State {
    const { problems: unread, ...link } = parseLink(hash);
    const problems = [...unread];
    let view = this.#views[0] ?? '';
    if (link.view !== null) {
      if (this.#views.includes(link.view)) view = link.view;
      else problems.push(`no view "${link.view}" in this report`);
    }
    const engine = this.#linked(link.engine, problems) ?? 0;
    const target = this.report.engines[engine];
    const [a, b] = [this.#linked(link.a, problems), this.#linked(link.b, problems)];
    let selected: number | null = null;
    if (link.selected !== null) {
      selected = target?.rowOf(link.selected) ?? null;
      if (selected === null) problems.push(`no layer ${String(link.selected)} in this engine`);
    }
    // A link to a finding selects its layer.
    const at = link.options[kFindingOption];
    if (at !== undefined && target !== undefined) {
      const finding = findingOf(target, link.options);
      if (finding === null) problems.push(`no finding "${at}" in this engine`);
      else if (link.selected === null) selected = rowOfFinding(target, finding);
    }
    this.#problems = problems;
    return {
      ...link,
      view,
      engine,
      a,
      // An engine is not compared with itself.
      b: b === a ? null : b,
      selected,
      more: selected === null ? [] : link.more.flatMap((id) => target?.rowOf(id) ?? []),
      basis: link.basis ?? 'median',
      names: link.names ?? 'short',
      item: selected === null ? link.item : null,
    };
  }

  // The engine that a link calls by its label, or by its name.
  #linked(id: string | null, problems: string[]): number | null {
    if (id === null) return null;
    const { engines } = this.report;
    const byLabel = engines.findIndex((e) => e.id === id);
    const found = byLabel >= 0 ? byLabel : engines.findIndex((e) => e.name === id);
    if (found < 0) problems.push(`no engine "${id}" in this report`);
    return found < 0 ? null : found;
  }

  link(): string {
    const { engine, report } = this;
    const { a, b, selected, more, basis, names, ...rest } = this.#state;
    const label = (place: number | null): string | null => report.engines[place ?? -1]?.id ?? null;
    return formatLink({
      ...rest,
      engine: report.engines.length > 1 ? engine.id : null,
      a: label(a),
      b: label(b),
      selected: selected === null ? null : engine.layerId(selected),
      more: more.slice(0, kMaxInLink).map((row) => engine.layerId(row)),
      basis: basis === 'median' ? null : basis,
      names: names === 'short' ? null : names,
    });
  }

  // `way`: whether the Back button returns here; the default depends on what changed.
  patch(part: Partial<State>, way: 'usual' | 'replace' = 'usual'): void {
    const next: Mutable<State> = { ...this.#state, ...part };
    // Layer rows mean another layer in another engine.
    if (next.engine !== this.#state.engine) {
      // A finding keeps its fingerprint in the next build.
      if (part.selected === undefined) {
        const other = this.report.engines[next.engine];
        const isFinding = next.view === 'findings' && other !== undefined;
        next.selected = isFinding ? rowOfFinding(other, findingOf(other, next.options)) : null;
      }
      if (part.graph === undefined) next.graph = { ...next.graph, toggled: [] };
      if (part.item === undefined) next.item = null;
    }
    // One selection: a layer, several, or another part of the graph.
    if (part.selected !== undefined) next.item = null;
    if (part.item !== undefined && part.item !== null) next.selected = null;
    if (part.more === undefined && next.selected !== this.#state.selected) next.more = kNone;
    const push = way === 'usual' && kPushed.some((key) => next[key] !== this.#state[key]);
    if (!this.#apply(next)) return;
    const hash = this.link();
    if (push) this.#host.push(hash);
    else this.#host.replace(hash);
  }

  // All selected rows, the first selected first.
  get selectedRows(): readonly number[] {
    const { selected, more } = this.#state;
    return selected === null ? [] : [selected, ...more];
  }

  // Ctrl and a click: adds the row to the selection, or removes it.
  toggleSelected(row: number): void {
    const rows = this.selectedRows;
    const next = rows.includes(row) ? rows.filter((other) => other !== row) : [...rows, row];
    this.patch({ selected: next[0] ?? null, more: next.slice(1) });
  }

  // Shift and a click: selects the rows from the selected one to this, in the order on screen.
  selectTo(row: number, order: Int32Array): void {
    const { selected } = this.#state;
    const from = selected === null ? -1 : order.indexOf(selected);
    const to = order.indexOf(row);
    if (selected === null || from < 0 || to < 0) {
      this.patch({ selected: row });
      return;
    }
    const range = [...order.subarray(Math.min(from, to), Math.max(from, to) + 1)];
    this.patch({ selected, more: range.filter((other) => other !== selected) });
  }

  // A view's own setting; null is the default.
  option(key: ViewOptionKey): string | null {
    return this.#state.options[key] ?? null;
  }

  setOption(key: ViewOptionKey, value: string | null): void {
    this.setOptions({ [key]: value });
  }

  // Several at once, with related changes, as one step.
  setOptions(
    values: Readonly<Record<ViewOptionKey, string | null>>,
    more: Partial<State> = {},
  ): void {
    const options = Object.entries({ ...this.#state.options, ...values });
    const set = options.filter((entry): entry is [string, string] => entry[1] !== null);
    this.patch({ ...more, options: Object.fromEntries(set) });
  }

  // Back, forward, or a link typed into the address bar.
  followLink(): void {
    if (this.#host.read() === this.link()) return;
    this.#apply(this.#fromLink(this.#host.read()));
  }

  #apply(wanted: State): boolean {
    const next = this.#settled(wanted);
    const keys = (Object.keys(next) as StateKey[]).filter((key) => next[key] !== this.#state[key]);
    if (keys.length === 0) return false;
    this.#state = next;
    if (keys.some((key) => key === 'chips' || key === 'basis')) this.#selections.clear();
    if (keys.includes('engine')) this.#hover = null;
    const change = new Set(keys);
    for (const listener of this.#listeners) listener(change);
    return true;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // Hovering is not part of the state: it highlights the same layer everywhere and leaves no trace.
  get hovered(): number | null {
    return this.hoveredIn(this.#state.engine);
  }

  // The same in an engine that is shown next to the current one.
  hoveredIn(engine: number): number | null {
    return this.#hover?.engine === engine ? this.#hover.row : null;
  }

  get hoveredLayer(): Hovered | null {
    return this.#hover;
  }

  hover(row: number | null, engine = this.#state.engine): void {
    if (row === (this.#hover?.row ?? null) && (row === null || engine === this.#hover?.engine)) {
      return;
    }
    this.#hover = row === null ? null : { engine, row };
    for (const listener of this.#hoverListeners) listener(this.hovered);
  }

  onHover(listener: (row: number | null) => void): () => void {
    this.#hoverListeners.add(listener);
    return () => this.#hoverListeners.delete(listener);
  }

  get selection(): Selection {
    return this.selectionOf(this.#state.engine);
  }

  // The layers of any engine that pass the filter.
  selectionOf(index: number): Selection {
    const engine = this.report.engines[index] ?? this.engine;
    let selection = this.#selections.get(index);
    if (selection === undefined) {
      selection = select(engine, this.#state.chips, engine.basisOr(this.#state.basis));
      this.#selections.set(index, selection);
    }
    return selection;
  }

  get tally(): Tally {
    const engine = this.engine;
    const times = engine.times(this.basis);
    return {
      shown: this.selection.rows.length,
      all: engine.workRows.length,
      ms: engine.hasTimes ? engine.sum(times, this.selection.rows) : null,
      allMs: engine.hasTimes ? engine.total(this.basis) : null,
    };
  }

  addChip(chip: Chip): void {
    if (this.#state.chips.some((other) => sameChip(other, chip))) return;
    this.patch({ chips: [...this.#state.chips, chip] });
  }

  removeChip(index: number): void {
    this.patch({ chips: this.#state.chips.filter((_, i) => i !== index) });
  }

  // Replaces the report, keeping the state of engines that stay. `before`: for each engine, its
  // index in the previous report.
  showReport(report: Report, before: readonly (number | null)[]): void {
    const placeOf = (engine: number | null): number | null => {
      const at = engine === null ? -1 : before.indexOf(engine);
      return at < 0 ? null : at;
    };
    const { engine, a, b } = this.#state;
    const place = placeOf(engine);
    // Show the engine that was added last.
    const added = before.lastIndexOf(null);
    const next = place ?? Math.max(0, added);
    this.#report = report;
    this.#selections.clear();
    this.#hover = null;
    const gone = place === null ? { selected: null, more: kNone, item: null } : {};
    this.#state = this.#settled({
      ...this.#state,
      ...gone,
      engine: next,
      a: placeOf(a),
      b: placeOf(b),
    });
    this.#tellAll();
  }

  // Adds the layer pairs of two engines, which the report does not contain.
  addPairs(two: Comparison): void {
    const { comparison } = this.#report;
    if (comparison === null) return;
    const pairs: Comparison['pairs'] = (a, b) => comparison.pairs(a, b) ?? two.pairs(a, b);
    this.#report = { ...this.#report, comparison: { ...comparison, pairs } };
    this.#tellAll();
  }

  #tellAll(): void {
    const all = new Set(Object.keys(this.#state) as StateKey[]);
    for (const listener of this.#listeners) listener(all);
    this.#host.replace(this.link());
  }

  // Selects in an engine that is shown next to another; the two that are compared stay the same.
  selectInEngine(engine: number, row: number): void {
    const { enginePair } = this;
    this.patch(
      {
        engine,
        selected: row,
        a: enginePair?.a ?? null,
        b: enginePair?.b ?? null,
        graph: this.#state.graph,
      },
      'replace',
    );
  }

  // The layers of both compared engines that correspond to this layer of one of them, as rows.
  pairedRows(engine: number, row: number): PairedRows | null {
    const { pairs } = this;
    const side = pairs?.a === engine ? 'a' : 'b';
    const pair = pairs?.[side] === engine ? pairs.pairOf(side, row) : null;
    if (pairs === null || pair === null) return null;
    return { pair, a: pairs.rows('a', pair), b: pairs.rows('b', pair) };
  }

  // Swaps the engines that are compared.
  swap(): void {
    const { enginePair } = this;
    if (enginePair !== null) this.patch({ a: enginePair.b, b: enginePair.a });
  }

  // The layer before or after the selected one in execution order, among those that pass the
  // filter.
  step(by: 1 | -1): void {
    const rows = this.selection.rows;
    if (rows.length === 0) return;
    const selected = this.#state.selected;
    const at = selected === null ? -1 : rows.indexOf(selected);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by;
    const row = rows[Math.min(rows.length - 1, Math.max(0, next))];
    if (row !== undefined) this.patch({ selected: row });
  }
}
