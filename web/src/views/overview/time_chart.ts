// Time per layer in execution order. Order carries meaning, so the bars are not sorted; the largest
// are labelled, layers with findings carry a triangle. Where there are more layers than pixels, a bar
// is the sum of neighbours, with the reformats' part hatched at its foot.

import {
  div,
  el,
  fixed,
  coveringTicks,
  fitName,
  integer,
  isNumber,
  layerPrecisionText,
  percent,
  replace,
  span,
  textWidth,
  bodyFont,
  tickDecimals,
  type FamilyKey,
  type ViewContext,
} from '../../public/index.ts';
import {
  axisText,
  familyPaint,
  makeChart,
  type BarSeriesOption,
  type Chart,
  type ChartOption,
  type ScatterSeriesOption,
} from './chart.ts';

const kHeight = 216;
const kGrid = { left: 36, right: 12, top: 24, bottom: 34 } as const;
// Thinner bars than this cannot be told apart or hit.
const kLeastBar = 2.5;
const kLabels = 3;
const kLeastLabelShare = 0.04;

interface ChartColumn {
  readonly rows: readonly number[];
  readonly sum: number;
  readonly reformats: number;
  readonly family: FamilyKey;
  readonly shown: boolean;
  readonly finding: boolean;
}

export class TimeChart {
  readonly node: HTMLElement;
  readonly #context: ViewContext;
  readonly #canvas = div('time-chart-canvas');
  readonly #labels = div('time-chart-labels');
  #chart: Chart | null = null;
  #columns: readonly ChartColumn[] = [];
  #perColumn = 1;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#canvas.style.height = `${String(kHeight)}px`;
    this.node = el('div', { class: 'time-chart' }, this.#canvas, this.#labels);
  }

  get layersPerBar(): number {
    return this.#perColumn;
  }

  #makeColumns(width: number): void {
    const { store } = this.#context;
    const { engine } = store;
    const { values } = engine.extent(store.basis);
    const { mask } = store.selection;
    const most = Math.max(1, Math.floor(width / kLeastBar));
    this.#perColumn = Math.max(1, Math.ceil(engine.workRows.length / most));
    const columns: ChartColumn[] = [];
    for (let i = 0; i < engine.workRows.length; i += this.#perColumn) {
      const rows = [...engine.workRows.subarray(i, i + this.#perColumn)];
      const families = new Map<FamilyKey, number>();
      let sum = 0;
      for (const row of rows) {
        const value = values[row] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        sum += value;
        const family = engine.family(row);
        families.set(family, (families.get(family) ?? 0) + value);
      }
      const reformats = families.get('reformat') ?? 0;
      families.delete('reformat');
      const largest = [...families].sort((a, b) => b[1] - a[1])[0];
      columns.push({
        rows,
        sum,
        reformats,
        family: largest?.[0] ?? 'reformat',
        shown: rows.some((row) => mask[row] === 1),
        finding: rows.some((row) => engine.findingsOf(row).length > 0),
      });
    }
    this.#columns = columns;
  }

  draw(): void {
    const width = this.node.clientWidth;
    if (width <= 0) return;
    this.#makeColumns(width - kGrid.left - kGrid.right);
    const { engine, basis } = this.#context.store;
    const label =
      `${engine.hasTimes ? `Time (${basis})` : 'Bytes moved'} of ${integer(engine.workRows.length)} ` +
      'layers in execution order. The table below lists the largest, the Layers view all.';
    if (this.#chart === null) {
      this.#chart = makeChart(this.#canvas, label);
      this.#listen(this.#chart);
    }
    this.#canvas.setAttribute('aria-label', label);
    this.#chart.resize({ width, height: kHeight });
    this.#chart.setOption(this.#option(), { notMerge: true });
    this.#drawLabels();
  }

  #scale(): { readonly factor: number; readonly unit: string; readonly decimals: number } {
    const { engine } = this.#context.store;
    if (!engine.hasTimes) return { factor: 1e-6, unit: 'MB', decimals: 1 };
    return { factor: 1, unit: 'ms', decimals: 3 };
  }

  #option(): ChartOption {
    const palette = this.#context.palette();
    const { engine, state } = this.#context.store;
    const { factor } = this.#scale();
    const selected = this.#columns.findIndex(
      (c) => state.selected !== null && c.rows.includes(state.selected),
    );
    const style = (column: ChartColumn, i: number, family: FamilyKey) => ({
      color: familyPaint(palette, family),
      opacity: column.shown ? 1 : 0.25,
      ...(i === selected ? { borderColor: palette.ui('selb'), borderWidth: 2 } : {}),
    });
    const series = (part: 'reformats' | 'rest'): BarSeriesOption => ({
      type: 'bar',
      stack: 'layers',
      silent: true,
      barCategoryGap: this.#columns.length > 300 ? '0%' : '10%',
      data: this.#columns.map((column, i) => {
        const value = part === 'reformats' ? column.reformats : column.sum - column.reformats;
        return value > 0
          ? {
              value: value * factor,
              itemStyle: style(column, i, part === 'reformats' ? 'reformat' : column.family),
            }
          : { value: 0 };
      }),
    });
    const axis = axisText(palette);
    const ticks = coveringTicks(Math.max(...this.#columns.map((column) => column.sum)) * factor);
    const step = ticks[1] ?? 1;
    const flagged = this.#columns.flatMap((c, i) => (c.finding ? [i] : []));
    const findings: ScatterSeriesOption = {
      type: 'scatter',
      silent: true,
      clip: false,
      symbol: 'triangle',
      symbolSize: [7, 6.5],
      symbolOffset: [0, 7],
      itemStyle: { color: palette.ui('bg'), borderColor: palette.ui('warning'), borderWidth: 1.2 },
      data: flagged.length > 200 ? [] : flagged.map((i) => [i, 0]),
    };
    return {
      animation: false,
      grid: { ...kGrid, outerBoundsMode: 'none' },
      xAxis: {
        type: 'category',
        data: this.#columns.map((column) => `#${String(engine.layerId(column.rows[0] ?? 0))}`),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: palette.ui('line2') } },
        axisLabel: { ...axis, margin: 18, hideOverlap: true },
      },
      yAxis: {
        type: 'value',
        max: step * (ticks.length - 1),
        interval: step,
        axisLabel: { ...axis, formatter: (value: number) => fixed(value, tickDecimals(ticks)) },
        splitLine: { lineStyle: { color: palette.ui('line') } },
      },
      series: [series('reformats'), series('rest'), findings],
    };
  }

  // Labels are HTML over the canvas: readable, selectable, and in the theme's own ink.
  #drawLabels(): void {
    const chart = this.#chart;
    const { store } = this.#context;
    const { engine, basis } = store;
    this.#labels.replaceChildren();
    if (chart === null || this.#perColumn > 1) return;
    const { factor, decimals } = this.#scale();
    const total = this.#columns.reduce((sum, column) => sum + column.sum, 0);
    const largest = [...this.#columns.entries()]
      .sort((a, b) => b[1].sum - a[1].sum)
      .slice(0, kLabels)
      .filter(([, column]) => column.sum > total * kLeastLabelShare);
    const place = (i: number, value: number): { readonly x: number; readonly y: number } => {
      // The library answers null before its first drawing.
      const at = chart.convertToPixel({ gridIndex: 0 }, [i, value * factor]) as
        readonly number[] | null;
      return { x: at?.[0] ?? 0, y: at?.[1] ?? 0 };
    };
    const step = this.#columns.length > 1 ? place(1, 0).x - place(0, 0).x : 40;
    const taken: { readonly x0: number; readonly x1: number; readonly y: number }[] = [];
    for (const [i, column] of largest) {
      const row = column.rows[0] ?? 0;
      const { x, y } = place(i, column.sum);
      const share = engine.share(row, basis);
      const what = [isNumber(share) ? `${percent(share)} %` : null, layerPrecisionText(engine, row)]
        .filter((part) => part !== null && part !== '–')
        .join(': ');
      // Number and name in one line that starts at the bar's own left edge.
      const left = x - step * 0.45;
      const number = fixed(column.sum * factor, decimals);
      const gap = Math.max(textWidth(number, bodyFont(11)), step * 0.9) + 6;
      const room = this.node.clientWidth - left - gap - 8;
      const width = Math.min(360, room);
      const top = y - 15;
      const wanted = room > 140 ? gap + width * 0.6 : gap - 6;
      // A bar that reaches the line, or another label in it, would run through the text.
      const clear = (until: number): boolean =>
        !this.#columns.some((other, k) => {
          const at = place(k, other.sum);
          return k !== i && at.x > x && at.x - step / 2 < until && at.y < y;
        }) && !taken.some((t) => t.x0 < until && t.x1 > left && Math.abs(t.y - y) < 15);
      if (!clear(left + gap - 8)) continue;
      const named = room > 140 && clear(left + wanted);
      const label = span('bar-label', span('bar-value', number));
      label.style.left = `${left.toFixed(1)}px`;
      label.style.top = `${top.toFixed(1)}px`;
      if (named) {
        const name = el('b', {}, fitName(engine.shortName(row), width * 0.5));
        const text = span('bar-name', name, ' ', span('dim', what));
        text.style.left = `${gap.toFixed(1)}px`;
        label.append(text);
      }
      this.#labels.append(label);
      taken.push({ x0: left, x1: left + (named ? wanted : gap), y });
    }
  }

  #rowAt(event: { readonly offsetX: number; readonly offsetY: number }): number | null {
    const at = this.#chart?.convertFromPixel({ gridIndex: 0 }, [event.offsetX, event.offsetY]) as
      readonly number[] | null | undefined;
    const column = this.#columns[Math.round(at?.[0] ?? -1)];
    if (column === undefined || event.offsetX < kGrid.left) return null;
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

  // A picture of what is drawn, at twice the size of the screen's pixels.
  png(): string | null {
    return (
      this.#chart?.getDataURL({
        pixelRatio: 2,
        backgroundColor: this.#context.palette().ui('bg'),
      }) ?? null
    );
  }

  legend(): HTMLElement {
    const { engine } = this.#context.store;
    const seen = new Map<string, string>();
    for (const row of engine.workRows) {
      const family = engine.family(row);
      const type = engine.layers.text('type', row) ?? family;
      if (!seen.has(family)) seen.set(family, type);
    }
    const entries = [...seen].map(([family, type]) =>
      span(
        'legend-entry',
        span(
          `swatch f-${family}${family === 'reformat' ? ' hatched' : ''}${family === 'other' ? ' outlined' : ''}`,
        ),
        kFamilyNames[family] ?? type,
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
    this.#chart?.dispose();
    this.#chart = null;
  }
}

const kFamilyNames: Readonly<Record<string, string>> = {
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
