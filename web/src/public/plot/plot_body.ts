// A figure's body that is a plot: on a canvas, and the same in a saved file.

import { div } from '../../base/dom.ts';
import { whenPainted } from '../../base/painted.ts';
import { Figure, type FigureBody, type FigureSpec } from '../grid/figure.ts';
import type { FigureTable } from '../grid/data.ts';
import type { Palette } from '../page/palette.ts';
import type { ViewContext } from '../page/view.ts';
import { CanvasPen } from './canvas_pen.ts';
import type { Pen } from './pen.ts';
import { Plot, type Size, type Target } from './plot.ts';
import { svgLook, SvgPen } from './svg_pen.ts';

export interface PlotSpec {
  // One sentence for screen readers.
  label(): string;
  height(width: number): number;
  draw(plot: Plot): void;
  // Hit testing, for a picture that does it without targets.
  at?(x: number, y: number): Target | null;
  // Drawn over the picture instead of outlines, and redrawn as the pointer moves. `row`: of the
  // layer that is hovered, here or elsewhere.
  over?(pen: Pen, row: number | null): void;
}

// Describes the picture, also before it is drawn.
function namePicture(host: HTMLElement, label: string): void {
  host.setAttribute('role', 'img');
  host.setAttribute('aria-label', label);
}

function plotSvg(plot: Plot, title: string): string {
  const pen = new SvgPen(svgLook(plot.palette), 1);
  plot.replay(pen);
  return pen.document(title, 0, 0, plot.width, plot.height);
}

// For content that the page draws with HTML: a picture to save.
export function drawnSvg(
  palette: Palette,
  size: Size,
  title: string,
  draw: (plot: Plot) => void,
): string {
  const plot = new Plot(palette, size);
  draw(plot);
  return plotSvg(plot, title);
}

// A cleared pen for a whole canvas of this size in pixels.
function penFor(
  canvas: HTMLCanvasElement,
  { width, height }: Size,
  palette: Palette,
): CanvasPen | null {
  const scale = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const g = canvas.getContext('2d');
  if (g === null) return null;
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, w, h);
  return new CanvasPen(g, palette, { x: 0, y: 0, zoom: 1 }, scale);
}

// For a canvas outside of figures.
export function showPlot(canvas: HTMLCanvasElement, plot: Plot): void {
  const pen = penFor(canvas, plot, plot.palette);
  if (pen !== null) plot.replay(pen);
}

export class PlotBody implements FigureBody {
  readonly node = div('chart-body');
  readonly #context: ViewContext;
  readonly #spec: PlotSpec;
  readonly #canvas = document.createElement('canvas');
  // The hover layer, above the rest.
  readonly #over = document.createElement('canvas');
  readonly #forget: () => void;
  #plot: Plot | null = null;
  #size: Size = { width: 0, height: 0 };
  #isOutlined = false;
  #takeBack: (() => void) | null = null;

  constructor(context: ViewContext, spec: PlotSpec) {
    this.#context = context;
    this.#spec = spec;
    this.#forget = context.store.onHover((row) => this.#outline(row));
    this.#over.className = 'plot-over';
    this.#listen();
  }

  // For the picture on screen; null before it is drawn.
  get plot(): Plot | null {
    return this.#plot;
  }

  draw(width: number): void {
    this.#size = { width, height: this.#spec.height(width) };
    this.node.style.height = `${String(this.#size.height)}px`;
    namePicture(this.node, this.#spec.label());
    if (this.#canvas.isConnected) this.#paint();
    // The first drawing is the slow one: readable content goes first.
    else {
      this.#takeBack?.();
      this.#takeBack = whenPainted(() => {
        this.node.append(this.#canvas, this.#over);
        this.#paint();
      });
    }
  }

  #make(): Plot {
    const plot = new Plot(this.#context.palette(), this.#size);
    this.#spec.draw(plot);
    return plot;
  }

  #paint(): void {
    this.#plot = this.#make();
    const pen = penFor(this.#canvas, this.#size, this.#plot.palette);
    if (pen !== null) this.#plot.replay(pen);
    this.#light();
  }

  // The selection changed: if its marks are drawn over the picture, only those need redrawing.
  mark(): void {
    if (this.#spec.over === undefined) this.draw(this.#size.width);
    else this.#light();
  }

  #light(): void {
    this.#isOutlined = true;
    this.#outline(this.#context.store.hovered);
  }

  #outline(row: number | null): void {
    if (this.#plot === null || (row === null && !this.#isOutlined)) return;
    this.#isOutlined = row !== null;
    const pen = penFor(this.#over, this.#size, this.#plot.palette);
    if (pen === null) return;
    if (this.#spec.over !== undefined) this.#spec.over(pen, row);
    else if (row !== null) this.#plot.outline(pen, row);
  }

  #listen(): void {
    const { store, tooltip } = this.#context;
    const targetOf = (event: MouseEvent) => {
      const box = this.node.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      return this.#spec.at === undefined ? (this.#plot?.at(x, y) ?? null) : this.#spec.at(x, y);
    };
    const leave = (): void => {
      store.hover(null);
      tooltip.hide();
    };
    this.node.addEventListener('mousemove', (event) => {
      const target = targetOf(event);
      const row = target?.row ?? null;
      this.node.style.cursor = row !== null || target?.click !== undefined ? 'pointer' : '';
      store.hover(row);
      if (this.#spec.over !== undefined) this.#light();
      const lines = target?.lines?.() ?? null;
      if (lines !== null) tooltip.lines(lines, event);
      else if (row !== null) tooltip.layer(row, event);
      else tooltip.hide();
    });
    this.node.addEventListener('mouseleave', leave);
    this.node.addEventListener('click', (event) => {
      const target = targetOf(event);
      if (target?.click !== undefined) target.click();
      else if (target?.row === undefined) return;
      else if (event.ctrlKey || event.metaKey) store.toggleSelected(target.row);
      else store.patch({ selected: target.row });
    });
    this.node.addEventListener('dblclick', (event) => {
      const row = targetOf(event)?.row;
      if (row !== undefined) store.patch({ selected: row, view: 'graph' });
    });
  }

  svg(): string | null {
    return this.#size.width === 0 ? '' : plotSvg(this.#make(), this.#spec.label());
  }

  destroy(): void {
    this.#forget();
    this.#takeBack?.();
  }
}

// A plot that provides its own description and data.
export interface TabledPlot extends PlotSpec {
  explain(): string;
  table(): FigureTable;
}

export function plotFigure(
  context: ViewContext,
  plot: TabledPlot,
  spec: Pick<FigureSpec, 'id' | 'title' | 'aside'> & Partial<Pick<FigureSpec, 'explain'>>,
): Figure {
  return new Figure(context, {
    explain: () => plot.explain(),
    body: new PlotBody(context, plot),
    table: () => plot.table(),
    ...spec,
  });
}
