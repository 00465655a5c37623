// Timing: is the number trustworthy?

import {
  conclusionLine,
  div,
  FigureList,
  missingPieces,
  replace,
  significant,
  type Figure,
  type FieldSamples,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { layerHistogram } from '../../public/plot/layer_histogram.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { isAllZero } from './data.ts';
import { distributionFigure } from './distribution_chart.ts';
import { samplesFigure } from './samples_chart.ts';
import { missingTimes, percentiles, phases, verdict } from './tables.ts';
import { waterfallFigure } from './waterfall_chart.ts';
import './timing.css';

function timeText(ms: number): string {
  return ms >= 1 ? `${significant(ms)} ms` : `${significant(ms * 1e3)} µs`;
}

function layerTimes(context: ViewContext): Figure | null {
  const { store } = context;
  if (!store.engine.hasTimes) return null;
  const chart = layerHistogram(context, {
    values: () => store.engine.times(store.basis),
    text: timeText,
    unit: 'ms',
    what: () => `${store.basis} time`,
    zero: 'have no measured time',
    filter: { field: 'ms', scale: 1 },
    plot: 110,
  });
  return chart.isEmpty
    ? null
    : plotFigure(context, chart, { id: 'layer-times', title: 'Times of layers' });
}

function mount(host: HTMLElement, context: ViewContext): MountedView {
  const figures = new FigureList();
  // The content depends only on the engine; everything else only redraws it.
  const build = (): void => {
    figures.destroy();
    const timing = context.store.engine.document('timing');
    if (timing === null) {
      replace(host, div('column', missingPieces(context)));
      return;
    }
    const distribution = (field: FieldSamples): HTMLElement | null =>
      figures.keep(distributionFigure(context, field));
    const fields = timing.samples.fields.filter((field) => !isAllZero(field));
    const isMain = (field: FieldSamples): boolean => field.is_end_to_end;
    const others = fields.filter((field) => !isMain(field)).map(distribution);
    const left = [
      figures.keep(samplesFigure(context, timing)),
      ...fields.filter(isMain).map(distribution),
      others.some((one) => one !== null) ? div('multiples', ...others) : null,
      timing.steady_state === null ? missingTimes(context) : null,
      figures.keep(layerTimes(context)),
    ];
    const right = [
      verdict(timing),
      figures.keep(percentiles(context, timing)),
      figures.keep(waterfallFigure(context, timing.waterfall)),
      figures.keep(phases(context, timing)),
    ];
    replace(
      host,
      conclusionLine(timing.conclusion),
      div('columns', div('column', ...left), div('column', ...right)),
    );
    figures.draw();
  };
  build();
  return {
    update: (change) => {
      if (change.has('engine')) build();
      else figures.draw();
    },
    destroy: () => figures.destroy(),
  };
}

export const view: View = {
  id: 'timing',
  title: 'Timing',
  needs: ['times'],
  showsWhatThereIs: true,
  mount,
};
