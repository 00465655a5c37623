// Charts whose marks are at places of their own, in pixels: what the library has no axes for. It still
// draws, finds what is under the pointer, and writes the picture as lines.

import { chartSvg, type ChartOption, type CustomSeriesOption } from './chart.ts';
import type { Shape } from './chart_marks.ts';
import type { Palette } from './palette.ts';

export interface PlacedMark {
  readonly shape: Shape;
  // The layer that it stands for.
  readonly row?: number;
  // Of a mark that is no layer: its tooltip, and what a click on it is told.
  readonly lines?: readonly string[];
  readonly id?: string;
}

function childrenOf(shape: Shape | undefined): Shape[] {
  return shape === undefined ? [] : [shape];
}

// `below` and `above` the marks, without events.
export function placedOption(
  below: readonly Shape[],
  marks: readonly PlacedMark[],
  above: readonly Shape[],
): ChartOption {
  const still = (shapes: readonly Shape[], z: number): CustomSeriesOption => ({
    type: 'custom',
    coordinateSystem: 'none',
    silent: true,
    z,
    data: shapes.map((_, i) => [i]),
    renderItem: (params) => ({ type: 'group', children: childrenOf(shapes[params.dataIndex]) }),
    progressive: 0,
  });
  const live: CustomSeriesOption = {
    type: 'custom',
    coordinateSystem: 'none',
    z: 2,
    data: marks.map(({ row, lines, id }, i) => ({
      value: [i],
      ...(row === undefined ? {} : { row }),
      ...(lines === undefined ? {} : { lines }),
      ...(id === undefined ? {} : { id }),
    })),
    renderItem: (params) => ({
      type: 'group',
      children: childrenOf(marks[params.dataIndex]?.shape),
    }),
    progressive: 0,
  };
  return { series: [still(below, 1), live, still(above, 3)] };
}

// A picture to save of what the page draws with HTML.
export function placedSvg(
  shapes: readonly Shape[],
  width: number,
  height: number,
  palette: Palette,
): string {
  return chartSvg(
    { animation: false, ...placedOption(shapes, [], []) },
    { width, height },
    palette.ui('bg'),
  );
}

export function idOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('id' in data)) return null;
  return typeof data.id === 'string' ? data.id : null;
}

export function linesOf(data: unknown): readonly string[] | null {
  if (typeof data !== 'object' || data === null || !('lines' in data)) return null;
  const { lines } = data;
  return Array.isArray(lines) && lines.every((line) => typeof line === 'string') ? lines : null;
}
