// The figures of the view: those above the table, and all that can be said of any number of engines.

import {
  Figure,
  figuresOf,
  htmlBody,
  isNumber,
  linkButton,
  nameTitle,
  timeUnit,
  visible,
  type Comparison,
  type EnginePair,
  type FigureSpec,
  type Palette,
  type Unit,
  type ViewContext,
  type Way,
} from '../../public/index.ts';
import {
  precisionSegments,
  stacksBody,
  stacksLegend,
  stacksTable,
  timesOf,
  typeSegments,
  type Segment,
  type Stacks,
} from '../../public/stacks.ts';
import { causesData, causeShares, causesTable, type CauseShare } from './causes.ts';
import { isPerItem, isTransposed } from './choice.ts';
import { pairName } from './pair_rows.ts';
import { speedUpsData, speedUpsTable } from './speed_ups.ts';
import { summariesData, summariesTable, summariesText } from './summaries.ts';
import { totalsData, totalsTable } from './totals.ts';

const kTotalsRow = 20;
// What is asked first; all of them are in the mode of all engines.
const kMainTotals: readonly string[] = [
  'end_to_end_median_ms',
  'speed_up_ratio',
  'layer_speed_up_ratio',
  'layers_time_ms',
  'layer_count',
  'reformat_count',
  'reformat_share_ratio',
  'activation_bytes',
  'weight_bytes',
];

type Values = readonly (number | null)[];

export interface FiguresEvents {
  // A bar of an engine was clicked.
  engine(engine: number): void;
  cause(cause: string | null): void;
}

// The parts of a stack that need the view's own knowledge.
interface StackSpec {
  readonly id: string;
  readonly title: string;
  readonly explain: () => string;
  readonly segments: (palette: Palette) => readonly Segment[];
  readonly ticks?: () => Values | null;
  readonly tickName?: string;
  readonly decimals: () => number;
  readonly unit: () => string;
  readonly wantedHeight?: () => number;
  readonly aside?: () => readonly HTMLElement[];
}

export class Figures {
  readonly #context: ViewContext;
  readonly #events: FiguresEvents;

  constructor(context: ViewContext, events: FiguresEvents) {
    this.#context = context;
    this.#events = events;
  }

  get #figures(): Comparison {
    return figuresOf(this.#context.store.report);
  }

  get #enginePair(): EnginePair {
    return this.#context.store.enginePair ?? { a: 0, b: 0 };
  }

  get #way(): Way | null {
    return this.#context.store.pairs?.way ?? null;
  }

  #option(key: `compare.${string}`, value: string | null): void {
    this.#context.store.setOption(key, value);
  }

  #total(metric: string): Values | null {
    const values = this.#figures.totals.find((total) => total.metric === metric)?.values ?? null;
    return values?.some(isNumber) === true ? values : null;
  }

  // Null where there is nothing to draw.
  #stack(spec: StackSpec): Figure | null {
    const context = this.#context;
    const { store } = context;
    const stacks = (palette: Palette): Stacks => ({
      names: store.report.engines.map((engine) => nameTitle(visible(engine.id))),
      strong: store.report.engines.map(
        (_, i) => i === this.#enginePair.a || i === this.#enginePair.b,
      ),
      segments: spec.segments(palette),
      ticks: spec.ticks?.() ?? null,
      tickName: spec.tickName ?? '',
      decimals: spec.decimals(),
    });
    if (stacks(context.palette()).segments.length === 0) return null;
    return new Figure(context, {
      id: spec.id,
      title: spec.title,
      explain: spec.explain,
      body: stacksBody(context, {
        label: () => `${spec.title} of ${String(store.report.engines.length)} engines`,
        stacks,
        ...(spec.wantedHeight === undefined ? {} : { wantedHeight: spec.wantedHeight }),
        click: (engine) => this.#events.engine(engine),
      }),
      table: () => stacksTable(stacks(context.palette()), spec.unit()),
      aside: () => [stacksLegend(stacks(context.palette())), ...(spec.aside?.() ?? [])],
    });
  }

  // --- stacks

  timeByType(wantedHeight?: () => number): Figure | null {
    const { store } = this.#context;
    const figures = this.#figures;
    const hasItems = figures.by_type.some((group) => group.item_ms.some(isNumber));
    const perItem = (): boolean => hasItems && isPerItem(store);
    return this.#stack({
      id: 'time-by-type',
      title: 'Time by type',
      explain: () => (perItem() ? 'Σ layers ÷ batch, µs per item' : 'Σ layers, ms'),
      segments: (palette) =>
        typeSegments(
          figures.by_type,
          perItem() ? (group) => scaled(group.item_ms, 1e3) : timesOf,
          palette,
        ),
      ticks: () =>
        perItem()
          ? scaled(this.#total('item_time_ms') ?? [], 1e3)
          : this.#total('end_to_end_median_ms'),
      tickName: 'end to end',
      decimals: () => (perItem() ? 2 : 3),
      unit: () => (perItem() ? 'µs per item' : 'ms'),
      ...(wantedHeight === undefined ? {} : { wantedHeight }),
      aside: () =>
        hasItems
          ? [
              linkButton(
                perItem() ? 'per inference' : 'per item',
                perItem()
                  ? 'Times of whole inferences'
                  : 'Times ÷ batch, for engines of different batch sizes',
                () => this.#option('compare.per', perItem() ? null : 'item'),
              ),
            ]
          : [],
    });
  }

  layersByPrecision(wantedHeight?: () => number): Figure | null {
    const figures = this.#figures;
    return this.#stack({
      id: 'layers-by-precision',
      title: 'Layers by input precision',
      explain: () => 'count',
      segments: (palette) => precisionSegments(figures.by_precision, (p) => p.count, palette),
      decimals: () => 0,
      unit: () => '',
      ...(wantedHeight === undefined ? {} : { wantedHeight }),
    });
  }

  #timeByPrecision(): Figure | null {
    const figures = this.#figures;
    return this.#stack({
      id: 'time-by-precision',
      title: 'Time by input precision',
      explain: () => 'Σ layers, ms',
      segments: (palette) => precisionSegments(figures.by_precision, timesOf, palette),
      ticks: () => this.#total('end_to_end_median_ms'),
      tickName: 'end to end',
      decimals: () => 3,
      unit: () => 'ms',
    });
  }

  #layersByOutput(): Figure | null {
    const figures = this.#figures;
    return this.#stack({
      id: 'layers-by-output',
      title: 'Layers by output precision',
      explain: () => 'count',
      segments: (palette) =>
        precisionSegments(figures.by_output_precision, (p) => p.count, palette),
      decimals: () => 0,
      unit: () => '',
    });
  }

  #layersByType(): Figure | null {
    const figures = this.#figures;
    return this.#stack({
      id: 'layers-by-type',
      title: 'Layers by type',
      explain: () => 'count',
      segments: (palette) => typeSegments(figures.by_type, (group) => group.count, palette),
      decimals: () => 0,
      unit: () => '',
    });
  }

  // Items of a batch where batches are known: engines of several batches compare.
  #throughput(): Figure | null {
    const items = this.#total('items_per_s');
    const values = items ?? this.#total('inferences_per_s');
    if (values === null) return null;
    const what = items === null ? 'inferences' : 'batch items';
    return this.#stack({
      id: 'throughput',
      title: 'Throughput',
      explain: () => `${what} per second`,
      segments: (palette) => [
        {
          name: what,
          fill: palette.ui('ink3'),
          colour: palette.ui('ink3'),
          legendClass: 'f-other',
          values,
        },
      ],
      decimals: () => (values.some((value) => (value ?? 0) >= 100) ? 0 : 1),
      unit: () => '1/s',
    });
  }

  // --- tables

  #html(
    spec: Omit<FigureSpec, 'body'>,
    className: string,
    make: (width: number) => readonly HTMLElement[],
  ): Figure {
    return new Figure(this.#context, { ...spec, body: htmlBody(className, make) });
  }

  #unit(way: Way): Unit {
    return timeUnit(Math.max(0, ...way.causes.map((cause) => Math.abs(cause.delta_ms ?? 0))));
  }

  // Null where the two engines are not in pairs.
  causes(chosen: () => string | null): Figure | null {
    const way = this.#way;
    if (way === null) return null;
    if (way.delta_ms === null || way.causes.length === 0) return null;
    return this.#html(
      {
        id: 'causes',
        title: 'Why',
        explain: () => 'B − A by cause; adds up to Σ layers',
        table: () => causesData(this.#way ?? way),
      },
      'table-scroll-x',
      () => {
        const now = this.#way ?? way;
        const { pairs, report } = this.#context.store;
        const shares = pairs === null ? new Map<string, CauseShare>() : causeShares(pairs);
        return [
          causesTable({
            way: now,
            unit: this.#unit(now),
            share: (cause) => shares.get(cause) ?? { exceedsNoise: null, mostly: null },
            nameOf: (pair) => {
              const [a, b] = [report.engines[pairs?.a ?? -1], report.engines[pairs?.b ?? -1]];
              if (pairs === null || a === undefined || b === undefined) return '';
              const { store } = this.#context;
              return pairName({ a, b }, pairs, pair, (row, engine) =>
                store.layerLabel(row, engine),
              );
            },
            chosen: chosen(),
            choose: (cause) => this.#events.cause(cause),
          }),
        ];
      },
    );
  }

  totals(withDetails: boolean): Figure {
    const { store } = this.#context;
    const rows = (): Comparison['totals'] =>
      withDetails ? this.#figures.totals : this.#mainTotals;
    return this.#html(
      {
        id: 'totals',
        title: 'Totals',
        explain: () => 'best in bold',
        table: () => totalsData(store.report, this.#figures.totals),
        aside: () => [
          withDetails
            ? null
            : linkButton('all figures', 'All figures of all engines', () =>
                this.#option('compare.mode', 'engines'),
              ),
          this.#turn(),
        ],
      },
      'table-scroll-x totals-scroll',
      () => [
        totalsTable({
          report: store.report,
          totals: rows(),
          enginePair: this.#enginePair,
          isTransposed: isTransposed(store),
        }),
      ],
    );
  }

  // The few that are shown beside the charts.
  get #mainTotals(): Comparison['totals'] {
    const { totals } = this.#figures;
    const main = totals.filter((total) => kMainTotals.includes(total.metric));
    return main.length > 0 ? main : totals;
  }

  // What the totals beside the charts want as their height.
  get totalsHeight(): number {
    const { store } = this.#context;
    return isTransposed(store) ? 0 : this.#mainTotals.length * kTotalsRow;
  }

  #turn(): HTMLElement {
    const { store } = this.#context;
    const isDown = isTransposed(store);
    return linkButton(
      isDown ? 'engines across' : 'engines down',
      isDown ? 'One column per engine' : 'One row per engine',
      () => this.#option('compare.totals', isDown ? null : 'down'),
    );
  }

  #speedUps(): Figure {
    const { store } = this.#context;
    const spec = () => ({
      report: store.report,
      figures: this.#figures,
      enginePair: this.#enginePair,
    });
    const percent = String(Math.round(this.#figures.threshold_ratio * 100));
    return this.#html(
      {
        id: 'speed-ups',
        title: 'Speed-up over A',
        explain: () =>
          `A ÷ engine, × · colored from ${percent} % on where it is more than noise · ≈ within it`,
        table: () => speedUpsData(spec()),
      },
      'table-scroll-x totals-scroll',
      () => [speedUpsTable(spec())],
    );
  }

  #summaries(): Figure | null {
    if (this.#figures.summaries.length === 0) return null;
    const { store } = this.#context;
    const spec = () => ({
      report: store.report,
      figures: this.#figures,
      enginePair: this.#enginePair,
      isTransposed: isTransposed(store),
      onlyDifferent: store.option('compare.summaries') !== 'all',
    });
    return this.#html(
      {
        id: 'summaries',
        title: 'Built and run',
        explain: () => summariesText(spec()),
        table: () => summariesData(spec()),
        aside: () => {
          const isAll = store.option('compare.summaries') === 'all';
          return [
            linkButton(
              isAll ? 'differences only' : 'all lines',
              'Also lines that are equal in all engines',
              () => this.#option('compare.summaries', isAll ? null : 'all'),
            ),
            this.#turn(),
          ];
        },
      },
      'table-scroll-x summaries-scroll',
      () => [summariesTable(spec())],
    );
  }

  // Everything there is to say of all engines.
  all(): readonly Figure[] {
    return [
      this.timeByType(),
      this.#timeByPrecision(),
      this.#layersByType(),
      this.layersByPrecision(),
      this.#layersByOutput(),
      this.#throughput(),
      this.totals(true),
      this.#speedUps(),
      this.#summaries(),
    ].filter((figure) => figure !== null);
  }
}

function scaled(values: Values, factor: number): Values {
  return values.map((value) => (value === null ? null : value * factor));
}
