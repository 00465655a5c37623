// The chosen cell in the details panel: what was measured, what stands out, and where to look on.

import {
  bytesText,
  commandBox,
  div,
  el,
  factsList,
  iconButton,
  integer,
  linkButton,
  msText,
  span,
  visible,
  type Child,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import { intervalOf, intervalText, kMeasures, rateText, type NumberKey } from './measures.ts';
import type { Shown } from './state.ts';
import { cellText, cliffText, errorText, openCommand } from './texts.ts';

// Views of an engine: neither this one nor that of two.
const kNotOfOne: readonly string[] = ['sweep', 'compare'];

const rate = (perS: number): string => `${rateText(perS)} items/s`;
const time = (ms: number): string => `${msText(ms)} ms`;

const kFacts: readonly (readonly [string, NumberKey, (value: number) => string])[] = [
  ['builds', 'run_count', integer],
  ['items of an inference', 'batch_size', integer],
  ['inferences at once', 'concurrent', integer],
  ['throughput', 'items_per_s', rate],
  ['time per item', 'item_ms', time],
  ['layers', 'layer_count', integer],
  ['Σ layers', 'layers_ms', time],
  ['reformats', 'reformat_count', integer],
  ['their time', 'reformats_ms', time],
  ['weights', 'weight_bytes', bytesText],
  ['peak of activations', 'peak_bytes', bytesText],
  ['memory, both', 'memory_bytes', bytesText],
  ['activation traffic', 'traffic_bytes', bytesText],
];

function section(title: string, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title), ...children);
}

export function cellPanel(shown: Shown): readonly Child[] | null {
  const { context, grid, chosen: cell } = shown;
  if (cell === null) return null;
  const state = cell.state === 'pending' ? 'not run yet' : cell.state;
  const interval = intervalOf(kMeasures[0], cell);
  const command = openCommand(cell);
  const cliffs = grid.cliffsInto(cell);
  const lottery = grid.sweep.lottery.find((one) => grid.cell(one.cell) === cell);
  return [
    div(
      'panel-head',
      div(
        'panel-line',
        span('dim', cell.state === 'done' ? 'cell of the sweep' : `cell · ${state}`),
        span('grow'),
        iconButton('close', 'Close (Esc)', () => context.store.setOption('sweep.cell', null)),
      ),
      div('panel-name', cellText(grid, cell)),
      cell.latency_ms !== null &&
        div(
          'panel-line figures',
          span('key-figure', msText(cell.latency_ms), el('small', {}, 'ms median')),
          interval && span('soft', `95 % interval ${intervalText(...interval)}`),
        ),
    ),
    cell.error !== null &&
      section(
        cell.state === 'failed' ? 'Why it failed' : 'A build failed',
        el('p', {}, errorText(cell.error)),
        cell.error_hint !== null && el('p', { class: 'soft' }, visible(cell.error_hint)),
        cell.error_context !== null &&
          el('pre', { class: 'sweep-context code-text' }, visible(cell.error_context)),
      ),
    cell.state === 'done' && section('Measured', factsList(facts(cell))),
    cliffs.length > 0 &&
      section('Cliffs', ...cliffs.map((cliff) => el('p', {}, cliffText(grid, cliff)))),
    lottery !== undefined &&
      section(
        'Lottery',
        el(
          'p',
          {},
          `${integer(lottery.layers.length)} of ${integer(lottery.layer_count)} layers changed kernel over ${integer(lottery.run_count)} builds.`,
        ),
      ),
    cell.report_engine !== undefined &&
      section('Its engine in', div('sweep-views', ...views(context, cell.report_engine))),
    command !== null &&
      section(
        'In a terminal',
        commandBox(command, (text) => context.copy(text, 'command')),
      ),
  ];
}

function facts(cell: SweepCell): readonly (readonly [string, string])[] {
  const fronts = [
    cell.is_on_throughput_front ? 'throughput' : null,
    cell.is_on_memory_front ? 'memory' : null,
  ].filter((front) => front !== null);
  const known = kFacts.flatMap(([name, key, text]) => {
    const value = cell[key];
    // One at a time is nothing to say.
    return value === null || (key === 'concurrent' && value <= 1)
      ? []
      : [[name, text(value)] as const];
  });
  return fronts.length === 0 ? known : [...known, ['on the front of', fronts.join(', ')]];
}

// Of the engine in the middle of the cell's builds, where the report holds it.
function views({ store, views }: ViewContext, engine: number): readonly HTMLElement[] {
  return views
    .filter(({ id }) => !kNotOfOne.includes(id))
    .map(({ id, title }) =>
      linkButton(title, `Open this engine in ${title}`, () => store.patch({ engine, view: id })),
    );
}
