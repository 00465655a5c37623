// Axes of a plot: grid lines across a frame, numbers next to it.

import { bytesPer, bytesQuantity, fixed, niceTicks, tickDecimals } from '../../base/format.ts';
import { logTicks, placeOn, tickText, type LogScale } from '../page/log_scale.ts';
import { bodyFont, textWidth } from '../page/marks.ts';
import type { Plot } from './plot.ts';

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

// From a value to its position in pixels.
export type Scale = (value: number) => number;

export function linear(from: number, to: number, start: number, end: number): Scale {
  const perUnit = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * perUnit;
}

// From the left to the right of the frame, and from its bottom to its top.
export const across = ({ left, width }: Frame, from: number, to: number): Scale =>
  linear(from, to, left, left + width);
export const upwards = ({ top, height }: Frame, from: number, to: number): Scale =>
  linear(from, to, top + height, top);
export const acrossLog =
  ({ left, width }: Frame, scale: LogScale): Scale =>
  (value) =>
    left + placeOn(scale, value) * width;
export const upwardsLog =
  ({ top, height }: Frame, scale: LogScale): Scale =>
  (value) =>
    top + (1 - placeOn(scale, value)) * height;

export interface Ticks {
  readonly values: readonly number[];
  readonly text: (tick: number) => string;
}

// Round numbers from 0 to `most`.
export function ticksTo(most: number, target: number): Ticks {
  const values = niceTicks(most, target);
  const decimals = tickDecimals(values);
  return { values, text: (tick) => fixed(tick, decimals) };
}

// In the unit of the greatest value; show its name next to the axis.
export function byteTicks(most: number, target: number): Ticks & { readonly unit: string } {
  const { unit } = bytesQuantity(most);
  const scale = bytesPer(unit);
  const { values, text } = ticksTo(most / scale, target);
  return { unit, values: values.map((tick) => tick * scale), text: (tick) => text(tick / scale) };
}

// For a range with round ends (niceRange).
export function rangeTicks(range: {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly decimals: number;
}): Ticks {
  const count = Math.round((range.max - range.min) / range.step);
  return {
    values: Array.from({ length: count + 1 }, (_, i) => range.min + i * range.step),
    text: (tick) => fixed(tick, range.decimals),
  };
}

export const ticksOfLog = (scale: LogScale, most: number): Ticks => ({
  values: logTicks(scale, most),
  text: tickText,
});

export interface AxisLook {
  // Lines through the frame; true if left out.
  readonly lines?: boolean;
  // Along the side of the frame.
  readonly isStrong?: boolean;
  // At the right end, below the numbers; on an upright axis, above the numbers.
  readonly title?: string;
}

const kLabelGap = 8;

export function xAxis(
  plot: Plot,
  frame: Frame,
  scale: Scale,
  ticks: Ticks,
  look: AxisLook = {},
): void {
  const { palette } = plot;
  const bottom = frame.top + frame.height;
  const right = frame.left + frame.width;
  const font = bodyFont(10);
  let free = Number.NEGATIVE_INFINITY;
  for (const tick of ticks.values) {
    const x = Math.round(scale(tick)) + 0.5;
    if (look.lines !== false) plot.line([x, frame.top, x, bottom], palette.ui('line'));
    const words = ticks.text(tick);
    const half = textWidth(words, font) / 2;
    // Numbers that would touch the previous one are left out.
    if (x - half < free) continue;
    free = x + half + kLabelGap;
    plot.text(words, x, bottom + 11, { fill: palette.ui('ink3'), align: 'middle' });
  }
  if (look.isStrong === true) {
    plot.line([frame.left, bottom + 0.5, right, bottom + 0.5], palette.ui('line2'));
  }
  if (look.title !== undefined) {
    plot.text(look.title, right, bottom + 26, { fill: palette.ui('ink3'), align: 'right' });
  }
}

export function yAxis(
  plot: Plot,
  frame: Frame,
  scale: Scale,
  ticks: Ticks,
  look: AxisLook = {},
): void {
  const { palette } = plot;
  const right = frame.left + frame.width;
  for (const tick of ticks.values) {
    const y = Math.round(scale(tick)) + 0.5;
    // The line of zero is the base line.
    const colour = palette.ui(tick === 0 ? 'line2' : 'line');
    if (look.lines !== false) plot.line([frame.left, y, right, y], colour);
    plot.text(ticks.text(tick), frame.left - 6, y, { fill: palette.ui('ink3'), align: 'right' });
  }
  if (look.isStrong === true) {
    const x = frame.left - 0.5;
    plot.line([x, frame.top, x, frame.top + frame.height], palette.ui('line2'));
  }
  if (look.title !== undefined) {
    const y = frame.top - 12;
    plot.text(look.title, frame.left - 6, y, { fill: palette.ui('ink3'), align: 'right' });
  }
}

const kXEvery = 56;
const kYEvery = 34;

// Both axes logarithmic, with as many numbers as fit. Titles include units.
export function logAxes(
  plot: Plot,
  frame: Frame,
  x: LogScale,
  y: LogScale,
  xTitle: string,
  yTitle: string,
): void {
  const ticks = (scale: LogScale, room: number, every: number): Ticks =>
    ticksOfLog(scale, Math.max(2, Math.floor(room / every)));
  yAxis(plot, frame, upwardsLog(frame, y), ticks(y, frame.height, kYEvery));
  xAxis(plot, frame, acrossLog(frame, x), ticks(x, frame.width, kXEvery), {
    isStrong: true,
    title: xTitle,
  });
  plot.text(yTitle, frame.left, frame.top - 10, { fill: plot.palette.ui('ink3') });
}
