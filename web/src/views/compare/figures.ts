// The figures of the view: those above the table, and everything about any number of engines.

import {
  Figure,
  figuresOf,
  htmlBody,
  integer,
  isNumber,
  linkButton,
  nameTitle,
  visible,
  type Comparison,
  type FigureSpec,
  type Palette,
  type ViewContext,
} from '../../public/index.ts';
import {
  precisionSegments,
  stacksBody,
  stacksLegend,
  stacksTable,
  timesOf,
  typeSegments,
  type Stacks,
} from '../../public/plot/stacks.ts';
import { causesData, causesTable } from './causes.ts';
import { chosenCause, isTransposed, showCause } from './choice.ts';
import { engineTable, engineTableData, sideOf, type EngineTable } from './engine_table.ts';
import { pairName } from './pair_rows.ts';
import { speedUpsTable } from './speed_ups.ts';
import { differing, summariesTable } from './summaries.ts';
import { totalsTable, type Total } from './totals.ts';

const kTotalsRow = 20;
// The usual first questions; the mode of all engines has all figures.
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

// What a stack currently shows.
interface Stack extends Pick<Stacks, 'segments' | 'decimals'> {
  readonly explain: string;
  readonly unit: string;
  readonly ticks?: Values | null;
}

type Head = Pick<FigureSpec, 'id' | 'title' | 'explain' | 'aside'>;

// For one report and two of its engines; null is a figure that has nothing to draw.
export class Figures {
  readonly #context: ViewContext;
  readonly #figures: Comparison;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#figures = figuresOf(context.store.report);
  }

  // Above the table.
  top(): readonly Figure[] {
    const { totals } = this.#figures;
    const main = totals.filter((total) => kMainTotals.includes(total.metric));
    const rows = main.length > 0 ? main : totals;
    // As high as the totals next to them.
    const height = (): number => (isTransposed(this.#context.store) ? 0 : rows.length * kTotalsRow);
    const all = linkButton('all figures', 'All figures of all engines', () =>
      this.#context.store.setOption('compare.mode', 'engines'),
    );
    return [
      this.#timeByType(height),
      this.#layersByPrecision(height),
      this.#causes(),
      this.#totals(rows, all),
    ].filter((figure) => figure !== null);
  }

  // Everything about all engines.
  all(): readonly Figure[] {
    const { by_type: types, by_precision: precisions, totals } = this.#figures;
    const outputs = this.#figures.by_output_precision;
    return [
      this.#timeByType(),
      this.#stack('time-by-precision', 'Time by input precision', (palette) =>
        this.#times(precisionSegments(precisions, timesOf, palette)),
      ),
      this.#stack('layers-by-type', 'Layers by type', (palette) =>
        counts(typeSegments(types, (group) => group.count, palette)),
      ),
      this.#layersByPrecision(),
      this.#stack('layers-by-output', 'Layers by output precision', (palette) =>
        counts(precisionSegments(outputs, (group) => group.count, palette)),
      ),
      this.#throughput(),
      this.#totals(totals, null),
      this.#speedUps(),
      this.#summaries(),
    ].filter((figure) => figure !== null);
  }

  #total(metric: string): Values | null {
    const values = this.#figures.totals.find((total) => total.metric === metric)?.values ?? null;
    return values?.some(isNumber) === true ? values : null;
  }

  // --- stacks

  #stack(
    id: string,
    title: string,
    make: (palette: Palette) => Stack,
    wantedHeight = (): number => 0,
    aside: () => HTMLElement | null = () => null,
  ): Figure | null {
    const context = this.#context;
    const { store } = context;
    const { engines } = store.report;
    const stacks = (palette: Palette): Stacks & Stack => ({
      names: engines.map((engine) => nameTitle(visible(engine.id))),
      strong: engines.map((_, i) => sideOf(store, i) !== null),
      tickName: 'end to end',
      ticks: null,
      ...make(palette),
    });
    const now = (): Stacks & Stack => stacks(context.palette());
    if (now().segments.length === 0) return null;
    return new Figure(context, {
      id,
      title,
      explain: () => now().explain,
      body: stacksBody(context, {
        label: () => `${title} of ${engines.length} engines`,
        stacks,
        wantedHeight,
        click: (engine) => {
          // A third one replaces B.
          const a = store.enginePair?.a ?? null;
          if (sideOf(store, engine) === null) store.patch({ a, b: engine });
        },
      }),
      table: () => stacksTable(now(), now().unit),
      aside: () => [stacksLegend(now()), aside()],
    });
  }

  #times(segments: Stack['segments']): Stack {
    const ticks = this.#total('end_to_end_median_ms');
    return { explain: 'Σ layers, ms', segments, ticks, decimals: 3, unit: 'ms' };
  }

  #timeByType(wantedHeight?: () => number): Figure | null {
    const { store } = this.#context;
    const { by_type: types } = this.#figures;
    const hasItems = types.some((group) => group.item_ms.some(isNumber));
    const isOfItems = (): boolean => hasItems && store.option('compare.per') === 'item';
    const stack = (palette: Palette): Stack =>
      isOfItems()
        ? {
            explain: 'Σ layers ÷ batch, µs per item',
            segments: typeSegments(types, (group) => inMicros(group.item_ms), palette),
            ticks: inMicros(this.#total('item_time_ms') ?? []),
            decimals: 2,
            unit: 'µs per item',
          }
        : this.#times(typeSegments(types, timesOf, palette));
    const turn = (): HTMLElement | null => {
      if (!hasItems) return null;
      const [text, title, next] = isOfItems()
        ? (['per inference', 'Times of whole inferences', null] as const)
        : (['per item', 'Times ÷ batch, for engines of different batch sizes', 'item'] as const);
      return linkButton(text, title, () => store.setOption('compare.per', next));
    };
    return this.#stack('time-by-type', 'Time by type', stack, wantedHeight, turn);
  }

  #layersByPrecision(wantedHeight?: () => number): Figure | null {
    const { by_precision: precisions } = this.#figures;
    return this.#stack(
      'layers-by-precision',
      'Layers by input precision',
      (palette) => counts(precisionSegments(precisions, (group) => group.count, palette)),
      wantedHeight,
    );
  }

  // Batch items if batches are known, so that engines with different batches compare.
  #throughput(): Figure | null {
    const items = this.#total('items_per_s');
    const values = items ?? this.#total('inferences_per_s');
    if (values === null) return null;
    const name = items === null ? 'inferences' : 'batch items';
    const decimals = values.some((value) => (value ?? 0) >= 100) ? 0 : 1;
    return this.#stack('throughput', 'Throughput', (palette) => {
      const colour = palette.ui('ink3');
      const segments = [{ name, fill: colour, colour, legendClass: 'f-other', values }];
      return { explain: `${name} per second`, segments, decimals, unit: '1/s' };
    });
  }

  // --- tables

  #causes(): Figure | null {
    const { store } = this.#context;
    const { pairs } = store;
    if (pairs === null) return null;
    if (pairs.way.delta_ms === null || pairs.way.causes.length === 0) return null;
    const table = (): HTMLElement =>
      causesTable(pairs, {
        nameOf: (pair) => pairName(pairs, pair, (row, engine) => store.layerLabel(row, engine)),
        chosen: chosenCause(store),
        choose: (cause) => showCause(store, cause),
      });
    return new Figure(this.#context, {
      id: 'causes',
      title: 'Why',
      explain: () => 'B − A by cause; adds up to Σ layers',
      body: htmlBody('wide-scroll', () => [table()]),
      table: () => causesData(pairs.way),
    });
  }

  #table<Row>(head: Head, make: () => EngineTable<Row>, canTurn = true): Figure {
    const { store } = this.#context;
    const table = (): HTMLElement => engineTable(store, make(), canTurn && isTransposed(store));
    return new Figure(this.#context, {
      ...head,
      body: htmlBody('wide-scroll', () => [table()]),
      table: () => engineTableData(store, make()),
    });
  }

  #turn(): HTMLElement {
    const { store } = this.#context;
    const [text, title, next] = isTransposed(store)
      ? (['engines across', 'One column per engine', null] as const)
      : (['engines down', 'One row per engine', 'down'] as const);
    return linkButton(text, title, () => store.setOption('compare.totals', next));
  }

  #totals(rows: readonly Total[], more: HTMLElement | null): Figure {
    const explain = (): string => 'best in bold';
    return this.#table(
      { id: 'totals', title: 'Totals', explain, aside: () => [more, this.#turn()] },
      () => totalsTable(rows, this.#figures.totals),
    );
  }

  #speedUps(): Figure {
    const { enginePair } = this.#context.store;
    const percent = Math.round(this.#figures.threshold_ratio * 100);
    const explain = (): string =>
      `A ÷ engine, × · colored from ${percent} % on where beyond noise · ≈ within noise`;
    return this.#table(
      { id: 'speed-ups', title: 'Speed-up over A', explain },
      () => speedUpsTable(this.#figures, enginePair?.a ?? 0),
      false,
    );
  }

  #summaries(): Figure | null {
    const { summaries } = this.#figures;
    if (summaries.length === 0) return null;
    const { store } = this.#context;
    const different = differing(summaries);
    const isAll = (): boolean => store.option('compare.summaries') === 'all';
    const count = integer(summaries.length);
    const more = (): HTMLElement =>
      linkButton(
        isAll() ? 'differences only' : 'all lines',
        'Include lines that are equal in all engines',
        () => store.setOption('compare.summaries', isAll() ? null : 'all'),
      );
    const head: Head = {
      id: 'summaries',
      title: 'Built and run',
      explain: () =>
        isAll() ? `${count} lines` : `${integer(different.length)} of ${count} lines differ`,
      aside: () => [more(), this.#turn()],
    };
    return this.#table(head, () => summariesTable(isAll() ? summaries : different, summaries));
  }
}

function counts(segments: Stack['segments']): Stack {
  return { explain: 'count', segments, decimals: 0, unit: '' };
}

function inMicros(values: Values): Values {
  return values.map((value) => (value === null ? null : value * 1e3));
}
