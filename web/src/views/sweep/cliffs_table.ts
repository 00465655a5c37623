// Steps that cost more than their work explains: by how much, and which layers changed kernels.

import {
  column,
  div,
  el,
  figureTable,
  integer,
  kMissing,
  linkButton,
  msText,
  numbers,
  plainTable,
  plural,
  significant,
  span,
  type Figure,
  type SweepCliff,
} from '../../public/index.ts';
import type { Shown } from './state.ts';
import { kernelColumn, openTable } from './tables.ts';
import { othersText, ratioText, stepText } from './texts.ts';

const kBases: Readonly<Record<SweepCliff['basis'], string>> = {
  macs: 'arithmetic or traffic',
  items: 'items of the batch',
  none: 'the same work',
};

export function cliffsFigure(shown: Shown): Figure {
  const { grid } = shown;
  const { cliffs, step_count: steps } = grid.sweep;
  return openTable<SweepCliff>(shown.context, {
    id: 'sweep-cliffs',
    title: 'Cliffs',
    explain: () =>
      `${integer(cliffs.length)} of ${plural(steps, 'step')} along ordered axes: the time grows by more than work and noise explain`,
    items: cliffs,
    rowClass: 'cliff-row',
    empty:
      steps === 0
        ? 'No step could be judged: that needs an axis of numbers or shapes, and two measured cells next to each other.'
        : `None of ${plural(steps, 'step')} costs more than its work explains.`,
    head: 'step',
    name: (cliff) => stepText(grid, cliff),
    columns: [
      column('at', (cliff) => othersText(grid, cliff) || kMissing),
      numbers('before ms', (cliff) => msText(cliff.a_ms), {
        help: 'median latency; per item if several inferences run concurrently',
      }),
      numbers('after ms', (cliff) => msText(cliff.b_ms)),
      numbers(
        'as long',
        (cliff) => [
          el('b', {}, ratioText(cliff.time_ratio)),
          span('soft', ` ${significant(cliff.low_ratio)} to ${significant(cliff.high_ratio)}`),
        ],
        { help: 'after ÷ before, and its 95 % interval' },
      ),
      numbers('work explains', (cliff) => ratioText(cliff.work_ratio), {
        help: 'what more work explains, at most',
        title: (cliff) => kBases[cliff.basis],
      }),
      numbers('too much ms', (cliff) => msText(cliff.excess_ms), {
        cellClass: 'slower',
        help: 'after minus before × what the work explains',
      }),
      numbers('', (cliff) => links(shown, cliff), { cellClass: 'sweep-links' }),
    ],
    details: changed,
    table: () =>
      figureTable(cliffs, [
        ['step', null, (cliff) => stepText(grid, cliff)],
        ['at', null, (cliff) => othersText(grid, cliff)],
        ['before ms', 4, (cliff) => cliff.a_ms],
        ['after ms', 4, (cliff) => cliff.b_ms],
        ['ratio', 3, (cliff) => cliff.time_ratio],
        ['ratio from', 3, (cliff) => cliff.low_ratio],
        ['ratio to', 3, (cliff) => cliff.high_ratio],
        ['work ratio', 3, (cliff) => cliff.work_ratio],
        ['too much ms', 4, (cliff) => cliff.excess_ms],
        ['layers', 0, (cliff) => cliff.paired_layers],
        ['layers with another kernel', 0, (cliff) => cliff.changed_count],
      ]),
  });
}

function links(shown: Shown, cliff: SweepCliff): readonly HTMLElement[] {
  const { context, grid } = shown;
  const a = grid.cell(cliff.a)?.report_engine;
  const b = grid.cell(cliff.b)?.report_engine;
  const show = (): void => {
    shown.setSlice(grid.sliceOf(cliff, shown.slice), grid.cell(cliff.b)?.id);
    document.querySelector('[data-figure="sweep-heat"]')?.scrollIntoView({ block: 'nearest' });
  };
  const both = [linkButton('show', 'Show both cells in the heat map', show)];
  if (a === undefined || b === undefined) return both;
  const compare = (): void => context.store.patch({ view: 'compare', a, b });
  return [...both, linkButton('compare', 'Compare the engines of both cells', compare)];
}

function changed({
  changed: layers,
  changed_count: count,
  paired_layers,
}: SweepCliff): HTMLElement {
  const paired = plural(paired_layers, 'layer');
  if (count === 0) {
    return el(
      'p',
      { class: 'soft' },
      paired_layers === 0
        ? 'No layer of one could be matched in the other.'
        : `All of ${paired} run the same kernels in both.`,
    );
  }
  const rest = layers.length < count ? `; the ${String(layers.length)} costliest` : '';
  const runs = count === 1 ? 'runs' : 'run';
  return div(
    '',
    el(
      'p',
      { class: 'soft' },
      `${integer(count)} of ${paired} that do the same in both ${runs} a different kernel${rest}`,
    ),
    plainTable('auto changed-tactics', layers, [
      kernelColumn('layer', ({ layer }) => layer),
      kernelColumn('kernel before', ({ a_tactic }) => a_tactic),
      kernelColumn('kernel after', ({ b_tactic }) => b_tactic),
      numbers('before ms', ({ a_ms }) => msText(a_ms)),
      numbers('after ms', ({ b_ms }) => msText(b_ms)),
    ]),
  );
}
