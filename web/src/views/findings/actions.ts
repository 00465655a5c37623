// What to do first, and what it would save: the head of the view.

import {
  checkBox,
  div,
  el,
  findingState,
  firedRules,
  firstSentence,
  fixed,
  isNumber,
  kTicksOption,
  linkButton,
  plural,
  ruleSeverity,
  ruleState,
  sectionTitle,
  sentence,
  severitySign,
  span,
  visible,
  type Engine,
  type EngineFinding,
  type Store,
} from '../../public/index.ts';
import { findingsOf, savingsOf } from './choice.ts';
import { actionsOf, sumOf, type Action } from './plan.ts';

// In the link: nothing is ticked.
const kNoTicks = 'none';

function ticked(store: Store, actions: readonly Action[]): Set<string> {
  const option = store.state.options[kTicksOption];
  if (option === undefined) return new Set(actions.map(({ rule }) => rule));
  return new Set(option === kNoTicks ? [] : option.split(','));
}

function tick(store: Store, actions: readonly Action[], rule: string): void {
  const ticks = ticked(store, actions);
  if (!ticks.delete(rule)) ticks.add(rule);
  const isUsual = actions.every((action) => ticks.has(action.rule));
  store.setOption(kTicksOption, isUsual ? null : [...ticks].join(',') || kNoTicks);
}

// "Σ layers 1.096 → 0.864 ms (−21.2 %), end to end ≈ 0.883 → 0.696 ms".
function prediction(engine: Engine, savedMs: number): string | null {
  const { time } = engine.summary;
  const sum = time.layers_median_ms ?? time.layers_mean_ms;
  if (!isNumber(sum) || !(sum > 0)) return null;
  const saved = Math.min(savedMs, sum);
  const share = fixed((-100 * saved) / sum, 1);
  const layers = `Σ layers ${fixed(sum, 3)} → ${fixed(sum - saved, 3)} ms (${share} %)`;
  const whole = time.end_to_end?.median_ms ?? time.end_to_end?.mean_ms;
  if (!isNumber(whole)) return layers;
  // Layers are profiled one by one, so they may add up to more than the whole: the same share of it.
  const least = whole - Math.min(saved, (whole * saved) / sum);
  return `${layers}, end to end ${fixed(whole, 3)} → ≈ ${fixed(least, 3)} ms`;
}

// What most of its findings, by what they save, ask for: of the largest one, and how many are like it.
function wordsOf(findings: readonly EngineFinding[]): string {
  const alike = new Map<string, { readonly first: string; ms: number; others: number }>();
  for (const { fix, estimated_ms: ms } of findings) {
    if (fix === '') continue;
    const first = firstSentence(fix);
    const pattern = first.replace(/"[^"]*"/g, '"…"');
    const known = alike.get(pattern) ?? { first, ms: 0, others: -1 };
    known.ms += ms ?? 0;
    known.others += 1;
    alike.set(pattern, known);
  }
  const [best] = [...alike.values()].sort((a, b) => b.ms - a.ms);
  if (best === undefined || best.others === 0) return best?.first ?? '';
  const { first, others } = best;
  return `${first.replace(/\.$/, '')}, and likewise at ${plural(others, 'other place')}.`;
}

export function actionsBlock(store: Store): HTMLElement | null {
  const { engine } = store;
  const fired = firedRules(engine);
  const savings = savingsOf(engine, fired);
  const actions = actionsOf(savings);
  if (actions.length === 0) return null;
  const ticks = ticked(store, actions);
  const saved = sumOf(savings.filter(({ rule }) => ticks.has(rule)).map((own) => own.savings));
  const predicted = ticks.size === 0 ? null : prediction(engine, saved);
  const row = ({ rule: id, addsMs, symptoms }: Action): HTMLElement | null => {
    const findings = findingsOf(engine, id, 'fired');
    const rule = fired.find((one) => one.id === id);
    const [finding] = findings;
    if (finding === undefined || rule === undefined) return null;
    return el(
      'li',
      { class: 'action line' },
      checkBox(null, ticks.has(id), () => tick(store, actions, id), {
        'aria-label': `Include ${id} in the prediction`,
      }),
      severitySign(ruleSeverity(engine, rule)),
      div(
        'grow',
        el('b', {}, visible(wordsOf(findings) || sentence(rule.summary))),
        div(
          'soft',
          linkButton(visible(id), 'The findings of this rule', () =>
            store.patch(ruleState(store, id)),
          ),
          `, ${plural(rule.count, 'finding')}, `,
          linkButton('the largest one', 'Its evidence', () =>
            store.patch(findingState(store, finding)),
          ),
          symptoms.length > 0 && `; also reported as ${symptoms.join(', ')}`,
        ),
      ),
      span('action-gain', `−${fixed(addsMs, 3)} ms`),
    );
  };
  return el(
    'section',
    { class: 'findings-actions band', attrs: { 'aria-label': 'What to do first' } },
    sectionTitle('What to do first', 'each gain excludes what the actions above it already save'),
    el('ol', {}, ...actions.map(row)),
    predicted !== null &&
      el(
        'p',
        { class: 'predicted' },
        'Predicted with the checked actions: ',
        el('b', {}, predicted),
        '.',
      ),
  );
}
