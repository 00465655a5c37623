// The frame of a chart over two logarithmic axes: grid lines, ticks, and what is measured along both.

import { lineShape, textShape, type Shape } from './chart_marks.ts';
import { logTicks, placeOn, tickText, type LogScale } from './log_scale.ts';
import type { Palette } from './palette.ts';

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface LogFrame {
  readonly frame: Rect;
  readonly xScale: LogScale;
  readonly yScale: LogScale;
}

const kTickEvery = 56;
const kLineEvery = 34;

// A value's place in pixels.
export const xInFrame = ({ frame, xScale }: LogFrame, value: number): number =>
  frame.left + placeOn(xScale, value) * frame.width;
export const yInFrame = ({ frame, yScale }: LogFrame, value: number): number =>
  frame.top + (1 - placeOn(yScale, value)) * frame.height;

// `xTitle`, `yTitle`: with their units.
export function frameShapes(
  of: LogFrame,
  xTitle: string,
  yTitle: string,
  palette: Palette,
): readonly Shape[] {
  const { frame, xScale, yScale } = of;
  const bottom = frame.top + frame.height;
  const right = frame.left + frame.width;
  const ink = palette.ui('ink3');
  const label = (x: number, y: number, words: string, align: 'left' | 'center' | 'right'): Shape =>
    textShape(words, x, y, { fill: ink, align, size: 10 });
  const shapes: Shape[] = [];
  for (const tick of logTicks(xScale, Math.max(2, Math.floor(frame.width / kTickEvery)))) {
    const x = Math.round(xInFrame(of, tick)) + 0.5;
    shapes.push(
      lineShape(
        [
          [x, frame.top],
          [x, bottom],
        ],
        palette.ui('line'),
      ),
    );
    shapes.push(label(x, bottom + 11, tickText(tick), 'center'));
  }
  for (const tick of logTicks(yScale, Math.max(2, Math.floor(frame.height / kLineEvery)))) {
    const y = Math.round(yInFrame(of, tick)) + 0.5;
    shapes.push(
      lineShape(
        [
          [frame.left, y],
          [right, y],
        ],
        palette.ui('line'),
      ),
    );
    shapes.push(label(frame.left - 6, y, tickText(tick), 'right'));
  }
  shapes.push(
    lineShape(
      [
        [frame.left, bottom + 0.5],
        [right, bottom + 0.5],
      ],
      palette.ui('line2'),
    ),
  );
  shapes.push(label(frame.left, frame.top - 10, yTitle, 'left'));
  shapes.push(label(right, bottom + 26, xTitle, 'right'));
  return shapes;
}
