// Difference maps as a picture: a field of cells for what the first sample looks like, and one for
// each difference, all differences on one scale.

import { isNumber, significant, type DifferenceMap, type Palette } from '../../public/index.ts';
import type { Pen } from '../../public/drawing.ts';
import type { TensorMaps } from './data.ts';

const kTitle = 17;
const kGap = 14;
const kScale = 26;
const kMaxHeight = 150;
const kScaleSteps = 24;
const kFont = { size: 11, weight: 400 } as const;
const kSmall = { size: 10, weight: 400 } as const;
const kLargestCell = 255;

export interface Field {
  readonly title: string;
  readonly map: DifferenceMap;
  // What the warmest colour stands for.
  readonly most: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MapsLayout {
  readonly fields: readonly Field[];
  readonly rows: number;
  readonly columns: number;
  readonly height: number;
}

const mostOf = (map: DifferenceMap | null): number => (map?.step ?? 0) * kLargestCell;

// A pixel on either side is the frame's.
export function layOutMaps(maps: TensorMaps, all: number): MapsLayout {
  const width = all - 2;
  const { float, simulated, engine } = maps;
  const difference = Math.max(mostOf(simulated), mostOf(engine));
  const shown = [
    { title: 'float, |x|', map: float, most: mostOf(float) },
    { title: '|simulated − float|', map: simulated, most: difference },
    { title: '|engine − float|', map: engine, most: difference },
  ].filter((one): one is { title: string; map: DifferenceMap; most: number } => one.map !== null);
  const sides = [float.tensor_width ?? float.width, float.tensor_height ?? float.height];
  const aspect = Math.min(8, Math.max(0.5, (sides[0] ?? 1) / Math.max(1, sides[1] ?? 1)));
  const wide = Math.max(40, Math.min(width, kMaxHeight * aspect));
  const high = Math.max(24, Math.min(kMaxHeight, wide / aspect));
  const aRow = Math.max(1, Math.floor((width + kGap) / (wide + kGap)));
  const line = kTitle + high + kScale + kGap;
  return {
    fields: shown.map((one, at) => ({
      ...one,
      x: 1 + (at % aRow) * (wide + kGap),
      y: Math.floor(at / aRow) * line + kTitle,
      width: wide,
      height: high,
    })),
    rows: float.height ?? 1,
    columns: float.width ?? 1,
    height: Math.ceil(shown.length / aRow) * line,
  };
}

// The value of a cell; NaN where there is none.
export function cellValue(map: DifferenceMap, cell: number): number {
  const value = map.cells?.[cell];
  return isNumber(value) ? value * (map.step ?? 0) : Number.NaN;
}

export function cellAt(layout: MapsLayout, x: number, y: number): number | null {
  for (const field of layout.fields) {
    const column = Math.floor(((x - field.x) / field.width) * layout.columns);
    const row = Math.floor(((y - field.y) / field.height) * layout.rows);
    if (column < 0 || column >= layout.columns || row < 0 || row >= layout.rows) continue;
    return row * layout.columns + column;
  }
  return null;
}

export function paintMaps(
  pen: Pen,
  layout: MapsLayout,
  palette: Palette,
  lit: number | null = null,
): void {
  const soft = palette.ui('ink3');
  for (const field of layout.fields) {
    pen.text(field.title, field.x, field.y - 5, { font: kFont, colour: palette.ui('ink2') });
    const [wide, high] = [field.width / layout.columns, field.height / layout.rows];
    field.map.cells?.forEach((_, cell) => {
      const value = cellValue(field.map, cell);
      // A hair over its neighbours: no seams between cells.
      pen.rect(
        field.x + (cell % layout.columns) * wide,
        field.y + Math.floor(cell / layout.columns) * high,
        wide + 0.4,
        high + 0.4,
        { fill: palette.heatAt(field.most > 0 ? value / field.most : 0) },
      );
    });
    pen.rect(field.x - 0.5, field.y - 0.5, field.width + 1, field.height + 1, {
      stroke: palette.ui('line2'),
      width: 1,
    });
    if (lit !== null) {
      pen.rect(
        field.x + (lit % layout.columns) * wide - 1,
        field.y + Math.floor(lit / layout.columns) * high - 1,
        Math.max(4, wide + 2),
        Math.max(4, high + 2),
        { stroke: palette.ui('selb'), width: 1.5 },
      );
    }
    paintScale(pen, field, palette, soft);
  }
}

function paintScale(pen: Pen, field: Field, palette: Palette, soft: string): void {
  const y = field.y + field.height + 6;
  const zero = '0';
  const most = significant(field.most);
  const left = field.x + 12;
  const right = field.x + field.width - 8 - most.length * 6;
  const wide = (right - left) / kScaleSteps;
  pen.text(zero, field.x, y + 8, { font: kSmall, colour: soft });
  if (field.most > 0 && wide > 0) {
    for (let step = 0; step < kScaleSteps; step += 1) {
      pen.rect(left + step * wide, y, wide + 0.4, 9, {
        fill: palette.heatAt((step + 0.5) / kScaleSteps),
      });
    }
    pen.text(most, field.x + field.width, y + 8, { font: kSmall, colour: soft, align: 'right' });
  }
}
