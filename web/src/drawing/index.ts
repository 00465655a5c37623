// Drawing graphs: boxes, pills and edges in one visual language wherever they appear, and the pens
// for screen and file.

export { detailOf, fit, pan, seen, zoomAt, clampZoom } from './camera.ts';
export { CanvasPen, type Camera } from '../public/plot/canvas_pen.ts';
export { kNone } from '../public/index.ts';
export type { Box, BoxEdge, BoxGraph } from './collapse.ts';
export { drawScene, svgOf, type Look } from './draw.ts';
export { edgeWidth, kThinUpTo } from './edge_facts.ts';
export type { Bounds } from './grid.ts';
export { Paint, streamsOf, type LegendEntry } from './paint.ts';
export { kHatchFill } from '../public/plot/pen.ts';
export { neighbourhood, type Neighbourhood } from './neighbourhood.ts';
export { kTitleStrip, makeScene, Scene, type Rect, type SceneFit } from './scene.ts';
export type { Pen } from '../public/plot/pen.ts';
export { SvgPen } from '../public/plot/svg_pen.ts';
