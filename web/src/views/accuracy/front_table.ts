// The points of a search in numbers, under their picture.

import {
  bytesText,
  div,
  el,
  fixed,
  isNumber,
  kMissing,
  percent,
  span,
  visible,
  type EngineAccuracy,
  type FrontPoint,
} from '../../public/index.ts';
import { dbOf, intervalText } from './front.ts';

interface Column {
  readonly head: string;
  readonly className?: string;
  readonly text: (point: FrontPoint, before: FrontPoint | null) => string | null;
}

// What a point has in float that the one before has not, as the terminal prints it.
function added(point: FrontPoint, before: FrontPoint | null): string | null {
  const known = new Set(before?.kept);
  const names = point.kept.filter((name) => !known.has(name)).map((name) => visible(name));
  return names.length === 0 ? null : `+ ${names.join(', ')}`;
}

const kColumns: readonly Column[] = [
  { head: 'in float', className: 'right', text: (point) => fixed(point.float_layers, 0) },
  {
    head: '% of MACs',
    className: 'right',
    text: ({ macs_ratio: ratio }) => (isNumber(ratio) ? percent(ratio) : null),
  },
  {
    head: 'weights',
    className: 'right',
    text: ({ weight_bytes: bytes }) => (isNumber(bytes) ? bytesText(bytes) : null),
  },
  {
    head: 'their ms',
    className: 'right',
    text: ({ ms }) => (isNumber(ms) ? fixed(ms, 3) : null),
  },
  { head: 'measured', className: 'right', text: intervalText },
  {
    head: 'SQNR, dB',
    className: 'right',
    text: (point) => {
      const db = dbOf(point);
      return isNumber(db) ? fixed(db, 1) : null;
    },
  },
  {
    head: 'top-1, %',
    className: 'right',
    text: ({ judged_top1_ratio: judged, top1_ratio: top1 }) => {
      const ratio = judged ?? top1;
      return isNumber(ratio) ? percent(ratio) : null;
    },
  },
  { head: 'layers in float, beside those above', className: 'names', text: added },
];

export function frontTable({ front }: EngineAccuracy): HTMLElement {
  const shown = kColumns.filter((column) =>
    front.some((point, at) => column.text(point, front[at - 1] ?? null) !== null),
  );
  const row = (point: FrontPoint, at: number): HTMLElement => {
    const isChosen = point.is_chosen === 1;
    return el(
      'tr',
      { class: isChosen ? 'chosen' : '' },
      ...shown.map(({ className, text }) => {
        const content = text(point, front[at - 1] ?? null);
        const cell = el('td', { class: className ?? '' }, content ?? span('dim', kMissing));
        if (className === 'names') cell.title = point.kept.map((name) => visible(name)).join('\n');
        return cell;
      }),
      el('td', {}, isChosen ? 'written' : ''),
    );
  };
  return div(
    'accuracy-front',
    el(
      'div',
      {
        class: 'wide-scroll',
        attrs: { tabindex: '0', role: 'region', 'aria-label': 'Models of the search' },
      },
      el(
        'table',
        { class: 'plain' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...shown.map(({ head, className }) =>
              el('th', { class: className ?? '', attrs: { scope: 'col' } }, head),
            ),
            el('th', { attrs: { scope: 'col' } }, span('offscreen', 'written')),
          ),
        ),
        el('tbody', {}, ...front.map(row)),
      ),
    ),
  );
}
