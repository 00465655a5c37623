// Scatter charts side by side, each layer a circle in every one of them. Hovering a layer rings it
// in all; a rectangle drawn over a cell asks for the layers in it; if there are many layers, only
// the largest are circles, over a grid that shows where the others are.

import {
  equals,
  fixed,
  heatScale,
  heatStep,
  integer,
  plural,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import { logAxes, PlotBody, type Frame, type Plot } from '../../public/plot/index.ts';
import { addBrush } from './brush.ts';
import { binned, inRect, kBinPx, type Cell, type Point } from './cells.ts';
import { layerRanges, measureTitle, orZero } from './measures.ts';

const kMaxCircles = 2000;
const kLargest = 200;
const kMinRadius = 2.5;
const kRing = 8;
const kFaded = 0.25;
const kMaxRanges = 500;

export interface Look {
  // Null: unknown, a dashed outline.
  fill(row: number): string | null;
  // Writes a different type than it reads.
  outlined(row: number): boolean;
  readonly maxRadius: number;
  // Not measured: circles without a fill.
  readonly isHollow: boolean;
}

export interface ScatterSpec {
  label(): string;
  // Cells for a width, and the height of all.
  layout(width: number): { readonly cells: readonly Cell[]; readonly height: number };
  look(palette: Palette): Look;
  // Drawn behind and in front of the circles: roofs, labels.
  below?(plot: Plot, cell: Cell): void;
  above?(plot: Plot, cell: Cell): void;
}

export function scatterBody(context: ViewContext, spec: ScatterSpec): PlotBody {
  const { store } = context;
  let cells: readonly Cell[] = [];
  const body = new PlotBody(context, {
    label: () => spec.label(),
    height: (width) => {
      const layout = spec.layout(width);
      ({ cells } = layout);
      return layout.height;
    },
    draw: (plot) => {
      const look = spec.look(plot.palette);
      for (const cell of cells) {
        const { frame, x, y, xScale, yScale } = cell;
        logAxes(plot, frame, xScale, yScale, measureTitle(x), measureTitle(y));
        spec.below?.(plot, cell);
        drawPoints(context, plot, cell, look);
        spec.above?.(plot, cell);
      }
    },
    over: (pen, hovered) => {
      const { selected } = store.state;
      const palette = context.palette();
      for (const { row, x, y } of cells.flatMap(({ points }) => points)) {
        if (row !== selected && row !== hovered) continue;
        pen.circle(x, y, kRing, { stroke: palette.ui('selb'), width: 2 });
        if (row === selected) pen.circle(x, y, kRing + 2, { stroke: palette.ui('sel'), width: 2 });
      }
    },
  });
  body.node.classList.add('scatter-body');
  addBrush(
    context,
    body,
    () => cells.map(({ frame }) => frame),
    (rect, at) => {
      const cell = cells[at];
      if (cell !== undefined) filterTo(context, inRect(cell, rect));
    },
  );
  return body;
}

function drawPoints(context: ViewContext, plot: Plot, cell: Cell, look: Look): void {
  const { engine, basis } = context.store;
  const times = engine.times(basis);
  const weight = ({ row }: Point): number => orZero(times[row]);
  // Small ones after large ones, or the large ones would hide them.
  const ordered = [...cell.points].sort((a, b) => weight(b) - weight(a));
  const isMany = ordered.length > kMaxCircles;
  if (isMany) drawDensity(context, plot, ordered.slice(kLargest), cell.frame);
  drawCircles(context, plot, isMany ? ordered.slice(0, kLargest) : ordered, look);
}

function drawDensity(
  { store }: ViewContext,
  plot: Plot,
  points: readonly Point[],
  frame: Frame,
): void {
  const { engine, basis, selection } = store;
  const bins = binned(points, frame);
  const scale = heatScale(bins.map(({ rows }) => rows.length));
  for (const { x, y, rows } of bins) {
    const step = scale === null ? 0 : heatStep(scale, rows.length);
    const opacity = rows.some((row) => selection.mask[row] === 1) ? 1 : kFaded;
    const lines = (): readonly string[] => {
      const ms = engine.sum(engine.times(basis), Int32Array.from(rows));
      const layers = plural(rows.length, 'layer');
      return engine.hasTimes ? [layers, `${fixed(ms, 3)} ms together`] : [layers];
    };
    const size = kBinPx - 1;
    plot.rect(x, y, x + size, y + size, { fill: plot.palette.heat(step), opacity }, { lines });
  }
}

function drawCircles(
  { store }: ViewContext,
  plot: Plot,
  points: readonly Point[],
  look: Look,
): void {
  const { engine, basis, selection } = store;
  const { palette } = plot;
  const { isHollow } = look;
  const times = engine.times(basis);
  const most = points.reduce((max, { row }) => Math.max(max, orZero(times[row])), 0);
  for (const { row, x, y, isBeyond } of points) {
    const part = most > 0 ? Math.sqrt(orZero(times[row]) / most) : 0;
    const r = Math.max(kMinRadius, part * look.maxRadius);
    const fill = look.fill(row);
    const isOutlined = look.outlined(row);
    const opacity = selection.mask[row] === 1 ? 1 : kFaded;
    const rim = isHollow ? fill : palette.ui('bg');
    const stroke = isOutlined ? palette.ui('ink') : fill === null ? palette.ui('ink3') : rim;
    plot.circle(x, y, r, {
      fill: isHollow || fill === null ? palette.ui('bg') : fill,
      opacity: 0.85 * opacity,
    });
    const outline = {
      stroke: stroke ?? palette.ui('ink3'),
      width: isOutlined || isHollow ? 1.5 : 0.8,
      ...(fill === null || isBeyond ? { dash: [2, 2] } : {}),
    };
    plot.circle(x, y, r, { ...outline, opacity }, { row });
  }
}

function filterTo(context: ViewContext, rows: readonly number[]): void {
  const { store } = context;
  const kept = rows.filter((row) => store.selection.mask[row] === 1);
  const ranges = layerRanges(kept.map((row) => store.engine.layerId(row)));
  if (kept.length === 0) context.note('no layer in that rectangle');
  else if (ranges.length > kMaxRanges) {
    context.note(
      `${integer(kept.length)} layers are too many for one filter: draw a smaller rectangle`,
    );
  } else {
    // Replaces an earlier rectangle.
    const others = store.state.chips.filter((chip) => chip.field !== 'layer');
    store.patch({ chips: [...others, equals('layer', ...ranges)] });
  }
}
