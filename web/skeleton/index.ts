// Skeleton: which layers take longest? Put the question here that the view answers.

import {
  conclusionLine,
  div,
  figureTable,
  FigureList,
  fixed,
  gridFigure,
  idColumn,
  isNumber,
  layerColumn,
  numbers,
  percent,
  replace,
  visible,
  type Change,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { across, familyFill, plotFigure, ticksTo, xAxis } from '../../public/plot/index.ts';

const kMaxBars = 10;
const kRow = 20;
const kAxis = 20;
const kLeft = 180;

class SkeletonView implements MountedView {
  readonly #context: ViewContext;
  readonly #figures = new FigureList();

  constructor(host: HTMLElement, context: ViewContext) {
    this.#context = context;
    const { engine, basis } = context.store;
    const times = engine.times(basis);
    const msOf = (row: number): number => times[row] ?? Number.NaN;
    const rows = [...engine.workRows]
      .filter((row) => msOf(row) > 0)
      .sort((a, b) => msOf(b) - msOf(a));
    const [first] = rows;
    const share = first === undefined ? Number.NaN : msOf(first) / engine.whole(times);
    replace(
      host,
      conclusionLine(
        isNumber(share) && first !== undefined
          ? {
              headline: `${percent(share)} % of Σ`,
              text: `are in ${context.store.layerLabel(first)}`,
            }
          : { headline: 'No times', text: 'are known of these layers' },
      ),
      div(
        'columns single',
        div(
          'column',
          this.#figures.keep(this.#chart(rows.slice(0, kMaxBars), msOf)),
          this.#figures.keep(this.#table(rows, msOf)),
        ),
      ),
    );
    this.#figures.draw();
  }

  // A picture, the numbers behind it, and both as files.
  #chart(rows: readonly number[], msOf: (row: number) => number) {
    const { store } = this.#context;
    const explain = () => `ms of the ${String(rows.length)} longest layers`;
    return plotFigure(
      this.#context,
      {
        explain,
        label: () => `Longest layers, ${explain()}. The table holds the numbers.`,
        height: () => rows.length * kRow + kAxis,
        draw: (plot) => {
          const most = Math.max(0, ...rows.map(msOf));
          const height = rows.length * kRow;
          const frame = { left: kLeft, top: 0, width: plot.width - kLeft - 20, height };
          const x = across(frame, 0, most);
          xAxis(plot, frame, x, ticksTo(most, 5));
          for (const [i, row] of rows.entries()) {
            const y = (i + 0.5) * kRow;
            const name = { fill: plot.palette.ui('ink2'), align: 'right', size: 11 } as const;
            plot.text(visible(store.layerLabel(row)), kLeft - 8, y, { ...name, room: kLeft - 12 });
            const fill = familyFill(plot.palette, store.engine.family(row));
            plot.rect(x(0), y - 6, x(msOf(row)), y + 6, { fill }, { row });
          }
        },
        table: () =>
          figureTable(rows, [
            ['layer', null, (row) => store.engine.rawName(row)],
            ['ms', 4, msOf],
          ]),
      },
      { id: 'skeleton-longest', title: 'Longest layers' },
    );
  }

  // A grid of any number of rows.
  #table(rows: readonly number[], msOf: (row: number) => number) {
    const { store } = this.#context;
    const rowOf = (row: number): number => row;
    return gridFigure(this.#context, {
      id: 'skeleton-layers',
      title: 'Layers',
      label: 'Layers by their time',
      explain: () => 'all layers with a time',
      visibleRows: 20,
      items: () => rows,
      row: rowOf,
      columns: () => [
        idColumn(store, rowOf),
        layerColumn(store, rowOf),
        numbers('ms', (row) => fixed(msOf(row), 3), { sortBy: msOf }),
      ],
      data: () => [
        ['layer', null, (row) => store.engine.rawName(row)],
        ['ms', 4, msOf],
      ],
    }).figure;
  }

  // What of the state it shows; an empty change: the theme or the size changed.
  update(change: Change): void {
    if (change.size === 0 || change.has('selected') || change.has('chips')) this.#figures.draw();
  }

  destroy(): void {
    this.#figures.destroy();
  }
}

export const view: View = {
  id: 'skeleton',
  title: 'Skeleton',
  needs: ['layers', 'times'],
  mount: (host, context) => new SkeletonView(host, context),
};
