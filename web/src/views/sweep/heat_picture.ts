// The heat map as a picture to save: what the page draws with HTML, as lines.

import { bodyFont, fitName } from '../../public/index.ts';
import { lineShape, rectShape, textShape, type Shape } from '../../public/chart_marks.ts';
import { placedSvg } from '../../public/placed.ts';
import type { Side } from './grid.ts';
import type { HeatMap } from './heat_map.ts';
import { intervalOf, intervalText } from './measures.ts';
import type { Shown } from './state.ts';

const kHead = 110;
const kTop = 28;
const kWidth = 120;
const kHeight = 48;
const kGap = 6;
const kSize = 11;

// From the top left corner of a cell: the border's ends, in the middle of the gap.
function border(side: Side, x: number, y: number): readonly (readonly [number, number])[] {
  const [left, top] = [x - kGap / 2, y - kGap / 2];
  const [right, bottom] = [x + kWidth - kGap, y + kHeight - kGap];
  const isUpright = side === 'left' || side === 'right';
  if (isUpright) {
    const at = side === 'left' ? left : left + kWidth;
    return [
      [at, y],
      [at, bottom],
    ];
  }
  const at = side === 'top' ? top : top + kHeight;
  return [
    [x, at],
    [right, at],
  ];
}

// `legend`: what the heat is of.
export function heatPicture({ context, measure }: Shown, map: HeatMap, legend: string): string {
  const palette = context.palette();
  const soft = palette.ui('ink3');
  const shapes: Shape[] = [];
  const words = (text: string, x: number, y: number, fill: string, room: number): void => {
    const fitted = fitName(text, room, bodyFont(kSize));
    shapes.push(textShape(fitted, x, y, { fill, size: kSize }));
  };
  words(map.corner, 4, 14, soft, kHead - 8);
  for (const [column, value] of map.columns.entries()) {
    words(value, kHead + column * kWidth + 4, 14, soft, kWidth - kGap - 8);
  }
  for (const [row, value] of map.rows.entries()) {
    words(value, 4, kTop + row * kHeight + (kHeight - kGap) / 2, soft, kHead - 8);
    for (const [column, of] of (map.cells[row] ?? []).entries()) {
      if (of === null) continue;
      const x = kHead + column * kWidth;
      const y = kTop + row * kHeight;
      const fill = of.step === null ? palette.ui('s2') : palette.heat(of.step);
      const dashed = of.cell.state === 'done' ? {} : { stroke: soft, dash: [3, 2] };
      shapes.push(rectShape(x, y, x + kWidth - kGap, y + kHeight - kGap, { fill, ...dashed }));
      const ink = palette.inkOn(fill) ?? palette.ui('ink');
      const room = kWidth - kGap - 12;
      // Under the value, as a picture has no tooltip.
      const interval = intervalOf(measure, of.cell);
      const second = of.note || (interval === null ? '' : intervalText(...interval));
      words(of.text, x + 6, y + (second === '' ? 21 : 14), ink, room);
      if (second !== '') words(second, x + 6, y + 29, ink, room);
      for (const [side] of of.sides) {
        shapes.push(lineShape(border(side, x, y), palette.ui('slower'), 4));
      }
    }
  }
  const height = kTop + map.rows.length * kHeight + 26;
  const width = kHead + map.columns.length * kWidth;
  const note = `${legend}; bar between cells: cliff; dashed: failed or not run`;
  shapes.push(textShape(note, 4, height - 12, { fill: soft, size: 10 }));
  return placedSvg(shapes, Math.max(width, 460), height, palette);
}
