// Time per layer in execution order. Order carries meaning, so the bars are not sorted; the largest
// are labelled with what a finding says of them, layers with findings carry a triangle, blocks are
// bracketed. Where there are more layers than pixels, a bar is the sum of neighbours, with the
// reformats' part hatched at its foot.

import {
  csvField,
  div,
  el,
  fixed,
  integer,
  pngBlob,
  replace,
  span,
  svgBlob,
  type FamilyKey,
  type Palette,
  type ViewContext,
  whenPainted,
} from '../../public/index.ts';
import {
  axisText,
  familyPaint,
  makeChart,
  nameChart,
  type BarSeriesOption,
  type Chart,
  type ChartOption,
  type ScatterSeriesOption,
} from '../../public/chart.ts';
import { layOutTime, type TimeLayout } from './time_layout.ts';
import { timeSvg, type LegendEntry } from './time_svg.ts';

const kMaxTriangles = 200;
const kFaded = 0.25;

export class TimeChart {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #canvas = div('time-chart-canvas');
  readonly #labels = div('time-chart-labels');
  #chart: Chart | null = null;
  #layout: TimeLayout | null = null;
  #takeBack: (() => void) | null = null;

  constructor(context: ViewContext) {
    this.#context = context;
    this.node = el('div', { class: 'time-chart' }, this.#canvas, this.#labels);
  }

  get layersPerBar(): number {
    return this.#layout?.perColumn ?? 1;
  }

  draw(): void {
    const width = this.node.clientWidth;
    if (width <= 0) return;
    const layout = layOutTime(this.#context.store, width);
    this.#layout = layout;
    const { engine, basis } = this.#context.store;
    const label =
      `${engine.hasTimes ? `Time (${basis})` : 'Bytes moved'} of ${integer(engine.workRows.length)} ` +
      'layers in execution order. The table below lists the largest, the Layers view all.';
    this.#canvas.style.height = `${String(layout.height)}px`;
    nameChart(this.#canvas, label);
    this.#drawLabels(layout);
    if (this.#chart !== null) this.#paint(this.#chart);
    else {
      this.#takeBack?.();
      this.#takeBack = whenPainted(() => {
        this.#chart = makeChart(this.#canvas);
        this.#listen(this.#chart);
        this.#paint(this.#chart);
      });
    }
  }

  #paint(chart: Chart): void {
    const layout = this.#layout;
    if (layout === null) return;
    chart.resize({ width: layout.width, height: layout.height });
    chart.setOption(this.#option(layout, this.#context.palette()), { notMerge: true });
  }

  #option(layout: TimeLayout, palette: Palette): ChartOption {
    const { engine, state } = this.#context.store;
    const { columns, factor, plot } = layout;
    const selected = columns.findIndex(
      (c) => state.selected !== null && c.rows.includes(state.selected),
    );
    // One series a family and side of the filter: within a column they stand as its parts do.
    const series = (family: FamilyKey, shown: boolean): BarSeriesOption => ({
      type: 'bar',
      stack: 'layers',
      silent: true,
      barCategoryGap: columns.length > 300 ? '0%' : '10%',
      itemStyle: { color: familyPaint(palette, family), opacity: shown ? 1 : kFaded },
      data: columns.map((column, i) => {
        const part = column.parts.find((p) => p.family === family && p.shown === shown);
        if (part === undefined) return { value: 0 };
        const value = part.value * factor;
        return i === selected
          ? { value, itemStyle: { borderColor: palette.ui('selb'), borderWidth: 2 } }
          : { value };
      }),
    });
    const axis = axisText(palette);
    const flagged = columns.flatMap((c, i) => (c.finding ? [i] : []));
    const findings: ScatterSeriesOption = {
      type: 'scatter',
      silent: true,
      clip: false,
      symbol: 'triangle',
      symbolSize: [7, 6.5],
      symbolOffset: [0, 7],
      itemStyle: { color: palette.ui('bg'), borderColor: palette.ui('warning'), borderWidth: 1.2 },
      data: flagged.length > kMaxTriangles ? [] : flagged.map((i) => [i, 0]),
    };
    return {
      animation: false,
      grid: { ...plot, outerBoundsMode: 'none' },
      xAxis: {
        type: 'category',
        data: columns.map((column) => `#${String(engine.layerId(column.rows[0] ?? 0))}`),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: palette.ui('line2') } },
        axisLabel: {
          ...axis,
          margin: 18,
          hideOverlap: true,
          show: layout.brackets.length === 0,
        },
      },
      yAxis: {
        type: 'value',
        max: layout.max,
        interval: layout.ticks[1] ?? layout.max,
        axisLabel: {
          ...axis,
          // The axis ends a little above the largest bar, which is no tick.
          showMaxLabel: false,
          formatter: (value: number) => fixed(value, layout.tickDecimals),
        },
        splitLine: { showMaxLine: false, lineStyle: { color: palette.ui('line') } },
      },
      series: [...layout.kinds.map(({ family, shown }) => series(family, shown)), findings],
    };
  }

  // Labels are HTML over the canvas: readable, selectable, and in the theme's own ink.
  #drawLabels(layout: TimeLayout): void {
    const at = (node: HTMLElement, left: number, top: number): HTMLElement => {
      node.style.left = `${left.toFixed(1)}px`;
      node.style.top = `${top.toFixed(1)}px`;
      return node;
    };
    const foot = layout.height - layout.plot.bottom;
    replace(
      this.#labels,
      ...layout.labels.flatMap(({ top, number, name }) => [
        at(span('bar-label', number.text), number.left, top),
        name === null
          ? null
          : at(
              span('bar-label', el('b', {}, name.text), ' ', span('dim', name.cause)),
              name.left,
              top,
            ),
      ]),
      ...layout.brackets.map((bracket) => {
        const node = el(
          'button',
          {
            class: 'bracket',
            attrs: { type: 'button', title: `${bracket.title}; click to filter` },
            on: {
              click: () =>
                this.#context.store.addChip({
                  field: 'layer',
                  op: ':',
                  values: [`${String(bracket.firstId)}-${String(bracket.lastId)}`],
                  negated: false,
                }),
            },
          },
          bracket.text,
        );
        node.style.width = `${(bracket.right - bracket.left).toFixed(1)}px`;
        return at(node, bracket.left, foot + 15);
      }),
    );
  }

  #rowAt(event: { readonly offsetX: number; readonly offsetY: number }): number | null {
    const layout = this.#layout;
    if (layout === null || event.offsetX < layout.plot.left) return null;
    const column = layout.columns[Math.floor((event.offsetX - layout.plot.left) / layout.step)];
    if (column === undefined) return null;
    const { values } = this.#context.store.engine.extent(this.#context.store.basis);
    // Of several layers in a bar, the one that makes most of it.
    return [...column.rows].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0))[0] ?? null;
  }

  #listen(chart: Chart): void {
    const { store, tooltip } = this.#context;
    const zr = chart.getZr();
    zr.on('mousemove', (event) => {
      const row = this.#rowAt(event);
      store.hover(row);
      const pointer: unknown = event.event;
      if (row === null || !(pointer instanceof MouseEvent)) tooltip.hide();
      else tooltip.layer(row, pointer);
    });
    zr.on('globalout', () => {
      store.hover(null);
      tooltip.hide();
    });
    zr.on('click', (event) => {
      const row = this.#rowAt(event);
      if (row !== null) store.patch({ selected: row });
    });
  }

  #picture(): SVGElement | null {
    const layout = this.#layout;
    if (layout === null) return null;
    const { engine, basis } = this.#context.store;
    const what = engine.hasTimes ? `Time per layer, ms, ${basis}` : 'Bytes moved per layer, MB';
    const title = `${this.#context.store.engineTitle}: ${what}`;
    return timeSvg(layout, title, this.#families(), this.#context.palette());
  }

  svg(): Blob | null {
    const picture = this.#picture();
    return picture === null ? null : svgBlob(picture);
  }

  async png(): Promise<Blob | null> {
    const picture = this.#picture();
    return picture === null ? null : pngBlob(picture);
  }

  // The numbers behind the bars, of all layers that do work.
  csv(): Blob {
    const { engine, basis } = this.#context.store;
    const { kind, values } = engine.extent(basis);
    const blocks = new Map<number, string>();
    for (const block of engine.blocks) {
      for (let i = block.first; i <= block.last; i += 1) blocks.set(i, block.label);
    }
    const value = kind === 'time' ? `${basis}_ms` : 'bytes';
    const lines = [['layer_id', 'name', 'type', 'block', value].join(',')];
    for (const [i, row] of engine.workRows.entries()) {
      const number = values[row] ?? Number.NaN;
      const cells = [
        String(engine.layerId(row)),
        engine.rawName(row),
        engine.layers.text('type', row) ?? '',
        blocks.get(i) ?? '',
        Number.isNaN(number) ? '' : String(number),
      ];
      lines.push(cells.map(csvField).join(','));
    }
    return new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' });
  }

  #families(): readonly LegendEntry[] {
    const { engine } = this.#context.store;
    const seen = new Set<FamilyKey>();
    for (const row of engine.workRows) seen.add(engine.family(row));
    return [...seen].map((family) => ({ family, name: kFamilyNames[family] }));
  }

  legend(): HTMLElement {
    const { engine } = this.#context.store;
    const entries = this.#families().map(({ family, name }) =>
      span(
        'legend-entry',
        span(
          `swatch f-${family}${family === 'reformat' ? ' hatched' : ''}${family === 'other' ? ' outlined' : ''}`,
        ),
        name,
      ),
    );
    const findings = engine.findings.some((f) => f.layer_id !== null)
      ? span('legend-entry', span('triangle', '△'), 'finding')
      : null;
    const node = span('legend');
    replace(node, ...entries, findings);
    return node;
  }

  destroy(): void {
    this.#takeBack?.();
    this.#chart?.dispose();
    this.#chart = null;
  }
}

const kFamilyNames: Readonly<Record<FamilyKey, string>> = {
  convolution: 'Convolution',
  gemm: 'GEMM, attention',
  opaque: 'Opaque block',
  pointwise: 'Pointwise',
  norm: 'Norm, softmax, scale',
  pool: 'Pool, reduce',
  shuffle: 'Shuffle, slice',
  plugin: 'Plugin',
  reformat: 'Reformat',
  other: 'Other',
};
