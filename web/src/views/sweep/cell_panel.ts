// The chosen cell in the details panel: what was measured, what stands out, and where to look on.

import {
  bytesText,
  commandBox,
  div,
  el,
  iconButton,
  integer,
  isNumber,
  linkButton,
  msText,
  span,
  visible,
  type Child,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { intervalText, rateText } from './measures.ts';
import { chosenCell, setOptions } from './state.ts';
import { cellText, cliffText, errorText, openCommand } from './texts.ts';

// Views of an engine: neither this one nor that of two.
const kNotOfOne: readonly string[] = ['sweep', 'compare'];

function section(title: string, ...children: readonly Child[]): HTMLElement {
  return el('section', {}, el('h3', {}, title), ...children);
}

type Fact = readonly [string, string] | null;

function facts(...list: readonly Fact[]): HTMLElement {
  return el(
    'dl',
    { class: 'facts-list' },
    ...list.flatMap((fact) =>
      fact === null ? [] : [el('dt', {}, fact[0]), el('dd', {}, fact[1])],
    ),
  );
}

const numberFact = (name: string, value: number | null, text: (value: number) => string): Fact =>
  isNumber(value) ? [name, text(value)] : null;

export function cellPanel(context: ViewContext, grid: SweepGrid): readonly Child[] | null {
  const { store } = context;
  const index = chosenCell(store, grid);
  const cell = index === null ? null : grid.cell(index);
  if (index === null || cell === null) return null;
  const { latency_ms: ms, latency_low_ms: low, latency_high_ms: high } = cell;
  const close = (): void => setOptions(store, { cell: null });
  const command = openCommand(cell);
  const cliffs = grid.cliffsInto(index);
  const lottery = grid.sweep.lottery.find((one) => one.cell === index);
  const fronts = [
    cell.is_on_throughput_front ? 'throughput' : null,
    cell.is_on_memory_front ? 'memory' : null,
  ].filter((front) => front !== null);
  return [
    div(
      'panel-head',
      div(
        'panel-line',
        span(
          'dim',
          cell.state === 'done' ? 'cell of the sweep' : `cell · ${stateWord(cell.state)}`,
        ),
        span('grow'),
        iconButton('close', 'Close (Esc)', close),
      ),
      div('panel-name', cellText(grid, index)),
      isNumber(ms)
        ? div(
            'panel-line figures',
            span('key-figure', msText(ms), el('small', {}, 'ms median')),
            isNumber(low) && isNumber(high)
              ? span('soft', `95 % interval ${intervalText(low, high)}`)
              : null,
          )
        : null,
    ),
    cell.error === null
      ? null
      : section(
          cell.state === 'failed' ? 'Why it failed' : 'A build failed',
          el('p', {}, errorText(cell.error)),
          cell.error_hint === null ? null : el('p', { class: 'soft' }, visible(cell.error_hint)),
          cell.error_context === null
            ? null
            : el('pre', { class: 'sweep-context code-text' }, visible(cell.error_context)),
        ),
    cell.state === 'done'
      ? section(
          'Measured',
          facts(
            numberFact('builds', cell.run_count, integer),
            numberFact('items of an inference', cell.batch_size, integer),
            cell.concurrent > 1 ? ['inferences at once', integer(cell.concurrent)] : null,
            numberFact('throughput', cell.items_per_s, (v) => `${rateText(v)} items/s`),
            numberFact('time per item', cell.item_ms, (v) => `${msText(v)} ms`),
            numberFact('layers', cell.layer_count, integer),
            numberFact('Σ layers', cell.layers_ms, (v) => `${msText(v)} ms`),
            numberFact('reformats', cell.reformat_count, integer),
            numberFact('their time', cell.reformats_ms, (v) => `${msText(v)} ms`),
            numberFact('weights', cell.weight_bytes, bytesText),
            numberFact('peak of activations', cell.peak_bytes, bytesText),
            numberFact('memory, both', cell.memory_bytes, bytesText),
            numberFact('activation traffic', cell.traffic_bytes, bytesText),
            fronts.length === 0 ? null : ['on the front of', fronts.join(', ')],
          ),
        )
      : null,
    cliffs.length === 0
      ? null
      : section('Cliffs', ...cliffs.map((cliff) => el('p', {}, cliffText(grid, cliff)))),
    lottery === undefined
      ? null
      : section(
          'Lottery',
          el(
            'p',
            {},
            `${integer(lottery.layers.length)} of ${integer(lottery.layer_count)} layers changed kernel over ${integer(lottery.run_count)} builds.`,
          ),
        ),
    views(context, cell.report_engine),
    command === null
      ? null
      : section(
          'In a terminal',
          commandBox(command, (text) => context.copy(text, 'command')),
        ),
  ];
}

function stateWord(state: 'failed' | 'pending' | 'done'): string {
  return state === 'pending' ? 'not run yet' : state;
}

// Of the engine in the middle of the cell's builds, where the report holds it.
function views(context: ViewContext, engine: number | undefined): HTMLElement | null {
  if (engine === undefined) return null;
  const { store } = context;
  const open = (view: View): HTMLElement =>
    linkButton(view.title, `Open this engine in ${view.title}`, () =>
      store.patch({ engine, view: view.id }),
    );
  return section(
    'Its engine in',
    div('sweep-views', ...context.views.filter((view) => !kNotOfOne.includes(view.id)).map(open)),
  );
}
