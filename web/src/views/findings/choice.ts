// What is on screen: which rules are listed, the rule whose findings are shown, the finding. All of
// it follows from the state, so that the panel, the ribbon and the view agree.

import {
  askingFinding,
  findingOf,
  firedRules,
  kRuleOption,
  kSeverityOption,
  kShowOption,
  rowOfFinding,
  type Engine,
  type Severity,
  type Store,
  type EngineFinding,
  type RuleStatus,
} from '../../public/index.ts';

export const kShows = ['fired', 'silent', 'skipped', 'waived'] as const;
// With 'all', the rules that can be switched off and on.
export type Show = (typeof kShows)[number] | 'all';

export const kSeverities = ['error', 'warning', 'info'] as const;

export interface Choice {
  readonly show: Show;
  // Null: of all severities.
  readonly severity: Severity | null;
  readonly rules: readonly RuleStatus[];
  readonly rule: RuleStatus | null;
  // The rule's findings, by their estimated gain; of the chosen severity, on layers that pass the
  // filter.
  readonly findings: readonly EngineFinding[];
  // Before both filters.
  readonly count: number;
  readonly finding: EngineFinding | null;
}

// With a severity: rules that have such a finding in the list; for rules without findings, those
// whose findings would have it.
export function rulesOf(
  engine: Engine,
  show: Show,
  severity: Severity | null = null,
): readonly RuleStatus[] {
  // A rule whose findings are all waived is not silent.
  const rules =
    show === 'fired'
      ? firedRules(engine)
      : engine.rules.filter(
          (rule) =>
            show === 'all' ||
            (show === 'waived' ? rule.suppressed_count > 0 : rule.status === show),
        );
  if (severity === null) return rules;
  const isSignificant = show === 'fired' || show === 'waived';
  return rules.filter((rule) =>
    isSignificant
      ? findingsOf(engine, rule.id, show).some((finding) => finding.severity === severity)
      : rule.severity === severity,
  );
}

const allOf = (engine: Engine, show: Show): readonly EngineFinding[] =>
  show === 'waived' ? engine.suppressedFindings : engine.findings;

// How many findings of the list have each severity.
export function severityCounts(engine: Engine, show: Show): ReadonlyMap<Severity, number> {
  const counts = new Map<Severity, number>();
  for (const { severity } of allOf(engine, show)) {
    counts.set(severity, (counts.get(severity) ?? 0) + 1);
  }
  return counts;
}

// The largest gain first; equal ones in execution order. Unknown gains last.
export function byWorth(findings: readonly EngineFinding[]): readonly EngineFinding[] {
  return [...findings].sort(
    (a, b) =>
      (b.estimated_ms ?? -1) - (a.estimated_ms ?? -1) || (a.layer_id ?? -1) - (b.layer_id ?? -1),
  );
}

const kByRule = new WeakMap<readonly EngineFinding[], Map<string, EngineFinding[]>>();

export function findingsOf(engine: Engine, rule: string, show: Show): readonly EngineFinding[] {
  const all = allOf(engine, show);
  let byRule = kByRule.get(all);
  if (byRule === undefined) {
    kByRule.set(all, (byRule = new Map<string, EngineFinding[]>()));
    for (const finding of byWorth(all)) {
      const list = byRule.get(finding.rule);
      if (list === undefined) byRule.set(finding.rule, [finding]);
      else list.push(finding);
    }
  }
  return byRule.get(rule) ?? [];
}

// The finding in the link, if its layer is the selected one or nothing is selected; else the rule's
// finding about the selected layer.
function current(store: Store, findings: readonly EngineFinding[]): EngineFinding | null {
  const { engine, state } = store;
  const named = findingOf(engine, state.options);
  if (named !== null && rowOfFinding(engine, named) === state.selected) return named;
  if (state.selected === null) return null;
  const layer = engine.layerId(state.selected);
  return findings.find((finding) => finding.layer_id === layer) ?? null;
}

type Listed = Omit<Choice, 'finding'>;

// Needed at every drawing of the ribbon, and for every step through the findings: cached until
// something it depends on changes.
let listed: { readonly key: readonly unknown[]; readonly list: Listed } | null = null;

export function choiceOf(store: Store): Choice {
  const named = [kRuleOption, kShowOption, kSeverityOption] as const;
  const options = named.map((option) => store.option(option));
  const key = [store.engine, store.selection, ...options];
  if (listed?.key.every((part, i) => part === key[i]) !== true) {
    listed = { key, list: listOf(store) };
  }
  const { list } = listed;
  return { ...list, finding: current(store, list.findings) };
}

function listOf(store: Store): Listed {
  const { engine, state } = store;
  const { options } = state;
  const show = [...kShows, 'all' as const].find((one) => one === options[kShowOption]) ?? 'fired';
  const severity = kSeverities.find((one) => one === options[kSeverityOption]) ?? null;
  const rules = rulesOf(engine, show, severity);
  const wanted = options[kRuleOption];
  // By default, the rule of the first action.
  const first = show === 'fired' ? askingFinding(engine, 0) : null;
  const opened = wanted ?? first?.rule;
  const rule = rules.find((r) => r.id === opened) ?? rules[0] ?? null;
  const all = rule === null ? [] : findingsOf(engine, rule.id, show);
  const { mask } = store.selection;
  // Without a filter, including those of records that do no work.
  const stays = (finding: EngineFinding): boolean => {
    if (severity !== null && finding.severity !== severity) return false;
    if (state.chips.length === 0) return true;
    const row = rowOfFinding(engine, finding);
    return row === null || mask[row] === 1;
  };
  const findings = state.chips.length === 0 && severity === null ? all : all.filter(stays);
  return { show, severity, rules, rule, findings, count: all.length };
}
