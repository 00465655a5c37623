// Scatter charts side by side, each layer a circle in every one of them. Hovering a layer rings it in
// all; a rectangle drawn over a cell asks for the layers in it; of many layers only the largest are
// circles, over a grid of where the others are.

import {
  div,
  equals,
  fixed,
  heatScale,
  heatStep,
  integer,
  plural,
  replace,
  type FigureBody,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import { ChartBody } from '../../public/chart_body.ts';
import type { ChartOption } from '../../public/chart.ts';
import type { Shape } from '../../public/chart_marks.ts';
import { frameShapes, type Rect } from '../../public/log_frame.ts';
import { linesOf, placedOption, type PlacedMark } from '../../public/placed.ts';
import { binned, inRect, kBinPx, type Cell, type Point } from './cells.ts';
import { layerRanges, measureTitle, orZero } from './measures.ts';

const kMaxCircles = 2000;
const kLargest = 200;
const kMinRadius = 2.5;
const kDragPx = 4;
const kMaxRanges = 500;

export interface Look {
  // Null: not known, a dashed outline.
  fill(row: number): string | null;
  // Writes another type than it reads.
  outlined(row: number): boolean;
  // By layer row: the area of a circle, and which are drawn where there are many. Null: all alike.
  readonly weights: Float64Array | null;
  readonly maxRadius: number;
  // Not measured: circles without a fill.
  readonly isHollow: boolean;
}

export interface ScatterSpec {
  label(): string;
  // Cells for a width, and the height of all.
  layout(width: number): { readonly cells: readonly Cell[]; readonly height: number };
  look(palette: Palette): Look;
  // Behind and before the circles: roofs, labels.
  below?(cell: Cell, palette: Palette): readonly Shape[];
  above?(cell: Cell, palette: Palette): readonly Shape[];
}

export class ScatterBody implements FigureBody {
  readonly node = div('scatter-body');
  readonly #context: ViewContext;
  readonly #spec: ScatterSpec;
  readonly #chart: ChartBody;
  readonly #rings = div('scatter-rings');
  readonly #brush = div('scatter-brush');
  readonly #unsubscribe: () => void;
  #cells: readonly Cell[] = [];
  #height = 0;
  // Circles by layer row, of every cell.
  #places: ReadonlyMap<number, readonly Point[]> = new Map();

  constructor(context: ViewContext, spec: ScatterSpec) {
    this.#context = context;
    this.#spec = spec;
    this.#chart = new ChartBody(context, {
      label: () => spec.label(),
      height: () => this.#height,
      option: (palette) => this.#option(palette),
      lines: linesOf,
    });
    this.#brush.hidden = true;
    this.node.append(this.#chart.node, this.#rings, this.#brush);
    this.node.addEventListener('pointerdown', (event) => this.#press(event));
    this.#unsubscribe = context.store.onHover(() => this.#drawRings());
  }

  draw(width: number): void {
    const { cells, height } = this.#spec.layout(width);
    this.#cells = cells;
    this.#height = height;
    const places = new Map<number, Point[]>();
    for (const cell of cells) {
      for (const point of cell.points) {
        const list = places.get(point.row);
        if (list === undefined) places.set(point.row, [point]);
        else list.push(point);
      }
    }
    this.#places = places;
    this.#chart.draw(width);
    this.#drawRings();
  }

  // The selection changed, and nothing else.
  mark(): void {
    this.#drawRings();
  }

  #drawRings(): void {
    const { hovered, state } = this.#context.store;
    const ring = (row: number | null, kind: string): readonly HTMLElement[] =>
      (row === null ? [] : (this.#places.get(row) ?? [])).map(({ x, y }) => {
        const node = div(`scatter-ring ${kind}`);
        node.style.left = `${x.toFixed(1)}px`;
        node.style.top = `${y.toFixed(1)}px`;
        return node;
      });
    replace(this.#rings, ...ring(state.selected, 'chosen'), ...ring(hovered, 'lit'));
  }

  #option(palette: Palette): ChartOption {
    const look = this.#spec.look(palette);
    const below: Shape[] = [];
    const marks: PlacedMark[] = [];
    const above: Shape[] = [];
    for (const cell of this.#cells) {
      below.push(
        ...frameShapes(cell, measureTitle(cell.x), measureTitle(cell.y), palette),
        ...(this.#spec.below?.(cell, palette) ?? []),
      );
      marks.push(...this.#marks(cell, look, palette));
      above.push(...(this.#spec.above?.(cell, palette) ?? []));
    }
    return placedOption(below, marks, above);
  }

  #marks(cell: Cell, look: Look, palette: Palette): readonly PlacedMark[] {
    const weight = (row: number): number => look.weights?.[row] ?? 0;
    // Small ones before large ones, or the large would hide them.
    const ordered = [...cell.points].sort((a, b) => weight(b.row) - weight(a.row));
    if (ordered.length <= kMaxCircles) return this.#circles(ordered, look, palette);
    const circles = ordered.slice(0, kLargest);
    return [
      ...this.#density(ordered.slice(kLargest), cell.frame, palette),
      ...this.#circles(circles, look, palette),
    ];
  }

  #density(points: readonly Point[], frame: Rect, palette: Palette): readonly PlacedMark[] {
    const { store } = this.#context;
    const { engine } = store;
    const times = engine.times(store.basis);
    const bins = binned(points, frame).map((bin) => ({
      ...bin,
      ms: bin.rows.reduce((sum, row) => sum + orZero(times[row]), 0),
      stays: bin.rows.some((row) => store.selection.mask[row] === 1),
    }));
    const scale = heatScale(bins.map((bin) => bin.rows.length));
    return bins.map((bin): PlacedMark => {
      const step = scale === null ? 0 : heatStep(scale, bin.rows.length);
      return {
        shape: {
          type: 'rect',
          shape: { x: bin.x, y: bin.y, width: kBinPx - 1, height: kBinPx - 1 },
          style: { fill: palette.heat(step), opacity: bin.stays ? 1 : 0.25 },
        },
        lines: [
          plural(bin.rows.length, 'layer'),
          engine.hasTimes ? `${fixed(bin.ms, 3)} ms together` : '',
        ].filter((line) => line !== ''),
      };
    });
  }

  #circles(points: readonly Point[], look: Look, palette: Palette): readonly PlacedMark[] {
    const { mask } = this.#context.store.selection;
    let most = 0;
    for (const { row } of points) most = Math.max(most, orZero(look.weights?.[row]));
    return points.map(({ row, x, y, isBeyond }): PlacedMark => {
      const weight = orZero(look.weights?.[row]);
      const part = most > 0 ? Math.sqrt(weight / most) : 0;
      const r = Math.max(kMinRadius, part * look.maxRadius);
      const fill = look.fill(row);
      const isUnknown = fill === null;
      const outlined = look.outlined(row);
      return {
        row,
        shape: {
          type: 'circle',
          shape: { cx: x, cy: y, r },
          style: {
            fill: isUnknown || look.isHollow ? palette.ui('bg') : fill,
            fillOpacity: 0.85,
            stroke: outlined
              ? palette.ui('ink')
              : isUnknown
                ? palette.ui('ink3')
                : look.isHollow
                  ? fill
                  : palette.ui('bg'),
            lineWidth: outlined || look.isHollow ? 1.5 : 0.8,
            ...(isUnknown || isBeyond ? { lineDash: [2, 2] } : {}),
            opacity: mask[row] === 1 ? 1 : 0.25,
          },
        },
      };
    });
  }

  // --- a rectangle over one cell asks for the layers in it

  #press(down: PointerEvent): void {
    if (down.button !== 0) return;
    const at = this.#local(down);
    const cell = this.#cells.find(({ frame }) => contains(frame, at));
    if (cell === undefined) return;
    let rect: Rect | null = null;
    const move = (event: PointerEvent): void => {
      const to = clamp(cell.frame, this.#local(event));
      if (rect === null && Math.hypot(to.x - at.x, to.y - at.y) < kDragPx) return;
      if (rect === null) {
        this.node.setPointerCapture(down.pointerId);
        this.#context.tooltip.hide();
        this.#context.store.hover(null);
      }
      rect = {
        left: Math.min(at.x, to.x),
        top: Math.min(at.y, to.y),
        width: Math.abs(to.x - at.x),
        height: Math.abs(to.y - at.y),
      };
      this.#brush.hidden = false;
      for (const [side, px] of Object.entries(rect)) {
        this.#brush.style.setProperty(side, `${Number(px).toFixed(0)}px`);
      }
    };
    const stop = (): void => {
      this.node.removeEventListener('pointermove', move);
      this.node.removeEventListener('pointerup', up);
      this.node.removeEventListener('pointercancel', stop);
      this.#brush.hidden = true;
    };
    const up = (): void => {
      const drawn = rect;
      stop();
      if (drawn !== null) this.#filter(inRect(cell, drawn));
    };
    this.node.addEventListener('pointermove', move);
    this.node.addEventListener('pointerup', up);
    this.node.addEventListener('pointercancel', stop);
  }

  #filter(rows: readonly number[]): void {
    const { store } = this.#context;
    const kept = rows.filter((row) => store.selection.mask[row] === 1);
    if (kept.length === 0) {
      this.#context.note('no layer in that rectangle');
      return;
    }
    const ranges = layerRanges(kept.map((row) => store.engine.layerId(row)));
    if (ranges.length > kMaxRanges) {
      this.#context.note(
        `${integer(kept.length)} layers are too many for one filter: draw a smaller rectangle`,
      );
      return;
    }
    // In place of an earlier rectangle.
    const others = store.state.chips.filter((chip) => chip.field !== 'layer');
    store.patch({ chips: [...others, equals('layer', ...ranges)] });
  }

  #local(event: PointerEvent): { readonly x: number; readonly y: number } {
    const box = this.node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  svg(): string | null {
    return this.#chart.svg();
  }

  destroy(): void {
    this.#unsubscribe();
    this.#chart.destroy();
  }
}

function contains(rect: Rect, { x, y }: { readonly x: number; readonly y: number }): boolean {
  return (
    x >= rect.left && x <= rect.left + rect.width && y >= rect.top && y <= rect.top + rect.height
  );
}

function clamp(
  rect: Rect,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly x: number; readonly y: number } {
  return {
    x: Math.min(rect.left + rect.width, Math.max(rect.left, x)),
    y: Math.min(rect.top + rect.height, Math.max(rect.top, y)),
  };
}
