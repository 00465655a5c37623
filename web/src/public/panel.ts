// The building blocks of the details panel: its head and its parts.

import { div, el, span, type Child } from '../base/dom.ts';
import { inUnit, isNumber, percent, timeUnit } from '../base/format.ts';
import type { Store } from '../model/store.ts';
import { keyFigure } from './key_figures.ts';
import { iconButton, layerPrecision } from './page/marks.ts';

// A heading, a short note at its right, and the content.
export function panelSection(
  title: string,
  right: Child,
  ...children: readonly Child[]
): HTMLElement {
  return el('section', {}, el('h3', {}, title, span('grow'), right), ...children);
}

// What is shown, the actions for it, and its name below.
export function panelHead(
  about: readonly Child[],
  buttons: readonly Child[],
  close: () => void,
  ...rest: readonly Child[]
): HTMLElement {
  return div(
    'panel-head',
    div(
      'panel-line',
      ...about,
      span('grow'),
      ...buttons,
      iconButton('close', 'Close (Esc)', close),
    ),
    ...rest,
  );
}

// The time of a layer, its share, and its precision; `more` follows the share.
export function layerFigures({ engine, basis }: Store, row: number, more = ''): HTMLElement {
  const time = engine.times(basis)[row];
  const unit = timeUnit(isNumber(time) ? time : 0);
  const corrected = basis === 'corrected' ? ' corr.' : '';
  const share = `${percent(engine.share(row, basis))} % of Σ${corrected}${more}`;
  return div(
    'panel-line figures',
    ...(isNumber(time)
      ? [keyFigure(inUnit(time, unit), unit.unit), span('soft', share)]
      : [span('dim', engine.hasTimes ? 'not in the profile' : 'no times')]),
    layerPrecision(engine, row),
  );
}
