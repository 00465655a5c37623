// Precision: where does the type change, and what does it cost?

import {
  div,
  conclusionLine,
  drawnView,
  missingDetails,
  missingNotice,
  missingPieces,
  pointwiseOf,
  precisionOf,
  reformatsOf,
  replace,
  type View,
} from '../../public/index.ts';
import { precisionConclusion } from './conclusion.ts';
import { islandsFigure } from './islands.ts';
import { matrixFigure } from './matrix.ts';
import { pointwiseFigure } from './pointwise.ts';
import { reformatGroupsFigure } from './reformat_groups.ts';
import { reformatFigure } from './reformats.ts';
import { rollUpFigure } from './roll_up.ts';
import { typeFigure } from './types_table.ts';
import './precision.css';

export const view: View = {
  id: 'precision',
  title: 'Precision',
  needs: ['types'],
  showsWhatThereIs: true,
  mount: (host, context) => {
    const { store } = context;
    const matrix = matrixFigure(context);
    const reformats = reformatFigure(context);
    const islands = islandsFigure(context);
    const pointwise = pointwiseFigure(context);
    const rollUp = rollUpFigure(context);
    const types = typeFigure(context);
    const groups = reformatGroupsFigure(context);
    const draw = (): void => {
      const { engine } = store;
      if (!engine.layers.has('precision') && !engine.layers.has('output_precision')) {
        const notice = {
          what: 'Types of layers:',
          why: 'without them, where types change and what conversions cost is unknown.',
          command: null,
        };
        replace(
          host,
          conclusionLine({ headline: 'The files do not record the types of layers.', text: null }),
          missingPieces(context) ?? div('missing', missingNotice(context, notice)),
        );
        return;
      }
      const hasReformats = (reformatsOf(engine)?.rows.length ?? 0) > 0;
      const hasIslands = (precisionOf(engine)?.islands.length ?? 0) > 0;
      const hasPointwise = (pointwiseOf(engine)?.layers.length ?? 0) > 0;
      const main = [
        matrix.figure,
        ...(hasReformats ? [reformats.figure] : []),
        ...(hasIslands ? [islands] : []),
      ];
      const side = [rollUp, types, ...(hasReformats ? [groups] : [])];
      const note = 'No times: cells, bars and sorting use bytes or layer counts.';
      replace(
        host,
        conclusionLine(precisionConclusion(store)),
        engine.hasTimes ? null : div('view-note', note, missingDetails(context)),
        div(
          'columns',
          div('column', ...main.map(({ node }) => node)),
          div('column halved', ...side.map(({ node }) => node)),
        ),
        hasPointwise && div('column wide', pointwise.figure.node),
      );
      for (const figure of [...main, ...side]) figure.draw();
      if (hasPointwise) pointwise.figure.draw();
    };
    return drawnView(host, 'precision', {
      draw,
      mark: () => {
        for (const part of [matrix, reformats, pointwise]) part.mark();
        islands.draw();
      },
      rows: () => reformats,
      destroy: () => {
        for (const { figure } of [matrix, reformats, pointwise]) figure.destroy();
        for (const figure of [islands, rollUp, types, groups]) figure.destroy();
      },
    });
  },
};
