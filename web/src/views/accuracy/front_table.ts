// The points of a search in numbers, under their picture.

import {
  bytesText,
  column,
  div,
  fixed,
  kMissing,
  numbers,
  percent,
  plainTable,
  span,
  visible,
  wideTable,
  type Column,
  type EngineAccuracy,
  type FrontPoint,
} from '../../public/index.ts';
import { dbOf, intervalText } from './front.ts';

// A point and the one before it.
interface Step {
  readonly point: FrontPoint;
  readonly before: FrontPoint | null;
}

// What a point has in float that the one before has not, as the terminal prints it.
function added({ point, before }: Step): string | null {
  const known = new Set(before?.kept);
  const names = point.kept.filter((name) => !known.has(name)).map((name) => visible(name));
  return names.length === 0 ? null : `+ ${names.join(', ')}`;
}

const topOf = ({ judged_top1_ratio: judged, top1_ratio: top1 }: FrontPoint) => judged ?? top1;

export function frontTable({ front }: EngineAccuracy): HTMLElement {
  const steps = front.map((point, at): Step => ({ point, before: front[at - 1] ?? null }));
  // Null where it is known of no point.
  const known = <Value>(
    head: string,
    value: (point: FrontPoint) => Value | null | undefined,
    text: (value: Value) => string,
  ): Column<Step> | null => {
    if (front.every((point) => (value(point) ?? null) === null)) return null;
    return numbers(head, ({ point }) => {
      const own = value(point) ?? null;
      return own === null ? kMissing : text(own);
    });
  };
  const hasNames = steps.some((step) => added(step) !== null);
  const table = plainTable(
    '',
    steps,
    [
      known(
        'in float',
        (point) => point.float_layers,
        (count) => fixed(count, 0),
      ),
      known('% of MACs', (point) => point.macs_ratio, percent),
      known('weights', (point) => point.weight_bytes, bytesText),
      known(
        'their ms',
        (point) => point.ms,
        (ms) => fixed(ms, 3),
      ),
      known('measured', intervalText, (text) => text),
      known('SQNR, dB', dbOf, (db) => fixed(db, 1)),
      known('top-1, %', topOf, percent),
      hasNames &&
        column(
          'layers in float, beside those above',
          (step) => added(step) ?? span('dim', kMissing),
          {
            class: 'names',
            title: ({ point }) => point.kept.map((name) => visible(name)).join('\n'),
          },
        ),
      column(span('offscreen', 'written'), ({ point }) => (point.is_chosen === 1 ? 'written' : '')),
    ],
    { row: ({ point }) => ({ class: point.is_chosen === 1 ? 'chosen' : '' }) },
  );
  return div('accuracy-front', wideTable('Models of the search', table));
}
