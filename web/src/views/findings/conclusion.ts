// The first line: the estimated gain of all findings.

import {
  isNumber,
  isOff,
  plural,
  savingOf,
  savingText,
  type Engine,
  type RuleStatus,
  type Conclusion,
  type JudgingChoice,
} from '../../public/index.ts';

export function findingsConclusion(
  engine: Engine,
  fired: readonly RuleStatus[],
  choice: JudgingChoice | null = null,
): Conclusion | null {
  const { rules, findings, suppressedFindings } = engine;
  if (rules.length === 0) return null;
  const out = rules.filter((rule) => choice !== null && isOff(choice, rule));
  const skipped = rules.filter((rule) => rule.status === 'skipped' && !out.includes(rule)).length;
  const looked = rules.length - skipped - out.length;
  const waived = suppressedFindings.length;
  const apart = waived > 0 ? ` ${plural(waived, 'finding')} waived.` : '';
  const blind =
    (skipped > 0 ? ` ${plural(skipped, 'rule')} could not run.` : '') +
    (out.length > 0 ? ` ${plural(out.length, 'rule is', 'rules are')} off.` : '');
  if (looked === 0) {
    return out.length > 0
      ? { headline: 'None of the enabled rules could run.', text: blind.trim() }
      : { headline: 'No rule could run.', text: `All ${String(skipped)} were skipped.` };
  }
  if (findings.length === 0) {
    const none = waived > 0 ? 'Nothing is left to change.' : 'No rule found anything.';
    return { headline: none, text: `${plural(looked, 'rule')} ran.${blind}${apart}` };
  }
  const of = `${plural(findings.length, 'finding')} of ${plural(fired.length, 'rule')}.`;
  const worth = engine.lint.estimated_ms;
  if (!isNumber(worth)) {
    const why = engine.hasTimes ? '' : ' There are no times, so potential savings are not known.';
    return { headline: of, text: `${why}${blind}${apart}`.trim() };
  }
  const { low, high } = savingOf(engine.actions);
  return {
    headline: `All actions together save ${savingText(low, high)} per inference.`,
    text: `${of}${blind}${apart}`,
  };
}
