// Accuracy: what did quantization lose, where, and is it the model's loss or the engine's?

import {
  accuracyOf,
  conclusionLine,
  div,
  drawnView,
  FigureList,
  missingNotice,
  replace,
  sentenceList,
  shellWord,
  type RowsFigure,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { curveChart } from './curve_chart.ts';
import { dataOf } from './data.ts';
import { frontFigure } from './front_chart.ts';
import { frontTable } from './front_table.ts';
import { mapsFigure } from './maps_figure.ts';
import { badgeLine, outputsTable } from './facts.ts';
import { histogramChart } from './histogram_chart.ts';
import { tensorsFigure } from './tensors_table.ts';
import './accuracy.css';

function howTo(
  context: ViewContext,
  reference: string | null,
  subject: string | null,
): HTMLElement {
  const model = shellWord(reference ?? 'model.onnx');
  const quantized = shellWord(subject ?? 'model.int8.onnx');
  const notice = missingNotice(context, {
    what: 'Figures of tensors:',
    why: 'they come from a file next to the engine’s files.',
    command: `planex accuracy ${model} ${quantized} --data DATA -o RUN/accuracy.json`,
  });
  return div('missing', notice);
}

// Adds the figures of an engine, still empty; returns the table of its tensors, if it has one.
function show(host: HTMLElement, context: ViewContext, figures: FigureList): RowsFigure | null {
  const data = dataOf(context.store.engine);
  if (data === null) {
    const headline = 'No record of its quantization was read with this engine.';
    replace(host, conclusionLine({ headline, text: null }), howTo(context, null, null));
    return null;
  }
  const { accuracy } = data;
  const [headline = '', ...others] = accuracy.sentences;
  const tensors = data.items.length === 0 ? null : tensorsFigure(context, data);
  const curve = plotFigure(context, curveChart(context, data), {
    id: 'accuracy-curve',
    title: 'Along the graph',
  });
  const histogram = plotFigure(context, histogramChart(context, data), {
    id: 'accuracy-histogram',
    title: 'Values and scale',
  });
  const hasHistogram = accuracy.calibration.some((one) => one.histogram !== null);
  replace(
    host,
    conclusionLine({ headline, text: null }),
    div(
      'accuracy-body',
      badgeLine(accuracy),
      sentenceList(others),
      data.compared.length > 0
        ? figures.keep(curve)
        : howTo(context, accuracy.reference, accuracy.subject),
    ),
    div(
      'columns',
      div('column', tensors?.figure.node),
      div(
        'column',
        hasHistogram && figures.keep(histogram),
        data.maps.length > 0 && figures.keep(mapsFigure(context, data)),
        outputsTable(accuracy),
      ),
    ),
    accuracy.front.length > 0 &&
      div('accuracy-search', figures.keep(frontFigure(context, accuracy)), frontTable(accuracy)),
  );
  return tensors;
}

export const view: View = {
  id: 'accuracy',
  title: 'Accuracy',
  needs: [],
  isThere: (report) => report.engines.some((engine) => accuracyOf(engine) !== null),
  mount: (host, context) => {
    const figures = new FigureList();
    let tensors = show(host, context, figures);
    // The charts show the choice; the table only marks it, so that its rows keep their places.
    const mark = (): void => {
      figures.draw();
      tensors?.mark();
    };
    const destroy = (): void => {
      figures.destroy();
      tensors?.figure.destroy();
    };
    return drawnView(host, 'accuracy', {
      draw: (change) => {
        if (change.has('engine')) {
          destroy();
          tensors = show(host, context, figures);
        }
        tensors?.figure.draw();
        mark();
      },
      mark,
      rows: () => tensors,
      destroy,
    });
  },
};
