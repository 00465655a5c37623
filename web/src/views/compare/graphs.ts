// The graphs of A and B side by side: the Graph view twice, each with a store of its own that
// follows the page's. Selecting or hovering in one highlights the pair in the other.

import {
  div,
  span,
  Store,
  visible,
  type Change,
  type EnginePair,
  type MountedView,
  type Side,
  type State,
  type ViewContext,
} from '../../public/index.ts';
import type { ModePart } from './choice.ts';

const nothing = (): void => undefined;
// The page handles the link.
const kNoLink = { read: () => '', push: nothing, replace: nothing };

interface Pane {
  readonly side: Side;
  readonly engine: number;
  readonly store: Store;
  readonly view: MountedView | null;
}

// The settings that both graphs share with the page.
const kShared = ['chips', 'basis', 'names', 'graph'] as const;
const shared = ({ chips, basis, names, graph }: State): Partial<State> => ({
  chips,
  basis,
  names,
  graph,
});

export class LinkedGraphs implements ModePart {
  readonly node = div('compare-graphs');
  readonly #context: ViewContext;
  readonly #enginePair: EnginePair;
  #panes: readonly Pane[] | null = null;
  #isSyncing = false;
  readonly #unsubscribe: () => void;

  constructor(context: ViewContext, enginePair: EnginePair) {
    this.#context = context;
    this.#enginePair = enginePair;
    this.#unsubscribe = context.store.onHover(() => this.#light());
  }

  explain(): string {
    return 'selecting a layer in one shows it in the other';
  }

  actions(): readonly HTMLElement[] {
    return [];
  }

  #pane(side: Side): Pane {
    const { store: page } = this.#context;
    const engine = this.#enginePair[side];
    const store = new Store(page.report, ['graph'], kNoLink);
    store.patch({ engine, ...shared(page.state) });
    const host = div('graph-pane');
    const name = page.report.engines[engine]?.id ?? '';
    const title = div('graph-pane-title', span('ab', side.toUpperCase()), visible(name));
    this.node.append(div(`graph-side-${side}`, title, host));
    const row = this.#selectedRow(side);
    if (row !== null) store.patch({ selected: row });
    const view = this.#context.embed('graph', host, store);
    store.subscribe((change) => {
      view?.update(change);
      if (!this.#isSyncing) this.#changed(engine, store, change);
    });
    store.onHover((hovered) => {
      if (!this.#isSyncing) page.hover(hovered, engine);
    });
    return { side, engine, store, view };
  }

  // A pane changed by itself: the page follows, and then the other pane.
  #changed(engine: number, { state }: Store, change: Change): void {
    const page = this.#context.store;
    if (kShared.some((key) => change.has(key))) page.patch(shared(state));
    if (!change.has('selected')) return;
    if (state.selected !== null) page.selectInEngine(engine, state.selected);
    else if (page.state.engine === engine) page.patch({ selected: null });
  }

  // One side's layer that matches a layer of one of the engines.
  #counterpart(side: Side, engine: number, row: number): number | null {
    if (engine === this.#enginePair[side]) return row;
    const { store } = this.#context;
    const pair = store.pairedRows(engine, row)?.pair ?? null;
    return pair === null ? null : (store.pairs?.row(side, pair) ?? null);
  }

  #selectedRow(side: Side): number | null {
    const { selected, engine } = this.#context.store.state;
    return selected === null ? null : this.#counterpart(side, engine, selected);
  }

  #light(): void {
    const hovered = this.#context.store.hoveredLayer;
    this.#quietly(({ side, store }) => {
      store.hover(hovered === null ? null : this.#counterpart(side, hovered.engine, hovered.row));
    });
  }

  #quietly(work: (pane: Pane) => void): void {
    const before = this.#isSyncing;
    this.#isSyncing = true;
    this.#panes?.forEach(work);
    this.#isSyncing = before;
  }

  draw(change: Change): void {
    // The element must be on the page, because graphs measure their room.
    const isNew = this.#panes === null;
    this.#panes ??= [this.#pane('a'), this.#pane('b')];
    this.#quietly(({ side, store, view }) => {
      store.patch(shared(this.#context.store.state));
      store.patch({ selected: this.#selectedRow(side) });
      // Another theme or size.
      if (isNew || change.size === 0) view?.update(new Set());
    });
  }

  key(key: string): boolean {
    const { engine } = this.#context.store.state;
    const pane = this.#panes?.find((one) => one.engine === engine) ?? this.#panes?.[0];
    return pane?.view?.key?.(key) === true;
  }

  destroy(): void {
    this.#unsubscribe();
    this.#isSyncing = true;
    for (const { view } of this.#panes ?? []) view?.destroy();
    this.node.remove();
  }
}
