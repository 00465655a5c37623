// Overview: how fast is it, where does the time go, what should I do first?

import {
  actionRows,
  conclusionLine,
  div,
  el,
  FigureList,
  fitAll,
  integer,
  joined,
  linkButton,
  markLayerRows,
  metadataBlock,
  needsTable,
  plural,
  producerText,
  replace,
  savingOf,
  savingText,
  sectionTitle,
  severitySign,
  span,
  visible,
  type Change,
  type Engine,
  type FittedName,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { differenceLine, enginesFigure } from './compare.ts';
import {
  engineFacts,
  findingsTable,
  groupTable,
  missingBlock,
  namesTable,
  slowestLayers,
} from './sections.ts';
import { keyFigures } from './strip.ts';
import { timeFigure } from './time_chart.ts';
import './overview.css';

const kMaxNames = 100;

class Overview implements MountedView {
  readonly #context: ViewContext;
  readonly #host: HTMLElement;
  readonly #figures = new FigureList();
  #time: HTMLElement | null = null;
  #engines: HTMLElement | null = null;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    this.#host = host;
    host.classList.add('overview');
    this.#makeFigures();
    this.#draw();
  }

  update(change: Change): void {
    const scroll = this.#host.scrollTop;
    if (change.has('engine')) this.#makeFigures();
    if (change.size === 1 && change.has('selected')) {
      markLayerRows(this.#host, this.#context.store);
      // The panel was opened or closed, which changes the room.
      this.#figures.draw();
    } else this.#draw();
    this.#host.scrollTop = scroll;
  }

  #makeFigures(): void {
    this.#figures.destroy();
    this.#time = this.#figures.keep(timeFigure(this.#context));
    this.#engines = this.#figures.keep(enginesFigure(this.#context));
  }

  #draw(): void {
    const context = this.#context;
    const { engine, basis } = context.store;
    const names: FittedName[] = [];
    const extent = engine.extent(basis);
    const drawn = extent.kind !== 'none' && engine.sum(extent.values) > 0;
    const left = drawn
      ? [this.#time, slowestLayers(context, names)]
      : engine.layers.rowCount === 0
        ? [metadataBlock(context, true)]
        : [namesTable(context, names, kMaxNames)];
    const right = [
      groupTable(context, 'type'),
      groupTable(context, 'precision'),
      groupTable(context, 'output_precision'),
      findingsTable(context),
      engineFacts(context, producerText(engine)),
      !drawn && needsTable(context),
      missingBlock(context),
    ];
    replace(
      this.#host,
      toDo(context),
      (drawn || engine.summary.time.end_to_end !== null) && keyFigures(engine, basis),
      diagnostics(engine),
      differenceLine(context),
      conclusionLine(engine.summary.conclusion),
      this.#engines !== null && div('band', this.#engines),
      div('columns', div('column', ...left), div('column halved', ...right)),
    );
    fitAll(names);
    this.#figures.draw();
  }

  order(): Int32Array {
    return this.#context.store.selection.rows;
  }

  destroy(): void {
    this.#figures.destroy();
    this.#host.classList.remove('overview');
  }
}

const kFirstActions = 3;

// The first actions; the findings view has all of them.
function toDo({ store }: ViewContext): HTMLElement | null {
  const { actions } = store.engine;
  if (actions.length === 0) return null;
  const { low, high } = savingOf(actions);
  const all =
    high === null ? '' : `all ${integer(actions.length)} together save ${savingText(low, high)}`;
  return el(
    'section',
    { class: 'band', attrs: { 'aria-label': 'What to do first' } },
    sectionTitle(
      'What to do first',
      all,
      linkButton('all actions', 'With the findings behind them', () =>
        store.patch({ view: 'findings' }),
      ),
    ),
    actionRows(store, kFirstActions),
  );
}

function diagnostics({ summary }: Engine): HTMLElement | null {
  const list = summary.diagnostics;
  if (list.length === 0) return null;
  const all = list.reduce((sum, { count }) => sum + count, 0);
  return el(
    'details',
    { class: 'diagnostics band' },
    el('summary', {}, plural(all, 'diagnostic'), span('dim', ' on the files')),
    ...list.map(({ severity, message, code, count, file }) => {
      const about = [code, count > 1 && `${integer(count)} times`, file];
      return div(
        'fold-line line',
        severitySign(severity === 'error' || severity === 'warning' ? severity : 'info'),
        span('wraps', visible(message), ' ', span('dim', visible(joined(about, ' · ')))),
      );
    }),
  );
}

export const view: View = {
  id: 'overview',
  title: 'Overview',
  needs: [],
  isEarly: true,
  mount: (host, context) => new Overview(host, context),
};
