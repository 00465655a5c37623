// All waivers, with the state of each as the core reports it.

import {
  column,
  el,
  kMissing,
  numbers,
  integer,
  plainTable,
  plural,
  sectionTitle,
  span,
  visible,
  wideTable,
  type ViewContext,
  type WaiverUse,
} from '../../public/index.ts';
import { judgingOf } from './judging.ts';
import { takeBack } from './waive_form.ts';

const kStateWords: Readonly<Record<WaiverUse['state'], string>> = {
  holds: 'holds',
  expired: 'expired',
  unused: 'matches no finding',
  'not-judged': 'its rule did not run',
  'unknown-rule': 'no such rule',
};

function whatOf({ layer, layer_regex: pattern, fingerprint }: WaiverUse): string {
  const parts = [layer, pattern === null ? null : `/${pattern}/`, fingerprint];
  return parts.filter((part) => part !== null).join(', ') || 'all of the rule';
}

export function waiversTable(context: ViewContext): HTMLElement | null {
  const { waivers } = context.store.engine.lint;
  if (waivers.length === 0) return null;
  const table = plainTable('waivers wrapped', waivers, [
    column('Rule', ({ rule }) => visible(rule ?? 'any'), { class: 'name' }),
    column('Findings', (waiver) => visible(whatOf(waiver)), { class: 'name' }),
    column('Reason', ({ reason, by }) =>
      visible((reason ?? kMissing) + (by === null ? '' : ` (${by})`)),
    ),
    column('Until', ({ expires }) => expires ?? kMissing),
    column('State', ({ state }) => kStateWords[state]),
    numbers('n', ({ matched_count: count }) => integer(count), { help: 'Findings it matches' }),
    judgingOf(context) !== null &&
      column(span('offscreen', 'Take back'), (waiver) => takeBack(context, waiver)),
  ]);
  return el(
    'section',
    {},
    sectionTitle('Waivers', plural(waivers.length, 'waiver')),
    wideTable('Waivers', table),
  );
}
