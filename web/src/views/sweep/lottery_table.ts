// What compilers leave to chance: cells whose builds chose different kernels, and what that cost.

import {
  div,
  el,
  integer,
  kMissing,
  plural,
  replace,
  significant,
  type FigureBody,
  type FigureTable,
  type SweepLottery,
  type SweepLotteryLayer,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { chooseCell } from './state.ts';
import { linkButton, msCell, nameCell, OpenRows, plainTable, td, th, toggle } from './tables.ts';
import { cellText } from './texts.ts';

const kColumns = 5;

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
    replace(
      this.node,
      plainTable(
        'lottery-table',
        [
          th('cell'),
          th('builds', 'right'),
          th('layers that changed', 'right'),
          th('costs ms', 'right', 'mean over the builds, less that of the fastest kernel'),
          th(''),
        ],
        lottery.flatMap((one) => this.#rows(one)),
      ),
    );
  }

  #rows(lottery: SweepLottery): readonly HTMLElement[] {
    const id = String(lottery.cell);
    const isOpen = this.#open.has(id);
    const row = el(
      'tr',
      { class: 'lottery-row' },
      td(
        'name',
        toggle(cellText(this.#grid, lottery.cell), isOpen, () => {
          this.#open.turn(id);
        }),
      ),
      td('right', integer(lottery.run_count)),
      td('right', `${integer(lottery.layers.length)} of ${integer(lottery.layer_count)}`),
      td('right', costText(lottery.cost_ms)),
      td(
        'right sweep-links',
        linkButton('show', 'Show what is known of the cell', () =>
          chooseCell(this.#context.store, this.#grid, lottery.cell),
        ),
      ),
    );
    if (!isOpen) return [row];
    return [
      row,
      el(
        'tr',
        { class: 'sweep-details' },
        el(
          'td',
          { attrs: { colspan: kColumns } },
          plainTable(
            'changed-tactics',
            [
              th('layer'),
              th('kernel'),
              th('builds', 'right'),
              th('its time ms', 'right', 'mean of the layer in these builds'),
              th('costs ms', 'right'),
            ],
            lottery.layers.flatMap((layer) => this.#layer(layer)),
          ),
        ),
      ),
    ];
  }

  #layer(layer: SweepLotteryLayer): readonly HTMLElement[] {
    return layer.tactics.map((tactic, i) =>
      el(
        'tr',
        {},
        i === 0 ? nameCell(layer.layer) : td(''),
        nameCell(tactic.tactic),
        td('right', integer(tactic.run_count)),
        msCell(tactic.time_ms),
        td('right', i === 0 ? costText(layer.cost_ms) : ''),
      ),
    );
  }

  table(): FigureTable {
    return {
      columns: [
        { title: 'cell', decimals: null },
        { title: 'layer', decimals: null },
        { title: 'kernel', decimals: null },
        { title: 'builds', decimals: 0 },
        { title: 'time ms', decimals: 4 },
        { title: 'layer costs ms', decimals: 6 },
      ],
      rows: this.#grid.sweep.lottery.flatMap((lottery) =>
        lottery.layers.flatMap((layer) =>
          layer.tactics.map((tactic) => [
            cellText(this.#grid, lottery.cell),
            layer.layer,
            tactic.tactic,
            tactic.run_count,
            tactic.time_ms,
            layer.cost_ms,
          ]),
        ),
      ),
    };
  }
}
