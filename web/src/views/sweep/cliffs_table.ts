// Steps that cost more than their work explains: by how much, and whose kernels changed.

import {
  div,
  el,
  figureTable,
  integer,
  kMissing,
  msText,
  plural,
  replace,
  significant,
  type FigureBody,
  type FigureTable,
  type SweepCliff,
  type ViewContext,
} from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { setSlice, sliceNow } from './state.ts';
import { linkButton, msCell, nameCell, OpenRows, plainTable, td, th, toggle } from './tables.ts';
import { othersText, ratioText, stepText } from './texts.ts';

const kColumns = 8;
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
    replace(
      this.node,
      plainTable(
        'cliffs-table',
        [
          th('step'),
          th('at'),
          th('before ms', 'right', 'median latency; where several inferences run at once, an item'),
          th('after ms', 'right'),
          th('as long', 'right', 'after ÷ before, and its 95 % interval'),
          th('work explains', 'right', 'what more work explains, at most'),
          th('too much ms', 'right', 'after, less before × what the work explains'),
          th(''),
        ],
        cliffs.flatMap((cliff) => this.#rows(cliff)),
      ),
    );
  }

  #rows(cliff: SweepCliff): readonly HTMLElement[] {
    const id = `${String(cliff.a)}-${String(cliff.b)}`;
    const isOpen = this.#open.has(id);
    const row = el(
      'tr',
      { class: 'cliff-row' },
      td(
        'name',
        toggle(stepText(this.#grid, cliff), isOpen, () => {
          this.#open.turn(id);
        }),
      ),
      td('', othersText(this.#grid, cliff) || kMissing),
      msCell(cliff.a_ms),
      msCell(cliff.b_ms),
      td(
        'right',
        el('b', {}, ratioText(cliff.time_ratio)),
        el(
          'span',
          { class: 'soft' },
          ` ${significant(cliff.low_ratio)} to ${significant(cliff.high_ratio)}`,
        ),
      ),
      el(
        'td',
        { class: 'right', attrs: { title: kBases[cliff.basis] } },
        ratioText(cliff.work_ratio),
      ),
      td('right slower', msText(cliff.excess_ms)),
      td('right sweep-links', ...this.#links(cliff)),
    );
    if (!isOpen) return [row];
    return [
      row,
      el(
        'tr',
        { class: 'sweep-details' },
        el('td', { attrs: { colspan: kColumns } }, this.#changed(cliff)),
      ),
    ];
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
      plainTable(
        'changed-tactics',
        [
          th('layer'),
          th('kernel before'),
          th('kernel after'),
          th('before ms', 'right'),
          th('after ms', 'right'),
        ],
        changed.map((layer) =>
          el(
            'tr',
            {},
            nameCell(layer.layer),
            nameCell(layer.a_tactic),
            nameCell(layer.b_tactic),
            msCell(layer.a_ms),
            msCell(layer.b_ms),
          ),
        ),
      ),
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
