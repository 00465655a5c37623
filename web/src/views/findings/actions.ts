// What to do first, and what it would save: the head of the view.

import {
  div,
  el,
  findingState,
  firedRules,
  fixed,
  isNumber,
  kTicksOption,
  linkButton,
  plural,
  ruleSeverity,
  ruleState,
  sentence,
  severitySign,
  span,
  visible,
  type Engine,
  type EngineFinding,
  type Store,
} from '../../public/index.ts';
import { findingsOf } from './choice.ts';
import { actionsOf, ruleSavings, sumOf, type Action } from './plan.ts';

// In the link: nothing is ticked.
const kNoTicks = 'none';

function ticked(store: Store, actions: readonly Action[]): ReadonlySet<string> {
  const option = store.state.options[kTicksOption];
  if (option === undefined) return new Set(actions.map(({ rule }) => rule));
  return new Set(option === kNoTicks ? [] : option.split(','));
}

function tick(store: Store, actions: readonly Action[], rule: string): void {
  const ticks = new Set(ticked(store, actions));
  if (!ticks.delete(rule)) ticks.add(rule);
  const isUsual = actions.every((action) => ticks.has(action.rule));
  store.setOption(
    kTicksOption,
    isUsual ? null : ticks.size === 0 ? kNoTicks : [...ticks].join(','),
  );
}

// "Σ layers 1.096 → 0.864 ms (−21.2 %), end to end ≈ 0.883 → 0.696 ms".
export function prediction(engine: Engine, savedMs: number): string | null {
  const { time } = engine.summary;
  const sum = time.layers_median_ms ?? time.layers_mean_ms;
  if (!isNumber(sum) || !(sum > 0)) return null;
  const saved = Math.min(savedMs, sum);
  const share = fixed((-100 * saved) / sum, 1);
  const layers = `Σ layers ${fixed(sum, 3)} → ${fixed(sum - saved, 3)} ms (${share} %)`;
  const whole = time.end_to_end?.median_ms ?? time.end_to_end?.mean_ms ?? null;
  if (!isNumber(whole)) return layers;
  // Layers are profiled one by one, so they may add up to more than the whole: the same share of it.
  const least = whole - Math.min(saved, (whole * saved) / sum);
  return `${layers}, end to end ${fixed(whole, 3)} → ≈ ${fixed(least, 3)} ms`;
}

// The first sentence of what is to be done.
function firstSentence(text: string): string {
  const [first = ''] = text.split('\n');
  const end = /[.;:](?= )/.exec(first);
  return sentence(end === null ? first : first.slice(0, end.index));
}

// What most of its findings, by what they save, ask for: of the largest one, and how many are like it.
function wordsOf(findings: readonly EngineFinding[]): string {
  const sums = new Map<string, { ms: number; readonly first: string; count: number }>();
  for (const finding of findings) {
    if (finding.fix === '') continue;
    const first = firstSentence(finding.fix);
    const pattern = first.replace(/"[^"]*"/g, '"…"');
    const ms = finding.estimated_ms ?? 0;
    const known = sums.get(pattern);
    if (known === undefined) sums.set(pattern, { ms, first, count: 1 });
    else {
      known.ms += ms;
      known.count += 1;
    }
  }
  const [best] = [...sums].sort(([, a], [, b]) => b.ms - a.ms);
  if (best === undefined) return '';
  const { first, count } = best[1];
  const others = count - 1;
  return others === 0
    ? first
    : `${first.replace(/\.$/, '')}, and likewise at ${plural(others, 'other place')}.`;
}

export function actionsBlock(store: Store): HTMLElement | null {
  const { engine } = store;
  const rules = firedRules(engine).map(({ id }) =>
    ruleSavings(engine, id, findingsOf(engine, id, 'fired')),
  );
  const actions = actionsOf(rules);
  if (actions.length === 0) return null;
  const ticks = ticked(store, actions);
  const saved = sumOf(rules.filter(({ rule }) => ticks.has(rule)).map(({ savings }) => savings));
  const predicted = ticks.size === 0 ? null : prediction(engine, saved);
  const row = (action: Action): HTMLElement | null => {
    const [finding] = findingsOf(engine, action.rule, 'fired');
    const rule = engine.rules.find(({ id }) => id === action.rule);
    if (finding === undefined || rule === undefined) return null;
    const box = el('input', {
      attrs: { type: 'checkbox', 'aria-label': `Include ${action.rule} in the prediction` },
      on: { change: () => tick(store, actions, action.rule) },
    });
    box.checked = ticks.has(action.rule);
    const words = wordsOf(findingsOf(engine, action.rule, 'fired'));
    return el(
      'li',
      { class: 'action' },
      box,
      severitySign(ruleSeverity(engine, rule)),
      div(
        'action-words',
        el('b', {}, visible(words === '' ? sentence(rule.summary) : words)),
        div(
          'soft',
          linkButton(visible(action.rule), 'The findings of this rule', () =>
            store.patch(ruleState(store, action.rule)),
          ),
          `, ${plural(rule.count, 'finding')}, `,
          linkButton('the largest one', 'Its evidence', () =>
            store.patch(findingState(store, finding)),
          ),
          action.symptoms.length === 0 ? null : `; also reported as ${action.symptoms.join(', ')}`,
        ),
      ),
      span('action-gain', `−${fixed(action.addsMs, 3)} ms`),
    );
  };
  return el(
    'section',
    { class: 'findings-actions', attrs: { 'aria-label': 'What to do first' } },
    el(
      'h2',
      { class: 'section-title' },
      'What to do first',
      span('explain', 'each gain excludes what the actions above it already save'),
    ),
    el('ol', {}, ...actions.map(row)),
    predicted === null
      ? null
      : el(
          'p',
          { class: 'predicted' },
          'Predicted with the checked actions: ',
          el('b', {}, predicted),
          '.',
        ),
  );
}
