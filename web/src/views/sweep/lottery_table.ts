// What compilers leave to chance: cells whose builds chose different kernels, and what that cost.

import {
  column,
  div,
  el,
  figureTable,
  integer,
  kMissing,
  linkButton,
  msText,
  numbers,
  plainTable,
  plural,
  replace,
  significant,
  visible,
  type FigureBody,
  type FigureTable,
  type SweepLottery,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { chooseCell } from './state.ts';
import { kernelColumn, OpenRows } from './tables.ts';
import { cellText } from './texts.ts';

const costText = (ms: number | null): string => (ms === null ? kMissing : significant(ms));

export class LotteryTable implements FigureBody {
  readonly node = div('sweep-scroll');
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;
  readonly #open = new OpenRows(() => this.draw());

  constructor(context: ViewContext, grid: SweepGrid) {
    this.#context = context;
    this.#grid = grid;
  }

  explain(): string {
    const { lottery, lottery_cells: cells } = this.#grid.sweep;
    return `${integer(lottery.length)} of ${plural(cells, 'cell')} with several builds have layers whose kernel changes from build to build`;
  }

  draw(): void {
    const { lottery, lottery_cells: cells } = this.#grid.sweep;
    if (lottery.length === 0) {
      const text =
        cells === 0
          ? 'No cell has several builds whose kernels are known.'
          : `Builds of a cell chose the same kernels, in all of ${plural(cells, 'cell')}.`;
      replace(this.node, el('p', { class: 'soft' }, text));
      return;
    }
    const grid = this.#grid;
    const show = ({ cell }: SweepLottery): HTMLElement =>
      linkButton('show', 'Show what is known of the cell', () =>
        chooseCell(this.#context.store, grid, cell),
      );
    const table = plainTable(
      'lottery-table',
      lottery,
      [
        column('cell', ({ cell }) => this.#open.toggle(String(cell), cellText(grid, cell)), {
          cellClass: 'name',
        }),
        numbers('builds', (one) => integer(one.run_count)),
        numbers(
          'layers that changed',
          (one) => `${integer(one.layers.length)} of ${integer(one.layer_count)}`,
        ),
        numbers('costs ms', (one) => costText(one.cost_ms), {
          help: 'mean over the builds, less that of the fastest kernel',
        }),
        numbers('', show, { cellClass: 'sweep-links' }),
      ],
      {
        row: () => ({ class: 'lottery-row' }),
        details: (one) => (this.#open.has(String(one.cell)) ? this.#changed(one) : null),
        detailsClass: 'sweep-details',
      },
    );
    replace(this.node, table);
  }

  #changed({ layers }: SweepLottery): HTMLElement {
    const rows = layers.flatMap((layer) =>
      layer.tactics.map((tactic, i) => ({ layer: i === 0 ? layer : null, tactic })),
    );
    const first = ({ layer }: (typeof rows)[number]): string => visible(layer?.layer ?? '');
    return plainTable('changed-tactics', rows, [
      column('layer', first, { cellClass: 'name', title: first }),
      kernelColumn('kernel', ({ tactic }) => tactic.tactic),
      numbers('builds', ({ tactic }) => integer(tactic.run_count)),
      numbers('its time ms', ({ tactic }) => msText(tactic.time_ms), {
        help: 'mean of the layer in these builds',
      }),
      numbers('costs ms', ({ layer }) => (layer === null ? '' : costText(layer.cost_ms))),
    ]);
  }

  table(): FigureTable {
    const rows = this.#grid.sweep.lottery.flatMap(({ cell, layers }) =>
      layers.flatMap((layer) => layer.tactics.map((tactic) => ({ cell, layer, tactic }))),
    );
    return figureTable(rows, [
      ['cell', null, ({ cell }) => cellText(this.#grid, cell)],
      ['layer', null, ({ layer }) => layer.layer],
      ['kernel', null, ({ tactic }) => tactic.tactic],
      ['builds', 0, ({ tactic }) => tactic.run_count],
      ['time ms', 4, ({ tactic }) => tactic.time_ms],
      ['layer costs ms', 6, ({ layer }) => layer.cost_ms],
    ]);
  }
}
