// Tactics: which kernel did the builder choose for each layer, and by how much?

import {
  bytesText,
  column,
  conclusionLine,
  div,
  el,
  integer,
  kernelText,
  kMissing,
  middleEllipsis,
  numbers,
  percent,
  plainTable,
  plural,
  replace,
  sectionTitle,
  span,
  tacticsOf,
  tacticTimeText,
  visible,
  type BuildPhase,
  type Change,
  type Column,
  type ExplainTactics,
  type LayerTactics,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { closestFirst, kPhases, marginText, secondsText, verdictText } from './texts.ts';
import './tactics.css';

const kMaxLayers = 500;
const kMaxCandidates = 40;
const kMaxSkipped = 20;

// Names of kernels differ at their ends.
const kKernelLetters = 34;

// Whole in the tooltip.
function nameColumn<Item>(
  head: string,
  nameOf: (item: Item) => string,
  letters = Number.POSITIVE_INFINITY,
): Column<Item> {
  const short = (item: Item): string =>
    middleEllipsis(nameOf(item), letters, (part) => part.length);
  return column(head, short, { cellClass: 'name', title: nameOf });
}

// Why formats have no time.
const kAnswers: Readonly<Record<string, string>> = {
  none: 'no kernel',
  silent: 'not in the log',
  untimed: 'not timed',
};

function formatsTable(layer: LayerTactics): HTMLElement {
  const used = (at: number): boolean => layer.formats[at]?.is_used === 1;
  const order = layer.formats
    .map((format, at) => ({ format, at }))
    .sort((a, b) => (a.format.time_ms ?? Infinity) - (b.format.time_ms ?? Infinity));
  return plainTable(
    'tactic-formats',
    order,
    [
      nameColumn(
        'formats weighed',
        ({ format, at }) =>
          `${used(at) ? '✓ ' : ''}${visible(format.input_formats ?? '')} → ` +
          visible(format.output_formats ?? ''),
      ),
      nameColumn('fastest', ({ format }) =>
        kernelText(format.tactic_name, format.runner, format.tactic),
      ),
      numbers('time', ({ format }) =>
        format.time_ms === null
          ? span('soft', kAnswers[format.answer ?? ''] ?? '')
          : tacticTimeText(format.time_ms),
      ),
    ],
    { row: ({ at }) => ({ class: used(at) ? 'strong' : '' }) },
  );
}

function candidatesTable(layer: LayerTactics): HTMLElement | null {
  if (layer.tactics.length === 0) return null;
  const shown = layer.tactics.slice(0, kMaxCandidates);
  const more = layer.tactics.length - shown.length;
  const outcome = ({ outcome: what, requested_bytes: bytes }: (typeof shown)[number]): string =>
    [what === 'timed' ? '' : (what ?? ''), bytes === null ? '' : bytesText(bytes)]
      .filter((part) => part !== '')
      .join(', ');
  return div(
    'tactic-candidates',
    plainTable(
      '',
      shown,
      [
        nameColumn('candidates in these formats', (tactic) =>
          kernelText(tactic.tactic_name, tactic.runner, tactic.tactic),
        ),
        numbers('time', (tactic) => tacticTimeText(tactic.time_ms)),
        column('', outcome, { cellClass: 'soft' }),
      ],
      { row: (tactic) => ({ class: tactic.is_chosen === 1 ? 'strong' : '' }) },
    ),
    more > 0 ? el('p', { class: 'soft' }, `${integer(more)} more`) : null,
  );
}

function phasesTable(tactics: ExplainTactics): HTMLElement | null {
  if (tactics.phases.length === 0) return null;
  const longest = tactics.build_s ?? Math.max(...tactics.phases.map(({ seconds }) => seconds));
  const depth = ({ within }: BuildPhase): number =>
    within === null ? 0 : within === 'timing-layers' ? 2 : 1;
  const accounted =
    tactics.accounted_share === null || tactics.build_s === null
      ? ''
      : `${percent(tactics.accounted_share)} % of ${secondsText(tactics.build_s)} accounted for`;
  const name = (phase: BuildPhase): HTMLElement => {
    const css = { 'padding-left': `${String(depth(phase) * 14)}px` };
    return el('td', { css }, kPhases[phase.phase] ?? phase.phase);
  };
  const barOf = (phase: BuildPhase): HTMLElement => {
    const css = { width: `${((100 * phase.seconds) / longest).toFixed(2)}%` };
    return el('div', { class: `phase-bar depth-${String(depth(phase))}`, css });
  };
  return div(
    'block build-phases',
    sectionTitle('Time of the build', accounted),
    plainTable('phases', tactics.phases, [
      column('phase', name),
      numbers('time', ({ seconds }) => secondsText(seconds)),
      numbers('share', ({ share }) => (share === null ? kMissing : `${percent(share)} %`)),
      column('', barOf, { cellClass: 'bar-cell' }),
    ]),
  );
}

function skippedTable(tactics: ExplainTactics): HTMLElement | null {
  if (tactics.skipped.length === 0) return null;
  const bytes = (value: number | null): string => (value === null ? kMissing : bytesText(value));
  return div(
    'block',
    sectionTitle('Not tried', plural(tactics.skipped.length, 'tactic')),
    plainTable('skipped-tactics', tactics.skipped.slice(0, kMaxSkipped), [
      nameColumn('layer', ({ layer }) => visible(layer ?? kMissing)),
      nameColumn('tactic', (one) => kernelText(one.tactic_name, one.runner, one.tactic)),
      column('why', ({ outcome }) => (outcome ?? '').replace('skipped-', '')),
      numbers('asked for', (tactic) => bytes(tactic.requested_bytes)),
      numbers('there was', (tactic) => bytes(tactic.available_bytes)),
    ]),
  );
}

const nameOf = ({ name }: LayerTactics): string => visible(name ?? '(no name)');

class TacticsView implements MountedView {
  readonly #host: HTMLElement;
  readonly #context: ViewContext;
  // Names of the layers whose candidates are on screen.
  readonly #open = new Set<string>();

  constructor(host: HTMLElement, context: ViewContext) {
    this.#host = host;
    this.#context = context;
    host.classList.add('tactics');
    this.#draw();
  }

  update(change: Change): void {
    if (change.size > 0 && !change.has('engine') && !change.has('selected')) return;
    if (change.has('engine')) this.#open.clear();
    const scroll = this.#host.scrollTop;
    this.#draw();
    this.#host.scrollTop = scroll;
  }

  destroy(): void {
    // Nothing is held.
  }

  #toggle(layer: LayerTactics): void {
    const { store } = this.#context;
    const name = layer.name ?? '';
    if (!this.#open.delete(name)) this.#open.add(name);
    const row = layer.layer_id === null ? null : store.engine.rowOf(layer.layer_id);
    const scroll = this.#host.scrollTop;
    if (row !== null && row !== store.state.selected) store.patch({ selected: row });
    else this.#draw();
    this.#host.scrollTop = scroll;
  }

  #layerCell(layer: LayerTactics): HTMLElement {
    const isOpen = this.#open.has(layer.name ?? '');
    const attrs = { type: 'button', 'aria-expanded': String(isOpen) };
    const props = { class: 'tactic-toggle', attrs, on: { click: () => this.#toggle(layer) } };
    return el('button', props, `${isOpen ? '▾' : '▸'} ${nameOf(layer)}`);
  }

  #table(layers: readonly LayerTactics[]): HTMLElement {
    const { store } = this.#context;
    const isSelected = ({ layer_id: id }: LayerTactics): boolean =>
      id !== null && store.engine.rowOf(id) === (store.state.selected ?? -1);
    const kernel = (layer: LayerTactics): string =>
      kernelText(layer.tactic_name, layer.runner, layer.tactic);
    const known = nameColumn('kernel', kernel, kKernelLetters);
    const unknown = ({ choices }: LayerTactics): string =>
      `unknown: ${plural(choices, 'combination of formats', 'combinations of formats')}`;
    return plainTable(
      'tactic-table',
      layers,
      [
        column('layer', (layer) => this.#layerCell(layer), { cellClass: 'name', title: nameOf }),
        {
          ...known,
          cell: (layer, at, room) =>
            layer.runner === null ? unknown(layer) : known.cell(layer, at, room),
          cellClass: (layer) => (layer.runner === null ? 'soft' : 'name'),
          title: (layer) => (layer.runner === null ? null : kernel(layer)),
        },
        numbers('time', (layer) => tacticTimeText(layer.time_ms), { width: 78 }),
        nameColumn(
          'runner-up',
          (layer) => kernelText(layer.runner_up_name, layer.runner_up_runner, layer.runner_up),
          kKernelLetters,
        ),
        numbers('time', (layer) => tacticTimeText(layer.runner_up_ms), { width: 78 }),
        numbers('margin', marginText, { width: 116 }),
        column('', verdictText, { cellClass: 'soft' }),
      ],
      {
        row: (layer) => ({ class: `tactic-layer${isSelected(layer) ? ' selected' : ''}` }),
        details: (layer) =>
          this.#open.has(layer.name ?? '') ? [formatsTable(layer), candidatesTable(layer)] : null,
        detailsClass: 'tactic-details',
      },
    );
  }

  #draw(): void {
    const tactics = tacticsOf(this.#context.store.engine);
    if (tactics === null) {
      replace(
        this.#host,
        conclusionLine({ headline: 'The files of this engine have no tactics.', text: null }),
      );
      return;
    }
    const [headline = '', ...others] = tactics.sentences.map(visible);
    const layers = closestFirst(tactics.layers);
    const more = layers.length - kMaxLayers;
    replace(
      this.#host,
      conclusionLine({ headline, text: null }),
      div(
        'tactics-body',
        el('ul', { class: 'tactic-sentences' }, ...others.map((text) => el('li', {}, text))),
        phasesTable(tactics),
        div(
          'block',
          sectionTitle('Choices', 'the closest first; times as the builder measured them'),
          div('tactic-scroll', this.#table(layers.slice(0, kMaxLayers))),
          more > 0
            ? el('p', { class: 'soft' }, span('', `${integer(more)} more: planex explain tactics`))
            : null,
        ),
        skippedTable(tactics),
      ),
    );
  }
}

export const view: View = {
  id: 'tactics',
  title: 'Tactics',
  needs: [],
  isThere: (report) => report.engines.some((engine) => tacticsOf(engine) !== null),
  mount: (host, context) => new TacticsView(host, context),
};
