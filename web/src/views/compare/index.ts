// Compare: what changed, and did it pay off?

import {
  div,
  el,
  enginePath,
  FigureList,
  keepFocus,
  kPrinting,
  missingNotice,
  plural,
  replace,
  segments,
  severitySign,
  span,
  visible,
  type Change,
  type Child,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { needsAnother } from './alone.ts';
import { isOfMarks, kModes, modeOf, showCause, type Mode, type ModePart } from './choice.ts';
import { obstacles } from './comparable.ts';
import { pairDetails } from './details.ts';
import { Figures } from './figures.ts';
import { LinkedGraphs } from './graphs.ts';
import { LayersMode } from './layers_mode.ts';
import { OperationsMode } from './operations_mode.ts';
import { enginePairPart } from './pair_switch.ts';
import { tacticsPart } from './tactics.ts';
import { verdictLine } from './verdict.ts';
import './compare.css';

// Label and tooltip of each mode.
const kTitles: Readonly<Record<Mode, readonly [name: string, title: string]>> = {
  layers: ['Layers', 'Aligned layers'],
  operations: ['ONNX operations', 'Operations'],
  graphs: ['Graphs', 'Graphs'],
  engines: ['All engines', 'All engines'],
};

// Whether the parts made for these are still current.
function isSame(x: readonly unknown[], y: readonly unknown[]): boolean {
  return x.length === y.length && x.every((value, i) => value === y[i]);
}

class CompareView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #verdict = div('compare-verdict band');
  readonly #top = div('compare-figures');
  readonly #tactics = div('compare-tactics wide-scroll');
  readonly #bar = div('compare-bar');
  readonly #body = div('compare-body');
  // Above the table, and in the mode of all engines.
  readonly #figures = new FigureList();
  #part: ModePart | null = null;
  // What the figures and the part were made for.
  #figuresOf: readonly unknown[] = [];
  #partOf: readonly unknown[] = [];

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('compare');
    window.addEventListener('beforeprint', this.#layOut);
    window.addEventListener('afterprint', this.#layOut);
    this.update(new Set());
  }

  // For printing, content is measured at page width, and all rows are laid out, not only those near
  // the window.
  readonly #layOut = ({ type }: Event): void => {
    this.#host.classList.toggle(kPrinting, type === 'beforeprint');
    this.update(new Set());
  };

  // --- drawing

  update(change: Change): void {
    const { store } = this.#context;
    if (store.enginePair === null) {
      this.#drop();
      replace(this.#host, needsAnother(this.#context, enginePath(store.engine)));
      return;
    }
    if (this.#verdict.parentElement !== this.#host) {
      replace(this.#host, this.#verdict, this.#top, this.#tactics, this.#bar, this.#body);
    }
    const mode = modeOf(store);
    if (!isOfMarks(change)) {
      const tactics = store.pairs?.way.tactics ?? null;
      replace(this.#verdict, ...this.#verdictLines());
      this.#tactics.hidden = tactics === null || mode !== 'layers';
      replace(this.#tactics, tactics === null ? null : tacticsPart(tactics));
    }
    this.#drawFigures(mode);
    this.#drawMode(mode, change);
  }

  #verdictLines(): readonly Child[] {
    const { store } = this.#context;
    const { enginePair, pairs, report, state } = store;
    const [a, b] = [report.engines[enginePair?.a ?? -1], report.engines[enginePair?.b ?? -1]];
    if (a === undefined || b === undefined) return [];
    const found = obstacles(a, b, pairs?.way.counts.matched ?? null);
    const isOfLayers = !found.some((obstacle) => obstacle.isGrave === true);
    // Engines that were dropped in, or too many of them for pairs of all.
    const why =
      report.comparison === null
        ? 'these engines come from separate reports, and only the program can match their layers. Both in one report:'
        : `for engines this large, a report holds only pairs with the first engine, ${visible(report.engines[0]?.id ?? '')}. For these two alone:`;
    // Noise and causes are only known for medians.
    const basis = `Pairs, causes and noise use medians (means where there are none) regardless of the basis above; the ribbon uses ${state.basis}.`;
    return [
      pairs === null
        ? missingNotice(this.#context, {
            what: `${visible(a.id)} and ${visible(b.id)} are not aligned:`,
            why,
            command: `planex report ${enginePath(a)} ${enginePath(b)} -o compare.html`,
          })
        : verdictLine(pairs.way, isOfLayers, (cause) => showCause(store, cause)),
      ...found.map(({ text, isGrave = false }) => {
        const sign = severitySign(isGrave ? 'warning' : 'info');
        return el('p', { class: `line obstacle${isGrave ? '' : ' dim'}` }, sign, ' ', text);
      }),
      pairs === null || state.basis === 'median' ? null : el('p', { class: 'dim' }, basis),
    ];
  }

  #drawFigures(mode: Mode): void {
    const { store } = this.#context;
    const isTop = mode === 'layers' || mode === 'operations';
    const of = [isTop ? 'top' : mode, store.report, store.enginePair?.a, store.enginePair?.b];
    if (!isSame(of, this.#figuresOf)) {
      this.#figuresOf = of;
      this.#figures.destroy();
      const figures = new Figures(this.#context);
      const shown = isTop ? figures.top() : mode === 'engines' ? figures.all() : [];
      // Tables are drawn first and take the width they need: charts take the rest.
      for (const figure of [...shown].reverse()) this.#figures.keep(figure);
      replace(this.#top, ...shown.map((figure) => div('compare-part', figure.node)));
      this.#top.className = `compare-figures ${isTop ? 'top' : 'grid'} of-${shown.length}`;
      this.#top.hidden = shown.length === 0;
    }
    this.#figures.draw();
  }

  #drawMode(mode: Mode, change: Change): void {
    const { store } = this.#context;
    const of = [mode, store.report, store.enginePair?.a, store.enginePair?.b];
    this.#host.classList.toggle('fills', mode === 'graphs');
    if (!isSame(of, this.#partOf)) {
      this.#partOf = of;
      this.#part?.destroy();
      this.#part = this.#makePart(mode);
      replace(this.#body, this.#part?.node);
    }
    this.#body.hidden = this.#part === null;
    this.#drawBar(mode);
    this.#part?.draw(change);
    // The explanation may depend on what was just drawn.
    this.#drawBar(mode);
  }

  #makePart(mode: Mode): ModePart | null {
    const { enginePair, pairs, report } = this.#context.store;
    const ledger = report.comparison?.ledger ?? null;
    if (enginePair === null) return null;
    if (mode === 'graphs') return new LinkedGraphs(this.#context, enginePair);
    if (mode === 'layers' && pairs !== null) {
      return new LayersMode(this.#context, this.#host, pairs);
    }
    if (mode === 'operations' && ledger !== null) {
      return new OperationsMode(this.#context, this.#host, ledger, enginePair);
    }
    return null;
  }

  #drop(): void {
    this.#part?.destroy();
    this.#part = null;
    this.#figures.destroy();
    this.#figuresOf = this.#partOf = [];
  }

  #drawBar(mode: Mode): void {
    const { store } = this.#context;
    const engines = `${plural(store.report.engines.length, 'engine')} side by side`;
    const nothing = mode === 'engines' ? engines : 'not in this report';
    const options = kModes.map((id) => ({ id, name: kTitles[id][0] }));
    const show = (id: Mode): void => store.setOption('compare.mode', id === 'layers' ? null : id);
    keepFocus(this.#bar, () => {
      replace(
        this.#bar,
        el(
          'h2',
          { class: 'section-title grow' },
          kTitles[mode][1],
          span('explain cut', this.#part?.explain() ?? nothing),
          span('actions', ...(this.#part?.actions() ?? [])),
        ),
        segments('Show', options, mode, show),
      );
    });
    // Heads of tables stay below it.
    this.#host.style.setProperty('--compare-bar', `${this.#bar.offsetHeight}px`);
  }

  // --- keys

  key(key: string): boolean {
    const { store } = this.#context;
    if (key === 'x' && store.enginePair !== null) {
      store.swap();
      return true;
    }
    return this.#part?.key?.(key) === true;
  }

  destroy(): void {
    window.removeEventListener('beforeprint', this.#layOut);
    window.removeEventListener('afterprint', this.#layOut);
    this.#drop();
    this.#host.classList.remove('compare', 'fills', kPrinting);
  }
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
