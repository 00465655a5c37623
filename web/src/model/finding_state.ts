// A finding in the link: "findings.rule" is the rule on screen, "findings.at" the finding, by its
// fingerprint, so that the link also works for the next build.

import { remembered } from '../base/known.ts';
import type { Engine, EngineFinding } from './engine.ts';
import type { State, Store } from './store.ts';
import type { ViewOptions } from './url_state.ts';

export const kRuleOption = 'findings.rule';
export const kFindingOption = 'findings.at';
// Which rules are listed; absent: those that fired.
export const kShowOption = 'findings.show';
// Only findings of this severity; absent: all.
export const kSeverityOption = 'findings.severity';

// The ids of the rules that the prediction includes; absent: those that save most.
export const kTicksOption = 'findings.ticks';

export function findingKey(finding: EngineFinding): string {
  const { fingerprint, rule, layer_id: layer } = finding;
  return fingerprint === '' ? `${rule}@${String(layer ?? '')}` : fingerprint;
}

const byKey = remembered(({ suppressedFindings, findings }: Engine) => {
  const all = [...suppressedFindings, ...findings];
  return new Map(all.map((finding) => [findingKey(finding), finding]));
});

export function findingOf(engine: Engine, options: ViewOptions): EngineFinding | null {
  const key = options[kFindingOption];
  return key === undefined ? null : (byKey(engine).get(key) ?? null);
}

export function rowOfFinding(engine: Engine, finding: EngineFinding | null): number | null {
  return finding?.layer_id === null || finding === null ? null : engine.rowOf(finding.layer_id);
}

// A rule, without a finding selected yet.
export function ruleState(store: Store, rule: string): Partial<State> {
  const kept = Object.entries(store.state.options).filter(
    ([key]) => !key.startsWith('findings.') || key === kTicksOption,
  );
  return { view: 'findings', options: Object.fromEntries([...kept, [kRuleOption, rule]]) };
}

// Showing a finding selects its layer: there is one selection.
export function findingState(store: Store, finding: EngineFinding): Partial<State> {
  const state = ruleState(store, finding.rule);
  const show = finding.suppressed === null ? {} : { [kShowOption]: 'waived' };
  // A choice that contains it stays.
  const isChosen = store.state.options[kSeverityOption] === finding.severity;
  const severity = isChosen ? { [kSeverityOption]: finding.severity } : {};
  return {
    ...state,
    selected: rowOfFinding(store.engine, finding),
    options: { ...state.options, ...show, ...severity, [kFindingOption]: findingKey(finding) },
  };
}
