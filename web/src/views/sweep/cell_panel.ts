// The chosen cell in the details panel: its measurements, cliffs and lottery, and where to look
// next.

import {
  bytesText,
  commandBox,
  div,
  el,
  factsList,
  integer,
  joined,
  keyFigure,
  linkButton,
  msText,
  panelHead,
  panelSection,
  span,
  visible,
  type Child,
  type Fact,
  type SweepCell,
  type ViewContext,
} from '../../public/index.ts';
import { intervalOf, intervalText, kMeasures, rateText, type NumberKey } from './measures.ts';
import type { Shown } from './state.ts';
import { cellText, cliffText, errorText, openCommand } from './texts.ts';

// Views of one engine: neither this one nor the comparison of two.
const kNotOfOne: readonly string[] = ['sweep', 'compare'];

const rate = (perS: number): string => `${rateText(perS)} items/s`;
const time = (ms: number): string => `${msText(ms)} ms`;

const kFacts: readonly (readonly [string, NumberKey, (value: number) => string])[] = [
  ['builds', 'run_count', integer],
  ['items per inference', 'batch_size', integer],
  ['concurrent inferences', 'concurrent', integer],
  ['throughput', 'items_per_s', rate],
  ['time per item', 'item_ms', time],
  ['layers', 'layer_count', integer],
  ['Σ layers', 'layers_ms', time],
  ['reformats', 'reformat_count', integer],
  ['their time', 'reformats_ms', time],
  ['weights', 'weight_bytes', bytesText],
  ['peak activations', 'peak_bytes', bytesText],
  ['sum of both', 'memory_bytes', bytesText],
  ['activation traffic', 'traffic_bytes', bytesText],
];

export function cellPanel(shown: Shown): readonly Child[] | null {
  const { context, grid, chosen: cell } = shown;
  if (cell === null) return null;
  const state = cell.state === 'pending' ? 'not run yet' : cell.state;
  const interval = intervalOf(kMeasures[0], cell);
  const command = openCommand(cell);
  const cliffs = grid.cliffsInto(cell);
  const lottery = grid.sweep.lottery.find((one) => grid.cell(one.cell) === cell);
  return [
    panelHead(
      [span('dim', cell.state === 'done' ? 'cell of the sweep' : `cell · ${state}`)],
      [],
      () => context.store.setOption('sweep.cell', null),
      div('panel-name', cellText(grid, cell)),
      cell.latency_ms !== null &&
        div(
          'panel-line figures',
          keyFigure(msText(cell.latency_ms), 'ms median'),
          interval && span('soft', `95 % interval ${intervalText(...interval)}`),
        ),
    ),
    cell.error !== null &&
      panelSection(
        cell.state === 'failed' ? 'Why it failed' : 'A build failed',
        null,
        el('p', {}, errorText(cell.error)),
        cell.error_hint !== null && el('p', { class: 'soft' }, visible(cell.error_hint)),
        cell.error_context !== null &&
          el('pre', { class: 'box sweep-context' }, visible(cell.error_context)),
      ),
    cell.state === 'done' && panelSection('Measured', null, factsList(facts(cell))),
    cliffs.length > 0 &&
      panelSection('Cliffs', null, ...cliffs.map((cliff) => el('p', {}, cliffText(grid, cliff)))),
    lottery !== undefined &&
      panelSection(
        'Lottery',
        null,
        el(
          'p',
          {},
          `${integer(lottery.layers.length)} of ${integer(lottery.layer_count)} layers changed kernel over ${integer(lottery.run_count)} builds.`,
        ),
      ),
    cell.report_engine !== undefined &&
      panelSection('Its engine in', null, div('flow', ...views(context, cell.report_engine))),
    command !== null &&
      panelSection(
        'In a terminal',
        null,
        commandBox(command, (text) => context.copy(text, 'command')),
      ),
  ];
}

function facts(cell: SweepCell): readonly Fact[] {
  const known = kFacts.map(([name, key, text]): Fact => {
    const value = cell[key];
    // One at a time is the usual case and not mentioned.
    return value === null || (key === 'concurrent' && value <= 1) ? null : [name, text(value)];
  });
  const fronts = [cell.is_on_throughput_front && 'throughput', cell.is_on_memory_front && 'memory'];
  return [...known, ['on the front of', joined(fronts, ', ') || null]];
}

// For the engine of the cell's median build, if the report contains it.
function views({ store, views }: ViewContext, engine: number): readonly HTMLElement[] {
  return views
    .filter(({ id }) => !kNotOfOne.includes(id))
    .map(({ id, title }) =>
      linkButton(title, `Open this engine in ${title}`, () => store.patch({ engine, view: id })),
    );
}
