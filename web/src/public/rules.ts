// The rules of an engine in the order in which to look at them.

import { remembered } from '../base/known.ts';
import { kSeverityOrder, type Engine, type Severity } from '../model/engine.ts';
import type { RuleStatus } from '../model/report_types.ts';

export { kSeverityOrder };

// The gravest last: it stays.
const signsOf = remembered(
  (engine: Engine): ReadonlyMap<string, Severity> =>
    new Map(
      [...engine.findings]
        .sort((a, b) => kSeverityOrder[b.severity] - kSeverityOrder[a.severity])
        .map(({ rule, severity }) => [rule, severity]),
    ),
);

// A rule may find graver and lighter things; its sign is that of the gravest it found.
export function ruleSeverity(engine: Engine, rule: RuleStatus): Severity {
  return signsOf(engine).get(rule.id) ?? rule.severity;
}

// With findings that count, by what fixing them is worth.
export function firedRules(engine: Engine): readonly RuleStatus[] {
  return engine.rules
    .filter((rule) => rule.status === 'fired' && rule.count > 0)
    .sort(
      (a, b) =>
        (b.estimated_ms ?? -1) - (a.estimated_ms ?? -1) ||
        kSeverityOrder[ruleSeverity(engine, a)] - kSeverityOrder[ruleSeverity(engine, b)],
    );
}
