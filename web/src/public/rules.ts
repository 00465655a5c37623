// The rules of an engine in the order in which to look at them.

import type { Engine } from '../model/engine.ts';
import type { Severity } from '../model/engine.ts';
import type { RuleStatus } from '../model/report_types.ts';

export const kSeverityOrder = { error: 0, warning: 1, info: 2 } as const;

const kSigns = new WeakMap<Engine, ReadonlyMap<string, Severity>>();

// A rule may find graver and lighter things; its sign is that of the gravest it found.
export function ruleSeverity(engine: Engine, rule: RuleStatus): Severity {
  let signs = kSigns.get(engine);
  if (signs === undefined) {
    const found = new Map<string, Severity>();
    for (const { rule: id, severity } of engine.findings) {
      const known = found.get(id);
      if (known === undefined || kSeverityOrder[severity] < kSeverityOrder[known]) {
        found.set(id, severity);
      }
    }
    kSigns.set(engine, (signs = found));
  }
  return signs.get(rule.id) ?? rule.severity;
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
