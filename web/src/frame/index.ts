// Assembles the page: top bar, tabs, filter row, ribbon, the view, the details panel.

import './frame.css';
import './panel.css';

import { div, el, replace, span } from '../base/dom.ts';
import { integer } from '../base/format.ts';
import { messageOf, visible } from '../base/text.ts';
import { storedTheme, storeTheme } from '../base/stored_theme.ts';
import type { ThemeName } from '../base/tokens.ts';
import type { Report } from '../model/decode.ts';
import type { Judging } from '../model/judging.ts';
import { kBases } from '../model/engine.ts';
import { Store, type Change, type StateKey } from '../model/store.ts';
import { layerJson } from '../model/layer_json.ts';
import type { CoreOpener, Opened, OpenedFile } from '../public/page/opener.ts';
import { Palette, type PaletteName } from '../public/page/palette.ts';
import { isUnmet, unmetNeeds, unmetView } from '../public/needs.ts';
import type { MountedView, View, ViewContext } from '../public/page/view.ts';
import { copyText, downloadBlob } from './clipboard.ts';
import { exportMenu } from './export_menu.ts';
import { FilterRow } from './filter_row.ts';
import { JudgingLink } from './judging_link.ts';
import { itemAnnouncement } from './item_panel.ts';
import { Keys, type KeyActions } from './keys.ts';
import { AddressLink } from './link_host.ts';
import { Panel } from './panel.ts';
import { printedReport } from './printed_report.ts';
import { Ribbon } from './ribbon.ts';
import { SearchBox } from './search_box.ts';
import { makeTooltip, type Tooltip } from './tooltip.ts';
import { TopBar, type EngineActions } from './top_bar.ts';

const kNoteMs = 2400;

// "?palette=trex" in the address: the colours of the predecessor, to compare with old pictures.
function paletteName(): PaletteName {
  const wanted = new URLSearchParams(window.location.search).get('palette');
  if (wanted !== 'trex') return 'planex';
  document.documentElement.setAttribute('data-palette', 'trex');
  return 'trex';
}

// Opens more engines.
export interface EngineSource {
  open(files: readonly OpenedFile[]): void;
  // Null: the page only reads reports.
  readonly core: CoreOpener | null;
  // Updates the report with these settings; returns whether that worked. Null without a core.
  readonly judge: ((wanted: Judging) => Promise<boolean>) | null;
  // An extra element for the top bar; null: none.
  readonly engines: EngineActions | null;
}

export class Frame {
  readonly #store: Store;
  readonly #views: readonly View[];
  readonly #core: CoreOpener | null;
  // What views, and the parts of the frame, can use.
  readonly #context: ViewContext;
  // Pairs of engines that the core was already asked about.
  readonly #asked = new Set<string>();
  readonly #host = new AddressLink();
  readonly #tooltip: Tooltip;
  readonly #ribbon: Ribbon;
  readonly #topBar: TopBar;
  readonly #filterRow: FilterRow;
  readonly #panel: Panel;
  readonly #search: SearchBox;
  readonly #judging: JudgingLink | null;
  readonly #keys: Keys;
  readonly #tabs = el('nav', { class: 'tabs', attrs: { 'aria-label': 'Views' } });
  readonly #main = el('main', { class: 'view', attrs: { tabindex: '-1' } });
  readonly #notes = el('div', { class: 'notes', attrs: { role: 'status', 'aria-live': 'polite' } });
  readonly #announcer = el('div', { class: 'offscreen', attrs: { 'aria-live': 'polite' } });
  readonly #systemDark = window.matchMedia('(prefers-color-scheme: dark)');
  readonly #colours: PaletteName = paletteName();
  #palette = new Palette('light', this.#colours);
  // `isOff`: the place shows what the view lacks.
  #mounted: { readonly view: View; readonly isOff: boolean; readonly part: MountedView } | null =
    null;
  #noteTimer: number | undefined;

  constructor(report: Report, views: readonly View[], body: HTMLElement, source: EngineSource) {
    const { core, judge } = source;
    this.#views = views;
    this.#core = core;
    const store = new Store(
      report,
      views.map((view) => view.id),
      this.#host,
      new Set(views.filter((view) => view.compares === true).map((view) => view.id)),
    );
    this.#store = store;
    this.#applyTheme();
    this.#tooltip = makeTooltip(store);
    const note = (text: string): void => this.#note(text);
    const context: ViewContext = {
      store,
      views,
      core,
      note,
      palette: () => this.#palette,
      copy: (text, what) => void this.#copy(text, what),
      download: downloadBlob,
      embed: (id, host, own) => this.#embed(id, host, own),
      open: (files) => source.open(files),
      judge: (wanted) => this.#judging?.ask(wanted),
      tooltip: this.#tooltip,
    };
    this.#context = context;
    this.#search = new SearchBox(store);
    const compares = (): boolean => this.#view?.compares === true;
    const marked = (): readonly number[] => this.#view?.marks?.(store) ?? [];
    this.#ribbon = new Ribbon(context, { compares, marked });
    this.#filterRow = new FilterRow(store);
    this.#panel = new Panel(context, (names) => this.#view?.panel?.(context, names) ?? null);
    this.#judging =
      core === null || judge === null ? null : new JudgingLink(store, core, judge, note);
    this.#keys = new Keys(this.#keyActions(), (key) => this.#mounted?.part.key?.(key) === true);
    this.#topBar = new TopBar(store, this.#search.node, exportMenu(context), {
      lookAt: (engine) => this.#lookAt(engine),
      compares,
      toggleTheme: () => this.#toggleTheme(),
      showKeys: () => this.#keys.showHelp(),
      engines: source.engines,
    });
    body.prepend(
      div(
        'frame',
        this.#topBar.node,
        this.#tabs,
        this.#filterRow.node,
        this.#ribbon.node,
        div('split', this.#main, this.#panel.node),
        printedReport(context),
      ),
      this.#tooltip.node,
      this.#notes,
      this.#announcer,
    );
    this.#listen();
    this.#start();
  }

  // Each in a task of its own, so that the page responds in between and its head shows first.
  #start(): void {
    const everything: Change = new Set(['view', 'engine', 'chips', 'selected', 'item', 'basis']);
    this.#updateHead(everything);
    const steps = [
      () => this.#ribbon.draw(),
      () => this.#showPanel(),
      // Unless a change came first and drew it.
      () => {
        if (this.#mounted === null) this.#showView(everything);
        this.#alignPair();
        this.#judging?.update();
      },
    ];
    const next = (): void => {
      steps.shift()?.();
      if (steps.length > 0) window.setTimeout(next);
    };
    window.setTimeout(next);
  }

  #listen(): void {
    this.#store.subscribe((change) => this.#update(change));
    window.addEventListener('hashchange', () => {
      if (!this.#host.changed()) return;
      this.#store.followLink();
      this.#showProblems();
    });
    window.addEventListener('pagehide', () => this.#host.flush());
    this.#systemDark.addEventListener('change', () => this.#redraw());
    let frame = 0;
    window.addEventListener('resize', () => {
      window.cancelAnimationFrame(frame);
      frame = window.requestAnimationFrame(() => this.#redraw());
    });
    this.#showProblems();
  }

  #showProblems(): void {
    const problems = this.#store.takeProblems();
    if (problems.length > 0) this.#note(problems.join('; '));
  }

  // --- what views can use

  async #copy(text: string, what: string): Promise<void> {
    this.#host.flush();
    const copied = await copyText(text);
    this.#note(copied ? `${what} copied` : `the browser did not allow copying the ${what}`);
  }

  #note(text: string): void {
    replace(this.#notes, div('note', visible(text)));
    window.clearTimeout(this.#noteTimer);
    this.#noteTimer = window.setTimeout(() => this.#notes.replaceChildren(), kNoteMs);
  }

  #embed(id: string, host: HTMLElement, store: Store): MountedView | null {
    const view = this.#views.find((v) => v.id === id);
    if (view === undefined) return null;
    const { engine } = store.state;
    const tooltip: Tooltip = {
      ...this.#tooltip,
      layer: (row, at) => this.#tooltip.layer(row, at, engine),
    };
    const inner = { ...this.#context, store, tooltip };
    return isUnmet(view, store.engine) ? unmetView(host, inner, view) : view.mount(host, inner);
  }

  // Replaces the report.
  show({ report, before }: Opened): void {
    if (report === null) return;
    const { engines } = this.#store.report;
    // For the same engines: a reader who goes through a view keeps their place.
    const isSame =
      report.engines.length === engines.length && before.every((place, i) => place === i);
    if (!isSame) {
      this.#mounted?.part.destroy();
      this.#mounted = null;
    }
    this.#asked.clear();
    this.#judging?.shown();
    this.#store.showReport(report, before);
    const added = before.filter((place) => place === null).length;
    if (added > 0) this.#note(added === 1 ? 'one engine added' : `${String(added)} engines added`);
  }

  // If the engines are so large that the report does not contain all pairs: loads the pair on
  // screen.
  #alignPair(): void {
    const { enginePair, pairs, report } = this.#store;
    const core = this.#core;
    const isWanted = this.#view?.compares === true && report.comparison !== null;
    if (core === null || !isWanted || enginePair === null || pairs !== null) return;
    const { a, b } = enginePair;
    const name = `${String(a)} ${String(b)}`;
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.#note('matching the layers of these two …');
    core.compare(a, b).then(
      (two) => {
        if (this.#store.report.engines === report.engines) this.#store.addPairs(two);
      },
      (error: unknown) => this.#note(messageOf(error)),
    );
  }

  // The view on screen, or about to be.
  get #view(): View | undefined {
    return this.#views.find((view) => view.id === this.#store.state.view) ?? this.#views[0];
  }

  // If two engines are on screen, a third replaces B.
  #lookAt(engine: number): void {
    const { enginePair } = this.#store;
    const isThird = enginePair !== null && engine !== enginePair.a && engine !== enginePair.b;
    const wanted = this.#view?.compares === true && isThird;
    this.#store.patch(wanted ? { engine, a: enginePair.a, b: engine } : { engine });
  }

  // --- theme

  #applyTheme(): void {
    const chosen = this.#store.state.theme ?? storedTheme();
    if (chosen === null) document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', chosen);
    const theme: ThemeName = chosen ?? (this.#systemDark.matches ? 'dark' : 'light');
    if (theme !== this.#palette.theme) this.#palette = new Palette(theme, this.#colours);
  }

  #toggleTheme(): void {
    const theme = this.#palette.theme === 'dark' ? 'light' : 'dark';
    storeTheme(theme);
    // A theme in the link was meant for the one who opened it; a click is the reader's own choice.
    this.#store.patch({ theme: null });
    this.#redraw();
  }

  #redraw(): void {
    this.#applyTheme();
    this.#ribbon.draw();
    // The view must redraw: its colours or its width changed.
    if (this.#view?.panel !== undefined) this.#panel.update();
    this.#mounted?.part.update(new Set());
  }

  // --- keys

  #keyActions(): KeyActions {
    const store = this.#store;
    const selectedDo = (what: (row: number) => void) => () => {
      const { selected } = store.state;
      if (selected !== null) what(selected);
    };
    const step = (by: 1 | -1) => () => {
      store.step(by);
      this.#reveal();
    };
    const along = (way: 'producer' | 'consumer') =>
      selectedDo((row) => {
        const { before, after } = store.engine.neighbours(row);
        const id = (one: number): number => store.engine.layerId(one);
        // Of several, the nearest in execution order.
        const [next] =
          way === 'producer'
            ? [...before].sort((a, b) => id(b) - id(a))
            : [...after].sort((a, b) => id(a) - id(b));
        if (next === undefined) this.#note(`no ${way} in this engine`);
        else store.patch({ selected: next });
        this.#reveal();
      });
    const nextRow = (): void => this.#moveRow(1);
    const lastRow = (): void => this.#moveRow(-1);
    // The tenth view is on 0.
    const views = this.#views.slice(0, 10).map(({ id }, i) => {
      return [String((i + 1) % 10), () => store.patch({ view: id })] as const;
    });
    return {
      ...Object.fromEntries(views),
      Escape: () => {
        if (!this.#filterRow.close()) store.patch({ selected: null, item: null });
      },
      ArrowDown: nextRow,
      ArrowUp: lastRow,
      ArrowRight: step(1),
      ArrowLeft: step(-1),
      '/': () => this.#search.input.focus(),
      n: () => this.#search.walk(1),
      N: () => this.#search.walk(-1),
      j: nextRow,
      k: lastRow,
      '[': along('producer'),
      ']': along('consumer'),
      f: () => this.#filterRow.open(),
      F: () => this.#filterRow.clear(),
      m: () => this.#nextBasis(),
      t: () => this.#toggleTheme(),
      c: selectedDo((row) => void this.#copy(store.engine.rawName(row), 'name')),
      C: selectedDo((row) => void this.#copy(layerJson(store.engine, row), 'layer')),
      l: selectedDo(() => {
        store.patch({ view: 'layers' });
        this.#reveal();
      }),
      g: () => store.patch({ view: 'graph' }),
    };
  }

  #moveRow(by: 1 | -1): void {
    const order = this.#mounted?.part.order?.();
    if (order === undefined) {
      this.#store.step(by);
      return;
    }
    const { selected } = this.#store.state;
    const at = selected === null ? -1 : order.indexOf(selected);
    const next = order[at < 0 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))];
    if (next !== undefined) this.#store.patch({ selected: next });
    this.#reveal();
  }

  #reveal(): void {
    const { selected } = this.#store.state;
    if (selected !== null) this.#mounted?.part.reveal?.(selected);
  }

  #nextBasis(): void {
    const available = kBases.filter((basis) => this.#store.engine.hasBasis(basis));
    const next = available[(available.indexOf(this.#store.basis) + 1) % available.length];
    if (next !== undefined) this.#store.patch({ basis: next });
  }

  // --- drawing

  #update(change: Change): void {
    this.#updateHead(change);
    if (this.#concernsPanel(change)) this.#showPanel();
    this.#ribbon.draw();
    this.#showView(change);
    this.#alignPair();
    this.#judging?.update();
  }

  #showPanel(): void {
    this.#panel.show();
    this.#announce();
  }

  #updateHead(change: Change): void {
    if (change.has('engine')) {
      this.#search.engineChanged();
      const others = this.#store.report.engines.length - 1;
      const name = visible(this.#store.engineTitle);
      document.title = `${name}${others > 0 ? ` and ${String(others)} more` : ''} · planex report`;
    }
    if (change.has('theme')) this.#applyTheme();
    this.#tooltip.hide();
    this.#topBar.update();
    this.#drawTabs();
    const part = this.#view?.filterRow?.(this.#context) ?? null;
    if (part !== null || change.has('view')) this.#filterRow.show(part);
    else if (change.has('chips') || change.has('engine') || change.has('basis'))
      this.#filterRow.update();
  }

  #concernsPanel(change: Change): boolean {
    const keys: readonly StateKey[] = ['selected', 'more', 'item', 'engine', 'basis', 'names'];
    if (keys.some((key) => change.has(key))) return true;
    const ownKeys: readonly StateKey[] = ['view', 'options', 'chips', 'a', 'b'];
    // A view's own part of the frame: it appeared, changed or went away.
    if (this.#view?.panel !== undefined) return ownKeys.some((key) => change.has(key));
    return change.has('view') && this.#mounted?.view.panel !== undefined;
  }

  #announce(): void {
    const { engine, basis, state, selectedRows } = this.#store;
    const words = (row: number): string => {
      if (state.more.length > 0) return `${integer(selectedRows.length)} layers`;
      const time = engine.times(basis)[row] ?? Number.NaN;
      const ms = Number.isNaN(time) ? 'no time' : `${(time * 1000).toFixed(1)} µs`;
      return `layer ${String(engine.layerId(row))}, ${ms}`;
    };
    const { selected } = state;
    this.#announcer.textContent =
      selected === null ? itemAnnouncement(this.#store) : words(selected);
  }

  #drawTabs(): void {
    const { engine, state } = this.#store;
    replace(
      this.#tabs,
      ...this.#views.map((view, i) => {
        const missing = unmetNeeds(engine, view).length > 0;
        const count = view.count?.(engine, this.#store.report.engines.length);
        return el(
          'a',
          {
            class: `tab${view.id === state.view ? ' on' : ''}${missing ? ' off' : ''}`,
            attrs: {
              href: `#v=${view.id}`,
              'aria-current': view.id === state.view ? 'page' : null,
              title: `${view.title} (${String((i + 1) % 10)})`,
            },
            on: {
              click: (event) => {
                // The rest of the state stays; only a new tab uses the bare link.
                if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                this.#store.patch({ view: view.id });
              },
            },
          },
          view.title,
          count === undefined ? null : span('count', integer(count)),
        );
      }),
    );
  }

  #showView(change: Change): void {
    const view = this.#view;
    if (view === undefined) return;
    const mounted = this.#mounted;
    const isOff = isUnmet(view, this.#store.engine);
    if (mounted?.view.id === view.id && mounted.isOff === isOff) {
      mounted.part.update(change);
      return;
    }
    mounted?.part.destroy();
    this.#main.replaceChildren();
    this.#main.setAttribute('aria-label', view.title);
    const part = isOff
      ? unmetView(this.#main, this.#context, view)
      : view.mount(this.#main, this.#context);
    this.#mounted = { view, isOff, part };
  }
}
