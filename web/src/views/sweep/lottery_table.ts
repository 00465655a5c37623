// Choices that compilers make by chance: cells whose builds chose different kernels, and what that
// cost.

import {
  column,
  figureTable,
  integer,
  linkButton,
  msText,
  numbers,
  plainTable,
  plural,
  significant,
  visible,
  type Figure,
  type SweepLottery,
} from '../../public/index.ts';
import type { Shown } from './state.ts';
import { kernelColumn, openTable } from './tables.ts';
import { cellText } from './texts.ts';

export function lotteryFigure(shown: Shown): Figure {
  const { grid } = shown;
  const { lottery, lottery_cells: cells } = grid.sweep;
  const show = ({ cell }: SweepLottery): HTMLElement =>
    linkButton('show', 'Show the details of the cell', () => shown.choose(grid.cell(cell)));
  return openTable<SweepLottery>(shown.context, {
    id: 'sweep-lottery',
    title: 'Lottery of kernels',
    explain: () =>
      `${integer(lottery.length)} of ${plural(cells, 'cell')} with several builds have layers whose kernel changes from build to build`,
    items: lottery,
    rowClass: 'lottery-row',
    empty:
      cells === 0
        ? 'No cell has several builds whose kernels are known.'
        : `Builds of a cell chose the same kernels, in all of ${plural(cells, 'cell')}.`,
    head: 'cell',
    name: ({ cell }) => cellText(grid, grid.cell(cell)),
    columns: [
      numbers('builds', (one) => integer(one.run_count)),
      numbers(
        'layers that changed',
        (one) => `${integer(one.layers.length)} of ${integer(one.layer_count)}`,
      ),
      numbers('costs ms', (one) => significant(one.cost_ms), {
        help: 'mean over the builds minus the time of the fastest kernel',
      }),
      numbers('', show, { cellClass: 'sweep-links' }),
    ],
    details: kernels,
    table: () =>
      figureTable(lottery.flatMap(kernelRows), [
        ['cell', null, ({ cell }) => cellText(grid, grid.cell(cell))],
        ['layer', null, ({ layer }) => layer.layer],
        ['kernel', null, ({ tactic }) => tactic.tactic],
        ['builds', 0, ({ tactic }) => tactic.run_count],
        ['time ms', 4, ({ tactic }) => tactic.time_ms],
        ['layer costs ms', 6, ({ layer }) => layer.cost_ms],
      ]),
  });
}

function kernelRows({ cell, layers }: SweepLottery) {
  return layers.flatMap((layer) =>
    layer.tactics.map((tactic, i) => ({ cell, layer, tactic, isFirst: i === 0 })),
  );
}

function kernels(one: SweepLottery): HTMLElement {
  type Row = ReturnType<typeof kernelRows>[number];
  const name = ({ layer, isFirst }: Row): string => (isFirst ? visible(layer.layer) : '');
  return plainTable('auto changed-tactics', kernelRows(one), [
    column('layer', name, { cellClass: 'name', title: name }),
    kernelColumn('kernel', ({ tactic }) => tactic.tactic),
    numbers('builds', ({ tactic }) => integer(tactic.run_count)),
    numbers('its time ms', ({ tactic }) => msText(tactic.time_ms), {
      help: 'mean time of the layer in these builds',
    }),
    numbers('costs ms', ({ layer, isFirst }) => (isFirst ? significant(layer.cost_ms) : '')),
  ]);
}
