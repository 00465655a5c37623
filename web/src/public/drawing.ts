// Graphs as they are drawn: boxes, pills and edges in one language wherever they appear, and the pens
// for screen and file.

export { detailOf, fit, pan, seen, zoomAt, clampZoom, type Camera } from '../drawing/camera.ts';
export { CanvasPen } from './plot/canvas_pen.ts';
export { kNone } from '../model/graph.ts';
export type { Box, BoxEdge, BoxGraph } from '../drawing/collapse.ts';
export { drawScene, svgOf, type Look } from '../drawing/draw.ts';
export { edgeWidth, kThinUpTo } from '../drawing/edge_facts.ts';
export type { Bounds } from '../drawing/grid.ts';
export { Paint, streamsOf, type LegendEntry } from '../drawing/paint.ts';
export { kHatchFill } from './plot/pen.ts';
export { neighbourhood, type Neighbourhood } from '../drawing/neighbourhood.ts';
export { kTitleStrip, makeScene, Scene, type Rect, type SceneFit } from '../drawing/scene.ts';
export type { Pen } from './plot/pen.ts';
export { SvgPen } from './plot/svg_pen.ts';
