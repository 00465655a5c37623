// Memory: what takes the memory, and when is the peak?

import {
  bytesText,
  conclusionLine,
  div,
  FigureList,
  missingPieces,
  replace,
  type Figure,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { layerHistogram } from '../../public/plot/layer_histogram.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { readTimeline, TensorIndex } from './data.ts';
import { perLayerFigure } from './per_layer_chart.ts';
import { beside, holdersFigure, reuse, weightFigures } from './tables.ts';
import { timelineFigure } from './timeline.ts';
import './memory.css';

const kDistributions = [
  ['Weights', 'weight_bytes', 'weights', 'weights', 'without weights'],
  ['Activations', 'io_bytes', 'activations', null, 'that move no data'],
  ['Total', 'footprint_bytes', 'bytes moved', 'bytes', 'that move no data'],
] as const;

function distributions(context: ViewContext): readonly Figure[] {
  const { store } = context;
  return kDistributions.flatMap(([title, column, what, field, zero]) => {
    const chart = layerHistogram(context, {
      values: () => store.engine.layers.numbers(column),
      text: bytesText,
      unit: 'bytes',
      what: () => what,
      zero,
      filter: field === null ? null : { field, scale: 1 },
      plot: 84,
    });
    const id = `distribution-${title.toLowerCase()}`;
    return chart.isEmpty ? [] : [plotFigure(context, chart, { id, title })];
  });
}

function mountMemory(host: HTMLElement, context: ViewContext): MountedView {
  const figures = new FigureList();
  const keep = (figure: Figure | null): HTMLElement | null => figures.keep(figure);
  // The content depends only on the engine; everything else only redraws it.
  const build = (): void => {
    figures.destroy();
    const { engine } = context.store;
    const document = engine.document('memory');
    if (document === null) {
      replace(host, div('column', missingPieces(context)));
      return;
    }
    const timeline = readTimeline(document, engine);
    const index = new TensorIndex(engine);
    const isHeld = timeline.tensors.length > 0 && timeline.peakFrame !== null;
    const left = [
      isHeld ? keep(timelineFigure(context, timeline, index)) : missingPieces(context),
      keep(perLayerFigure(context)),
      div('multiples', ...distributions(context).map(keep)),
    ];
    const right = [
      keep(holdersFigure(context, timeline, index)),
      beside(document),
      ...weightFigures(context).map(keep),
      reuse(context),
    ];
    replace(
      host,
      conclusionLine(timeline.conclusion),
      div('columns', div('column', ...left), div('column', ...right)),
    );
    figures.draw();
  };
  host.classList.add('memory');
  build();
  return {
    update: (change) => {
      if (change.has('engine')) build();
      else figures.draw();
    },
    destroy: () => {
      figures.destroy();
      host.classList.remove('memory');
    },
  };
}

export const view: View = {
  id: 'memory',
  title: 'Memory',
  needs: ['layers'],
  mount: mountMemory,
};
