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
const kNoLink: LinkHost = { read: () => '', push: () => undefined, replace: () => undefined };

interface Pane {
  readonly side: Side;
  readonly engine: number;
  readonly store: Store;
  readonly view: MountedView | null;
}

// What both graphs share with the page.
function shared({ state: { chips, basis, names, graph } }: Store): Partial<State> {
  return { chips, basis, names, graph };
}

export class LinkedGraphs {
  readonly node = div('compare-graphs');
  readonly enginePair: EnginePair;
  readonly #context: ViewContext;
  #panes: readonly Pane[] = [];
  #isSyncing = false;
  readonly #unsubscribe: (() => void)[];

  constructor(context: ViewContext, enginePair: EnginePair) {
    this.#context = context;
    this.enginePair = enginePair;
    this.#unsubscribe = [context.store.onHover(() => this.#light())];
  }

  // Into a node that is on the page: graphs measure the room they have.
  mount(): void {
    this.#panes = (['a', 'b'] as const).map((side) => this.#pane(side, this.enginePair[side]));
    this.update(new Set());
  }

  #pane(side: Side, engine: number): Pane {
    const { store: page } = this.#context;
    const store = new Store(page.report, ['graph'], kNoLink);
    store.patch({ engine, ...shared(page) });
    const host = div('graph-pane');
    const name = page.report.engines[engine]?.id ?? '';
    const title = div('graph-pane-title', span('ab', side.toUpperCase()), visible(name));
    this.node.append(div(`graph-side-${side}`, title, host));
    const row = this.#selectedRow(side);
    if (row !== null) store.patch({ selected: row });
    const view = this.#context.embed('graph', host, store);
    this.#unsubscribe.push(
      store.subscribe((change) => {
        view?.update(change);
        this.#changed(engine, store, change);
      }),
      store.onHover((hovered) => {
        if (!this.#isSyncing) page.hover(hovered, engine);
      }),
    );
    return { side, engine, store, view };
  }

  // A pane changed by itself: the page follows, and with it the other pane.
  #changed(engine: number, store: Store, change: Change): void {
    if (this.#isSyncing) return;
    const { selected } = store.state;
    const page = this.#context.store;
    const own = shared(store);
    if (Object.keys(own).some((key) => change.has(key as keyof State))) page.patch(own);
    if (!change.has('selected')) return;
    if (selected !== null) page.selectInEngine(engine, selected);
    else if (page.state.engine === engine) page.patch({ selected: null });
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
        pane.store.patch(shared(this.#context.store));
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
    for (const stop of this.#unsubscribe) stop();
    for (const pane of this.#panes) pane.view?.destroy();
    this.node.remove();
  }
}
