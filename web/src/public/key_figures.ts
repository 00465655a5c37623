// A few large numbers, and lists of facts.

import { div, el, span, type Child } from '../base/dom.ts';
import { kMissing } from '../base/format.ts';
import { contentList, type Content } from './grid/column.ts';

export function keyFigure(value: Child, unit: Child = null): HTMLElement {
  const small = unit === null || unit === '' ? null : el('small', {}, unit);
  return span(`key-figure${value === kMissing ? ' dim' : ''}`, value, small);
}

export interface StripFigure {
  readonly label: string;
  readonly value: Content;
  // On a line of its own; if it is a text, the tooltip has all of it.
  readonly sub: Child;
  // At the right of the label.
  readonly aside?: Child;
  readonly asideHelp?: string | undefined;
}

// Key figures side by side, at the head of a view.
export function figureStrip(label: string, figures: readonly StripFigure[]): HTMLElement {
  return el(
    'dl',
    { class: 'strip', attrs: { 'aria-label': label } },
    ...figures.map(({ label: name, value, sub, aside, asideHelp }) => {
      const title = typeof sub === 'string' ? sub : null;
      const right = el('span', { attrs: { title: asideHelp } }, aside);
      return div(
        'figure',
        el('dt', {}, span('', name), span('grow'), right),
        el('dd', { class: 'figure-value' }, ...contentList(value)),
        el('dd', { class: 'figure-sub', attrs: { title } }, sub),
      );
    }),
  );
}

// A fact without a value is left out.
export type Fact = readonly [key: Child, value: Content] | null;

// Keys at the left, values at the right.
export function factsList(facts: Iterable<Fact>, className = ''): HTMLElement {
  const lines: HTMLElement[] = [];
  for (const fact of facts) {
    if (fact === null || fact[1] === null) continue;
    lines.push(el('dt', {}, fact[0]), el('dd', {}, ...contentList(fact[1])));
  }
  return el('dl', { class: `facts-list ${className}`.trim() }, ...lines);
}
