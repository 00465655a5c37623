// The other engines of the report: their layer time as stacks with a tick for the end-to-end time.
// The Compare view has the rest.

import {
  el,
  Figure,
  figuresOf,
  isNumber,
  linkButton,
  nameTitle,
  plural,
  visible,
  type Engine,
  type Palette,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import {
  stacksBody,
  stacksLegend,
  stacksTable,
  timesOf,
  typeSegments,
  type Stacks,
} from '../../public/plot/stacks.ts';

// The main difference between the engines: the fastest of the others against the first, in the
// program's words.
export function differenceLine({ store }: ViewContext): HTMLElement | null {
  const { engines, comparison } = store.report;
  const timeOf = ({ summary: { time } }: Engine): number =>
    time.end_to_end?.median_ms ??
    time.end_to_end?.mean_ms ??
    time.layers_median_ms ??
    time.layers_mean_ms ??
    Number.POSITIVE_INFINITY;
  const others = engines.map((engine, i) => ({ i, ms: timeOf(engine) })).slice(1);
  const [fastest] = others.sort((a, b) => a.ms - b.ms);
  const way = fastest === undefined ? undefined : comparison?.pairs(0, fastest.i)?.way;
  if (fastest === undefined || way === undefined) return null;
  return el(
    'p',
    { class: 'conclusion' },
    el('b', {}, `${visible(way.verdict_sentence)}.`),
    way.sentence === null ? null : ` ${visible(way.sentence)}. `,
    linkButton('why', 'What changed between the two', () =>
      store.patch({ view: 'compare', a: 0, b: fastest.i }),
    ),
  );
}

function stacksOf({ report, state }: Store, palette: Palette): Stacks {
  const figures = figuresOf(report);
  const ticks = figures.totals.find((t) => t.metric === 'end_to_end_median_ms')?.values ?? [];
  return {
    names: report.engines.map((e) => nameTitle(visible(e.id))),
    strong: report.engines.map((_, i) => i === state.engine),
    segments: typeSegments(figures.by_type, timesOf, palette),
    ticks: ticks.some(isNumber) ? ticks : null,
    tickName: 'end to end',
    decimals: 3,
  };
}

// Null for one engine, and for engines without any times.
export function enginesFigure(context: ViewContext): Figure | null {
  const { store } = context;
  const stacks = (palette = context.palette()): Stacks => stacksOf(store, palette);
  const count = store.report.engines.length;
  if (count < 2 || stacks().segments.length === 0) return null;
  return new Figure(context, {
    id: 'engines',
    title: plural(count, 'engine'),
    explain: () => 'Σ layers by type, ms',
    body: stacksBody(context, {
      label: () => `Layer time by type of ${plural(count, 'engine')}, with the end-to-end time`,
      stacks,
      click: (engine) => store.patch({ engine }),
    }),
    table: () => stacksTable(stacks(), 'ms'),
    aside: () => [
      stacksLegend(stacks()),
      linkButton('compare', 'What changed between two of them, and did it help?', () =>
        store.patch({ view: 'compare' }),
      ),
    ],
  });
}
