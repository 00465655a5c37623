// On paper, behind the view on screen: what a reader wants who has no page to click in. The sweep,
// overview, findings with their fixes, the slowest layers, the comparison.

import { div, el, replace, span } from '../base/dom.ts';
import { fixed, integer, percent, plural } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { column, numbers, plainTable } from '../public/grid/index.ts';
import { layerPrecision } from '../public/marks.ts';
import type { Store } from '../model/store.ts';
import type { MountedView } from '../public/view.ts';

const kViewsBefore: readonly string[] = ['sweep', 'overview', 'findings'];
const kViewsAfter: readonly string[] = ['compare'];
const kMaxLayers = 50;

export interface Printing {
  readonly store: Store;
  // Null where there is no such view.
  readonly embed: (id: string, host: HTMLElement) => MountedView | null;
  // Whether a view of the frame, by its id, has something to show.
  readonly isThere: (id: string) => boolean;
}

export class PrintedReport {
  readonly node = div('printed-report');
  readonly #printing: Printing;
  #mounted: readonly MountedView[] = [];
  #isTellingOthers = false;

  constructor(printing: Printing) {
    this.#printing = printing;
    window.addEventListener('beforeprint', this.#before);
    window.addEventListener('afterprint', this.#after);
  }

  readonly #before = (): void => {
    if (this.#isTellingOthers || this.#mounted.length > 0) return;
    const { store, embed, isThere } = this.#printing;
    // The view on screen is not printed twice.
    const current = store.state.view;
    const mounted: MountedView[] = [];
    // In the page before it is filled: what is drawn takes the width of where it is.
    const add = (id: string): void => {
      if (id === current || !isThere(id)) return;
      const host = div('view');
      this.node.append(el('section', { class: 'printed-part' }, host));
      const view = embed(id, host);
      if (view !== null) mounted.push(view);
    };
    replace(this.node);
    for (const id of kViewsBefore) add(id);
    this.node.append(...this.#layers());
    if (store.report.engines.length > 1) for (const id of kViewsAfter) add(id);
    this.#mounted = mounted;
    // Those who listen since now are not asked any more for this printing.
    this.#isTellingOthers = true;
    window.dispatchEvent(new Event('beforeprint'));
    this.#isTellingOthers = false;
  };

  readonly #after = (): void => {
    for (const view of this.#mounted) view.destroy();
    this.#mounted = [];
    replace(this.node);
  };

  #layers(): readonly HTMLElement[] {
    const { store } = this.#printing;
    const { engine, basis } = store;
    if (!engine.hasTimes) return [];
    const times = engine.times(basis);
    const rows = [...store.selection.rows]
      .filter((row) => (times[row] ?? Number.NaN) >= 0)
      .sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
    if (rows.length === 0) return [];
    const shown = rows.slice(0, kMaxLayers);
    return [
      el(
        'section',
        { class: 'printed-part printed-layers' },
        el(
          'h2',
          {},
          'Slowest layers',
          span(
            'soft',
            ` ${integer(shown.length)} of ${plural(rows.length, 'layer')} · ${visible(engine.id)}`,
          ),
        ),
        plainTable('', shown, [
          numbers('#', (row) => String(engine.layerId(row))),
          column('layer', (row) => visible(store.layerLabel(row).slice(0, 160)), {
            cellClass: 'printed-name',
          }),
          column('type', (row) => visible(engine.layers.text('type', row) ?? '–')),
          column('precision', (row) => layerPrecision(engine, row)),
          numbers(`ms, ${basis}`, (row) => fixed(times[row] ?? null, 4)),
          numbers('% of Σ', (row) => percent(engine.share(row, basis))),
        ]),
      ),
    ];
  }
}
