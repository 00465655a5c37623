// The heat map as a picture to save: what the page draws with HTML, as lines.

import { bodyFont, fitName, type Palette, type SweepCell } from '../../public/index.ts';
import { lineShape, rectShape, textShape, type Shape } from '../../public/chart_marks.ts';
import { placedSvg } from '../../public/placed.ts';
import type { Side } from './grid.ts';
import type { HeatCell } from './heat_map.ts';

export interface HeatPicture {
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly string[];
  readonly cells: readonly (readonly (HeatCell | null)[])[];
  interval(cell: SweepCell): string;
  readonly legend: string;
}

const kHead = 110;
const kTop = 28;
const kWidth = 120;
const kHeight = 48;
const kGap = 6;

// From the top left corner of a cell: the border's ends, in the middle of the gap.
function border(side: Side, x: number, y: number): readonly (readonly [number, number])[] {
  const right = x + kWidth - kGap;
  const bottom = y + kHeight - kGap;
  const half = kGap / 2;
  switch (side) {
    case 'left':
      return [
        [x - half, y],
        [x - half, bottom],
      ];
    case 'right':
      return [
        [right + half, y],
        [right + half, bottom],
      ];
    case 'top':
      return [
        [x, y - half],
        [right, y - half],
      ];
    case 'bottom':
      return [
        [x, bottom + half],
        [right, bottom + half],
      ];
  }
}

export function heatPicture(picture: HeatPicture, palette: Palette): string {
  const soft = palette.ui('ink3');
  const shapes: Shape[] = [];
  const words = (text: string, x: number, y: number, fill: string, room: number): void => {
    const size = 11;
    shapes.push(textShape(fitName(text, room, bodyFont(size)), x, y, { fill, size }));
  };
  words(picture.corner, 4, 14, soft, kHead - 8);
  for (const [column, value] of picture.columns.entries()) {
    words(value, kHead + column * kWidth + 4, 14, soft, kWidth - kGap - 8);
  }
  for (const [row, value] of picture.rows.entries()) {
    words(value, 4, kTop + row * kHeight + (kHeight - kGap) / 2, soft, kHead - 8);
    for (const [column, cell] of (picture.cells[row] ?? []).entries()) {
      if (cell === null) continue;
      const x = kHead + column * kWidth;
      const y = kTop + row * kHeight;
      const fill = cell.step === null ? palette.ui('s2') : palette.heat(cell.step);
      shapes.push(
        rectShape(x, y, x + kWidth - kGap, y + kHeight - kGap, {
          fill,
          ...(cell.cell.state === 'done' ? {} : { stroke: soft, dash: [3, 2] }),
        }),
      );
      const ink = palette.inkOn(fill) ?? palette.ui('ink');
      const room = kWidth - kGap - 12;
      const second = cell.note === '' ? picture.interval(cell.cell) : cell.note;
      words(cell.text, x + 6, y + (second === '' ? 21 : 14), ink, room);
      if (second !== '') words(second, x + 6, y + 29, ink, room);
      for (const [side] of cell.sides) {
        shapes.push(lineShape(border(side, x, y), palette.ui('slower'), 4));
      }
    }
  }
  const height = kTop + picture.rows.length * kHeight + 26;
  const width = kHead + picture.columns.length * kWidth;
  const legend = `${picture.legend}; bar between cells: cliff; dashed: failed or not run`;
  shapes.push(textShape(legend, 4, height - 12, { fill: soft, size: 10 }));
  return placedSvg(shapes, Math.max(width, 460), height, palette);
}
