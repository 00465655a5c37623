// Which of many engines to open: those that the program found, with its figures.

import { button, div, el, replace, span, type Child } from '../base/dom.ts';
import { integer, kMissing } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { FoundEngine } from '../public/opener.ts';

export class EngineChooser {
  // None where it is closed.
  choose(found: readonly FoundEngine[], most: number): Promise<readonly FoundEngine[]> {
    return new Promise((resolve) => {
      const chosen = new Set<FoundEngine>();
      const tally = span('dim');
      const open = button('Open', 'Open the chosen engines', () => dialog.close('open'));
      const boxes: HTMLInputElement[] = [];
      const update = (): void => {
        open.disabled = chosen.size === 0;
        tally.textContent = `${chosen.size} of ${found.length} chosen, ${most} at most`;
        for (const box of boxes) box.disabled = chosen.size >= most && !box.checked;
      };
      const row = (engine: FoundEngine): HTMLElement => {
        const box = el('input', {
          attrs: { type: 'checkbox', 'aria-label': visible(engine.path) },
          on: {
            change: () => {
              if (box.checked) chosen.add(engine);
              else chosen.delete(engine);
              update();
            },
          },
        });
        boxes.push(box);
        const number = (value: number | null, digits: number): Child =>
          el(
            'td',
            { class: 'right' },
            value === null ? kMissing : digits === 0 ? integer(value) : value.toFixed(digits),
          );
        const line = el(
          'tr',
          {
            on: {
              click: (event) => {
                if (event.target !== box) box.click();
              },
            },
          },
          el('td', {}, box),
          el('td', { class: 'chooser-path' }, visible(engine.path)),
          el('td', {}, visible(engine.producer)),
          el('td', {}, visible(engine.device ?? kMissing)),
          number(engine.latencyMs, 3),
          number(engine.layerCount, 0),
          number(engine.findingCount, 0),
        );
        return line;
      };
      const head = (text: string, right = false): Child =>
        el('th', { class: right ? 'right' : '', attrs: { scope: 'col' } }, text);
      const dialog = el(
        'dialog',
        { class: 'chooser', attrs: { 'aria-label': 'Engines to open' } },
        el('h2', { class: 'section-title' }, `${found.length} engines are here`),
        el(
          'div',
          {
            class: 'chooser-scroll',
            attrs: { tabindex: '0', role: 'region', 'aria-label': 'Engines' },
          },
          el(
            'table',
            {},
            el(
              'thead',
              {},
              el(
                'tr',
                {},
                el('td', {}),
                head('path'),
                head('engine'),
                head('device'),
                head('ms', true),
                head('layers', true),
                head('findings', true),
              ),
            ),
            el('tbody', {}, ...found.map(row)),
          ),
        ),
        div(
          'chooser-bar',
          tally,
          span('grow'),
          button('Cancel', 'Escape', () => dialog.close()),
          open,
        ),
      );
      dialog.addEventListener('close', () => {
        dialog.remove();
        replace(dialog);
        resolve(dialog.returnValue === 'open' ? found.filter((one) => chosen.has(one)) : []);
      });
      update();
      document.body.append(dialog);
      dialog.showModal();
      boxes[0]?.focus();
    });
  }
}
