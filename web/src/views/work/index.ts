// Convolutions & GEMMs: is the arithmetic well used?

import {
  div,
  conclusionLine,
  missingDetails,
  missingNotice,
  missingPieces,
  replace,
  type Change,
  type Figure,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { barsFigure } from './bars.ts';
import { workConclusion } from './conclusion.ts';
import { limitsFigure } from './limits.ts';
import { productRows, workData, type WorkData } from './measures.ts';
import { multiplesFigure } from './multiples.ts';
import { productsFigure } from './products_table.ts';
import { rankedFigure } from './ranked.ts';
import { rooflineFigure } from './roofline.ts';
import './work.css';

const kNothing = {
  headline: 'No known convolutions or matrix products in this engine.',
  text: null,
};
const kUnknown = {
  what: 'Work of layers:',
  why: 'their types, parameters or shapes are needed to know what they compute.',
  command: null,
};

function mountWork(host: HTMLElement, context: ViewContext): MountedView {
  const { store } = context;
  // For one engine and basis.
  let known: WorkData | null = null;
  const data = (): WorkData => (known ??= workData(store));
  const roofline = rooflineFigure(context, data);
  const limits = limitsFigure(context);
  const ranked = rankedFigure(context, data);
  const multiples = multiplesFigure(context, data);
  const bars = barsFigure(context, data);
  const products = productsFigure(context, data);
  let drawnWidth = 0;

  const draw = (): void => {
    const { engine } = store;
    const { speed, rows } = data();
    drawnWidth = host.clientWidth;
    const hasBounds = speed !== null && (engine.hasTimes || speed.bounds.some((ms) => ms > 0));
    if (rows.length === 0 && !hasBounds) {
      const missing = missingPieces(context) ?? div('missing', missingNotice(context, kUnknown));
      replace(host, conclusionLine(kNothing), missing);
      return;
    }
    const hasRoofline = !roofline.isEmpty();
    const side = [speed !== null && limits, hasBounds && ranked.figure].filter(isThere);
    const below = [
      !multiples.isEmpty() && multiples.figure,
      engine.hasTimes && rows.length > 0 && bars,
      rows.length > 0 && products.figure,
    ].filter(isThere);
    const column = (figures: readonly Figure[], more = ''): HTMLElement | null =>
      figures.length === 0
        ? null
        : div(`column ${more}`.trim(), ...figures.map(({ node }) => node));
    replace(
      host,
      conclusionLine(workConclusion(store, data())),
      engine.hasTimes
        ? null
        : div(
            'view-note',
            'No times: rates and potential savings need a profile.',
            missingDetails(context),
          ),
      div(
        `columns${hasRoofline ? '' : ' single'}`,
        column(hasRoofline ? [roofline.figure] : []),
        column(side),
      ),
      column(below, 'wide'),
    );
    for (const figure of [...side, ...below]) figure.draw();
    if (!hasRoofline) return;
    // As high as what stands beside it, and to be seen whole.
    const { top } = roofline.figure.node.getBoundingClientRect();
    const isBeside = side[0]?.node.getBoundingClientRect().top === top;
    const height = side.reduce((sum, { node }) => sum + node.offsetHeight, 0);
    const seen = host.getBoundingClientRect().bottom - top - host.scrollTop;
    roofline.fill(isBeside ? Math.min(height, seen) : 0);
    roofline.figure.draw();
  };

  const update = (change: Change): void => {
    if (change.size === 0 || change.has('engine') || change.has('basis')) known = null;
    const isSelection =
      change.size > 0 && [...change].every((key) => key === 'selected' || key === 'item');
    const scroll = host.scrollTop;
    if (isSelection && drawnWidth === host.clientWidth) {
      for (const part of [roofline, multiples, ranked, products]) part.mark();
      bars.draw();
    } else draw();
    host.scrollTop = scroll;
  };

  host.classList.add('work');
  draw();
  return {
    update,
    reveal: (row) => {
      ranked.reveal(row);
      products.reveal(row);
    },
    order: () => products.order(),
    destroy: () => {
      for (const { figure } of [roofline, ranked, multiples, products]) figure.destroy();
      limits.destroy();
      bars.destroy();
      host.classList.remove('work');
    },
  };
}

const isThere = (figure: Figure | false): figure is Figure => figure !== false;

export const workView: View = {
  id: 'work',
  title: 'Convolutions & GEMMs',
  needs: ['types'],
  showsWhatThereIs: true,
  count: (engine) => productRows(engine).length,
  mount: mountWork,
};
