// The chart library, cut down to what is used here: bars, marks on them, axes, a canvas.

import {
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  TreemapChart,
  type BarSeriesOption,
  type CustomSeriesOption,
  type LineSeriesOption,
  type ScatterSeriesOption,
  type TreemapSeriesOption,
} from 'echarts/charts';
import { GridComponent, type GridComponentOption } from 'echarts/components';
import { init, use, type ComposeOption, type EChartsType } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';

import { bodyFont, type FamilyKey, type Palette } from './index.ts';

use([
  BarChart,
  CustomChart,
  LineChart,
  ScatterChart,
  TreemapChart,
  GridComponent,
  CanvasRenderer,
  SVGRenderer,
]);

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | CustomSeriesOption
  | LineSeriesOption
  | ScatterSeriesOption
  | TreemapSeriesOption
  | GridComponentOption
>;
export type Chart = EChartsType;
export type {
  BarSeriesOption,
  CustomSeriesOption,
  LineSeriesOption,
  ScatterSeriesOption,
  TreemapSeriesOption,
};

// Says what a chart draws, also before it is drawn. The library's own text is sentences about series.
export function nameChart(host: HTMLElement, label: string): void {
  host.setAttribute('role', 'img');
  host.setAttribute('aria-label', label);
}

export function makeChart(host: HTMLElement): Chart {
  return init(host, undefined, { renderer: 'canvas' });
}

// The chart as lines, on a ground of its own: made without a place on the page.
export function chartSvg(
  option: ChartOption,
  size: { readonly width: number; readonly height: number },
  background: string,
): string {
  const chart = init(null, undefined, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({ ...option, backgroundColor: background });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

// Shapes as the library wants them; its own type for patterns is not exported.
export interface PatternFill {
  readonly image: HTMLCanvasElement;
  readonly imageWidth: number;
  readonly imageHeight: number;
  readonly repeat: 'repeat';
  readonly scaleX: number;
  readonly scaleY: number;
}

export function familyPaint(palette: Palette, family: FamilyKey): string | PatternFill {
  if (family !== 'reformat') return palette.family(family);
  const scale = window.devicePixelRatio || 1;
  const image = palette.hatchTile(scale);
  return {
    image,
    // The SVG renderer doesn't ask the image.
    imageWidth: image.width,
    imageHeight: image.height,
    repeat: 'repeat',
    scaleX: 1 / scale,
    scaleY: 1 / scale,
  };
}

export function axisText(palette: Palette): {
  readonly color: string;
  readonly fontSize: number;
  readonly fontFamily: string;
} {
  const family = bodyFont(10).replace(/^\d+ \S+ /, '');
  return { color: palette.ui('ink3'), fontSize: 10, fontFamily: family };
}
