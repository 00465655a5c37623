// A choice that a figure offers beside its title.

import { el, span } from '../base/dom.ts';

export interface Option<Id extends string> {
  readonly id: Id;
  readonly name: string;
  // Not offered where it makes no difference.
  readonly available?: boolean;
}

// Few: words side by side.
export function choiceLinks<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id,
  pick: (id: Id) => void,
): HTMLElement {
  return el(
    'span',
    { class: 'choice', attrs: { role: 'group', 'aria-label': label } },
    span('dim', `${label} `),
    ...options
      .filter((option) => option.available !== false)
      .map((option) =>
        el(
          'button',
          {
            class: option.id === now ? 'on' : '',
            attrs: { type: 'button', 'aria-pressed': option.id === now ? 'true' : 'false' },
            on: { click: () => pick(option.id) },
          },
          option.name,
        ),
      ),
  );
}

// Many: a list.
export function choiceList<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id,
  pick: (id: Id) => void,
): HTMLElement {
  const shown = options.filter((option) => option.available !== false);
  const select = el(
    'select',
    { attrs: { 'aria-label': label } },
    ...shown.map((option) =>
      el('option', { attrs: { value: option.id, selected: option.id === now } }, option.name),
    ),
  );
  select.addEventListener('change', () => {
    const wanted = shown.find((option) => option.id === select.value);
    if (wanted !== undefined) pick(wanted.id);
  });
  return el('label', { class: 'choice' }, span('dim', `${label} `), select);
}
