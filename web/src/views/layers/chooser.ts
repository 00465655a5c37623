// Choosing columns: a list of all there are data for; what is chosen stands in the link.

import { div, el, span, type Engine } from '../../public/index.ts';
import type { Column } from './column.ts';
import { kColumns } from './columns.ts';

export interface ChooserOptions {
  readonly engine: Engine;
  readonly chosen: readonly Column[];
  choose(columns: readonly string[] | null): void;
}

export function columnChooser(options: ChooserOptions): HTMLElement {
  const chosen = new Set(options.chosen.map((column) => column.id));
  const boxes = kColumns.map((column) => {
    const available = column.available(options.engine);
    const box = el('input', {
      attrs: {
        type: 'checkbox',
        name: column.id,
        checked: chosen.has(column.id),
        disabled: !available || column.id === 'name',
      },
    });
    box.addEventListener('change', () => {
      if (box.checked) chosen.add(column.id);
      else chosen.delete(column.id);
      // The registry's order, whatever the order of the clicks.
      options.choose(kColumns.map((c) => c.id).filter((id) => chosen.has(id)));
    });
    return el(
      'label',
      {
        class: available ? '' : 'off',
        attrs: { title: available ? column.help : 'No data in these files' },
      },
      box,
      ` ${column.title}`,
    );
  });
  return div(
    'chooser',
    div(
      'chooser-head',
      el('b', {}, 'Columns'),
      span('grow'),
      el(
        'button',
        { class: 'link', attrs: { type: 'button' }, on: { click: () => options.choose(null) } },
        'standard set',
      ),
    ),
    div('chooser-list', ...boxes),
  );
}
