// The first line: what all of it is worth.

import {
  fixed,
  isNumber,
  isOff,
  percent,
  plural,
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
      ? { headline: 'No rule that is on was able to run.', text: blind.trim() }
      : { headline: 'No rule was able to run.', text: `All ${String(skipped)} were skipped.` };
  }
  if (findings.length === 0) {
    const none = waived > 0 ? 'Nothing is left to change.' : 'No rule found anything.';
    return { headline: none, text: `${plural(looked, 'rule')} looked.${blind}${apart}` };
  }
  const of = `${plural(findings.length, 'finding')} of ${plural(fired.length, 'rule')}.`;
  const worth = engine.lint.estimated_ms;
  if (!isNumber(worth)) {
    const why = engine.hasTimes ? '' : ' There are no times, so potential savings are not known.';
    return { headline: of, text: `${why}${blind}${apart}`.trim() };
  }
  const sum = engine.summary.time.layers_median_ms ?? engine.summary.time.layers_mean_ms;
  const share = isNumber(sum) && sum > 0 ? `, ${percent(worth / sum)} % of Σ layers` : '';
  // Each rule counts all of its own; where two want the same layer gone, it goes once.
  const separately = fired.reduce((total, rule) => total + (rule.estimated_ms ?? 0), 0);
  const overlap =
    separately > worth * 1.001
      ? ` Rules overlap and each layer counts once, so this is less than their sum, ${fixed(separately, 3)} ms.`
      : '';
  const most = isNumber(fired[0]?.estimated_ms)
    ? ` The most is in ${fired[0].id}: ≈ ${fixed(fired[0].estimated_ms, 3)} ms.`
    : '';
  return {
    headline: `All fixes together would save ≈ ${fixed(worth, 3)} ms${share}.`,
    text: `${of}${overlap}${most}${blind}${apart}`,
  };
}
