// Parts of the details panel: facts, texts, links.

import { div, el, replace, span, type Child } from '../base/dom.ts';
import { integer, inUnit, isNumber, timeUnit } from '../base/format.ts';
import { visible } from '../base/text.ts';
import type { Store } from '../model/store.ts';
import { nameTitle, type FittedName } from '../public/page/marks.ts';

// As much as a reader can take in; the rest is one click away.
const kShownText = 600;
export const kShownRows = 12;

// Next to a heading: how many of all are listed; null if all are.
export function shownOf(count: number, shown = kShownRows): string | null {
  return count > shown ? `${integer(shown)} of ${integer(count)}` : null;
}

export function longText(text: string, className: string): HTMLElement {
  const shown = visible(text);
  if (shown.length <= kShownText) return div(className, shown);
  const node = div(className, `${shown.slice(0, kShownText)}…`);
  const more = el(
    'button',
    { class: 'link', attrs: { type: 'button' }, on: { click: () => replace(node, shown) } },
    `all ${integer(shown.length)} characters`,
  );
  node.append(' ', more);
  return node;
}

export type TextFact = readonly [key: string, value: string | null];

// Short ones share a line in pairs, long ones take the whole width. Null if the value is unknown.
export function factGrid(facts: readonly TextFact[]): HTMLElement | null {
  const cells = facts.flatMap(([key, value]) => {
    if (value === null) return [];
    const isWide = visible(value).length + key.length > 24;
    return div(
      `fact${isWide ? ' wide' : ''}`,
      span('fact-key', visible(key)),
      longText(value, 'fact-value'),
    );
  });
  return cells.length === 0 ? null : div('facts', ...cells);
}

export function timeText(ms: number | null | undefined, unit = timeUnit(ms ?? 0)): string | null {
  return isNumber(ms) ? `${inUnit(ms, unit)} ${unit.unit}` : null;
}

// One line; the tooltip has the full text.
export function fittedName(names: FittedName[], text: string): HTMLElement {
  const node = el('span', { class: 'port-name', attrs: { title: nameTitle(visible(text)) } });
  names.push({ name: visible(text), node });
  return node;
}

// A name that links to something, with its text before and after.
export function nameLine(
  names: FittedName[],
  before: Child,
  name: string,
  go: () => void,
  after: Child = null,
  title = nameTitle(name),
): HTMLElement {
  const attrs = { type: 'button', title };
  const node = el('button', { class: 'link', attrs, on: { click: go } });
  names.push({ name, node });
  return div('neighbour', before, div('grow cut', node), after);
}

export function layerLine(
  store: Store,
  names: FittedName[],
  before: Child,
  row: number,
  after: Child,
): HTMLElement {
  const title = nameTitle(store.engine.layerName(row));
  const go = (): void => store.patch({ selected: row });
  return nameLine(names, before, store.layerLabel(row), go, after, title);
}
