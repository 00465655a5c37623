// Sweep: which setting is best, where does a step cost more than its work, and what varies by
// chance?

import {
  div,
  FigureList,
  integer,
  keepFocus,
  replace,
  span,
  type MountedView,
  type Report,
  type Sweep,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { cellPanel } from './cell_panel.ts';
import { cellsFigure } from './cells_table.ts';
import { cliffsFigure } from './cliffs_table.ts';
import { sweepControls } from './controls.ts';
import { frontFigure } from './front_chart.ts';
import { SweepGrid } from './grid.ts';
import { sweepHead } from './head.ts';
import { heatFigure } from './heat_map.ts';
import { linesFigure } from './lines_chart.ts';
import { lotteryFigure } from './lottery_table.ts';
import { Shown } from './state.ts';
import './sweep.css';

const kGrids = new WeakMap<Sweep, SweepGrid>();

function gridOf({ sweep }: Report): SweepGrid | null {
  if (sweep === null || sweep.axes.length === 0) return null;
  const grid = kGrids.get(sweep) ?? new SweepGrid(sweep);
  kGrids.set(sweep, grid);
  return grid;
}

function mount(host: HTMLElement, context: ViewContext, grid: SweepGrid): MountedView {
  const shown = new Shown(context, grid);
  const figures = new FigureList();
  const controls = div('choices sweep-controls-place');
  replace(
    host,
    ...sweepHead(shown),
    controls,
    div(
      'sweep-body',
      div('pair-columns', figures.keep(heatFigure(shown)), figures.keep(linesFigure(shown))),
      div(
        'pair-columns',
        figures.keep(frontFigure(shown, 'throughput')),
        figures.keep(frontFigure(shown, 'memory')),
      ),
      figures.keep(cliffsFigure(shown)),
      figures.keep(lotteryFigure(shown)),
      figures.keep(cellsFigure(shown)),
    ),
  );
  const draw = (): void => {
    keepFocus(controls, () => replace(controls, ...sweepControls(shown)));
    figures.draw();
  };
  draw();
  return {
    update: (change) => {
      // Nothing here depends on what the other views show.
      const concerns = change.has('options') || change.has('view') || change.has('theme');
      if (change.size > 0 && !concerns) return;
      const scroll = host.scrollTop;
      draw();
      host.scrollTop = scroll;
    },
    key: (key) => {
      if (key !== 'Escape' || shown.chosen === null) return false;
      context.store.setOption('sweep.cell', null);
      return true;
    },
    destroy: () => figures.destroy(),
  };
}

export const view: View = {
  id: 'sweep',
  title: 'Sweep',
  needs: [],
  isThere: (report) => gridOf(report) !== null,
  filterRow: ({ store }) => {
    const { sweep } = store.report;
    if (sweep === null) return null;
    const all = integer(sweep.cells.length);
    return { lead: [], tally: [span('', `${integer(sweep.done_count)} of ${all} cells measured`)] };
  },
  panel: (context) => {
    const grid = gridOf(context.store.report);
    return grid === null ? null : cellPanel(new Shown(context, grid));
  },
  mount: (host, context) => {
    const grid = gridOf(context.store.report);
    if (grid === null) throw new Error('a view without its sweep');
    return mount(host, context, grid);
  },
};
