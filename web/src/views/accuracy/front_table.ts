// The points of a search in numbers, under their picture.

import {
  bytesText,
  column,
  fixed,
  integer,
  kMissing,
  knownQuantity,
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
import { dbOf, intervalText, topOf } from './front.ts';

// A point and the one before it.
interface Step {
  readonly point: FrontPoint;
  readonly before: FrontPoint | null;
}

// Layers in float at this point that the previous one does not have, as the terminal prints them.
function added({ point, before }: Step): string | null {
  const known = new Set(before?.kept);
  const names = point.kept.filter((name) => !known.has(name)).map(visible);
  return names.length === 0 ? null : `+ ${names.join(', ')}`;
}

export function frontTable({ front }: EngineAccuracy): HTMLElement {
  const steps = front.map((point, at): Step => ({ point, before: front[at - 1] ?? null }));
  const known = (
    head: string,
    value: (point: FrontPoint) => number | null,
    text: (value: number) => string,
  ): Column<Step> | null => knownQuantity(steps, head, head, ({ point }) => value(point), text);
  const hasNames = steps.some((step) => added(step) !== null);
  const table = plainTable(
    'auto',
    steps,
    [
      known('in float', (point) => point.float_layers, integer),
      known('% of MACs', (point) => point.macs_ratio, percent),
      known('weights', (point) => point.weight_bytes, bytesText),
      known(
        'their ms',
        (point) => point.ms,
        (ms) => fixed(ms, 3),
      ),
      front.some((point) => intervalText(point) !== null) &&
        numbers('measured', ({ point }) => intervalText(point) ?? kMissing),
      known('SQNR, dB', dbOf, (db) => fixed(db, 1)),
      known('top-1, %', topOf, percent),
      hasNames &&
        column(
          'layers in float in addition to those above',
          (step) => added(step) ?? span('dim', kMissing),
          {
            class: 'names',
            title: ({ point }) => point.kept.map(visible).join('\n'),
          },
        ),
      column(span('offscreen', 'written'), ({ point }) => (point.is_chosen === 1 ? 'written' : '')),
    ],
    { row: ({ point }) => ({ class: point.is_chosen === 1 ? 'chosen' : '' }) },
  );
  return wideTable('Models of the search', table, 'accuracy-front');
}
