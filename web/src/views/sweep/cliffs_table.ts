// Steps that cost more than their work explains: by how much, and whose kernels changed.

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
  replace,
  significant,
  span,
  type FigureBody,
  type FigureTable,
  type SweepCliff,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { setSlice, sliceNow } from './state.ts';
import { kernelColumn, OpenRows } from './tables.ts';
import { othersText, ratioText, stepText } from './texts.ts';

const kBases: Readonly<Record<SweepCliff['basis'], string>> = {
  macs: 'arithmetic or traffic',
  items: 'items of the batch',
  none: 'the same work',
};

export class CliffsTable implements FigureBody {
  readonly node = div('sweep-scroll');
  readonly #context: ViewContext;
  readonly #grid: SweepGrid;
  readonly #open = new OpenRows(() => this.draw());

  constructor(context: ViewContext, grid: SweepGrid) {
    this.#context = context;
    this.#grid = grid;
  }

  explain(): string {
    const { cliffs, step_count: steps } = this.#grid.sweep;
    return `${integer(cliffs.length)} of ${plural(steps, 'step')} along ordered axes: the time grows by more than the work and the error explain`;
  }

  draw(): void {
    const { cliffs, step_count: steps } = this.#grid.sweep;
    if (cliffs.length === 0) {
      const text =
        steps === 0
          ? 'No step could be judged: that takes an axis of numbers or shapes, and two measured cells beside one another.'
          : `None of ${plural(steps, 'step')} costs more than its work explains.`;
      replace(this.node, el('p', { class: 'soft' }, text));
      return;
    }
    const grid = this.#grid;
    const idOf = (cliff: SweepCliff): string => `${String(cliff.a)}-${String(cliff.b)}`;
    const table = plainTable(
      'cliffs-table',
      cliffs,
      [
        column('step', (cliff) => this.#open.toggle(idOf(cliff), stepText(grid, cliff)), {
          cellClass: 'name',
        }),
        column('at', (cliff) => othersText(grid, cliff) || kMissing),
        numbers('before ms', (cliff) => msText(cliff.a_ms), {
          help: 'median latency; where several inferences run at once, an item',
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
          help: 'after, less before × what the work explains',
        }),
        numbers('', (cliff) => this.#links(cliff), { cellClass: 'sweep-links' }),
      ],
      {
        row: () => ({ class: 'cliff-row' }),
        details: (cliff) => (this.#open.has(idOf(cliff)) ? this.#changed(cliff) : null),
        detailsClass: 'sweep-details',
      },
    );
    replace(this.node, table);
  }

  #links(cliff: SweepCliff): readonly HTMLElement[] {
    const { store } = this.#context;
    const grid = this.#grid;
    const a = grid.cell(cliff.a)?.report_engine;
    const b = grid.cell(cliff.b)?.report_engine;
    return [
      linkButton('show', 'Show both cells in the heat map', () => {
        setSlice(store, grid, grid.sliceOf(cliff, sliceNow(store, grid)), {
          cell: grid.cell(cliff.b)?.id ?? null,
        });
        document.querySelector('[data-figure="sweep-heat"]')?.scrollIntoView({ block: 'nearest' });
      }),
      ...(a === undefined || b === undefined
        ? []
        : [
            linkButton('compare', 'Compare the engines of both cells', () =>
              store.patch({ view: 'compare', a, b }),
            ),
          ]),
    ];
  }

  #changed(cliff: SweepCliff): HTMLElement {
    const { changed, changed_count: count, paired_layers: paired } = cliff;
    if (count === 0) {
      return el(
        'p',
        { class: 'soft' },
        paired === 0
          ? 'No layer of one could be told in the other.'
          : `All of ${plural(paired, 'layer')} run the same kernels in both.`,
      );
    }
    return div(
      '',
      el(
        'p',
        { class: 'soft' },
        `${integer(count)} of ${plural(paired, 'layer')} that do the same in both ${count === 1 ? 'runs' : 'run'} another kernel${changed.length < count ? `; the ${String(changed.length)} costliest` : ''}`,
      ),
      plainTable('changed-tactics', changed, [
        kernelColumn('layer', (layer) => layer.layer),
        kernelColumn('kernel before', (layer) => layer.a_tactic),
        kernelColumn('kernel after', (layer) => layer.b_tactic),
        numbers('before ms', (layer) => msText(layer.a_ms)),
        numbers('after ms', (layer) => msText(layer.b_ms)),
      ]),
    );
  }

  table(): FigureTable {
    const grid = this.#grid;
    return figureTable(grid.sweep.cliffs, [
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
    ]);
  }
}
