// The one state of the page: view, engine, selection, filter, sort, columns, basis. Views read it and
// ask for changes; the store keeps the link in step and tells everybody what changed.

import type { Report } from './decode.ts';
import type { Basis, Engine } from './engine.ts';
import { findingOf, kFindingOption, rowOfFinding } from './finding_state.ts';
import { select, type Chip, type Selection } from './filter.ts';
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
  // A row of the layers table of that engine.
  readonly selected: number | null;
  // Further rows; empty unless several are selected.
  readonly more: readonly number[];
  readonly chips: readonly Chip[];
  readonly sort: SortKey | null;
  readonly columns: readonly string[] | null;
  readonly basis: Basis;
  // How layers are called where there is little room.
  readonly names: NameStyle;
  // Null follows the system.
  readonly theme: Theme | null;
  readonly graph: GraphChoice;
  // A selected part of the graph that is no layer; null where a layer is selected, or nothing.
  readonly item: string | null;
  // What a view remembers in the link, by "view.key".
  readonly options: ViewOptions;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type StateKey = keyof State;
export type Change = ReadonlySet<StateKey>;
export type Listener = (change: Change) => void;

// Where the link lives; the tests have one without a browser.
export interface LinkHost {
  read(): string;
  push(hash: string): void;
  replace(hash: string): void;
}

const kNone: readonly number[] = [];
// Of further selected layers: a link must stay one that can be sent.
const kMostInLink = 200;

const kPushed: readonly StateKey[] = ['view', 'engine', 'chips'];

export interface Tally {
  readonly shown: number;
  readonly all: number;
  // Null where the engine has no times.
  readonly ms: number | null;
  readonly allMs: number | null;
}

export class Store {
  readonly report: Report;
  readonly #views: readonly string[];
  readonly #host: LinkHost;
  readonly #listeners = new Set<Listener>();
  readonly #hoverListeners = new Set<(row: number | null) => void>();
  #state: State;
  #hover: number | null = null;
  #selection: Selection | null = null;
  #problems: readonly string[] = [];

  constructor(report: Report, views: readonly string[], host: LinkHost) {
    this.report = report;
    this.#views = views;
    this.#host = host;
    this.#state = this.#fromLink(host.read());
  }

  get state(): State {
    return this.#state;
  }

  get engine(): Engine {
    const engine = this.report.engines[this.#state.engine] ?? this.report.engines[0];
    if (engine === undefined) throw new Error('a report has at least one engine');
    return engine;
  }

  // A layer's name in charts, where there is little room.
  layerLabel(row: number): string {
    const { engine } = this;
    return this.#state.names === 'short' ? engine.shortName(row) : engine.layerName(row);
  }

  // What a file saved from here is called after.
  get engineTitle(): string {
    const { engine } = this;
    return (this.report.engines.length > 1 ? engine.id : engine.name).slice(0, 80);
  }

  // The basis that is drawn: the wanted one, where this engine has it.
  get basis(): Basis {
    return this.engine.basisOr(this.#state.basis);
  }

  // What the last link asked for and could not get; read once.
  takeProblems(): readonly string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  #fromLink(hash: string): State {
    const link = parseLink(hash);
    const problems = [...link.problems];
    let view = this.#views[0] ?? '';
    if (link.view !== null) {
      if (this.#views.includes(link.view)) view = link.view;
      else problems.push(`no view "${link.view}" in this report`);
    }
    let engine = 0;
    if (link.engine !== null) {
      const { engines } = this.report;
      const byLabel = engines.findIndex((e) => e.id === link.engine);
      const found = byLabel >= 0 ? byLabel : engines.findIndex((e) => e.name === link.engine);
      if (found >= 0) engine = found;
      else problems.push(`no engine "${link.engine}" in this report`);
    }
    let selected: number | null = null;
    if (link.selected !== null) {
      selected = this.report.engines[engine]?.rowOf(link.selected) ?? null;
      if (selected === null) problems.push(`no layer ${String(link.selected)} in this engine`);
    }
    // A link to a finding selects its layer.
    const at = link.options[kFindingOption];
    const target = this.report.engines[engine];
    if (at !== undefined && target !== undefined) {
      const finding = findingOf(target, link.options);
      if (finding === null) problems.push(`no finding "${at}" in this engine`);
      else if (link.selected === null) selected = rowOfFinding(target, finding);
    }
    this.#problems = problems;
    return {
      view,
      engine,
      selected,
      more:
        selected === null
          ? []
          : link.more.flatMap((id) => this.report.engines[engine]?.rowOf(id) ?? []),
      chips: link.chips,
      sort: link.sort,
      columns: link.columns,
      basis: link.basis ?? 'median',
      names: link.names ?? 'short',
      theme: link.theme,
      graph: link.graph,
      item: selected === null ? link.item : null,
      options: link.options,
    };
  }

  #toLink(): string {
    const s = this.#state;
    return formatLink({
      view: s.view,
      engine: this.report.engines.length > 1 ? this.engine.id : null,
      selected: s.selected === null ? null : this.engine.layerId(s.selected),
      more: s.more.slice(0, kMostInLink).map((row) => this.engine.layerId(row)),
      chips: s.chips,
      sort: s.sort,
      columns: s.columns,
      basis: s.basis === 'median' ? null : s.basis,
      names: s.names === 'short' ? null : s.names,
      theme: s.theme,
      graph: s.graph,
      item: s.item,
      options: s.options,
    });
  }

  link(): string {
    return this.#toLink();
  }

  patch(part: Partial<State>): void {
    const next: Mutable<State> = { ...this.#state, ...part };
    // Layer rows mean another layer in another engine.
    if (next.engine !== this.#state.engine) {
      // But a finding is known by the same fingerprint in the next build.
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
    const push = kPushed.some((key) => next[key] !== this.#state[key]);
    if (!this.#apply(next)) return;
    const hash = this.#toLink();
    if (push) this.#host.push(hash);
    else this.#host.replace(hash);
  }

  // All selected rows, the first selected first.
  get selectedRows(): readonly number[] {
    const { selected, more } = this.#state;
    return selected === null ? [] : [selected, ...more];
  }

  // Ctrl and a click: the row joins the selection, or leaves it.
  toggleSelected(row: number): void {
    const rows = this.selectedRows;
    const next = rows.includes(row) ? rows.filter((other) => other !== row) : [...rows, row];
    this.patch({ selected: next[0] ?? null, more: next.slice(1) });
  }

  // Shift and a click: the rows from the selected one to this, in the order they are drawn in.
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

  // A view's own setting; null is the view's usual one.
  option(key: ViewOptionKey): string | null {
    return this.#state.options[key] ?? null;
  }

  setOption(key: ViewOptionKey, value: string | null): void {
    const others = Object.entries(this.#state.options).filter(([name]) => name !== key);
    if (value !== null) others.push([key, value]);
    this.patch({ options: Object.fromEntries(others) });
  }

  // Back, forward, or a link typed into the address bar.
  followLink(): void {
    if (this.#host.read() === this.#toLink()) return;
    this.#apply(this.#fromLink(this.#host.read()));
  }

  #apply(next: State): boolean {
    const keys = (Object.keys(next) as StateKey[]).filter((key) => next[key] !== this.#state[key]);
    if (keys.length === 0) return false;
    this.#state = next;
    if (keys.some((key) => key === 'engine' || key === 'chips' || key === 'basis')) {
      this.#selection = null;
    }
    if (keys.includes('engine')) this.#hover = null;
    const change = new Set(keys);
    for (const listener of this.#listeners) listener(change);
    return true;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // Hovering is no state: it lights the same layer everywhere and leaves no trace.
  get hovered(): number | null {
    return this.#hover;
  }

  hover(row: number | null): void {
    if (row === this.#hover) return;
    this.#hover = row;
    for (const listener of this.#hoverListeners) listener(row);
  }

  onHover(listener: (row: number | null) => void): () => void {
    this.#hoverListeners.add(listener);
    return () => this.#hoverListeners.delete(listener);
  }

  get selection(): Selection {
    this.#selection ??= select(this.engine, this.#state.chips, this.basis);
    return this.#selection;
  }

  get tally(): Tally {
    const engine = this.engine;
    const times = engine.times(this.basis);
    return {
      shown: this.selection.rows.length,
      all: engine.workRows.length,
      ms: engine.hasTimes ? engine.sum(times, this.selection.rows) : null,
      allMs: engine.hasTimes ? engine.sum(times) : null,
    };
  }

  addChip(chip: Chip): void {
    const link = (c: Chip): string => `${c.field}${c.op}${c.values.join('|')}${String(c.negated)}`;
    if (this.#state.chips.some((c) => link(c) === link(chip))) return;
    this.patch({ chips: [...this.#state.chips, chip] });
  }

  removeChip(index: number): void {
    this.patch({ chips: this.#state.chips.filter((_, i) => i !== index) });
  }

  // The layer before or after the selected one in execution order, among those that stay.
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
