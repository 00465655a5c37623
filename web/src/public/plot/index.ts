// Pictures: marks in pixels, axes, and the pens for screen and file.

export {
  across,
  acrossLog,
  byteTicks,
  linear,
  logAxes,
  rangeTicks,
  ticksOfLog,
  ticksTo,
  upwards,
  upwardsLog,
  xAxis,
  yAxis,
  type AxisLook,
  type Frame,
  type Scale,
  type Ticks,
} from './axes.ts';
export { familyFill, kHatchFill, type Fill, type Pen } from './pen.ts';
export { Plot, type MarkLook, type Target, type TextLook } from './plot.ts';
export {
  drawnSvg,
  PlotBody,
  plotFigure,
  showPlot,
  type PlotSpec,
  type TabledPlot,
} from './plot_body.ts';
export { framedAreas, type AreaGaps, type FramedAreas, type Rect } from './treemap.ts';
