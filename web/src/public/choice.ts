// Controls for choosing among a few things, as words, buttons or a list; and for opening and
// closing.

import { el, span, type Child } from '../base/dom.ts';
import type { Store } from '../model/store.ts';
import type { ViewOptionKey } from '../model/url_state.ts';

export interface Option<Id extends string> {
  readonly id: Id;
  readonly name: Child;
  readonly title?: string | null | undefined;
  // For a name that is more than words.
  readonly label?: string;
  // Not offered if it makes no difference.
  readonly available?: boolean;
  // Offered, but disabled.
  readonly disabled?: boolean;
}

type Pick<Id extends string> = (id: Id) => void;

// A button that is on or off. `id` identifies it among its neighbours after a redraw.
export function pressButton<Id extends string>(
  { id, name, title, label, disabled }: Option<Id>,
  isOn: boolean,
  pick: Pick<Id>,
  className = 'button',
): HTMLButtonElement {
  const attrs = { 'aria-pressed': String(isOn), 'aria-label': label, 'data-choice': id };
  return el(
    'button',
    {
      class: `${className}${isOn ? ' on' : ''}`.trim(),
      attrs: { type: 'button', title, disabled, ...attrs },
      on: { click: () => pick(id) },
    },
    name,
  );
}

const isOffered = ({ available }: Option<string>): boolean => available !== false;

// For a few choices of a whole view: one row of buttons.
export function segments<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id | null,
  pick: Pick<Id>,
  className = '',
): HTMLElement {
  return el(
    'span',
    {
      class: `segments ${className}`.trim(),
      attrs: { role: 'group', 'aria-label': label },
    },
    ...options.filter(isOffered).map((option) => pressButton(option, option.id === now, pick)),
  );
}

// For a few choices next to a title: words side by side.
export function choiceLinks<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id,
  pick: Pick<Id>,
): HTMLElement {
  return el(
    'span',
    { class: 'choice', attrs: { role: 'group', 'aria-label': label } },
    span('dim', `${label} `),
    ...options.filter(isOffered).map((option) => pressButton(option, option.id === now, pick, '')),
  );
}

// For many choices: a list. Its label is for screen readers.
export function selectOf<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id | null,
  pick: Pick<Id>,
  className = '',
): HTMLSelectElement {
  const shown = options.filter(isOffered);
  const select = el(
    'select',
    { class: className, attrs: { 'aria-label': label } },
    ...shown.map(({ id, name, title, disabled }) =>
      el('option', { attrs: { value: id, selected: id === now, title, disabled } }, name),
    ),
  );
  select.addEventListener('change', () => {
    const wanted = shown[select.selectedIndex];
    if (wanted !== undefined) pick(wanted.id);
  });
  return select;
}

// The same with its label in front of it.
export function choiceList<Id extends string>(
  label: string,
  options: readonly Option<Id>[],
  now: Id | null,
  pick: Pick<Id>,
): HTMLElement {
  const select = selectOf(label, options, now, pick);
  return el('label', { class: 'choice' }, span('dim', `${label} `), select);
}

// A switch of its own, with its label after it.
export function checkBox(
  name: Child,
  isOn: boolean,
  change: (isOn: boolean) => void,
  attrs: Readonly<Record<string, string | boolean | null | undefined>> = {},
): HTMLElement {
  const box = el('input', { attrs: { type: 'checkbox', checked: isOn, ...attrs } });
  box.addEventListener('change', () => change(box.checked));
  return el('label', { class: 'check' }, box, name);
}

// Opens the content below it.
export function foldButton(text: string, isOpen: boolean, click: () => void): HTMLElement {
  const attrs = { type: 'button', 'aria-expanded': String(isOpen) };
  const props = { class: 'fold-button cut', attrs, on: { click } };
  return el('button', props, `${isOpen ? '▾' : '▸'} ${text}`);
}

export interface LinkedChoice<Id extends string> {
  readonly now: Id;
  list(label: string): HTMLElement;
}

// A choice that the link keeps: the link's value if it is offered, else the default, which the link
// leaves out.
export function linkedChoice<Id extends string>(
  store: Store,
  key: ViewOptionKey,
  options: readonly Option<Id>[],
  usual: Id,
): LinkedChoice<Id> {
  const wanted = store.option(key);
  const now = options.filter(isOffered).find(({ id }) => id === wanted)?.id ?? usual;
  const pick = (id: Id): void => store.setOption(key, id === usual ? null : id);
  return { now, list: (label) => choiceList(label, options, now, pick) };
}
