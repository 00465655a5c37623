// The keys. Single letters do nothing in text fields, and can be turned off in the list of keys
// (WCAG 2.1.4).

import { div, el, type Child } from '../base/dom.ts';
import { checkBox } from '../public/choice.ts';
import { factsList } from '../public/key_figures.ts';
import { iconButton } from '../public/page/marks.ts';

// By key name.
export type KeyActions = Readonly<Record<string, () => void>>;

const kHelp: readonly (readonly [string, string])[] = [
  ['1 … 9, 0', 'the views'],
  ['/', 'search; n and N go to the next and previous hit'],
  ['j k ↓ ↑', 'next, previous row'],
  ['← →', 'previous, next layer in execution order'],
  ['[ ]', 'producer of its input; consumer of its output'],
  ['f', 'add a filter; Shift+f clears all'],
  ['g l', 'this layer in the graph; in the table'],
  ['w a s d', 'graph: move; + and - zoom, z fits all'],
  ['o Enter', 'graph: open or fold the selected block, or the one around it'],
  ['m', 'time basis'],
  ['c', 'copy the name; Shift+c the layer as JSON'],
  ['t', 'theme'],
  ['?', 'this list'],
  ['Esc', 'close, then clear the selection'],
  ['Alt+click', 'use a value or mark as a filter'],
];

function inTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable)
  );
}

export class Keys {
  readonly #actions: KeyActions;
  readonly #inView: (key: string) => boolean;
  #letters = true;
  #dialog: HTMLDialogElement | null = null;

  // `inView`: lets the view on screen handle a key; returns whether it did.
  constructor(actions: KeyActions, inView: (key: string) => boolean) {
    this.#actions = { ...actions, '?': () => this.showHelp() };
    this.#inView = inView;
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || inTextField(event.target)) return;
    if (this.#dialog?.open === true) return;
    const { key } = event;
    if (key.length === 1 && !this.#letters) return;
    const action = Object.hasOwn(this.#actions, key) ? this.#actions[key] : undefined;
    if (!this.#inView(key)) {
      if (action === undefined) return;
      action();
    }
    event.preventDefault();
  }

  showHelp(): void {
    this.#dialog ??= this.#build();
    this.#dialog.showModal();
  }

  #build(): HTMLDialogElement {
    const keys = (text: string): Child =>
      el('span', {}, ...text.split(' ').flatMap((key) => [el('kbd', {}, key), ' ']));
    const dialog = el(
      'dialog',
      { class: 'keys', attrs: { 'aria-label': 'Keyboard shortcuts' } },
      div(
        'panel-line',
        el('b', { class: 'grow' }, 'Keyboard shortcuts'),
        iconButton('close', 'Close', () => dialog.close()),
      ),
      factsList(kHelp.map(([key, what]) => [keys(key), what])),
      checkBox('single-letter shortcuts', true, (isOn) => {
        this.#letters = isOn;
      }),
    );
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    return dialog;
  }
}
