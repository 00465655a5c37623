// Positions of the cells of a set of scatter charts, and of the points in them. Nothing is drawn
// here.

import { grouped } from '../../public/index.ts';
import { logScale, type LogScale } from '../../public/page/log_scale.ts';
import { acrossLog, upwardsLog, type Frame, type Scale } from '../../public/plot/index.ts';
import { isPositive, type Measure } from './measures.ts';

export interface CellSpec {
  readonly x: Measure;
  readonly y: Measure;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

// In pixels of the body.
export interface Point extends Place {
  readonly row: number;
  // Its value is outside the axes: it is drawn at the edge.
  readonly isBeyond: boolean;
}

export interface Cell extends CellSpec {
  readonly frame: Frame;
  readonly xScale: LogScale;
  readonly yScale: LogScale;
  // From a measure's value to its position.
  readonly xOf: Scale;
  readonly yOf: Scale;
  // Layers that have both values.
  readonly points: readonly Point[];
}

export function contains({ left, top, width, height }: Frame, { x, y }: Place): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

// The nearest position in the frame.
export function within({ left, top, width, height }: Frame, { x, y }: Place): Place {
  return {
    x: Math.min(Math.max(x, left), left + width),
    y: Math.min(Math.max(y, top), top + height),
  };
}

// Layers that have both.
export function rowsOf({ x, y }: CellSpec, rows: Int32Array): readonly number[] {
  return [...rows].filter((row) => isPositive(x, row) && isPositive(y, row));
}

// Null if no layer has both values. `include` are further values that the axes must cover.
export function makeCell(
  { x, y }: CellSpec,
  rows: Int32Array,
  frame: Frame,
  include: { readonly x: readonly number[]; readonly y: readonly number[] } = { x: [], y: [] },
): Cell | null {
  const known = rowsOf({ x, y }, rows);
  const scaleOf = ({ values, scale }: Measure, further: readonly number[]): LogScale | null =>
    logScale(
      known.map((row) => (values[row] ?? 0) * scale),
      further.map((value) => value * scale),
    );
  const xScale = scaleOf(x, include.x);
  const yScale = scaleOf(y, include.y);
  if (known.length === 0 || xScale === null || yScale === null) return null;
  const across = acrossLog(frame, xScale);
  const upwards = upwardsLog(frame, yScale);
  const xOf: Scale = (value) => across(value * x.scale);
  const yOf: Scale = (value) => upwards(value * y.scale);
  const points = known.map((row) => {
    const place = { x: xOf(x.values[row] ?? 0), y: yOf(y.values[row] ?? 0) };
    const shown = within(frame, place);
    return { row, ...shown, isBeyond: shown.x !== place.x || shown.y !== place.y };
  });
  return { x, y, frame, xScale, yScale, xOf, yOf, points };
}

export interface Margin {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function inside({ left, top, width, height }: Frame, margin: Margin): Frame {
  return {
    left: left + margin.left,
    top: top + margin.top,
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
  };
}

const kMaxCellPx = 460;

// Frames in a grid: as many columns as can be `least` pixels wide.
export function gridFrames(
  count: number,
  room: number,
  least: number,
  most: number,
  plotHeight: number,
  margin: Margin,
): { readonly frames: readonly Frame[]; readonly height: number } {
  const columns = Math.max(1, Math.min(most, count, Math.floor(room / least)));
  const width = Math.min(kMaxCellPx, room / columns);
  const height = plotHeight + margin.top + margin.bottom;
  const frames = Array.from({ length: count }, (_, i) => {
    const [left, top] = [(i % columns) * width, Math.floor(i / columns) * height];
    return inside({ left, top, width, height }, margin);
  });
  return { frames, height: Math.ceil(count / columns) * height };
}

export interface Bin extends Place {
  readonly rows: readonly number[];
}

export const kBinPx = 8;

// Squares of kBinPx pixels, with the layers in them.
export function binned(points: readonly Point[], { left, top }: Frame): readonly Bin[] {
  const binOf = (at: number, from: number): number =>
    from + Math.floor((at - from) / kBinPx) * kBinPx;
  const bins = grouped(points, ({ x, y }) => `${String(binOf(x, left))} ${String(binOf(y, top))}`);
  return [...bins].map(([key, own]) => {
    const [x = 0, y = 0] = key.split(' ').map(Number);
    return { x, y, rows: own.map(({ row }) => row) };
  });
}

// Layers whose points are in a rectangle that was drawn over one cell.
export function inRect({ points }: Cell, rect: Frame): readonly number[] {
  return points.filter((point) => contains(rect, point)).map(({ row }) => row);
}
