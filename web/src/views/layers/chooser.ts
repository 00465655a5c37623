// Choosing columns: a list of all columns that have data; the link keeps the choice.

import { checkBox, div, el, linkButton } from '../../public/index.ts';
import type { LayerColumn } from './columns.ts';

// `choose` gets null for the standard set.
export function columnChooser(
  all: readonly LayerColumn[],
  shown: readonly LayerColumn[],
  choose: (columns: readonly string[] | null) => void,
): HTMLElement {
  const chosen = new Set(shown.map(({ id }) => id));
  const boxes = all.map(({ id, name, help, isThere }) => {
    const change = (isOn: boolean): void => {
      if (isOn) chosen.add(id);
      else chosen.delete(id);
      // In the order of the registry, whatever the order of the clicks.
      choose(all.map((one) => one.id).filter((one) => chosen.has(one)));
    };
    const attrs = { name: id, disabled: !isThere || id === 'name' };
    const label = checkBox(name, chosen.has(id), change, attrs);
    label.title = isThere ? (help ?? '') : 'No data in these files';
    label.classList.toggle('dim', !isThere);
    return label;
  });
  return div(
    'popup chooser',
    div(
      'line chooser-head',
      el('b', { class: 'grow' }, 'Columns'),
      linkButton('standard set', null, () => choose(null)),
    ),
    div('chooser-list', ...boxes),
  );
}
