// Memory: what holds the memory, and when is the peak?

import {
  bytesText,
  conclusionLine,
  div,
  Figure,
  FigureList,
  figureTable,
  integer,
  linkButton,
  missingPieces,
  plural,
  precisionMark,
  replace,
  span,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { chartFigure } from '../../public/chart_body.ts';
import { LayerHistogram } from '../../public/layer_histogram.ts';
import { readTimeline, TensorIndex, type Timeline } from './data.ts';
import { TimelineBody } from './timeline_body.ts';
import { PerLayerChart } from './per_layer_chart.ts';
import { beside, holdersFigure, reuse, weightFigures } from './tables.ts';
import './memory.css';

function timelineFigure(context: ViewContext, timeline: Timeline, index: TensorIndex): Figure {
  const { store } = context;
  const { conclusion, frames, offsets, peak, tensors } = timeline;
  const body = new TimelineBody(
    context,
    timeline,
    index,
    () => `Memory timeline. ${conclusion.headline} The table lists the tensors.`,
  );
  const types = [...new Set(tensors.map(({ dtype }) => dtype))].sort((a, b) =>
    (a ?? '~') < (b ?? '~') ? -1 : 1,
  );
  return new Figure(context, {
    id: 'timeline',
    title: 'Memory timeline',
    explain: () => {
      const place =
        offsets === 'given'
          ? 'placed at the offsets in the file'
          : 'packed largest first at the lowest free offset: the engine’s own placement is not recorded';
      const streams =
        peak.stream_count > 1
          ? `; ${integer(peak.stream_count)} streams run concurrently, drawn in execution order`
          : '';
      const hidden =
        body.hidden > 0
          ? `; ${plural(body.hidden, 'small tensor')} drawn only as a gray outline`
          : '';
      return `one rectangle per tensor: from the first layer that uses it to the last; height = bytes, color = type; ${place}${streams}${hidden}`;
    },
    body,
    aside: () => [
      ...types.map((type) => span('legend-entry', precisionMark(type))),
      store.engine.hasTimes
        ? linkButton(body.byTime ? 'by order' : 'by time', null, () =>
            store.setOption('memory.x', body.byTime ? null : 'time'),
          )
        : null,
    ],
    table: () =>
      figureTable(tensors, [
        ['tensor_id', 0, ({ id }) => id],
        ['tensor', null, ({ id }) => index.name(id)],
        ['type', null, ({ dtype }) => dtype],
        ['bytes', 0, ({ bytes }) => bytes],
        ['first layer', 0, ({ first }) => frames.layer_id[first]],
        ['last layer', 0, ({ last }) => frames.layer_id[last]],
        ['offset bytes', 0, ({ offset }) => offset],
      ]),
  });
}

function perLayerFigure(context: ViewContext): Figure | null {
  const chart = new PerLayerChart(context);
  return chart.isEmpty
    ? null
    : chartFigure(context, chart, { id: 'bytes-per-layer', title: 'Bytes per layer' });
}

const kDistributions = [
  ['Weights', 'weight_bytes', 'weights', 'weights', 'without weights'],
  ['Activations', 'io_bytes', 'activations', null, 'that move no data'],
  ['Total', 'footprint_bytes', 'bytes moved', 'bytes', 'that move no data'],
] as const;

function distributions(context: ViewContext): readonly Figure[] {
  const { store } = context;
  return kDistributions.flatMap(([title, column, what, field, zero]) => {
    const chart = new LayerHistogram(context, {
      values: () => store.engine.layers.numbers(column),
      text: bytesText,
      unit: 'bytes',
      what: () => what,
      zero,
      filter: field === null ? null : { field, scale: 1 },
      plot: 84,
    });
    const id = `distribution-${title.toLowerCase()}`;
    return chart.isEmpty ? [] : [chartFigure(context, chart, { id, title })];
  });
}

function mountMemory(host: HTMLElement, context: ViewContext): MountedView {
  const figures = new FigureList();
  const keep = (figure: Figure | null): HTMLElement | null => figures.keep(figure);
  // What is shown hangs on the engine alone; drawing hangs on the rest.
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

export const memoryView: View = {
  id: 'memory',
  title: 'Memory',
  needs: ['layers'],
  mount: mountMemory,
};
