// Sweep: which setting is best, where does a step cost more than its work, and what is left to chance?

import {
  div,
  Figure,
  FigureList,
  integer,
  replace,
  span,
  type Change,
  type FigureBody,
  type FigureTable,
  type MountedView,
  type Report,
  type Sweep,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { chartFigure } from '../../public/chart_body.ts';
import { cellPanel } from './cell_panel.ts';
import { cellsFigure } from './cells_table.ts';
import { CliffsTable } from './cliffs_table.ts';
import { sweepControls } from './controls.ts';
import { FrontChart, type FrontId } from './front_chart.ts';
import { SweepGrid } from './grid.ts';
import { sweepHead } from './head.ts';
import { HeatMap } from './heat_map.ts';
import { LinesChart } from './lines_chart.ts';
import { LotteryTable } from './lottery_table.ts';
import { chosenCell, setOptions } from './state.ts';
import './sweep.css';

const kGrids = new WeakMap<Sweep, SweepGrid>();

function gridOf(report: Report): SweepGrid | null {
  const { sweep } = report;
  if (sweep === null || sweep.axes.length === 0) return null;
  let grid = kGrids.get(sweep);
  if (grid === undefined) {
    grid = new SweepGrid(sweep);
    kGrids.set(sweep, grid);
  }
  return grid;
}

interface TableBody extends FigureBody {
  explain(): string;
  table(): FigureTable;
}

class SweepView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;
  readonly #controls = div('sweep-controls-place');
  readonly #figures = new FigureList();

  constructor(host: HTMLElement, context: ViewContext, grid: SweepGrid) {
    this.#host = host;
    this.#context = context;
    this.#grid = grid;
    host.classList.add('sweep');
    this.#build();
    this.#draw();
  }

  #build(): void {
    const context = this.#context;
    const grid = this.#grid;
    const figure = (id: string, title: string, body: TableBody): HTMLElement | null =>
      this.#figures.keep(
        new Figure(context, {
          id: `sweep-${id}`,
          title,
          explain: () => body.explain(),
          body,
          table: () => body.table(),
        }),
      );
    const lines = new LinesChart(context, grid);
    const front = (id: FrontId, title: string): HTMLElement | null => {
      const chart = new FrontChart(context, grid, id);
      return chart.isEmpty
        ? null
        : this.#figures.keep(chartFigure(context, chart, { id: `sweep-front-${id}`, title }));
    };
    replace(
      this.#host,
      ...sweepHead(context, grid),
      this.#controls,
      div(
        'sweep-body',
        div(
          'sweep-pair',
          figure('heat', 'Cells', new HeatMap(context, grid)),
          this.#figures.keep(
            chartFigure(context, lines, {
              id: 'sweep-lines',
              title: 'As lines',
              aside: () => [lines.choice()],
            }),
          ),
        ),
        div(
          'sweep-pair',
          front('throughput', 'Latency against throughput'),
          front('memory', 'Latency against memory'),
        ),
        figure('cliffs', 'Cliffs', new CliffsTable(context, grid)),
        figure('lottery', 'Lottery of kernels', new LotteryTable(context, grid)),
        this.#figures.keep(cellsFigure(context, grid)),
      ),
    );
  }

  #draw(): void {
    const { activeElement } = document;
    // Who chooses by keys stays where they are.
    const focused = this.#controls.contains(activeElement)
      ? (activeElement?.getAttribute('aria-label') ?? null)
      : null;
    replace(this.#controls, sweepControls(this.#context, this.#grid));
    for (const select of this.#controls.querySelectorAll('select')) {
      if (focused !== null && select.getAttribute('aria-label') === focused) select.focus();
    }
    this.#figures.draw();
  }

  update(change: Change): void {
    // Nothing here hangs on what the other views show.
    const concerns = change.has('options') || change.has('view') || change.has('theme');
    if (change.size > 0 && !concerns) return;
    const scroll = this.#host.scrollTop;
    this.#draw();
    this.#host.scrollTop = scroll;
  }

  key(key: string): boolean {
    const { store } = this.#context;
    if (key !== 'Escape' || chosenCell(store, this.#grid) === null) return false;
    setOptions(store, { cell: null });
    return true;
  }

  destroy(): void {
    this.#figures.destroy();
    this.#host.classList.remove('sweep');
  }
}

export const view: View = {
  id: 'sweep',
  title: 'Sweep',
  needs: [],
  isThere: (report) => gridOf(report) !== null,
  filterRow: ({ store }) => {
    const grid = gridOf(store.report);
    if (grid === null) return null;
    const { done_count: done, cells } = grid.sweep;
    return {
      lead: [],
      tally: [span('', `${integer(done)} of ${integer(cells.length)} cells measured`)],
    };
  },
  panel: (context) => {
    const grid = gridOf(context.store.report);
    return grid === null ? null : cellPanel(context, grid);
  },
  mount: (host, context) => {
    const grid = gridOf(context.store.report);
    if (grid === null) throw new Error('a view without its sweep');
    return new SweepView(host, context, grid);
  },
};
