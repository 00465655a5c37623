// Convolutions & GEMMs: is the arithmetic well used?

import {
  div,
  conclusionLine,
  drawnView,
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
  let heightBeside = 0;
  const roofline = rooflineFigure(context, data, () => heightBeside);
  const limits = limitsFigure(context);
  const ranked = rankedFigure(context, data);
  const products = productsFigure(context, data);
  const below = [multiplesFigure(context, data), barsFigure(context, data), products.figure];
  const all = [limits, ranked.figure, ...below, roofline];

  const draw = (change: Change): void => {
    if (change.size === 0 || change.has('engine') || change.has('basis')) known = null;
    if (products.figure.isEmpty && ranked.figure.isEmpty) {
      const missing = missingPieces(context) ?? div('missing', missingNotice(context, kUnknown));
      replace(host, conclusionLine(kNothing), missing);
      return;
    }
    const column = (figures: readonly Figure[], more = ''): HTMLElement | null => {
      const nodes = figures.filter(({ isEmpty }) => !isEmpty).map(({ node }) => node);
      return nodes.length === 0 ? null : div(`column ${more}`.trim(), ...nodes);
    };
    const side = column([limits, ranked.figure]);
    replace(
      host,
      conclusionLine(workConclusion(store, data())),
      store.engine.hasTimes
        ? null
        : div(
            'view-note',
            'No times: rates and potential savings need a profile.',
            missingDetails(context),
          ),
      div(`columns${roofline.isEmpty ? ' single' : ''}`, column([roofline]), side),
      column(below, 'wide'),
    );
    // As high as the neighbouring element, and drawn last, when that height is known.
    for (const figure of all) {
      if (figure === roofline) heightBeside = heightOf(side);
      if (!figure.isEmpty) figure.draw();
    }
  };

  // Height of the elements next to the roofline, as far as visible.
  const heightOf = (side: HTMLElement | null): number => {
    const { top } = roofline.node.getBoundingClientRect();
    const nodes = [...(side?.children ?? [])] as HTMLElement[];
    if (nodes[0]?.getBoundingClientRect().top !== top) return 0;
    const seen = host.getBoundingClientRect().bottom - top - host.scrollTop;
    return Math.min(
      nodes.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0),
      seen,
    );
  };

  return {
    ...drawnView(host, 'work', {
      draw,
      mark: () => {
        for (const figure of all) if (!figure.isEmpty) figure.mark();
      },
      rows: () => products,
      destroy: () => {
        for (const figure of all) figure.destroy();
      },
    }),
    reveal: (row) => {
      ranked.reveal(row);
      products.reveal(row);
    },
  };
}

export const view: View = {
  id: 'work',
  title: 'Convolutions & GEMMs',
  needs: ['types'],
  showsWhatThereIs: true,
  count: (engine) => productRows(engine).length,
  mount: mountWork,
};
