// Where the difference of Σ layers comes from: each layer counts to exactly one cause, so the rows
// are the last line.

import {
  el,
  integer,
  span,
  visible,
  type Cause,
  type FigureTable,
  type Unit,
  type Way,
} from '../../public/index.ts';
import { deltaClass, deltaText, divergingBar } from './numbers.ts';

const kHalfBar = 30;

export interface CausesSpec {
  readonly way: Way;
  readonly unit: Unit;
  // The cause that the table below is filtered by.
  readonly chosen: string | null;
  readonly choose: (cause: string | null) => void;
}

export function causesTable({ way, unit, chosen, choose }: CausesSpec): HTMLElement {
  const most = Math.max(0, ...way.causes.map((cause) => Math.abs(cause.deltaMs ?? 0)));
  const row = (cause: Cause): HTMLElement => {
    const isChosen = cause.cause === chosen;
    return el(
      'tr',
      { class: isChosen ? 'selected' : '' },
      el(
        'th',
        { attrs: { scope: 'row' } },
        el(
          'button',
          {
            class: 'cause',
            attrs: {
              type: 'button',
              'aria-pressed': String(isChosen),
              title: isChosen ? 'All causes' : `Only pairs of this cause: ${visible(cause.clause)}`,
            },
            on: { click: () => choose(isChosen ? null : cause.cause) },
          },
          visible(cause.text),
        ),
      ),
      el('td', { class: 'right dim' }, `${integer(cause.aLayers)} → ${integer(cause.bLayers)}`),
      el(
        'td',
        { class: `right delta ${deltaClass(cause.deltaMs, true)}` },
        deltaText(cause.deltaMs, unit, null),
      ),
      el('td', {}, divergingBar(cause.deltaMs, most, kHalfBar, true)),
    );
  };
  return el(
    'table',
    { class: 'plain causes' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { attrs: { scope: 'col' } }, 'cause'),
        el('th', { class: 'right', attrs: { scope: 'col' } }, 'layers'),
        el('th', { class: 'right', attrs: { scope: 'col' } }, `B − A, ${unit.unit}`),
        el('th', { attrs: { scope: 'col' } }, span('offscreen', 'bar')),
      ),
    ),
    el('tbody', {}, ...way.causes.map(row)),
    el(
      'tfoot',
      {},
      el(
        'tr',
        {},
        el('th', { attrs: { scope: 'row' } }, 'Σ layers'),
        el('td', {}),
        el('td', { class: 'right' }, deltaText(way.deltaMs, unit, null)),
        el('td', {}),
      ),
    ),
  );
}

export function causesData(way: Way): FigureTable {
  const number = (title: string, decimals: number) => ({ title, decimals });
  return {
    columns: [
      { title: 'cause', decimals: null },
      number('layers of A', 0),
      number('layers of B', 0),
      number('A, ms', 4),
      number('B, ms', 4),
      number('B − A, ms', 4),
    ],
    rows: way.causes.map((cause) => [
      cause.text,
      cause.aLayers,
      cause.bLayers,
      cause.aMs,
      cause.bMs,
      cause.deltaMs,
    ]),
  };
}

// The causes as parts of a sentence, those that helped and those that hurt, the greatest first.
export function clauses(way: Way): {
  readonly helped: readonly Cause[];
  readonly hurt: readonly Cause[];
} {
  const by = (sign: number): readonly Cause[] =>
    way.causes
      .filter((cause) => Math.sign(cause.deltaMs ?? 0) === sign)
      .sort((x, y) => Math.abs(y.deltaMs ?? 0) - Math.abs(x.deltaMs ?? 0));
  return { helped: by(-1), hurt: by(1) };
}
