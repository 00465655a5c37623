// On paper, after the view on screen: what a reader without a page to click in needs. The sweep,
// what was optimized, overview, findings with their fixes, the slowest layers, the comparison.

import { div, el, replace, span } from '../base/dom.ts';
import { fixed, integer, percent, plural } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { Store } from '../model/store.ts';
import { column, numbers, plainTable } from '../public/grid/index.ts';
import { layerPrecision } from '../public/page/marks.ts';
import { isUnmet } from '../public/needs.ts';
import type { MountedView, ViewContext } from '../public/page/view.ts';

const kViewsBefore: readonly string[] = ['sweep', 'optimize', 'overview', 'findings'];
const kViewsAfter: readonly string[] = ['compare'];
const kMaxLayers = 50;

// Filled while the page is being printed.
export function printedReport(context: ViewContext): HTMLElement {
  const { store, views } = context;
  const node = div('printed-report');
  let mounted: readonly MountedView[] = [];
  let isTellingOthers = false;
  window.addEventListener('beforeprint', () => {
    if (isTellingOthers || mounted.length > 0) return;
    // Attached to the page before it is filled, because drawings take the width of their place. The
    // view on screen is not printed twice.
    const add = (id: string): readonly MountedView[] => {
      const view = views.find((one) => one.id === id);
      if (view === undefined || id === store.state.view || isUnmet(view, store.engine)) return [];
      const host = div('view');
      node.append(el('section', { class: 'printed-part' }, host));
      return [context.embed(id, host, store)].filter((part) => part !== null);
    };
    replace(node);
    const before = kViewsBefore.flatMap(add);
    node.append(...slowestLayers(store));
    const after = store.report.engines.length > 1 ? kViewsAfter.flatMap(add) : [];
    mounted = [...before, ...after];
    // Listeners added during this event are not called for this printing.
    isTellingOthers = true;
    window.dispatchEvent(new Event('beforeprint'));
    isTellingOthers = false;
  });
  window.addEventListener('afterprint', () => {
    for (const view of mounted) view.destroy();
    mounted = [];
    replace(node);
  });
  return node;
}

function slowestLayers(store: Store): readonly HTMLElement[] {
  const { engine, basis } = store;
  if (!engine.hasTimes) return [];
  const times = engine.times(basis);
  const rows = [...store.selection.rows]
    .filter((row) => (times[row] ?? Number.NaN) >= 0)
    .sort((a, b) => (times[b] ?? 0) - (times[a] ?? 0));
  if (rows.length === 0) return [];
  const shown = rows.slice(0, kMaxLayers);
  const of = `${integer(shown.length)} of ${plural(rows.length, 'layer')}`;
  return [
    el(
      'section',
      { class: 'printed-part printed-layers' },
      el('h2', {}, 'Slowest layers', span('soft', ` ${of} · ${visible(engine.id)}`)),
      plainTable('auto', shown, [
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
