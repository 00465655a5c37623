// Memory: what holds the memory, and when is the peak?

import {
  bytesText,
  conclusionLine,
  div,
  Figure,
  FigureList,
  fitAll,
  integer,
  linkButton,
  missingPieces,
  plural,
  precisionMark,
  replace,
  span,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { chartFigure } from '../../public/chart_body.ts';
import { plotFigure } from '../../public/plot/index.ts';
import { LayerHistogram } from '../../public/layer_histogram.ts';
import { readTimeline, TensorIndex, type Timeline } from './data.ts';
import { TimelineBody } from './timeline_body.ts';
import { PerLayerChart } from './per_layer_chart.ts';
import {
  beside,
  holdersFigure,
  reuse,
  weightsByLayerFigure,
  weightsByTypeFigure,
  type NamedFigure,
} from './tables.ts';
import './memory.css';

class MemoryView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  readonly #figures = new FigureList();
  #named: NamedFigure[] = [];

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('memory');
    this.#build();
  }

  update(change: ReadonlySet<string>): void {
    if (change.has('engine')) this.#build();
    else this.#draw();
  }

  #draw(): void {
    this.#figures.draw();
    for (const named of this.#named) fitAll(named.names());
  }

  // What is shown hangs on the engine alone; drawing hangs on the rest.
  #build(): void {
    this.#figures.destroy();
    this.#named = [];
    const { engine } = this.#context.store;
    const document = engine.document('memory');
    if (document === null) {
      replace(this.#host, div('column', missingPieces(this.#context)));
      return;
    }
    const timeline = readTimeline(document, engine);
    const index = new TensorIndex(engine);
    const hasTimeline = timeline.tensors.count > 0 && timeline.peakFrame !== null;
    const left = [
      hasTimeline ? this.#timeline(timeline, index) : missingPieces(this.#context),
      this.#perLayer(),
      this.#distributions(),
    ];
    const right = [
      this.#keepNamed(holdersFigure(this.#context, timeline, index)),
      beside(timeline),
      this.#figures.keep(weightsByTypeFigure(this.#context)),
      this.#keepNamed(weightsByLayerFigure(this.#context)),
      reuse(this.#context),
    ];
    replace(
      this.#host,
      conclusionLine(timeline.conclusion),
      div('columns', div('column', ...left), div('column', ...right)),
    );
    this.#draw();
  }

  #keepNamed(named: NamedFigure | null): HTMLElement | null {
    if (named === null) return null;
    this.#named.push(named);
    return this.#figures.keep(named.figure);
  }

  #timeline(timeline: Timeline, index: TensorIndex): HTMLElement | null {
    const { store } = this.#context;
    const explain = (): string => {
      const place =
        timeline.offsets === 'given'
          ? 'placed at the offsets in the file'
          : 'packed largest first at the lowest free offset: the engine’s own placement is not recorded';
      const streams =
        timeline.peak.stream_count > 1
          ? `; ${integer(timeline.peak.stream_count)} streams run concurrently, drawn in execution order`
          : '';
      const hidden =
        body.hidden > 0
          ? `; ${plural(body.hidden, 'small tensor')} drawn only as a gray outline`
          : '';
      return `one rectangle per tensor: from the first layer that uses it to the last; height = bytes, color = type; ${place}${streams}${hidden}`;
    };
    const body = new TimelineBody(
      this.#context,
      timeline,
      index,
      () => `Memory timeline. ${timeline.conclusion.headline} The table lists the tensors.`,
    );
    const types = [...new Set(timeline.tensors.dtype)].sort((a, b) =>
      (a ?? '~') < (b ?? '~') ? -1 : 1,
    );
    return this.#figures.keep(
      new Figure(this.#context, {
        id: 'timeline',
        title: 'Memory timeline',
        explain,
        body,
        aside: () => [
          ...types.map((type) => span('legend-entry', precisionMark(type))),
          store.engine.hasTimes
            ? linkButton(body.byTime ? 'by order' : 'by time', null, () =>
                store.setOption('memory.x', body.byTime ? null : 'time'),
              )
            : null,
        ],
        table: () => ({
          columns: [
            { title: 'tensor_id', decimals: 0 },
            { title: 'tensor', decimals: null },
            { title: 'type', decimals: null },
            { title: 'bytes', decimals: 0 },
            { title: 'first layer', decimals: 0 },
            { title: 'last layer', decimals: 0 },
            { title: 'offset bytes', decimals: 0 },
          ],
          rows: [...timeline.tensors.tensorId].map((id, i) => {
            const offset = timeline.tensors.offset[i] ?? Number.NaN;
            return [
              id,
              index.name(id),
              timeline.tensors.dtype[i] ?? null,
              timeline.tensors.bytes[i] ?? null,
              timeline.layerIds[timeline.tensors.first[i] ?? 0] ?? null,
              timeline.layerIds[timeline.tensors.last[i] ?? 0] ?? null,
              Number.isNaN(offset) ? null : offset,
            ];
          }),
        }),
      }),
    );
  }

  #perLayer(): HTMLElement | null {
    const chart = new PerLayerChart(this.#context);
    if (chart.isEmpty) return null;
    return this.#figures.keep(
      chartFigure(this.#context, chart, {
        id: 'bytes-per-layer',
        title: 'Bytes per layer',
      }),
    );
  }

  #distributions(): HTMLElement | null {
    const { store } = this.#context;
    const figures = (
      [
        ['weights', 'weight_bytes', 'weights', 'weights', 'without weights'],
        ['activations', 'io_bytes', 'activations', null, 'that move no data'],
        ['total', 'footprint_bytes', 'bytes moved', 'bytes', 'that move no data'],
      ] as const
    ).flatMap(([id, column, what, field, zero]) => {
      const chart = new LayerHistogram(this.#context, {
        values: () => store.engine.layers.numbers(column),
        text: bytesText,
        unit: 'bytes',
        what: () => what,
        zero,
        filter: field === null ? null : { field, scale: 1 },
        plot: 84,
      });
      if (chart.isEmpty) return [];
      const figure = plotFigure(this.#context, chart, {
        id: `distribution-${id}`,
        title: id.replace(/^./, (letter) => letter.toUpperCase()),
      });
      return [this.#figures.keep(figure)];
    });
    return figures.length === 0 ? null : div('multiples', ...figures);
  }

  destroy(): void {
    this.#figures.destroy();
    this.#host.classList.remove('memory');
  }
}

export const memoryView: View = {
  id: 'memory',
  title: 'Memory',
  needs: ['layers'],
  mount: (host, context) => new MemoryView(host, context),
};
