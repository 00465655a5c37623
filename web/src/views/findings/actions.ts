// What to do first: the rules whose fixes save most together. A layer's time is saved once, whichever
// rule asks for it, so a rule that only repeats what another one asks for is folded under that one.

import {
  div,
  el,
  findingState,
  firedRules,
  fixed,
  isNumber,
  kTicksOption,
  plural,
  ruleState,
  severitySign,
  ruleSeverity,
  sentence,
  span,
  visible,
  type Engine,
  type Store,
  type WireFinding,
} from '../../public/index.ts';
import { findingsOf } from './choice.ts';

const kNoTicks = 'none';
const kMostActions = 3;
// An action has to add this much to those before it, as a part of what all of them save.
const kLeastGain = 0.03;
// Of rules that save nearly as much, one that speaks of a cause goes first.
const kNearly = 0.75;
// A rule says nothing new where so much of it is among what an action saves.
const kCovered = 0.8;

// Of each layer what is saved of it, ms.
type Savings = ReadonlyMap<number, number>;

export interface Action {
  readonly rule: string;
  // Alone, and beyond the actions before it, ms.
  readonly ms: number;
  readonly addsMs: number;
  // Rules that ask for the same layers.
  readonly symptoms: readonly string[];
}

export interface RuleSavings {
  readonly rule: string;
  // Its findings are about conversions themselves, and not about the layers that need them.
  readonly isSymptom: boolean;
  readonly savings: Savings;
}

export function savingsOf(findings: readonly WireFinding[]): Savings {
  const most = new Map<number, number>();
  for (const { savings } of findings) {
    for (const { layer_id: layer, ms } of savings) {
      if (ms !== null && ms > (most.get(layer) ?? 0)) most.set(layer, ms);
    }
  }
  return most;
}

export function sumOf(lists: readonly Savings[]): number {
  const most = new Map<number, number>();
  for (const savings of lists) {
    for (const [layer, ms] of savings) most.set(layer, Math.max(ms, most.get(layer) ?? 0));
  }
  let sum = 0;
  for (const ms of most.values()) sum += ms;
  return sum;
}

// Whether one says little that the other doesn't.
function isCovered(rule: RuleSavings, by: RuleSavings): boolean {
  const own = sumOf([rule.savings]);
  const extra = sumOf([rule.savings, by.savings]) - sumOf([by.savings]);
  return own > 0 && own - extra >= own * kCovered;
}

// The greatest first, then always the one that adds most to those before.
export function actionsOf(rules: readonly RuleSavings[]): readonly Action[] {
  const all = sumOf(rules.map(({ savings }) => savings));
  let left = [...rules];
  const taken: RuleSavings[] = [];
  const adds: number[] = [];
  while (taken.length < kMostActions && left.length > 0) {
    const before = sumOf(taken.map(({ savings }) => savings));
    const gains = left.map(
      ({ savings }) => sumOf([...taken.map((rule) => rule.savings), savings]) - before,
    );
    const most = Math.max(0, ...gains);
    const isBefore = (a: number, b: number): boolean => {
      const near = (i: number): boolean => (gains[i] ?? 0) >= most * kNearly;
      const isCause = (i: number): boolean => near(i) && left[i]?.isSymptom === false;
      return isCause(a) === isCause(b) ? (gains[a] ?? 0) > (gains[b] ?? 0) : isCause(a);
    };
    const best = gains.reduce((first, _, i) => (isBefore(i, first) ? i : first), 0);
    const [rule] = left.splice(best, 1);
    const gain = gains[best] ?? 0;
    if (rule === undefined || !(gain > all * kLeastGain)) break;
    taken.push(rule);
    left = left.filter((other) => !isCovered(other, rule));
    adds.push(gain);
  }
  const rest = rules.filter((rule) => !taken.includes(rule));
  return taken.map((action, i) => ({
    rule: action.rule,
    ms: sumOf([action.savings]),
    addsMs: adds[i] ?? 0,
    symptoms: rest.filter((rule) => isCovered(rule, action)).map(({ rule }) => rule),
  }));
}

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

function isOfConversions(engine: Engine, findings: readonly WireFinding[]): boolean {
  const rows = findings.flatMap(({ layer_id: id }) =>
    id === null ? [] : (engine.rowOf(id) ?? []),
  );
  return rows.filter((row) => engine.isReformat(row)).length > rows.length / 2;
}

// What most of its findings, by what they save, ask for; names left open where they differ.
function wordsOf(findings: readonly WireFinding[]): string {
  const sums = new Map<string, { ms: number; readonly first: string; count: number }>();
  for (const finding of findings) {
    if (finding.fix === null || finding.fix === '') continue;
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
  return best[1].count > 1 ? best[0] : best[1].first;
}

export function actionsBlock(store: Store): HTMLElement | null {
  const { engine } = store;
  const rules = firedRules(engine).map(({ id }) => ({
    rule: id,
    isSymptom: isOfConversions(engine, findingsOf(engine, id, 'fired')),
    savings: savingsOf(findingsOf(engine, id, 'fired')),
  }));
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
      attrs: { type: 'checkbox', 'aria-label': `Count ${action.rule} in the prediction` },
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
          el(
            'button',
            {
              class: 'link',
              attrs: { type: 'button', title: 'The findings of this rule' },
              on: { click: () => store.patch(ruleState(store, action.rule)) },
            },
            visible(action.rule),
          ),
          `, ${plural(rule.count, 'finding')}, `,
          el(
            'button',
            {
              class: 'link',
              attrs: { type: 'button', title: 'Its evidence' },
              on: { click: () => store.patch(findingState(store, finding)) },
            },
            'the largest one',
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
      span('explain', 'each beyond those above it'),
    ),
    el('ol', {}, ...actions.map(row)),
    predicted === null
      ? null
      : el(
          'p',
          { class: 'predicted' },
          'Predicted with the ticked ones: ',
          el('b', {}, predicted),
          '.',
        ),
  );
}
