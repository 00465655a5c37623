// The first lines: the shortest latency, the greatest throughput, how many cells there are, and what
// runs of one cell differ by.

import {
  conclusionLine,
  div,
  el,
  integer,
  isNumber,
  kMissing,
  linkButton,
  msText,
  percent,
  plural,
  span,
  visible,
  type Child,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { rateText } from './measures.ts';
import { chooseCell } from './state.ts';
import { shortCellText } from './texts.ts';

interface KeyFigure {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
  readonly sub: Child;
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function sweepHead(context: ViewContext, grid: SweepGrid): readonly (HTMLElement | null)[] {
  const { sweep } = grid;
  const [headline = `${visible(fileName(sweep.model))}: no cell is measured.`, ...others] =
    sweep.sentences;
  return [
    el('dl', { class: 'strip sweep-strip' }, ...keyFigures(context, grid).map(figure)),
    conclusionLine({ headline, text: others.join(' ') }),
  ];
}

function figure({ label, value, unit, sub }: KeyFigure): HTMLElement {
  return div(
    'figure',
    el('dt', {}, label),
    el(
      'dd',
      { class: 'figure-value' },
      span(`key-figure${value === kMissing ? ' dim' : ''}`, value, el('small', {}, unit)),
    ),
    el('dd', { class: 'figure-sub' }, sub),
  );
}

function keyFigures(context: ViewContext, grid: SweepGrid): readonly KeyFigure[] {
  const { sweep } = grid;
  // By latency: its ends are the best in either.
  const [fastest] = sweep.throughput_front;
  const most = sweep.throughput_front.at(-1);
  const link = (index: number | undefined): Child => {
    if (index === undefined) return 'no cell has both times and items';
    const text = shortCellText(grid, index);
    return linkButton(text, text, () => chooseCell(context.store, grid, index));
  };
  const latency = grid.cell(fastest)?.latency_ms ?? null;
  const rate = grid.cell(most)?.items_per_s ?? null;
  const spread = sweep.run_spread_ratio;
  const missing = [
    sweep.failed_count > 0 ? `${integer(sweep.failed_count)} failed` : null,
    sweep.pending_count > 0 ? `${integer(sweep.pending_count)} not run` : null,
  ].filter((part) => part !== null);
  return [
    { label: 'Shortest latency', value: msText(latency), unit: 'ms median', sub: link(fastest) },
    {
      label: 'Greatest throughput',
      value: isNumber(rate) ? rateText(rate) : kMissing,
      unit: 'items/s',
      sub: link(most),
    },
    {
      label: 'Cells',
      value: integer(sweep.done_count),
      unit: `of ${integer(sweep.cells.length)} measured`,
      sub: missing.length === 0 ? 'all of them' : missing.join(', '),
    },
    {
      label: 'Spread of repeats',
      value: isNumber(spread) ? percent(spread) : kMissing,
      unit: isNumber(spread) ? '%' : '',
      sub: isNumber(spread)
        ? `standard deviation, ${plural(sweep.repeats, 'build')} of each cell`
        : 'no cell was built twice',
    },
    {
      label: 'Cliffs',
      value: integer(sweep.cliffs.length),
      unit: `of ${plural(sweep.step_count, 'step')}`,
      sub: 'cost more than their work explains',
    },
    {
      label: 'Lottery',
      value: sweep.lottery_cells === 0 ? kMissing : integer(sweep.lottery.length),
      unit: sweep.lottery_cells === 0 ? '' : `of ${plural(sweep.lottery_cells, 'cell')}`,
      sub:
        sweep.lottery_cells === 0
          ? 'no cell has several builds with known kernels'
          : 'whose builds chose different kernels',
    },
  ];
}
