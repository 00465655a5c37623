// A figure's body drawn by the chart library. Marks that stand for a layer carry its row in their
// data ({value, row}); hovering, selecting and the tooltip then work as everywhere.

import { div } from '../base/dom.ts';
import { whenPainted } from '../base/painted.ts';
import type { Chart, ChartOption } from './chart.ts';
import { chartSvg, makeChart, nameChart } from './chart.ts';
import { Figure, type FigureBody, type FigureSpec } from './figure.ts';
import type { FigureTable } from './grid/data.ts';
import type { Palette } from './palette.ts';
import type { ViewContext } from './view.ts';

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

export interface ChartBodySpec {
  // One sentence, for those who don't see the picture.
  label(): string;
  height(width: number): number;
  option(palette: Palette, size: ChartSize): ChartOption;
  // Of a mark that is no layer: the lines of its tooltip.
  lines?(data: unknown): readonly string[] | null;
  // Of a mark that is a layer, in the place of what is told of it everywhere.
  layerLines?(data: unknown): readonly string[] | null;
  // Of a mark that is no layer.
  click?(data: unknown): void;
}

function rowOf(data: unknown): number | null {
  if (typeof data !== 'object' || data === null || !('row' in data)) return null;
  return typeof data.row === 'number' ? data.row : null;
}

interface MarkPlace {
  readonly seriesIndex: number;
  readonly dataIndex: number;
}

// Where in the chart each layer is.
function placesOf(option: ChartOption): ReadonlyMap<number, readonly MarkPlace[]> {
  const places = new Map<number, MarkPlace[]>();
  const series = Array.isArray(option.series) ? option.series : [option.series];
  for (const [seriesIndex, one] of series.entries()) {
    if (one === undefined || !Array.isArray(one.data)) continue;
    for (const [dataIndex, data] of one.data.entries()) {
      const row = rowOf(data);
      if (row === null) continue;
      const known = places.get(row);
      if (known === undefined) places.set(row, [{ seriesIndex, dataIndex }]);
      else known.push({ seriesIndex, dataIndex });
    }
  }
  return places;
}

export class ChartBody implements FigureBody {
  readonly node = div('chart-body');
  readonly #context: ViewContext;
  readonly #spec: ChartBodySpec;
  #chart: Chart | null = null;
  #size: ChartSize = { width: 0, height: 0 };
  #places: ReadonlyMap<number, readonly MarkPlace[]> = new Map();
  #lit: readonly MarkPlace[] = [];
  readonly #forget: () => void;
  #takeBack: (() => void) | null = null;

  constructor(context: ViewContext, spec: ChartBodySpec) {
    this.#context = context;
    this.#spec = spec;
    this.#forget = context.store.onHover((row) => this.#light(row));
  }

  draw(width: number): void {
    const height = this.#spec.height(width);
    this.#size = { width, height };
    this.node.style.height = `${String(height)}px`;
    nameChart(this.node, this.#spec.label());
    if (this.#chart !== null) this.#paint(this.#chart);
    // The first drawing is the slow one: what can be read goes before it.
    else {
      this.#takeBack?.();
      this.#takeBack = whenPainted(() => {
        this.#chart = makeChart(this.node);
        this.#listen(this.#chart);
        this.#paint(this.#chart);
      });
    }
  }

  #paint(chart: Chart): void {
    chart.resize(this.#size);
    const option = this.#option();
    chart.setOption(option, { notMerge: true });
    this.#places = placesOf(option);
    this.#lit = [];
  }

  // The layer that is hovered anywhere.
  #light(row: number | null): void {
    for (const place of this.#lit) this.#chart?.dispatchAction({ type: 'downplay', ...place });
    this.#lit = row === null ? [] : (this.#places.get(row) ?? []);
    for (const place of this.#lit) this.#chart?.dispatchAction({ type: 'highlight', ...place });
  }

  svg(): string | null {
    return this.#size.width === 0
      ? ''
      : chartSvg(this.#option(), this.#size, this.#context.palette().ui('bg'));
  }

  destroy(): void {
    this.#forget();
    this.#takeBack?.();
    this.#chart?.dispose();
    this.#chart = null;
  }

  #option(): ChartOption {
    return { animation: false, ...this.#spec.option(this.#context.palette(), this.#size) };
  }

  #listen(chart: Chart): void {
    const { store, tooltip } = this.#context;
    chart.on('mousemove', (event) => {
      const pointer: unknown = event.event?.event;
      if (!(pointer instanceof MouseEvent)) return;
      const row = rowOf(event.data);
      store.hover(row);
      const own =
        row === null ? this.#spec.lines?.(event.data) : this.#spec.layerLines?.(event.data);
      const lines = own ?? null;
      if (lines !== null) tooltip.lines(lines, pointer);
      else if (row !== null) tooltip.layer(row, pointer);
      else tooltip.hide();
    });
    const leave = (): void => {
      store.hover(null);
      tooltip.hide();
    };
    chart.on('mouseout', leave);
    chart.on('globalout', leave);
    chart.on('click', (event) => {
      const row = rowOf(event.data);
      if (row !== null) store.patch({ selected: row });
      else this.#spec.click?.(event.data);
    });
    chart.on('dblclick', (event) => {
      const row = rowOf(event.data);
      if (row !== null) store.patch({ selected: row, view: 'graph' });
    });
  }
}

// A chart that says itself what it draws, and of what numbers.
export interface TabledChart extends ChartBodySpec {
  explain(): string;
  table(): FigureTable;
}

export function chartFigure(
  context: ViewContext,
  chart: TabledChart,
  spec: Pick<FigureSpec, 'id' | 'title' | 'aside'> & Partial<Pick<FigureSpec, 'explain'>>,
): Figure {
  return new Figure(context, {
    explain: () => chart.explain(),
    body: new ChartBody(context, chart),
    table: () => chart.table(),
    ...spec,
  });
}
