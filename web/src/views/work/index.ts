// Convolutions & GEMMs: is the arithmetic well used?

import {
  div,
  el,
  conclusionLine,
  missingDetails,
  missingNotice,
  missingPieces,
  replace,
  speedOf,
  type Change,
  type Figure,
  type MountedView,
  type RowsFigure,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { barsFigure } from './bars.ts';
import { workConclusion } from './conclusion.ts';
import { limitsFigure } from './limits.ts';
import { measuresOf, productRows } from './measures.ts';
import { multiplesFigure, type MultiplesFigure } from './multiples.ts';
import { productsFigure } from './products_table.ts';
import { rankedFigure } from './ranked.ts';
import { rooflineFigure, type RooflineData, type RooflineFigure } from './roofline.ts';
import './work.css';

class WorkView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #roofline: RooflineFigure;
  readonly #limits: Figure;
  readonly #ranked: RowsFigure;
  readonly #multiples: MultiplesFigure;
  readonly #bars: Figure;
  readonly #products: RowsFigure;
  #data: RooflineData | null = null;
  #width = 0;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    const data = () => this.#get();
    const speed = () => this.#get().speed;
    this.#roofline = rooflineFigure(context, data);
    this.#limits = limitsFigure(context, speed);
    this.#ranked = rankedFigure(context, speed);
    this.#multiples = multiplesFigure(context, data);
    this.#bars = barsFigure(context, data);
    this.#products = productsFigure(context, data);
    host.classList.add('work');
    this.#draw();
  }

  // For one engine and basis.
  #get(): RooflineData {
    if (this.#data === null) {
      const { engine, basis } = this.#context.store;
      const speed = speedOf(engine);
      const rows = productRows(engine);
      this.#data = { speed, rows, measures: measuresOf(engine, speed, basis, rows) };
    }
    return this.#data;
  }

  update(change: Change): void {
    if (change.size === 0 || change.has('engine') || change.has('basis')) this.#data = null;
    const isSelection =
      change.size > 0 && [...change].every((key) => key === 'selected' || key === 'item');
    const scroll = this.#host.scrollTop;
    if (isSelection && this.#width === this.#host.clientWidth) this.#mark();
    else this.#draw();
    this.#host.scrollTop = scroll;
  }

  #mark(): void {
    this.#roofline.mark();
    this.#multiples.mark();
    this.#bars.draw();
    this.#ranked.mark();
    this.#products.mark();
  }

  #draw(): void {
    const context = this.#context;
    const { engine } = context.store;
    const { speed, rows } = this.#get();
    this.#width = this.#host.clientWidth;
    const hasBounds = speed !== null && (engine.hasTimes || speed.bounds.some((ms) => ms > 0));
    if (rows.length === 0 && !hasBounds) {
      replace(
        this.#host,
        conclusionLine({
          headline: 'No known convolutions or matrix products in this engine.',
          text: null,
        }),
        missingPieces(context) ??
          div(
            'missing',
            missingNotice(context, {
              what: 'Work of layers:',
              why: 'their types, parameters or shapes are needed to know what they compute.',
              command: null,
            }),
          ),
      );
      return;
    }
    const conclusion = workConclusion(context.store, this.#get());
    const main = this.#roofline.isEmpty ? [] : [this.#roofline.figure];
    const side = speed === null ? [] : [this.#limits, ...(hasBounds ? [this.#ranked.figure] : [])];
    const below = [
      ...(this.#multiples.isEmpty ? [] : [this.#multiples.figure]),
      ...(engine.hasTimes && rows.length > 0 ? [this.#bars] : []),
      ...(rows.length > 0 ? [this.#products.figure] : []),
    ];
    replace(
      this.#host,
      conclusionLine(conclusion),
      engine.hasTimes
        ? null
        : el(
            'div',
            { class: 'view-note' },
            'No times: rates and potential savings need a profile.',
            missingDetails(context),
          ),
      div(
        `columns${main.length === 0 ? ' single' : ''}`,
        main.length === 0 ? null : div('column', ...main.map((figure) => figure.node)),
        side.length === 0 ? null : div('column', ...side.map((figure) => figure.node)),
      ),
      below.length === 0 ? null : div('column wide', ...below.map((figure) => figure.node)),
    );
    for (const figure of [...side, ...below]) figure.draw();
    // As high as what stands beside it, and to be seen whole.
    const top = main[0]?.node.getBoundingClientRect().top ?? 0;
    const isBeside = side[0]?.node.getBoundingClientRect().top === top;
    const height = side.reduce((sum, figure) => sum + figure.node.offsetHeight, 0);
    const seen = this.#host.getBoundingClientRect().bottom - top - this.#host.scrollTop;
    this.#roofline.fill(isBeside ? Math.min(height, seen) : 0);
    for (const figure of main) figure.draw();
  }

  reveal(row: number): void {
    this.#ranked.reveal(row);
    this.#products.reveal(row);
  }

  order(): Int32Array {
    return this.#products.order();
  }

  destroy(): void {
    for (const part of [this.#roofline, this.#ranked, this.#multiples, this.#products]) {
      part.figure.destroy();
    }
    this.#limits.destroy();
    this.#bars.destroy();
    this.#host.classList.remove('work');
  }
}

export const view: View = {
  id: 'work',
  title: 'Convolutions & GEMMs',
  needs: ['types'],
  showsWhatThereIs: true,
  count: (engine) => productRows(engine).length,
  mount: (host, context) => new WorkView(host, context),
};
