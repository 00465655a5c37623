// The rules of an engine in reading order.

import { remembered } from '../base/known.ts';
import { kSeverityOrder, type Engine, type Severity } from '../model/engine.ts';
import type { RuleStatus } from '../model/report_types.ts';

export { kSeverityOrder };

// The most severe last: it wins.
const signsOf = remembered(
  (engine: Engine): ReadonlyMap<string, Severity> =>
    new Map(
      [...engine.findings]
        .sort((a, b) => kSeverityOrder[b.severity] - kSeverityOrder[a.severity])
        .map(({ rule, severity }) => [rule, severity]),
    ),
);

// A rule can find more and less severe things; its sign is that of the most severe.
export function ruleSeverity(engine: Engine, rule: RuleStatus): Severity {
  return signsOf(engine).get(rule.id) ?? rule.severity;
}

// Rules with findings that count, by the estimated gain of fixing them.
export function firedRules(engine: Engine): readonly RuleStatus[] {
  return engine.rules
    .filter((rule) => rule.status === 'fired' && rule.count > 0)
    .sort(
      (a, b) =>
        (b.estimated_ms ?? -1) - (a.estimated_ms ?? -1) ||
        kSeverityOrder[ruleSeverity(engine, a)] - kSeverityOrder[ruleSeverity(engine, b)],
    );
}
