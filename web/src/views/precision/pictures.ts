// The matrix and the strips as pictures to save: what the page draws with HTML, as lines.

import { bodyFont, fitName, type Palette } from '../../public/index.ts';
import { familyPaint } from '../../public/chart.ts';
import { rectShape, textShape, type Shape } from '../../public/chart_marks.ts';
import { placedSvg } from '../../public/placed.ts';

export interface MatrixCellPicture {
  readonly step: number;
  readonly lines: readonly string[];
  // Of the cell, from 0 to 1.
  readonly converted: number;
  readonly isSame: boolean;
  readonly isOut: boolean;
}

export interface MatrixPicture {
  readonly reads: readonly (string | null)[];
  readonly writes: readonly (string | null)[];
  // Two lines each: of a row, of a column, of all.
  readonly ofRow: readonly (readonly string[])[];
  readonly ofColumn: readonly (readonly string[])[];
  readonly ofAll: readonly string[];
  // Null: no layer.
  cell(from: string | null, to: string | null): MatrixCellPicture | null;
  readonly legend: string;
}

const kHeadPx = 92;
const kTopPx = 28;
const kCellPx = 168;
const kRowPx = 56;
const kGapPx = 2;
const kMarginPx = 104;
const kLinePx = 15;

export function matrixSvg(matrix: MatrixPicture, palette: Palette): string {
  const { reads, writes } = matrix;
  const ink = palette.ui('ink');
  const soft = palette.ui('ink3');
  const shapes: Shape[] = [];
  const words = (
    text: string,
    x: number,
    y: number,
    fill: string,
    weight: 400 | 600 = 400,
  ): void => {
    shapes.push(textShape(text, x, y, { fill, weight, size: 11 }));
  };
  const typed = (type: string | null, x: number, y: number): void => {
    const fill = palette.precision(type);
    const look = fill === null ? { stroke: soft, dash: [2, 2] } : { fill };
    shapes.push(rectShape(x, y - 5, x + 10, y + 5, look));
    words(type ?? 'unknown', x + 15, y, ink);
  };
  const xOf = (column: number): number => kHeadPx + column * kCellPx;
  const yOf = (row: number): number => kTopPx + row * kRowPx;
  words('reads ↓ writes →', 4, 14, soft);
  for (const [i, type] of writes.entries()) typed(type, xOf(i) + 4, 14);
  words('Σ read', xOf(writes.length) + 8, 14, soft);
  for (const [r, from] of reads.entries()) {
    typed(from, 4, yOf(r) + kRowPx / 2);
    for (const [c, to] of writes.entries()) {
      const cell = matrix.cell(from, to);
      const x = xOf(c);
      const y = yOf(r);
      const right = x + kCellPx - kGapPx;
      const bottom = y + kRowPx - kGapPx;
      const opacity = cell?.isOut === true ? 0.25 : 1;
      const fill = cell === null ? palette.ui('s1') : palette.heat(cell.step);
      const frame = cell?.isSame === true ? { stroke: soft } : {};
      shapes.push(rectShape(x, y, right, bottom, { fill, opacity, ...frame }));
      if (cell === null) {
        words('none', x + 8, y + kRowPx / 2, soft);
        continue;
      }
      const text = palette.inkOn(fill) ?? ink;
      for (const [i, line] of cell.lines.entries()) {
        words(line, x + 8, y + 13 + i * kLinePx, text, i === 0 ? 600 : 400);
      }
      if (cell.converted > 0) {
        const end = x + 8 + (kCellPx - kGapPx - 16) * cell.converted;
        const hatch = familyPaint(palette, 'reformat');
        shapes.push(rectShape(x + 8, bottom - 12, end, bottom - 6, { fill: hatch, opacity }));
      }
    }
    for (const [i, line] of (matrix.ofRow[r] ?? []).entries()) {
      words(line, xOf(writes.length) + 8, yOf(r) + 20 + i * kLinePx, i === 0 ? ink : soft);
    }
  }
  const below = yOf(reads.length) + 12;
  words('Σ written', 4, below, soft);
  const sums = [...matrix.ofColumn, matrix.ofAll];
  for (const [c, lines] of sums.entries()) {
    for (const [i, line] of lines.entries()) {
      words(line, xOf(c) + 8, below + i * kLinePx, i === 0 ? ink : soft);
    }
  }
  words(matrix.legend, 4, below + 2 * kLinePx + 12, soft);
  return placedSvg(shapes, xOf(writes.length) + kMarginPx, below + 2 * kLinePx + 26, palette);
}

export interface StripPart {
  readonly type: string | null;
  readonly name: string;
  // Of the strip, from 0 to 1.
  readonly part: number;
  readonly text: string;
}

export interface Strip {
  readonly side: string;
  readonly what: string;
  readonly parts: readonly StripPart[];
}

const kStripLeft = 118;
const kStripPx = 420;
const kStripRow = 19;

export function stripsSvg(strips: readonly Strip[], palette: Palette): string {
  const shapes: Shape[] = [];
  const soft = palette.ui('ink3');
  for (const [i, strip] of strips.entries()) {
    const y = 6 + i * kStripRow;
    const middle = y + 8;
    shapes.push(textShape(strip.side, 4, middle, { fill: palette.ui('ink'), size: 11 }));
    shapes.push(textShape(strip.what, 80, middle, { fill: soft, size: 11 }));
    let x = kStripLeft;
    for (const { type, name, part, text } of strip.parts) {
      const right = x + part * kStripPx;
      const fill = palette.precision(type);
      const look = fill === null ? { stroke: soft, dash: [3, 2] } : { fill };
      shapes.push(rectShape(x, y, Math.max(x + 0.5, right - 1), y + 16, look));
      const room = right - x - 8;
      const font = bodyFont(10);
      const words = [text, name].find((w) => fitName(w, room, font) === w) ?? '';
      const ink = fill === null ? palette.ui('ink') : (palette.inkOn(fill) ?? palette.ui('ink'));
      shapes.push(textShape(words, x + 4, middle, { fill: ink, size: 10 }));
      x = right;
    }
  }
  return placedSvg(shapes, kStripLeft + kStripPx + 8, 12 + strips.length * kStripRow, palette);
}
