// The first lines: the shortest latency, the highest throughput, the number of cells, and the
// spread between runs of one cell.

import {
  conclusionLine,
  div,
  figureStrip,
  integer,
  isNumber,
  joined,
  keyFigure,
  kMissing,
  linkButton,
  msText,
  percent,
  plural,
  visible,
  type Child,
  type StripFigure,
  type SweepCell,
} from '../../public/index.ts';
import { rateText } from './measures.ts';
import type { Shown } from './state.ts';
import { shortCellText } from './texts.ts';

export function sweepHead(shown: Shown): readonly (HTMLElement | null)[] {
  const { sweep } = shown.grid;
  const fileName = sweep.model.slice(sweep.model.lastIndexOf('/') + 1);
  const [headline = `${visible(fileName)}: no cell is measured.`, ...others] = sweep.sentences;
  return [
    div('sweep-strip', figureStrip('Key figures', keyFigures(shown))),
    conclusionLine({ headline, text: others.join(' ') }),
  ];
}

const figure = (label: string, value: string, unit: string, sub: Child): StripFigure => ({
  label,
  value: keyFigure(value, unit),
  sub,
});

function keyFigures(shown: Shown): readonly StripFigure[] {
  const { grid } = shown;
  const { sweep } = grid;
  // By latency: the first and last are the best in either figure.
  const fastest = grid.cell(sweep.throughput_front[0]);
  const most = grid.cell(sweep.throughput_front.at(-1));
  const link = (cell: SweepCell | null): Child => {
    if (cell === null) return 'no cell has both times and items';
    const text = shortCellText(grid, cell);
    const button = linkButton(text, text, () => shown.choose(cell));
    button.classList.add('cut');
    return button;
  };
  const rate = most?.items_per_s ?? null;
  const { failed_count: failed, pending_count: pending } = sweep;
  const missing = joined(
    [failed > 0 && `${integer(failed)} failed`, pending > 0 && `${integer(pending)} not run`],
    ', ',
  );
  const { run_spread_ratio: spread, lottery_cells: drawn } = sweep;
  const measured = `of ${integer(sweep.cells.length)} measured`;
  const ms = msText(fastest?.latency_ms);
  return [
    figure('Shortest latency', ms, 'ms median', link(fastest)),
    figure('Greatest throughput', rate === null ? kMissing : rateText(rate), 'items/s', link(most)),
    figure('Cells', integer(sweep.done_count), measured, missing || 'all of them'),
    isNumber(spread)
      ? figure(
          'Spread of repeats',
          percent(spread),
          '%',
          `standard deviation, ${plural(sweep.repeats, 'build')} of each cell`,
        )
      : figure('Spread of repeats', kMissing, '', 'no cell was built twice'),
    figure(
      'Cliffs',
      integer(sweep.cliffs.length),
      `of ${plural(sweep.step_count, 'step')}`,
      'cost more than their work explains',
    ),
    drawn === 0
      ? figure('Lottery', kMissing, '', 'no cell has several builds with known kernels')
      : figure(
          'Lottery',
          integer(sweep.lottery.length),
          `of ${plural(drawn, 'cell')}`,
          'whose builds chose different kernels',
        ),
  ];
}
