// The graphs of A and B side by side: the Graph view twice, each with a store of its own that follows
// the page's. What is selected or hovered in one lights its pair in the other.

import {
  div,
  span,
  Store,
  visible,
  type Change,
  type EnginePair,
  type LinkHost,
  type MountedView,
  type Side,
  type State,
  type ViewContext,
} from '../../public/index.ts';

// The link is the page's affair.
class NoLink implements LinkHost {
  read(): string {
    return '';
  }
  push(): void {
    return;
  }
  replace(): void {
    return;
  }
}

interface Pane {
  readonly side: Side;
  readonly engine: number;
  readonly store: Store;
  readonly view: MountedView | null;
  readonly unsubscribe: readonly (() => void)[];
}

// What both graphs share with the page.
const kShared = ['chips', 'basis', 'names', 'graph'] as const;

export class LinkedGraphs {
  readonly node = div('compare-graphs');
  readonly enginePair: EnginePair;
  readonly #context: ViewContext;
  #panes: readonly Pane[] = [];
  #isSyncing = false;
  readonly #unsubscribe: () => void;

  constructor(context: ViewContext, enginePair: EnginePair) {
    this.#context = context;
    this.enginePair = enginePair;
    this.#unsubscribe = context.store.onHover(() => this.#light());
  }

  // Into a node that is on the page: graphs measure the room they have.
  mount(): void {
    this.#panes = (['a', 'b'] as const).map((side) => this.#pane(side, this.enginePair[side]));
    this.update(new Set());
  }

  #pane(side: Side, engine: number): Pane {
    const { store: page } = this.#context;
    const store = new Store(page.report, ['graph'], new NoLink());
    store.patch({ engine, ...this.#sharedState() });
    const host = div('graph-pane');
    const name = page.report.engines[engine]?.id ?? '';
    const title = div('graph-pane-title', span('ab', side.toUpperCase()), visible(name));
    this.node.append(div(`graph-side-${side}`, title, host));
    const row = this.#selectedRow(side);
    if (row !== null) store.patch({ selected: row });
    const view = this.#context.embed('graph', host, store);
    return {
      side,
      engine,
      store,
      view,
      unsubscribe: [
        store.subscribe((change) => {
          view?.update(change);
          this.#changed(engine, store, change);
        }),
        store.onHover((hovered) => this.#hovered(engine, hovered)),
      ],
    };
  }

  #sharedState(): Partial<State> {
    const { chips, basis, names, graph } = this.#context.store.state;
    return { chips, basis, names, graph };
  }

  // A pane changed by itself: the page follows, and with it the other pane.
  #changed(engine: number, store: Store, change: Change): void {
    if (this.#isSyncing) return;
    const { state } = store;
    const page = this.#context.store;
    if (kShared.some((key) => change.has(key))) {
      page.patch({
        chips: state.chips,
        basis: state.basis,
        names: state.names,
        graph: state.graph,
      });
    }
    if (change.has('selected')) {
      if (state.selected !== null) page.selectInEngine(engine, state.selected);
      else if (page.state.engine === engine) page.patch({ selected: null });
    }
    // The pane asked for another view: the page goes there.
    if (change.has('view') || change.has('item')) return;
  }

  #hovered(engine: number, row: number | null): void {
    if (!this.#isSyncing) this.#context.store.hover(row, engine);
  }

  // The layer of a side that stands for what is selected on the page: itself, or its pair's.
  #selectedRow(side: Side): number | null {
    const { store } = this.#context;
    const { selected, engine } = store.state;
    if (selected === null) return null;
    if (engine === this.enginePair[side]) return selected;
    return this.#principal(side, store.pairedRows(engine, selected)?.pair ?? null);
  }

  #principal(side: Side, pair: number | null): number | null {
    const { store } = this.#context;
    if (pair === null) return null;
    const id = store.pairs?.principal(side, pair) ?? null;
    return id === null ? null : (store.report.engines[this.enginePair[side]]?.rowOf(id) ?? null);
  }

  #light(): void {
    const { store } = this.#context;
    const hovered = store.hoveredLayer;
    this.#quietly(() => {
      for (const pane of this.#panes) {
        const isOwn = hovered?.engine === pane.engine;
        const paired =
          hovered === null || isOwn ? null : store.pairedRows(hovered.engine, hovered.row);
        const row = isOwn ? hovered.row : this.#principal(pane.side, paired?.pair ?? null);
        pane.store.hover(row);
      }
    });
  }

  #quietly(work: () => void): void {
    const before = this.#isSyncing;
    this.#isSyncing = true;
    work();
    this.#isSyncing = before;
  }

  update(change: Change): void {
    this.#quietly(() => {
      for (const pane of this.#panes) {
        pane.store.patch(this.#sharedState());
        pane.store.patch({ selected: this.#selectedRow(pane.side) });
        // Another theme or size.
        if (change.size === 0) pane.view?.update(change);
      }
    });
  }

  key(key: string): boolean {
    const { engine } = this.#context.store.state;
    const pane = this.#panes.find((p) => p.engine === engine) ?? this.#panes[0];
    return pane?.view?.key?.(key) === true;
  }

  destroy(): void {
    this.#unsubscribe();
    for (const pane of this.#panes) {
      for (const stop of pane.unsubscribe) stop();
      pane.view?.destroy();
    }
    this.node.remove();
  }
}
