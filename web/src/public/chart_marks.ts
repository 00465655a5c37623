// Marks of our own in a chart of the library: rectangles, lines and words that are placed by the
// chart's axes, hovered and saved as its other marks are.

import type { CustomSeriesOption, PatternFill } from './chart.ts';
import { bodyFont } from './marks.ts';

type RenderItem = Extract<
  NonNullable<CustomSeriesOption['renderItem']>,
  (...args: never[]) => unknown
>;
type Root = NonNullable<ReturnType<RenderItem>>;
type Group = Extract<Root, { type: 'group' }>;
export type Shape = NonNullable<Group['children']>[number];

// From values on the axes to pixels.
export type Place = (x: number, y: number) => readonly [number, number];

export interface Mark {
  // What hovering and clicking see (ChartBody); null: the mark is only looked at.
  readonly data: object | null;
  draw(place: Place): readonly Shape[];
}

export interface MarkOptions {
  readonly xAxisIndex?: number;
  readonly yAxisIndex?: number;
  // Above marks of less.
  readonly z?: number;
}

export function markSeries(marks: readonly Mark[], options: MarkOptions = {}): CustomSeriesOption {
  return {
    type: 'custom',
    clip: false,
    // The axes have fixed ends: the values are only there to have one item a mark.
    data: marks.map((mark) => ({ ...mark.data, value: [0, 0] })),
    renderItem: (params, api) => {
      const mark = marks[params.dataIndex];
      const place: Place = (x, y) => {
        const at = api.coord([x, y]);
        return [at[0] ?? 0, at[1] ?? 0];
      };
      return {
        type: 'group',
        silent: mark?.data === null,
        children: [...(mark?.draw(place) ?? [])],
      };
    },
    ...options,
  };
}

export interface RectLook {
  readonly fill?: string | PatternFill;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
  // The outline while its layer is hovered, here or elsewhere.
  readonly lit?: string;
}

// Corners in any order.
export function rectShape(x0: number, y0: number, x1: number, y1: number, look: RectLook): Shape {
  return {
    type: 'rect',
    shape: {
      x: Math.min(x0, x1),
      y: Math.min(y0, y1),
      width: Math.abs(x1 - x0),
      height: Math.abs(y1 - y0),
    },
    style: {
      fill: look.fill ?? 'none',
      ...(look.stroke === undefined ? {} : { stroke: look.stroke, lineWidth: look.width ?? 1 }),
      ...(look.dash === undefined ? {} : { lineDash: [...look.dash] }),
      ...(look.opacity === undefined ? {} : { opacity: look.opacity }),
    },
    ...(look.lit === undefined ? {} : { emphasis: { style: { stroke: look.lit, lineWidth: 1 } } }),
  };
}

// Takes the pointer and is not seen.
export function hitShape(x0: number, y0: number, x1: number, y1: number): Shape {
  return rectShape(x0, y0, x1, y1, { fill: 'transparent' });
}

export function lineShape(
  points: readonly (readonly [number, number])[],
  stroke: string,
  width = 1,
  dash?: readonly number[],
): Shape {
  return {
    type: 'polyline',
    silent: true,
    shape: { points: points.map(([x, y]) => [x, y]) },
    style: {
      fill: 'none',
      stroke,
      lineWidth: width,
      ...(dash === undefined ? {} : { lineDash: [...dash] }),
    },
  };
}

export function ringShape(x: number, y: number, radius: number, stroke: string): Shape {
  return {
    type: 'circle',
    silent: true,
    shape: { cx: x, cy: y, r: radius },
    style: { fill: 'none', stroke, lineWidth: 1.5 },
  };
}

export interface TextLook {
  readonly fill: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly weight?: 400 | 500 | 600;
  readonly size?: number;
  // A rim in this colour, for words that cross marks.
  readonly rim?: string;
}

// The middle of the line is at y.
export function textShape(text: string, x: number, y: number, look: TextLook): Shape {
  return {
    type: 'text',
    silent: true,
    style: {
      text,
      x,
      y,
      fill: look.fill,
      font: bodyFont(look.size ?? 11, look.weight ?? 400),
      align: look.align ?? 'left',
      verticalAlign: 'middle',
      ...(look.rim === undefined ? {} : { stroke: look.rim, lineWidth: 3 }),
    },
  };
}
