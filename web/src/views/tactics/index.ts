// Tactics: which kernel did the builder choose for each layer, and by how much?

import {
  bytesText,
  conclusionLine,
  div,
  el,
  integer,
  kernelText,
  kMissing,
  middleEllipsis,
  percent,
  plural,
  replace,
  sectionTitle,
  span,
  tacticsOf,
  tacticTimeText,
  visible,
  type BuildPhase,
  type Change,
  type ExplainTactics,
  type LayerTactics,
  type MountedView,
  type View,
  type ViewContext,
} from '../../public/index.ts';
import { closestFirst, kPhases, marginText, secondsText, verdictText } from './texts.ts';

const kMaxLayers = 500;
const kMaxCandidates = 40;
const kMaxSkipped = 20;

const th = (text: string, className = ''): HTMLElement =>
  el('th', { class: className, attrs: { scope: 'col' } }, text);
const td = (className: string, text: string): HTMLElement =>
  el('td', { class: className, attrs: { title: className === 'name' ? text : null } }, text);

// Names of kernels differ at their ends.
const kKernelLetters = 34;
function kernelCell(text: string): HTMLElement {
  const short = middleEllipsis(text, kKernelLetters, (part) => part.length);
  return el('td', { class: 'name', attrs: { title: text } }, short);
}

function table(className: string, heads: readonly HTMLElement[], rows: readonly HTMLElement[]) {
  return el(
    'table',
    { class: `plain ${className}` },
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...rows),
  );
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
  return table(
    'tactic-formats',
    [th('formats weighed'), th('fastest'), th('time', 'right')],
    order.map(({ format, at }) =>
      el(
        'tr',
        { class: used(at) ? 'strong' : '' },
        td(
          'name',
          `${used(at) ? '✓ ' : ''}${visible(format.input_formats ?? '')} → ` +
            visible(format.output_formats ?? ''),
        ),
        td('name', kernelText(format.tactic_name, format.runner, format.tactic)),
        format.time_ms === null
          ? td('soft right', kAnswers[format.answer ?? ''] ?? '')
          : td('right', tacticTimeText(format.time_ms)),
      ),
    ),
  );
}

function candidatesTable(layer: LayerTactics): HTMLElement | null {
  if (layer.tactics.length === 0) return null;
  const shown = layer.tactics.slice(0, kMaxCandidates);
  const more = layer.tactics.length - shown.length;
  return div(
    'tactic-candidates',
    table(
      '',
      [th('candidates in these formats'), th('time', 'right'), th('')],
      shown.map((tactic) =>
        el(
          'tr',
          { class: tactic.is_chosen === 1 ? 'strong' : '' },
          td('name', kernelText(tactic.tactic_name, tactic.runner, tactic.tactic)),
          td('right', tacticTimeText(tactic.time_ms)),
          td(
            'soft',
            [
              tactic.outcome === 'timed' ? '' : (tactic.outcome ?? ''),
              tactic.requested_bytes === null ? '' : bytesText(tactic.requested_bytes),
            ]
              .filter((part) => part !== '')
              .join(', '),
          ),
        ),
      ),
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
  return div(
    'block build-phases',
    sectionTitle('Time of the build', accounted),
    table(
      'phases',
      [th('phase'), th('time', 'right'), th('share', 'right'), th('')],
      tactics.phases.map((phase) =>
        el(
          'tr',
          {},
          el(
            'td',
            { css: { 'padding-left': `${String(depth(phase) * 14)}px` } },
            kPhases[phase.phase] ?? phase.phase,
          ),
          td('right', secondsText(phase.seconds)),
          td('right', phase.share === null ? kMissing : `${percent(phase.share)} %`),
          el(
            'td',
            { class: 'bar-cell' },
            el('div', {
              class: `phase-bar depth-${String(depth(phase))}`,
              css: { width: `${((100 * phase.seconds) / longest).toFixed(2)}%` },
            }),
          ),
        ),
      ),
    ),
  );
}

function skippedTable(tactics: ExplainTactics): HTMLElement | null {
  if (tactics.skipped.length === 0) return null;
  return div(
    'block',
    sectionTitle('Not tried', plural(tactics.skipped.length, 'tactic')),
    table(
      'skipped-tactics',
      [th('layer'), th('tactic'), th('why'), th('asked for', 'right'), th('there was', 'right')],
      tactics.skipped.slice(0, kMaxSkipped).map((tactic) => {
        const bytes = (value: number | null): string =>
          value === null ? kMissing : bytesText(value);
        return el(
          'tr',
          {},
          td('name', visible(tactic.layer ?? kMissing)),
          td('name', kernelText(tactic.tactic_name, tactic.runner, tactic.tactic)),
          td('', (tactic.outcome ?? '').replace('skipped-', '')),
          td('right', bytes(tactic.requested_bytes)),
          td('right', bytes(tactic.available_bytes)),
        );
      }),
    ),
  );
}

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

  #row(layer: LayerTactics): readonly HTMLElement[] {
    const name = visible(layer.name ?? '(no name)');
    const isOpen = this.#open.has(layer.name ?? '');
    const { store } = this.#context;
    const row = layer.layer_id === null ? null : store.engine.rowOf(layer.layer_id);
    const isSelected = row !== null && row === store.state.selected;
    const known = layer.runner !== null;
    const head = el(
      'tr',
      { class: `tactic-layer${isSelected ? ' selected' : ''}` },
      el(
        'td',
        { class: 'name', attrs: { title: name } },
        el(
          'button',
          {
            class: 'tactic-toggle',
            attrs: { type: 'button', 'aria-expanded': isOpen ? 'true' : 'false' },
            on: { click: () => this.#toggle(layer) },
          },
          `${isOpen ? '▾' : '▸'} ${name}`,
        ),
      ),
      known
        ? kernelCell(kernelText(layer.tactic_name, layer.runner, layer.tactic))
        : td(
            'soft',
            `unknown: ${plural(layer.choices, 'combination of formats', 'combinations of formats')}`,
          ),
      td('right', tacticTimeText(layer.time_ms)),
      kernelCell(kernelText(layer.runner_up_name, layer.runner_up_runner, layer.runner_up)),
      td('right', tacticTimeText(layer.runner_up_ms)),
      td('right', marginText(layer)),
      td('soft', verdictText(layer)),
    );
    if (!isOpen) return [head];
    const details = el(
      'tr',
      { class: 'tactic-details' },
      el('td', { attrs: { colspan: 7 } }, formatsTable(layer), candidatesTable(layer)),
    );
    return [head, details];
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
          div(
            'tactic-scroll',
            table(
              'tactic-table',
              [
                th('layer'),
                th('kernel'),
                th('time', 'right'),
                th('runner-up'),
                th('time', 'right'),
                th('margin', 'right'),
                th(''),
              ],
              layers.slice(0, kMaxLayers).flatMap((layer) => this.#row(layer)),
            ),
          ),
          more > 0
            ? el('p', { class: 'soft' }, span('', `${integer(more)} more: planex explain tactics`))
            : null,
        ),
        skippedTable(tactics),
      ),
    );
  }
}

export const tacticsView: View = {
  id: 'tactics',
  title: 'Tactics',
  needs: [],
  isThere: (report) => report.engines.some((engine) => tacticsOf(engine) !== null),
  mount: (host, context) => new TacticsView(host, context),
};
