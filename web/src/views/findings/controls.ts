// What the list of rules is chosen with: boxes to tick, and buttons that stay pressed.

import { el, type Attribute, type Child } from '../../public/index.ts';

export function checkBox(
  label: string,
  isOn: boolean,
  change: (isOn: boolean) => void,
  disabled = false,
): HTMLInputElement {
  const box = el('input', {
    attrs: { type: 'checkbox', checked: isOn, disabled, 'aria-label': label },
    on: { change: () => change(box.checked) },
  });
  return box;
}

export function pressButton(
  isOn: boolean,
  className: string,
  attrs: Readonly<Record<string, Attribute>>,
  click: () => void,
  ...children: readonly Child[]
): HTMLElement {
  return el(
    'button',
    {
      class: isOn ? `${className} on` : className,
      attrs: { type: 'button', 'aria-pressed': String(isOn), ...attrs },
      on: { click },
    },
    ...children,
  );
}
