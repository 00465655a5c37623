// Accuracy: what did quantizing lose, where, and is it the model's loss or the engine's?

import {
  accuracyOf,
  conclusionLine,
  div,
  el,
  FigureList,
  missingNotice,
  replace,
  shellWord,
  visible,
  type Change,
  type MountedView,
  type RowsFigure,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { chartFigure } from '../../public/chart_body.ts';
import { CurveChart } from './curve_chart.ts';
import { dataOf, type AccuracyData } from './data.ts';
import { FrontChart } from './front_chart.ts';
import { frontTable } from './front_table.ts';
import { mapsFigure } from './maps_figure.ts';
import { badgeLine, outputsTable } from './facts.ts';
import { HistogramChart } from './histogram_chart.ts';
import { tensorsFigure } from './tensors_table.ts';
import './accuracy.css';

class AccuracyView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #figures = new FigureList();
  #tensors: RowsFigure | null = null;
  #width = 0;

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('accuracy');
    this.#build();
  }

  update(change: Change): void {
    const scroll = this.#host.scrollTop;
    const isSelection =
      change.size > 0 &&
      [...change].every((key) => key === 'selected' || key === 'item' || key === 'more');
    if (change.has('engine')) this.#build();
    else if (isSelection && this.#width === this.#host.clientWidth) this.#mark();
    else this.#draw();
    this.#host.scrollTop = scroll;
  }

  // The charts show what is chosen; the table only marks it, so that its rows stay in their places.
  #mark(): void {
    this.#figures.draw();
    this.#tensors?.mark();
  }

  #draw(): void {
    this.#width = this.#host.clientWidth;
    this.#figures.draw();
    this.#tensors?.figure.draw();
    this.#tensors?.mark();
  }

  #build(): void {
    this.#figures.destroy();
    this.#tensors?.figure.destroy();
    this.#tensors = null;
    const data = dataOf(this.#context.store.engine);
    if (data === null) {
      replace(
        this.#host,
        conclusionLine({
          headline: 'No record of quantizing was read with this engine.',
          text: null,
        }),
        div('missing', this.#howTo('model.onnx', 'model.int8.onnx')),
      );
      return;
    }
    this.#show(data);
    this.#draw();
  }

  #show(data: AccuracyData): void {
    const { accuracy } = data;
    const [headline = '', ...others] = accuracy.sentences;
    const hasHistogram = accuracy.calibration.some(({ histogram }) => histogram !== null);
    this.#tensors = data.items.length === 0 ? null : tensorsFigure(this.#context, data);
    const curve =
      data.compared.length === 0
        ? div('missing', this.#howTo(accuracy.reference, accuracy.subject))
        : this.#figures.keep(
            chartFigure(this.#context, new CurveChart(this.#context, data), {
              id: 'accuracy-curve',
              title: 'Along the graph',
            }),
          );
    const histogram = hasHistogram
      ? this.#figures.keep(
          chartFigure(this.#context, new HistogramChart(this.#context, data), {
            id: 'accuracy-histogram',
            title: 'Values and scale',
          }),
        )
      : null;
    const front = accuracy.front.length === 0 ? null : new FrontChart(this.#context, data);
    const frontPart =
      front === null
        ? null
        : div(
            'accuracy-search',
            this.#figures.keep(
              chartFigure(this.#context, front, {
                id: 'accuracy-front',
                title: 'What float layers buy',
                aside: () => front.aside(),
              }),
            ),
            frontTable(accuracy),
          );
    const maps =
      data.maps.length === 0 ? null : this.#figures.keep(mapsFigure(this.#context, data));
    replace(
      this.#host,
      conclusionLine({ headline, text: null }),
      div(
        'accuracy-body',
        badgeLine(accuracy),
        others.length === 0
          ? null
          : el(
              'ul',
              { class: 'accuracy-sentences' },
              ...others.map((text) => el('li', {}, visible(text))),
            ),
        curve,
      ),
      div(
        'columns',
        div('column', this.#tensors?.figure.node ?? null),
        div('column', histogram, maps, outputsTable(accuracy)),
      ),
      frontPart,
    );
  }

  #howTo(reference: string | null, subject: string | null): HTMLElement {
    const model = shellWord(reference ?? 'model.onnx');
    const quantized = shellWord(subject ?? 'model.int8.onnx');
    return missingNotice(this.#context, {
      what: 'Figures of tensors:',
      why: 'they come from a file that lies beside the engine’s files.',
      command: `planex accuracy ${model} ${quantized} --data DATA -o RUN/accuracy.json`,
    });
  }

  reveal(row: number): void {
    this.#tensors?.reveal(row);
  }

  order(): Int32Array {
    return this.#tensors?.order() ?? new Int32Array();
  }

  destroy(): void {
    this.#figures.destroy();
    this.#tensors?.figure.destroy();
    this.#host.classList.remove('accuracy');
  }
}

export const view: View = {
  id: 'accuracy',
  title: 'Accuracy',
  needs: [],
  isThere: (report) => report.engines.some((engine) => accuracyOf(engine) !== null),
  mount: (host, context) => new AccuracyView(host, context),
};
