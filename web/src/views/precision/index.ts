// Precision: where does the type change, and what does it cost?

import {
  div,
  el,
  conclusionLine,
  missingDetails,
  missingNotice,
  missingPieces,
  pointwiseOf,
  precisionOf,
  reformatsOf,
  replace,
  type Change,
  type Figure,
  type MountedView,
  type RowsFigure,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { islandsFigure } from './islands.ts';
import { precisionConclusion } from './conclusion.ts';
import { matrixFigure, type MatrixFigure } from './matrix.ts';
import { pointwiseFigure } from './pointwise.ts';
import { reformatFigure } from './reformats.ts';
import { reformatGroupsFigure } from './reformat_groups.ts';
import { rollUpFigure, typeFigure } from './roll_up.ts';
import './precision.css';

class PrecisionView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #matrix: MatrixFigure;
  readonly #reformats: RowsFigure;
  readonly #islands: Figure;
  readonly #pointwise: RowsFigure;
  readonly #rollUp: Figure;
  readonly #types: Figure;
  readonly #groups: Figure;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    const changes = () => precisionOf(context.store.engine);
    const reformats = () => reformatsOf(context.store.engine);
    this.#matrix = matrixFigure(context, changes);
    this.#reformats = reformatFigure(context, reformats);
    this.#islands = islandsFigure(context, changes);
    this.#pointwise = pointwiseFigure(context, () => pointwiseOf(context.store.engine));
    this.#rollUp = rollUpFigure(context, changes);
    this.#types = typeFigure(context, changes);
    this.#groups = reformatGroupsFigure(context, reformats);
    host.classList.add('precision');
    this.#draw();
  }

  update(change: Change): void {
    const isSelection =
      change.size > 0 && [...change].every((key) => key === 'selected' || key === 'item');
    const scroll = this.#host.scrollTop;
    if (isSelection && this.#width === this.#host.clientWidth) this.#mark();
    else this.#draw();
    this.#host.scrollTop = scroll;
  }

  #width = 0;

  #mark(): void {
    this.#matrix.mark();
    this.#reformats.mark();
    this.#pointwise.mark();
    this.#islands.draw();
  }

  // Whether a type of any layer is known.
  #hasTypes(): boolean {
    const { layers } = this.#context.store.engine;
    return layers.has('precision') || layers.has('output_precision');
  }

  #draw(): void {
    const context = this.#context;
    const { store } = context;
    this.#width = this.#host.clientWidth;
    if (!this.#hasTypes()) {
      replace(
        this.#host,
        conclusionLine({ headline: 'The files do not record the types of layers.', text: null }),
        missingPieces(context) ??
          div(
            'missing',
            missingNotice(context, {
              what: 'Types of layers:',
              why: 'without them, where types change and what conversions cost is unknown.',
              command: null,
            }),
          ),
      );
      return;
    }
    const { engine } = store;
    const changes = precisionOf(engine);
    const reformats = reformatsOf(engine);
    const pointwise = pointwiseOf(engine);
    const conclusion = precisionConclusion(store, changes, reformats);
    const hasReformats = reformats !== null && reformats.rows.length > 0;
    const hasIslands = changes !== null && changes.islands.length > 0;
    const hasPointwise = pointwise !== null && pointwise.layers.length > 0;
    const main = [
      this.#matrix.figure,
      ...(hasReformats ? [this.#reformats.figure] : []),
      ...(hasIslands ? [this.#islands] : []),
    ];
    const side = [this.#rollUp, this.#types, ...(hasReformats ? [this.#groups] : [])];
    const below = hasPointwise ? [this.#pointwise.figure] : [];
    replace(
      this.#host,
      conclusionLine(conclusion),
      engine.hasTimes
        ? null
        : el(
            'div',
            { class: 'view-note' },
            'No times: cells, bars and sorting use bytes or layer counts.',
            missingDetails(context),
          ),
      div(
        'columns',
        div('column', ...main.map((figure) => figure.node)),
        div('column', ...side.map((figure) => figure.node)),
      ),
      below.length === 0 ? null : div('column wide', ...below.map((figure) => figure.node)),
    );
    for (const figure of [...main, ...side, ...below]) figure.draw();
  }

  reveal(row: number): void {
    this.#reformats.reveal(row);
  }

  order(): Int32Array {
    return this.#reformats.order();
  }

  destroy(): void {
    for (const part of [this.#matrix, this.#reformats, this.#pointwise]) part.figure.destroy();
    for (const figure of [this.#islands, this.#rollUp, this.#types, this.#groups]) figure.destroy();
    this.#host.classList.remove('precision');
  }
}

export const view: View = {
  id: 'precision',
  title: 'Precision',
  needs: ['types'],
  showsWhatThereIs: true,
  mount: (host, context) => new PrecisionView(host, context),
};
