// Choosing columns: a list of all there are data for; what is chosen stands in the link.

import { div, el, linkButton, span } from '../../public/index.ts';
import type { LayerColumn } from './columns.ts';

export interface ChooserOptions {
  readonly all: readonly LayerColumn[];
  readonly chosen: readonly LayerColumn[];
  choose(columns: readonly string[] | null): void;
}

export function columnChooser(options: ChooserOptions): HTMLElement {
  const chosen = new Set(options.chosen.map((column) => column.id));
  const boxes = options.all.map((column) => {
    const box = el('input', {
      attrs: {
        type: 'checkbox',
        name: column.id,
        checked: chosen.has(column.id),
        disabled: !column.isThere || column.id === 'name',
      },
    });
    box.addEventListener('change', () => {
      if (box.checked) chosen.add(column.id);
      else chosen.delete(column.id);
      // The registry's order, whatever the order of the clicks.
      options.choose(options.all.map((c) => c.id).filter((id) => chosen.has(id)));
    });
    return el(
      'label',
      {
        class: column.isThere ? '' : 'off',
        attrs: { title: column.isThere ? column.help : 'No data in these files' },
      },
      box,
      ` ${column.name}`,
    );
  });
  return div(
    'chooser',
    div(
      'chooser-head',
      el('b', {}, 'Columns'),
      span('grow'),
      linkButton('standard set', null, () => options.choose(null)),
    ),
    div('chooser-list', ...boxes),
  );
}
