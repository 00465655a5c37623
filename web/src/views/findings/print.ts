// On paper: each rule that fired, why it exists, and its findings with their fixes, in place of the
// tables of the screen.

import {
  div,
  el,
  fixed,
  fixText,
  firedRules,
  isNumber,
  kMissing,
  plural,
  rowOfFinding,
  sentence,
  severitySign,
  significant,
  visible,
  type Store,
  type EngineFinding,
  type RuleStatus,
} from '../../public/index.ts';
import { findingsOf } from './choice.ts';

const kMaxFindings = 25;
const kLongestText = 1000;

function findingBlock(store: Store, finding: EngineFinding): HTMLElement {
  const { engine } = store;
  const row = rowOfFinding(engine, finding);
  const name =
    row === null ? 'the engine' : `#${String(engine.layerId(row))} ${store.layerLabel(row)}`;
  const worth = isNumber(finding.estimated_ms)
    ? ` · potential saving ≈ ${significant(finding.estimated_ms * 1000, 3)} µs`
    : '';
  const fix = finding.fix;
  return div(
    'printed-finding',
    div('', el('b', {}, visible(name.slice(0, 200))), worth),
    div('', visible(sentence(finding.message.slice(0, kLongestText)))),
    fix === '' ? null : div('fix', 'Fix: ', fixText(fix.slice(0, kLongestText))),
  );
}

function ruleBlock(store: Store, rule: RuleStatus): HTMLElement {
  const findings = findingsOf(store.engine, rule.id, 'fired');
  const rest = findings.length - kMaxFindings;
  const worth = isNumber(rule.estimated_ms) ? `${fixed(rule.estimated_ms, 3)} ms` : kMissing;
  return el(
    'section',
    { class: 'printed-rule' },
    el(
      'h2',
      { class: 'section-title' },
      severitySign(rule.severity),
      visible(rule.id),
      el(
        'span',
        { class: 'explain' },
        `${plural(rule.count, 'finding')}, potential saving ≈ ${worth}`,
      ),
    ),
    el('p', {}, visible(sentence(rule.rationale ?? rule.summary))),
    ...findings.slice(0, kMaxFindings).map((finding) => findingBlock(store, finding)),
    rest > 0 ? el('p', { class: 'dim' }, `and ${plural(rest, 'further finding')}`) : null,
  );
}

export class PrintedFindings {
  readonly node = div('findings-printed');
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    window.addEventListener('beforeprint', this.#before);
    window.addEventListener('afterprint', this.#after);
  }

  readonly #before = (): void => {
    const rules = firedRules(this.#store.engine);
    this.node.replaceChildren(...rules.map((rule) => ruleBlock(this.#store, rule)));
  };

  readonly #after = (): void => {
    this.node.replaceChildren();
  };

  destroy(): void {
    window.removeEventListener('beforeprint', this.#before);
    window.removeEventListener('afterprint', this.#after);
  }
}
