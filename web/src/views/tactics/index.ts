// Tactics: which kernel did the builder choose for each layer, and by how much?

import {
  bytesText,
  column,
  conclusionLine,
  div,
  drawnView,
  el,
  foldButton,
  integer,
  joined,
  kernelText,
  kMissing,
  middleEllipsis,
  numbers,
  percent,
  plainTable,
  plural,
  replace,
  sectionTitle,
  sentenceList,
  span,
  tacticsOf,
  tacticTimeText,
  visible,
  wideTable,
  type BuildPhase,
  type Column,
  type ExplainTactics,
  type LayerTactics,
  type Store,
  type View,
} from '../../public/index.ts';
import { closestFirst, kPhases, marginText, secondsText, verdictText } from './texts.ts';
import './tactics.css';

const kMaxLayers = 500;
const kMaxCandidates = 40;
const kMaxSkipped = 20;

// Names of kernels differ at their ends.
const kKernelLetters = 34;

// The tooltip has all of it.
function textColumn<Item>(
  head: string,
  textOf: (item: Item) => string,
  letters = Number.POSITIVE_INFINITY,
): Column<Item> {
  const short = (item: Item): string =>
    middleEllipsis(textOf(item), letters, (part) => part.length);
  return column(head, short, { cellClass: 'name', title: textOf });
}

const kernelOf = ({
  tactic_name: name,
  runner,
  tactic,
}: Pick<LayerTactics, 'tactic_name' | 'runner' | 'tactic'>): string =>
  kernelText(name, runner, tactic);

const note = (text: string | false): HTMLElement | null =>
  text === false ? null : el('p', { class: 'soft' }, text);

// Why formats have no time.
const kAnswers: Readonly<Record<string, string>> = {
  none: 'no kernel',
  silent: 'not in the log',
  untimed: 'not timed',
};

function formatsTable({ formats }: LayerTactics): HTMLElement {
  const order = [...formats].sort((a, b) => (a.time_ms ?? Infinity) - (b.time_ms ?? Infinity));
  const shown = (text: string | null): string => visible(text ?? '');
  return plainTable(
    'auto tactic-formats',
    order,
    [
      textColumn(
        'formats considered',
        (format) =>
          `${format.is_used === 1 ? '✓ ' : ''}${shown(format.input_formats)} → ${shown(format.output_formats)}`,
      ),
      textColumn('fastest', kernelOf),
      numbers('time', ({ time_ms: ms, answer }) =>
        ms === null ? span('soft', kAnswers[answer ?? ''] ?? '') : tacticTimeText(ms),
      ),
    ],
    { row: ({ is_used }) => ({ class: is_used === 1 ? 'strong' : '' }) },
  );
}

function candidatesTable({ tactics }: LayerTactics): HTMLElement | null {
  if (tactics.length === 0) return null;
  const more = tactics.length - kMaxCandidates;
  const table = plainTable(
    'auto',
    tactics.slice(0, kMaxCandidates),
    [
      textColumn('candidates in these formats', kernelOf),
      numbers('time', ({ time_ms }) => tacticTimeText(time_ms)),
      column(
        '',
        ({ outcome, requested_bytes: bytes }) =>
          joined([outcome === 'timed' ? null : outcome, bytes !== null && bytesText(bytes)], ', '),
        { cellClass: 'soft' },
      ),
    ],
    { row: ({ is_chosen }) => ({ class: is_chosen === 1 ? 'strong' : '' }) },
  );
  return div('tactic-candidates', table, note(more > 0 && `${integer(more)} more`));
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
    plainTable('', tactics.phases, [
      column('phase', name),
      numbers('time', ({ seconds }) => secondsText(seconds)),
      numbers('share', ({ share }) => (share === null ? kMissing : `${percent(share)} %`)),
      column('', barOf, { cellClass: 'bar-cell' }),
    ]),
  );
}

function skippedTable(tactics: ExplainTactics): HTMLElement | null {
  if (tactics.skipped.length === 0) return null;
  return div(
    'block',
    sectionTitle('Not tried', plural(tactics.skipped.length, 'tactic')),
    plainTable('skipped-tactics', tactics.skipped.slice(0, kMaxSkipped), [
      textColumn('layer', ({ layer }) => visible(layer ?? kMissing)),
      textColumn('tactic', kernelOf),
      column('why', ({ outcome }) => (outcome ?? '').replace('skipped-', '')),
      numbers('requested', ({ requested_bytes }) => bytesText(requested_bytes)),
      numbers('available', ({ available_bytes }) => bytesText(available_bytes)),
    ]),
  );
}

const nameOf = ({ name }: LayerTactics): string => visible(name ?? '(no name)');

// `open`: names of the layers whose candidates are shown.
function choicesTable(
  { engine, state }: Store,
  layers: readonly LayerTactics[],
  open: ReadonlySet<string>,
  toggle: (layer: LayerTactics) => void,
): HTMLElement {
  const isOpen = ({ name }: LayerTactics): boolean => open.has(name ?? '');
  const isSelected = ({ layer_id: id }: LayerTactics): boolean =>
    id !== null && engine.rowOf(id) === (state.selected ?? -1);
  const known = textColumn('kernel', kernelOf, kKernelLetters);
  const unknown = ({ choices }: LayerTactics): string =>
    `unknown: ${plural(choices, 'combination of formats', 'combinations of formats')}`;
  return plainTable(
    'tactic-table',
    layers,
    [
      column('layer', (layer) => foldButton(nameOf(layer), isOpen(layer), () => toggle(layer)), {
        cellClass: 'name',
        title: nameOf,
      }),
      {
        ...known,
        cell: (layer, at, room) =>
          layer.runner === null ? unknown(layer) : known.cell(layer, at, room),
        cellClass: ({ runner }) => (runner === null ? 'soft' : 'name'),
        title: (layer) => (layer.runner === null ? null : kernelOf(layer)),
      },
      numbers('time', ({ time_ms }) => tacticTimeText(time_ms), { width: 78 }),
      textColumn(
        'runner-up',
        (layer) => kernelText(layer.runner_up_name, layer.runner_up_runner, layer.runner_up),
        kKernelLetters,
      ),
      numbers('time', ({ runner_up_ms }) => tacticTimeText(runner_up_ms), { width: 78 }),
      numbers('margin', marginText, { width: 116 }),
      column('', verdictText, { cellClass: 'soft' }),
    ],
    {
      row: (layer) => ({ class: `tactic-layer${isSelected(layer) ? ' selected' : ''}` }),
      details: (layer) => (isOpen(layer) ? [formatsTable(layer), candidatesTable(layer)] : null),
      detailsClass: 'row-details',
    },
  );
}

export const view: View = {
  id: 'tactics',
  title: 'Tactics',
  needs: [],
  isThere: (report) => report.engines.some((engine) => tacticsOf(engine) !== null),
  mount: (host, { store }) => {
    const open = new Set<string>();
    const toggle = (layer: LayerTactics): void => {
      const name = layer.name ?? '';
      if (!open.delete(name)) open.add(name);
      const row = layer.layer_id === null ? null : store.engine.rowOf(layer.layer_id);
      if (row !== null && row !== store.state.selected) store.patch({ selected: row });
      else view.update(new Set());
    };
    const draw = (): void => {
      const tactics = tacticsOf(store.engine);
      if (tactics === null) {
        const headline = 'The files of this engine have no tactics.';
        replace(host, conclusionLine({ headline, text: null }));
        return;
      }
      const [headline = '', ...others] = tactics.sentences;
      const layers = closestFirst(tactics.layers);
      const more = layers.length - kMaxLayers;
      const table = choicesTable(store, layers.slice(0, kMaxLayers), open, toggle);
      replace(
        host,
        conclusionLine({ headline, text: null }),
        div(
          'tactics-body',
          sentenceList(others),
          phasesTable(tactics),
          div(
            'block',
            sectionTitle('Choices', 'the closest first; times as the builder measured them'),
            wideTable('Choices', table),
            note(more > 0 && `${integer(more)} more: planex explain tactics`),
          ),
          skippedTable(tactics),
        ),
      );
    };
    const view = drawnView(host, 'tactics', {
      draw: (change) => {
        if (change.has('engine')) open.clear();
        draw();
      },
      mark: draw,
    });
    return view;
  },
};
