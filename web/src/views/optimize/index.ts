// Optimize: what made the model faster, what was refused and why, and how much is left?

import {
  commandBox,
  div,
  FigureList,
  plural,
  replace,
  sectionTitle,
  span,
  type MountedView,
  type Optimize,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { causesFigure, keptFigure, operationsFigure } from './changes.ts';
import { frontFigure } from './front_chart.ts';
import { optimizeHead } from './head.ts';
import { keptSteps } from './record.ts';
import { Shown } from './state.ts';
import { stepPanel } from './step_panel.ts';
import { stepsFigure } from './steps_table.ts';
import { waterfallFigure } from './waterfall_chart.ts';
import './optimize.css';

function mount(host: HTMLElement, context: ViewContext, record: Optimize): MountedView {
  const shown = new Shown(context, record);
  const figures = new FigureList();
  const pair = (...nodes: readonly (HTMLElement | null)[]): HTMLElement | null =>
    nodes.every((node) => node === null) ? null : div('pair-columns', ...nodes);
  replace(
    host,
    ...optimizeHead(shown),
    div(
      'optimize-body',
      pair(figures.keep(waterfallFigure(shown)), figures.keep(frontFigure(shown))),
      figures.keep(stepsFigure(shown)),
      pair(figures.keep(keptFigure(shown)), figures.keep(causesFigure(shown))),
      figures.keep(operationsFigure(shown)),
      record.command === null
        ? null
        : div(
            'block',
            sectionTitle('Build the best again', 'without trying anything'),
            commandBox(record.command, (text) => context.copy(text, 'command')),
          ),
    ),
  );
  figures.draw();
  return {
    update: (change) => {
      // Nothing here depends on what the other views show.
      const concerns = change.has('options') || change.has('view') || change.has('theme');
      if (change.size > 0 && !concerns) return;
      const scroll = host.scrollTop;
      figures.draw();
      host.scrollTop = scroll;
    },
    key: (key) => {
      if (key !== 'Escape' || shown.chosen === null) return false;
      shown.choose(null);
      return true;
    },
    destroy: () => figures.destroy(),
  };
}

export const view: View = {
  id: 'optimize',
  title: 'Optimize',
  needs: [],
  isThere: ({ optimize }) => optimize !== null,
  filterRow: ({ store }) => {
    const { optimize: record } = store.report;
    if (record === null) return null;
    const tried = record.steps.filter(({ state }) => state !== 'not-tried').length;
    const all = plural(tried, 'step');
    return { lead: [], tally: [span('', `${String(keptSteps(record).length)} of ${all} kept`)] };
  },
  panel: (context) => {
    const { optimize: record } = context.store.report;
    return record === null ? null : stepPanel(new Shown(context, record));
  },
  mount: (host, context) => {
    const { optimize: record } = context.store.report;
    if (record === null) throw new Error('a view without its record');
    return mount(host, context, record);
  },
};
