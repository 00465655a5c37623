// What to do about an engine, in the core's order (planex lint), as rows.

import type { Engine, EngineFinding } from '../model/engine.ts';
import { findingState } from '../model/finding_state.ts';
import type { Action } from '../model/report_types.ts';
import type { Store } from '../model/store.ts';
import { div, el, span, type Child } from '../base/dom.ts';
import { fixed, plural, significant } from '../base/format.ts';
import { visible } from '../base/text.ts';
import { linkButton } from './page/marks.ts';

// For a range of times, in ms: "0.112 to 0.160 ms"; the low end may be unknown.
export function savingText(low: number | null, high: number | null): string {
  if (high === null) return 'not known';
  const most = `${significant(high, 3)} ms`;
  return low === null ? `up to ${most}` : `${significant(low, 3)} to ${most}`;
}

const kSure: Readonly<Record<NonNullable<Action['certainty']>, string>> = {
  proven: 'proven',
  likely: 'likely',
  'not-proven': 'not proven',
};

// Sums of the known values; null if none is known.
export function savingOf(actions: readonly Action[]): {
  readonly low: number | null;
  readonly high: number | null;
} {
  const sum = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((all, value) => all + value, 0);
  };
  return {
    low: sum(actions.map((action) => action.saving_low_ms)),
    high: sum(actions.map((action) => action.saving_high_ms)),
  };
}

// "end to end 0.883 → 0.513 to 0.672 ms"; null if that was not measured or nothing is saved.
export function predictionText(engine: Engine, actions: readonly Action[]): string | null {
  const { end_to_end: end } = engine.summary.time;
  const whole = end?.median_ms ?? end?.mean_ms ?? null;
  const { low, high } = savingOf(actions);
  if (whole === null || high === null) return null;
  const least = fixed(Math.max(0, whole - high), 3);
  return low === null
    ? `end to end ${fixed(whole, 3)} → ${least} ms at best`
    : `end to end ${fixed(whole, 3)} → ${least} to ${fixed(whole - low, 3)} ms`;
}

// The finding that asks for it.
export function askingFinding(engine: Engine, place: number): EngineFinding | null {
  return (
    engine.findings.find(({ action, folded_into: cause }) => action === place && cause === null) ??
    null
  );
}

// The first actions, one row each, in the core's order.
export function actionRows(
  store: Store,
  shown: number,
  before: (action: Action, place: number) => Child = () => null,
): HTMLElement {
  const { engine } = store;
  return el(
    'ol',
    { class: 'action-list' },
    ...engine.actions.slice(0, shown).map((action, place) => {
      const finding = askingFinding(engine, place);
      const parts = [
        action.certainty !== null && kSure[action.certainty],
        plural(action.findings.length, 'finding'),
        action.layers.length > 0 && plural(action.layers.length, 'layer'),
      ].filter((part) => part !== false);
      return el(
        'li',
        { class: 'action line' },
        before(action, place),
        div(
          'grow',
          el('b', {}, visible(action.what)),
          div(
            'soft',
            parts.join(', '),
            finding !== null && ', ',
            finding !== null &&
              linkButton(visible(finding.rule), 'The finding that asks for it', () =>
                store.patch(findingState(store, finding)),
              ),
            action.command !== null &&
              el('code', { class: 'action-command' }, visible(action.command)),
          ),
        ),
        span(
          'action-gain',
          action.certainty === null ? '' : savingText(action.saving_low_ms, action.saving_high_ms),
        ),
      );
    }),
  );
}
