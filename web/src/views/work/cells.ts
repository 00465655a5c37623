// Where the cells of a set of scatter charts are, and where in them their points. No drawing here.

import { xInFrame, yInFrame, type LogFrame, type Rect } from '../../public/log_frame.ts';
import { logScale, type LogScale } from '../../public/log_scale.ts';
import type { Measure } from './measures.ts';

export interface CellSpec {
  readonly id: string;
  readonly x: Measure;
  readonly y: Measure;
}

export interface Point {
  readonly row: number;
  // In pixels of the body.
  readonly x: number;
  readonly y: number;
  // Its value is beyond the axes: it is drawn at the edge.
  readonly isBeyond: boolean;
}

export interface Cell extends CellSpec, LogFrame {
  // Those that have both values, the ones with the most weight last.
  readonly points: readonly Point[];
}

export interface Range {
  readonly least: number;
  readonly greatest: number;
}

export function xIn(cell: Cell, value: number): number {
  return xInFrame(cell, value * cell.x.scale);
}

export function yIn(cell: Cell, value: number): number {
  return yInFrame(cell, value * cell.y.scale);
}

// Null where no layer has both values. `include` are further values that the axes have to hold.
export function makeCell(
  spec: CellSpec,
  rows: Int32Array,
  frame: Rect,
  include: { readonly x: readonly number[]; readonly y: readonly number[] } = { x: [], y: [] },
): Cell | null {
  const known = [...rows].filter(
    (row) => (spec.x.values[row] ?? Number.NaN) > 0 && (spec.y.values[row] ?? Number.NaN) > 0,
  );
  const scaleOf = (measure: Measure, further: readonly number[]): LogScale | null =>
    logScale(
      known.map((row) => (measure.values[row] ?? 0) * measure.scale),
      further.map((value) => value * measure.scale),
    );
  const xScale = scaleOf(spec.x, include.x);
  const yScale = scaleOf(spec.y, include.y);
  if (known.length === 0 || xScale === null || yScale === null) return null;
  const empty: Cell = { ...spec, frame, xScale, yScale, points: [] };
  const points = known.map((row) => {
    const x = xIn(empty, spec.x.values[row] ?? 0);
    const y = yIn(empty, spec.y.values[row] ?? 0);
    const within = {
      x: Math.min(Math.max(x, frame.left), frame.left + frame.width),
      y: Math.min(Math.max(y, frame.top), frame.top + frame.height),
    };
    return { row, ...within, isBeyond: within.x !== x || within.y !== y };
  });
  return { ...empty, points };
}

const kMaxCellPx = 460;

// Frames in a grid: as many columns as have `least` pixels.
export function gridFrames(
  count: number,
  width: number,
  least: number,
  most: number,
  plotHeight: number,
  margin: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  },
): { readonly frames: readonly Rect[]; readonly height: number } {
  const columns = Math.max(1, Math.min(most, count, Math.floor(width / least)));
  const cellWidth = Math.min(kMaxCellPx, width / columns);
  const cellHeight = plotHeight + margin.top + margin.bottom;
  const frames = Array.from({ length: count }, (_, i) => ({
    left: (i % columns) * cellWidth + margin.left,
    top: Math.floor(i / columns) * cellHeight + margin.top,
    width: cellWidth - margin.left - margin.right,
    height: plotHeight,
  }));
  return { frames, height: Math.ceil(count / columns) * cellHeight };
}

export interface Bin {
  readonly x: number;
  readonly y: number;
  readonly rows: readonly number[];
}

export const kBinPx = 8;

// Squares of kBinPx pixels, with the layers in them.
export function binned(points: readonly Point[], frame: Rect): readonly Bin[] {
  const bins = new Map<string, { x: number; y: number; rows: number[] }>();
  for (const point of points) {
    const column = Math.floor((point.x - frame.left) / kBinPx);
    const line = Math.floor((point.y - frame.top) / kBinPx);
    const key = `${String(column)} ${String(line)}`;
    const bin = bins.get(key);
    if (bin !== undefined) bin.rows.push(point.row);
    else {
      bins.set(key, {
        x: frame.left + column * kBinPx,
        y: frame.top + line * kBinPx,
        rows: [point.row],
      });
    }
  }
  return [...bins.values()];
}

// Layers whose points lie in a rectangle that was drawn over one cell.
export function inRect(cell: Cell, rect: Rect): readonly number[] {
  return cell.points
    .filter(
      ({ x, y }) =>
        x >= rect.left &&
        x <= rect.left + rect.width &&
        y >= rect.top &&
        y <= rect.top + rect.height,
    )
    .map(({ row }) => row);
}
