// Timing: is the number trustworthy?

import {
  div,
  FigureList,
  conclusionLine,
  missingPieces,
  replace,
  significant,
  span,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { chartFigure } from '../../public/chart_body.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { LayerHistogram } from '../../public/layer_histogram.ts';
import { fieldName, fieldWords, isAllZero, timingOf, type Field, type Timing } from './data.ts';
import { DistributionChart } from './distribution_chart.ts';
import { SamplesChart } from './samples_chart.ts';
import { missingTimes, percentiles, phases, verdict } from './tables.ts';
import { WaterfallChart } from './waterfall_chart.ts';
import './timing.css';

const kMainPlot = 150;
const kSmallPlot = 70;

function timeText(ms: number): string {
  return ms >= 1 ? `${significant(ms)} ms` : `${significant(ms * 1e3)} µs`;
}

class TimingView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #figures = new FigureList();

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('timing');
    this.#build();
  }

  update(change: ReadonlySet<string>): void {
    if (change.has('engine')) this.#build();
    else this.#draw();
  }

  #draw(): void {
    this.#figures.draw();
  }

  // What is shown hangs on the engine alone; drawing hangs on the rest.
  #build(): void {
    this.#figures.destroy();
    const document = this.#context.store.engine.document('timing');
    const timing = document === null ? null : timingOf(document);
    if (timing === null) {
      replace(this.#host, div('column', missingPieces(this.#context)));
      return;
    }
    const left = [
      this.#samples(timing),
      ...this.#distributions(timing),
      timing.steady_state === null ? missingTimes(this.#context) : null,
      this.#layerTimes(),
    ];
    const right = [
      verdict(timing),
      this.#figures.keep(percentiles(this.#context, timing)),
      this.#waterfall(timing),
      this.#figures.keep(phases(this.#context, timing)),
    ];
    replace(
      this.#host,
      conclusionLine(timing.conclusion),
      div('columns', div('column', ...left), div('column', ...right)),
    );
    this.#draw();
  }

  #samples(timing: Timing): HTMLElement | null {
    if (timing.steady_state === null || timing.fields.every((field) => field.course === null)) {
      return null;
    }
    const chart = new SamplesChart(this.#context, timing, timing.steady_state);
    return this.#figures.keep(
      chartFigure(this.#context, chart, {
        id: 'samples',
        title: 'Samples',
        aside: () => chart.choices(),
      }),
    );
  }

  #distribution(field: Field, plot: number): HTMLElement | null {
    if (field.bins === null) return null;
    const chart = new DistributionChart(this.#context, field, field.bins, plot);
    return this.#figures.keep(
      chartFigure(this.#context, chart, {
        id: field.is_end_to_end ? 'distribution' : `distribution-${field.field}`,
        title: field.is_end_to_end
          ? 'Distribution'
          : fieldName(field.field).replace(/^./, (letter) => letter.toUpperCase()),
        explain: () =>
          field.is_end_to_end ? chart.explain() : `${fieldWords(field.field)}; ${chart.explain()}`,
        aside: () =>
          field.is_end_to_end
            ? [
                span('legend-entry', span('swatch bin-trusted'), 'trusted'),
                span('legend-entry', span('swatch bin-other'), 'other levels'),
                chart.choice(),
              ]
            : [],
      }),
    );
  }

  #distributions(timing: Timing): readonly (HTMLElement | null)[] {
    const drawn = timing.fields.filter((field) => field.bins !== null && !isAllZero(field));
    const others = drawn.filter((field) => !field.is_end_to_end);
    return [
      ...drawn
        .filter((field) => field.is_end_to_end)
        .map((field) => this.#distribution(field, kMainPlot)),
      others.length === 0
        ? null
        : div('multiples', ...others.map((field) => this.#distribution(field, kSmallPlot))),
    ];
  }

  #waterfall(timing: Timing): HTMLElement | null {
    if (timing.waterfall.length === 0) return null;
    const chart = new WaterfallChart(this.#context, timing);
    return this.#figures.keep(
      chartFigure(this.#context, chart, {
        id: 'waterfall',
        title: 'Where the time goes',
      }),
    );
  }

  #layerTimes(): HTMLElement | null {
    const { store } = this.#context;
    if (!store.engine.hasTimes) return null;
    const chart = new LayerHistogram(this.#context, {
      values: () => store.engine.times(store.basis),
      text: timeText,
      unit: 'ms',
      what: () => `${store.basis} time`,
      zero: 'have no measured time',
      filter: { field: 'ms', scale: 1 },
      plot: 110,
    });
    if (chart.isEmpty) return null;
    return this.#figures.keep(
      plotFigure(this.#context, chart, {
        id: 'layer-times',
        title: 'Times of layers',
      }),
    );
  }

  destroy(): void {
    this.#figures.destroy();
    this.#host.classList.remove('timing');
  }
}

export const view: View = {
  id: 'timing',
  title: 'Timing',
  needs: ['times'],
  showsWhatThereIs: true,
  mount: (host, context) => new TimingView(host, context),
};
