// Chooses which of many engines to open: those that the program found, with its figures.

import { button, div, el, span } from '../base/dom.ts';
import { fixed, integer, kMissing } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { column, plainTable, quantity, wideTable } from '../public/grid/index.ts';
import type { FoundEngine } from '../public/page/opener.ts';
import './engine_chooser.css';

// Empty if it is closed.
export function chooseEngines(
  found: readonly FoundEngine[],
  most: number,
): Promise<readonly FoundEngine[]> {
  return new Promise((resolve) => {
    const tally = span('dim grow');
    const open = button('Open', 'Open the chosen engines', () => dialog.close('open'));
    const boxes = found.map(({ path }) =>
      el('input', {
        attrs: { type: 'checkbox', 'aria-label': visible(path) },
        on: { change: () => update() },
      }),
    );
    const chosen = (): readonly FoundEngine[] =>
      found.filter((_, at) => boxes[at]?.checked === true);
    const update = (): void => {
      const count = chosen().length;
      open.disabled = count === 0;
      tally.textContent = `${count} of ${found.length} chosen, ${most} at most`;
      for (const box of boxes) box.disabled = count >= most && !box.checked;
    };
    const click = (event: Event, box: HTMLInputElement | undefined): void => {
      if (event.target !== box) box?.click();
    };
    const latency = ({ latencyMs }: FoundEngine): number | null => latencyMs;
    const table = plainTable<FoundEngine>(
      // Paths are not cut: wide ones scroll.
      'auto found-engines clickable',
      found,
      [
        column(span('offscreen', 'Chosen'), (_, at) => boxes[at]),
        column('path', ({ path }) => visible(path), { class: 'path' }),
        column('engine', ({ producer }) => visible(producer)),
        column('device', ({ device }) => visible(device ?? kMissing)),
        quantity('latency', 'ms', latency, (ms) => fixed(ms, 3)),
        quantity('layers', 'layers', ({ layerCount }) => layerCount, integer),
        quantity('findings', 'findings', ({ findingCount }) => findingCount, integer),
      ],
      { row: (_, at) => ({ on: { click: (event) => click(event, boxes[at]) } }) },
    );
    const dialog = el(
      'dialog',
      { class: 'engine-chooser', attrs: { 'aria-label': 'Engines to open' } },
      el('h2', { class: 'section-title' }, `${found.length} engines are here`),
      wideTable('Engines', table, 'engine-chooser-scroll'),
      div(
        'line engine-chooser-bar',
        tally,
        button('Cancel', 'Escape', () => dialog.close()),
        open,
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'open' ? chosen() : []);
    });
    update();
    document.body.append(dialog);
    dialog.showModal();
    boxes[0]?.focus();
  });
}
