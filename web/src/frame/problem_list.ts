// What could not be read and why, at the top of the page until it is dismissed.

import { button, div, el, replace, span } from '../base/dom.ts';
import { visible } from '../base/text.ts';
import { problemIn, type Problem } from '../public/page/opener.ts';

// If there are many, the rest is in the list, behind a click.
const kShown = 3;

function lines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function entry(problem: Problem): HTMLElement {
  const { what, message, file, pointer, context, hint } = problem;
  const place = [file === what ? '' : file, pointer].filter((part) => part !== '').join(' at ');
  return el(
    'li',
    {},
    what === '' ? null : el('b', { class: 'problem-what' }, `${visible(what)}: `),
    visible(message),
    place === '' ? null : span('problem-place', ` (${visible(place)})`),
    context === '' ? null : el('pre', {}, lines(context)),
    hint === '' ? null : el('p', { class: 'problem-hint' }, lines(hint)),
  );
}

export class ProblemList {
  readonly node = el('div', { class: 'problems', attrs: { role: 'alert' } });

  constructor() {
    this.node.hidden = true;
  }

  show(problems: readonly Problem[]): void {
    this.node.hidden = problems.length === 0;
    const first = problems.slice(0, kShown);
    const rest = problems.slice(kShown);
    replace(
      this.node,
      div(
        'grow wraps',
        el('ul', { class: 'bare' }, ...first.map(entry)),
        rest.length === 0
          ? null
          : el(
              'details',
              {},
              el('summary', {}, `${rest.length} more`),
              el('ul', { class: 'bare' }, ...rest.map(entry)),
            ),
      ),
      button('Dismiss', 'Dismiss', () => this.show([])),
    );
  }

  showError(error: unknown): void {
    this.show([problemIn(error)]);
  }
}
