// On paper: each rule that fired, why it exists, and its findings with their fixes, in place of the
// screen's tables.

import {
  div,
  el,
  fixed,
  fixText,
  firedRules,
  isNumber,
  kMissing,
  lintWords,
  plural,
  replace,
  rowOfFinding,
  sentence,
  severitySign,
  significant,
  span,
  visible,
  type Store,
  type EngineFinding,
  type RuleStatus,
  type ViewContext,
} from '../../public/index.ts';
import { findingsOf } from './choice.ts';
import { judgingOf } from './judging.ts';
import { lintCommand } from './waive.ts';

const kMaxFindings = 25;
const kLongestText = 1000;

function findingBlock(store: Store, finding: EngineFinding): HTMLElement {
  const { engine } = store;
  const { fix, estimated_ms: ms } = finding;
  const row = rowOfFinding(engine, finding);
  const name =
    row === null ? 'the engine' : `#${String(engine.layerId(row))} ${store.layerLabel(row)}`;
  const worth = isNumber(ms) ? ` · potential saving ≈ ${significant(ms * 1000, 3)} µs` : '';
  return div(
    'printed-finding',
    div('', el('b', {}, visible(name.slice(0, 200))), worth),
    div('', visible(sentence(finding.message.slice(0, kLongestText)))),
    fix !== '' && div('fix', 'Fix: ', fixText(fix.slice(0, kLongestText))),
  );
}

function ruleBlock(store: Store, rule: RuleStatus): HTMLElement {
  const findings = findingsOf(store.engine, rule.id, 'fired');
  const rest = findings.length - kMaxFindings;
  const worth = isNumber(rule.estimated_ms) ? `${fixed(rule.estimated_ms, 3)} ms` : kMissing;
  return el(
    'section',
    { class: 'printed-rule block' },
    el(
      'h2',
      { class: 'section-title' },
      severitySign(rule.severity),
      visible(rule.id),
      span('explain', `${plural(rule.count, 'finding')}, potential saving ≈ ${worth}`),
    ),
    el('p', {}, visible(sentence(rule.rationale ?? rule.summary))),
    ...findings.slice(0, kMaxFindings).map((finding) => findingBlock(store, finding)),
    rest > 0 && el('p', { class: 'dim' }, `and ${plural(rest, 'further finding')}`),
  );
}

// The equivalent command, if the settings are not the program's defaults.
function judgedLine(context: ViewContext): HTMLElement | null {
  const judging = judgingOf(context);
  if (judging === null || lintWords(judging) === '') return null;
  return el('p', {}, 'Judged with ', el('code', {}, lintCommand(context.store.engine, judging)));
}

// Present while the page is printed.
export function printedFindings(context: ViewContext): { node: HTMLElement; destroy(): void } {
  const { store } = context;
  const node = div('findings-printed print-only');
  const listening = new AbortController();
  const { signal } = listening;
  const fill = (): void =>
    replace(
      node,
      judgedLine(context),
      ...firedRules(store.engine).map((rule) => ruleBlock(store, rule)),
    );
  window.addEventListener('beforeprint', fill, { signal });
  window.addEventListener('afterprint', () => replace(node), { signal });
  return { node, destroy: () => listening.abort() };
}
