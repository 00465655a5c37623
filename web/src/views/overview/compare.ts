// The other engines of the report: their layer time as stacks with a tick for the end-to-end time. The
// rest of what there is to say of several engines is in Compare.

import {
  div,
  el,
  Figure,
  figuresOf,
  isNumber,
  linkButton,
  nameTitle,
  plural,
  visible,
  type Engine,
  type ViewContext,
} from '../../public/index.ts';
import {
  stacksBody,
  stacksLegend,
  stacksTable,
  timesOf,
  typeSegments,
  type Stacks,
} from '../../public/stacks.ts';
import type { Palette } from '../../public/index.ts';

// What tells the engines apart: the fastest of the others against the first, in the program's words.
export function differenceLine({ store }: ViewContext): HTMLElement | null {
  const { engines, comparison } = store.report;
  const timeOf = (engine: Engine): number => {
    const { time } = engine.summary;
    const whole = time.end_to_end?.median_ms ?? time.end_to_end?.mean_ms;
    return whole ?? time.layers_median_ms ?? time.layers_mean_ms ?? Number.POSITIVE_INFINITY;
  };
  const others = engines.map((engine, i) => ({ i, ms: timeOf(engine) })).slice(1);
  const [fastest] = others.sort((a, b) => a.ms - b.ms);
  const way = fastest === undefined ? undefined : comparison?.pairs(0, fastest.i)?.way;
  if (fastest === undefined || way === undefined) return null;
  return el(
    'p',
    { class: 'difference' },
    el('b', {}, `${visible(way.verdict_sentence)}.`),
    way.sentence === null ? null : ` ${visible(way.sentence)}. `,
    linkButton('why', 'What changed between the two', () =>
      store.patch({ view: 'compare', a: 0, b: fastest.i }),
    ),
  );
}

export class EngineStacks {
  readonly node = div('engine-stacks');
  readonly #context: ViewContext;
  readonly #figure: Figure;

  constructor(context: ViewContext) {
    this.#context = context;
    const { store } = context;
    const count = store.report.engines.length;
    const stacks = (palette: Palette): Stacks => this.#stacks(palette);
    this.#figure = new Figure(context, {
      id: 'engines',
      title: plural(count, 'engine'),
      explain: () => 'Σ layers by type, ms',
      body: stacksBody(context, {
        label: () => `Layer time by type of ${plural(count, 'engine')}, with the end-to-end time`,
        stacks,
        click: (engine) => store.patch({ engine }),
      }),
      table: () => stacksTable(stacks(context.palette()), 'ms'),
      aside: () => [
        stacksLegend(stacks(context.palette())),
        linkButton('compare', 'What changed between two of them, and did it help?', () =>
          store.patch({ view: 'compare' }),
        ),
      ],
    });
    this.node.append(this.#figure.node);
  }

  #stacks(palette: Palette): Stacks {
    const { store } = this.#context;
    const figures = figuresOf(store.report);
    const ticks = figures.totals.find((t) => t.metric === 'end_to_end_median_ms')?.values ?? [];
    return {
      names: store.report.engines.map((e) => nameTitle(visible(e.id))),
      strong: store.report.engines.map((_, i) => i === store.state.engine),
      segments: typeSegments(figures.by_type, timesOf, palette),
      ticks: ticks.some(isNumber) ? ticks : null,
      tickName: 'end to end',
      decimals: 3,
    };
  }

  // Engines without any times have no stacks.
  get isEmpty(): boolean {
    return this.#stacks(this.#context.palette()).segments.length === 0;
  }

  draw(): void {
    this.node.hidden = this.isEmpty;
    if (!this.node.hidden) this.#figure.draw();
  }

  destroy(): void {
    this.#figure.destroy();
  }
}
