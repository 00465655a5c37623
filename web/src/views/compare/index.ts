// Compare: what changed, and did it pay?

import {
  kPrinting,
  div,
  el,
  enginePath,
  missingNotice,
  plural,
  replace,
  severitySign,
  span,
  visible,
  type Change,
  type Figure,
  type MountedView,
  type Pairs,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { needsAnother } from './alone.ts';
import { kModes, kModeTitles, modeOf, type Mode } from './choice.ts';
import { obstacles, type Obstacle } from './comparable.ts';
import { enginePairPart } from './pair_switch.ts';
import { pairDetails } from './details.ts';
import { Figures } from './figures.ts';
import { LinkedGraphs } from './graphs.ts';
import { LayersMode } from './layers_mode.ts';
import { OperationsMode } from './operations_mode.ts';
import { tacticsPart } from './tactics.ts';
import { verdictLine } from './verdict.ts';
import './compare.css';

// What a mode puts under the bar of modes.
export interface ModePart {
  readonly node: HTMLElement;
  // What is shown, of what, how many; beside the title.
  explain(): string;
  actions(): readonly HTMLElement[];
  // The node is on the page.
  draw(change: Change): void;
  key?(key: string): boolean;
  destroy(): void;
}

const kTitles: Readonly<Record<Mode, string>> = {
  layers: 'Aligned layers',
  operations: 'Operations',
  graphs: 'Graphs',
  engines: 'All engines',
};

class CompareView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #figures: Figures;
  readonly #verdict = div('compare-verdict');
  readonly #top = div('compare-figures');
  readonly #tactics = div('compare-tactics');
  readonly #bar = div('compare-bar');
  readonly #body = div('compare-body');
  // Above the table, and in the mode of all engines.
  #shown: Figure[] = [];
  #mode: { readonly mode: Mode; readonly key: string; readonly part: ModePart } | null = null;
  // What the figures were made for.
  #key = '';

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    this.#figures = new Figures(context, {
      engine: (engine) => this.#lookAt(engine),
      cause: (cause) => this.#showCause(cause),
    });
    host.classList.add('compare');
    window.addEventListener('beforeprint', this.#layOutForPaper);
    window.addEventListener('afterprint', this.#layOutForScreen);
    this.#draw(new Set());
  }

  // --- paper

  // What is measured is as wide as a page then, and rows are not only those near the window.
  readonly #layOutForPaper = (): void => {
    this.#host.classList.add(kPrinting);
    this.#draw(new Set());
  };

  readonly #layOutForScreen = (): void => {
    this.#host.classList.remove(kPrinting);
    this.#draw(new Set());
  };

  // --- what was asked for

  // A bar of an engine: a third one takes the place of B.
  #lookAt(engine: number): void {
    const { store } = this.#context;
    const { enginePair } = store;
    if (enginePair === null || engine === enginePair.a || engine === enginePair.b) return;
    store.patch({ a: enginePair.a, b: engine });
  }

  #showCause(cause: string | null): void {
    const { store } = this.#context;
    const options = { ...store.state.options };
    delete options['compare.mode'];
    if (cause === null || cause === 'no-work') delete options['compare.only'];
    else options['compare.only'] = `cause=${cause}`;
    store.patch({ options });
  }

  #chosenCause(): string | null {
    const only = this.#context.store.option('compare.only') ?? '';
    return only.startsWith('cause=') ? only.slice('cause='.length) : null;
  }

  // --- drawing

  update(change: Change): void {
    this.#draw(change);
  }

  #draw(change: Change): void {
    const { store } = this.#context;
    if (store.enginePair === null) {
      this.#dropMode();
      this.#dropFigures();
      replace(this.#host, needsAnother(this.#context, enginePath(store.engine)));
      return;
    }
    if (this.#verdict.parentElement !== this.#host) {
      replace(this.#host, this.#verdict, this.#top, this.#tactics, this.#bar, this.#body);
    }
    const onlySelection = change.size > 0 && [...change].every((key) => kMarks.has(key));
    if (!onlySelection) this.#drawVerdict();
    this.#drawFigures();
    if (!onlySelection) this.#drawTactics();
    this.#drawMode(change);
  }

  #drawVerdict(): void {
    const { store } = this.#context;
    const { pairs } = store;
    const hindrances = this.#obstacles();
    replace(
      this.#verdict,
      pairs === null
        ? this.#noPairs()
        : verdictLine({
            way: pairs.way,
            isOfLayers: !hindrances.some((obstacle) => obstacle.isGrave),
            choose: (cause) => this.#showCause(cause),
          }),
      ...hindrances.map((obstacle) =>
        el(
          'p',
          { class: obstacle.isGrave ? 'obstacle' : 'obstacle dim' },
          severitySign(obstacle.isGrave ? 'warning' : 'info'),
          ' ',
          obstacle.text,
        ),
      ),
      this.#basisNote(pairs),
    );
  }

  #obstacles(): readonly Obstacle[] {
    const { enginePair, pairs, report } = this.#context.store;
    const [a, b] = [enginePair?.a, enginePair?.b].map((i) => report.engines[i ?? -1]);
    if (a === undefined || b === undefined) return [];
    return obstacles(a, b, pairs?.way.counts.matched ?? null);
  }

  // Engines that were dropped in, or too many of them for pairs of all.
  #noPairs(): HTMLElement {
    const { store } = this.#context;
    const { enginePair } = store;
    const [a, b] = [enginePair?.a, enginePair?.b].map((i) => store.report.engines[i ?? 0]);
    const why =
      store.report.comparison === null
        ? 'these engines come from separate reports, and only the program can match their layers. Both in one report:'
        : `for engines this large, a report holds only pairs with the first engine, ${visible(store.report.engines[0]?.id ?? '')}. For these two alone:`;
    const command = `planex report ${[a, b].map((engine) => (engine === undefined ? 'PLAN' : enginePath(engine))).join(' ')} -o compare.html`;
    return missingNotice(this.#context, {
      what: `${visible(a?.id ?? 'A')} and ${visible(b?.id ?? 'B')} are not aligned:`,
      why,
      command,
    });
  }

  // Noise and causes are known of medians only.
  #basisNote(pairs: Pairs | null): HTMLElement | null {
    const { basis } = this.#context.store.state;
    if (pairs === null || basis === 'median') return null;
    return el(
      'p',
      { class: 'dim' },
      `Pairs, causes and noise use medians (means where there are none) regardless of the basis above; the ribbon uses ${basis}.`,
    );
  }

  #drawFigures(): void {
    const { store } = this.#context;
    const mode = modeOf(store);
    const { enginePair, pairs } = store;
    const isTop = mode === 'layers' || mode === 'operations';
    const key = JSON.stringify([
      isTop ? 'top' : mode,
      enginePair,
      pairs === null,
      store.report.engines.length,
    ]);
    if (key !== this.#key) {
      this.#key = key;
      this.#dropFigures();
      this.#shown = isTop ? this.#topFigures() : mode === 'engines' ? [...this.#figures.all()] : [];
      replace(this.#top, ...this.#shown.map((figure) => div('compare-part', figure.node)));
      this.#top.className = `compare-figures ${isTop ? 'top' : 'grid'} of-${String(this.#shown.length)}`;
      this.#top.hidden = this.#shown.length === 0;
    }
    // Tables first, which are as wide as they need: charts take what is left.
    for (const figure of [...this.#shown].reverse()) figure.draw();
  }

  #drawTactics(): void {
    const { store } = this.#context;
    const differences = store.pairs?.way.tactics ?? null;
    this.#tactics.hidden = differences === null || modeOf(store) !== 'layers';
    replace(this.#tactics, differences === null ? null : tacticsPart(differences));
  }

  #topFigures(): Figure[] {
    const height = (): number => this.#figures.totalsHeight;
    return [
      this.#figures.timeByType(height),
      this.#figures.layersByPrecision(height),
      this.#figures.causes(() => this.#chosenCause()),
      this.#figures.totals(false),
    ].filter((figure) => figure !== null);
  }

  #dropFigures(): void {
    for (const figure of this.#shown) figure.destroy();
    this.#shown = [];
  }

  #drawMode(change: Change): void {
    const { store } = this.#context;
    const mode = modeOf(store);
    const key = JSON.stringify([mode, store.enginePair, store.pairs === null]);
    this.#host.classList.toggle('fills', mode === 'graphs');
    if (this.#mode?.key !== key) {
      this.#dropMode();
      const part = this.#makeMode(mode);
      this.#mode = part === null ? null : { mode, key, part };
      replace(this.#body, part?.node);
    }
    this.#body.hidden = this.#mode === null;
    this.#drawBar(mode);
    this.#mode?.part.draw(change);
    // What it explains may be of what it just drew.
    this.#drawBar(mode);
  }

  #makeMode(mode: Mode): ModePart | null {
    const { store } = this.#context;
    const { enginePair, pairs } = store;
    if (enginePair === null) return null;
    if (mode === 'layers' && pairs !== null) {
      return new LayersMode(this.#context, this.#host, pairs);
    }
    const ledger = store.report.comparison?.ledger ?? null;
    if (mode === 'operations' && ledger !== null) {
      return new OperationsMode(this.#context, this.#host, ledger, enginePair);
    }
    if (mode === 'graphs') return graphsPart(this.#context, enginePair);
    return null;
  }

  #dropMode(): void {
    this.#mode?.part.destroy();
    this.#mode = null;
  }

  #drawBar(mode: Mode): void {
    const { store } = this.#context;
    const part = this.#mode?.part ?? null;
    const focused = document.activeElement?.getAttribute('data-mode') ?? null;
    const buttons = kModes.map((name) =>
      el(
        'button',
        {
          class: `button${name === mode ? ' on' : ''}`,
          attrs: { type: 'button', 'aria-pressed': String(name === mode), 'data-mode': name },
          on: {
            click: () => store.setOption('compare.mode', name === 'layers' ? null : name),
          },
        },
        kModeTitles[name],
      ),
    );
    replace(
      this.#bar,
      el(
        'h2',
        { class: 'section-title' },
        kTitles[mode],
        span('explain', part?.explain() ?? this.#explainAll(mode)),
        span('actions', ...(part?.actions() ?? [])),
      ),
      el('div', { class: 'segments', attrs: { role: 'group', 'aria-label': 'Show' } }, ...buttons),
    );
    if (focused !== null) buttons.find((b) => b.dataset.mode === focused)?.focus();
    // Heads of tables stay below it.
    this.#host.style.setProperty('--compare-bar', `${String(this.#bar.offsetHeight)}px`);
  }

  #explainAll(mode: Mode): string {
    if (mode !== 'engines') return 'not in this report';
    return `${plural(this.#context.store.report.engines.length, 'engine')} side by side`;
  }

  // --- keys

  key(key: string): boolean {
    const { store } = this.#context;
    if (key === 'x' && store.enginePair !== null) {
      store.swap();
      return true;
    }
    return this.#mode?.part.key?.(key) === true;
  }

  destroy(): void {
    window.removeEventListener('beforeprint', this.#layOutForPaper);
    window.removeEventListener('afterprint', this.#layOutForScreen);
    this.#dropMode();
    this.#dropFigures();
    this.#host.classList.remove('compare', 'fills', kPrinting);
  }
}

// Changes after which only marks move.
const kMarks: ReadonlySet<string> = new Set(['selected', 'item', 'engine']);

function graphsPart(context: ViewContext, enginePair: { a: number; b: number }): ModePart {
  const graphs = new LinkedGraphs(context, enginePair);
  let isMounted = false;
  return {
    node: graphs.node,
    explain: () => 'selecting a layer in one shows it in the other',
    actions: () => [],
    draw: (change) => {
      if (!isMounted) graphs.mount();
      else graphs.update(change);
      isMounted = true;
    },
    key: (key) => graphs.key(key),
    destroy: () => graphs.destroy(),
  };
}

export const view: View = {
  id: 'compare',
  title: 'Compare',
  needs: [],
  compares: true,
  count: (_engine, engines) => (engines > 1 ? engines : undefined),
  filterRow: enginePairPart,
  panel: pairDetails,
  mount: (host, context) => new CompareView(host, context),
};
