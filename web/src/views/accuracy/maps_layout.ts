// Places of the difference maps in their picture: a field of cells for the first sample's values,
// and one for each difference, all differences on one scale.

import { isNumber, type DifferenceMap } from '../../public/index.ts';
import type { TensorMaps } from './data.ts';

const kTitle = 17;
const kGap = 14;
const kScale = 26;
const kMaxHeight = 150;
const kLargestCell = 255;

export interface Field {
  readonly title: string;
  readonly map: DifferenceMap;
  // The value of the warmest colour.
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

// A pixel on each side belongs to the frame.
export function layOutMaps(maps: TensorMaps, all: number): MapsLayout {
  const width = all - 2;
  const { float, simulated, engine } = maps;
  const difference = Math.max(mostOf(simulated), mostOf(engine));
  const shown = [
    { title: 'float, |x|', map: float, most: mostOf(float) },
    ...(simulated === null
      ? []
      : [{ title: '|simulated − float|', map: simulated, most: difference }]),
    ...(engine === null ? [] : [{ title: '|engine − float|', map: engine, most: difference }]),
  ];
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
