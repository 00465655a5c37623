// The heat map as a picture to save: what the page draws with HTML, as drawing commands.

import { drawnSvg, type Plot } from '../../public/plot/index.ts';
import type { Side } from './grid.ts';
import type { HeatCell, HeatMap } from './heat_map.ts';
import { intervalOf, intervalText, type Measure } from './measures.ts';
import type { Shown } from './state.ts';

const kHead = 110;
const kTop = 28;
// Of a cell with its gap.
const kWidth = 120;
const kHeight = 48;
const kGap = 6;

// `legend`: the quantity of the heat.
export function heatPicture({ context, measure }: Shown, map: HeatMap, legend: string): string {
  const { columns, rows, cells, corner } = map;
  const height = kTop + rows.length * kHeight + 26;
  const width = Math.max(kHead + columns.length * kWidth, 460);
  return drawnSvg(context.palette(), { width, height }, legend, (plot) => {
    const soft = plot.palette.ui('ink3');
    const head = { fill: soft, size: 11, room: kHead - 8 };
    plot.text(corner, 4, 14, head);
    for (const [column, value] of columns.entries()) {
      plot.text(value, kHead + column * kWidth + 4, 14, { ...head, room: kWidth - kGap - 8 });
    }
    for (const [row, value] of rows.entries()) {
      const y = kTop + row * kHeight;
      plot.text(value, 4, y + (kHeight - kGap) / 2, head);
      for (const [column, cell] of (cells[row] ?? []).entries()) {
        if (cell !== null) drawCell(plot, measure, cell, kHead + column * kWidth, y);
      }
    }
    const note = `${legend}; bar between cells: cliff; dashed: failed or not run`;
    plot.text(note, 4, height - 12, { fill: soft });
  });
}

function drawCell(plot: Plot, measure: Measure, of: HeatCell, x: number, y: number): void {
  const { palette } = plot;
  const { cell, step, text, note, sides } = of;
  const [right, bottom] = [x + kWidth - kGap, y + kHeight - kGap];
  const fill = step === null ? palette.ui('s2') : palette.heat(step);
  const dashed = cell.state === 'done' ? {} : { stroke: palette.ui('ink3'), dash: [3, 2] };
  plot.rect(x, y, right, bottom, { fill, ...dashed });
  const look = { fill: palette.inkOn(fill) ?? palette.ui('ink'), size: 11, room: right - x - 12 };
  // Below the value, because a picture has no tooltip.
  const interval = intervalOf(measure, cell);
  const second = note || (interval === null ? '' : intervalText(...interval));
  plot.text(text, x + 6, y + (second === '' ? 21 : 14), look);
  if (second !== '') plot.text(second, x + 6, y + 29, look);
  // In the middle of the gap.
  const half = kGap / 2;
  const borders: Readonly<Record<Side, readonly number[]>> = {
    left: [x - half, y, x - half, bottom],
    right: [right + half, y, right + half, bottom],
    top: [x, y - half, right, y - half],
    bottom: [x, bottom + half, right, bottom + half],
  };
  for (const [side] of sides) plot.line(borders[side], palette.ui('slower'), { width: 4 });
}
