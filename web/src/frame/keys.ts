// The keys. Single letters do nothing in text fields, and can be turned off in the list of keys
// (WCAG 2.1.4).

import { div, el, type Child } from '../base/dom.ts';
import { iconButton } from '../public/marks.ts';

export interface KeyActions {
  readonly view: (index: number) => void;
  readonly search: () => void;
  readonly walk: (by: 1 | -1) => void;
  readonly row: (by: 1 | -1) => void;
  readonly layer: (by: 1 | -1) => void;
  readonly along: (way: 'producer' | 'consumer') => void;
  readonly addFilter: () => void;
  readonly clearFilter: () => void;
  readonly basis: () => void;
  readonly theme: () => void;
  readonly copyName: () => void;
  readonly copyJson: () => void;
  readonly table: () => void;
  readonly graph: () => void;
  // What the view on screen makes of a key itself; whether it did.
  readonly inView: (key: string) => boolean;
  readonly help: () => void;
  readonly escape: () => void;
}

function inTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input:not([type=checkbox]), textarea, select') || target.isContentEditable)
  );
}

export class Keys {
  readonly #actions: KeyActions;
  #letters = true;
  #dialog: HTMLDialogElement | null = null;

  constructor(actions: KeyActions) {
    this.#actions = actions;
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || inTextField(event.target)) return;
    if (this.#dialog?.open === true) return;
    const isLetter = event.key.length === 1;
    if ((this.#letters || !isLetter) && this.#actions.inView(event.key)) {
      event.preventDefault();
      return;
    }
    const action = this.#find(event);
    if (action === null) return;
    event.preventDefault();
    action();
  }

  #find(event: KeyboardEvent): (() => void) | null {
    const a = this.#actions;
    switch (event.key) {
      case 'Escape':
        return a.escape;
      case 'ArrowDown':
        return () => a.row(1);
      case 'ArrowUp':
        return () => a.row(-1);
      case 'ArrowRight':
        return () => a.layer(1);
      case 'ArrowLeft':
        return () => a.layer(-1);
    }
    if (!this.#letters) return null;
    // The tenth view is on 0.
    if (/^[0-9]$/.test(event.key)) return () => a.view((Number(event.key) + 9) % 10);
    const letters: Readonly<Record<string, () => void>> = {
      '/': a.search,
      n: () => a.walk(1),
      N: () => a.walk(-1),
      j: () => a.row(1),
      k: () => a.row(-1),
      '[': () => a.along('producer'),
      ']': () => a.along('consumer'),
      f: a.addFilter,
      F: a.clearFilter,
      m: a.basis,
      t: a.theme,
      c: a.copyName,
      C: a.copyJson,
      l: a.table,
      g: a.graph,
      '?': a.help,
    };
    return Object.hasOwn(letters, event.key) ? (letters[event.key] ?? null) : null;
  }

  showHelp(): void {
    this.#dialog ??= this.#build();
    this.#dialog.showModal();
  }

  #build(): HTMLDialogElement {
    const rows: readonly (readonly [string, string])[] = [
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
    const keys = (text: string): Child[] =>
      text.split(' ').flatMap((key) => [el('kbd', {}, key), ' ']);
    const letters = el('input', { attrs: { type: 'checkbox', checked: true } });
    letters.addEventListener('change', () => {
      this.#letters = letters.checked;
    });
    const dialog = el(
      'dialog',
      { class: 'keys', attrs: { 'aria-label': 'Keyboard shortcuts' } },
      div(
        'panel-line',
        el('b', {}, 'Keyboard shortcuts'),
        div('grow'),
        iconButton('close', 'Close', () => dialog.close()),
      ),
      el(
        'dl',
        {},
        ...rows.flatMap(([key, what]) => [el('dt', {}, ...keys(key)), el('dd', {}, what)]),
      ),
      el('label', {}, letters, ' single-letter shortcuts'),
    );
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    return dialog;
  }
}
