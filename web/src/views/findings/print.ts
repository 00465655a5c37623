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
  lintWords,
  plural,
  replace,
  rowOfFinding,
  sentence,
  severitySign,
  significant,
  visible,
  type Store,
  type EngineFinding,
  type RuleStatus,
  type ViewContext,
} from '../../public/index.ts';
import { findingsOf } from './choice.ts';
import { lintCommand, judgingOf } from './judging.ts';

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
  readonly #context: ViewContext;

  constructor(context: ViewContext) {
    this.#context = context;
    window.addEventListener('beforeprint', this.#before);
    window.addEventListener('afterprint', this.#after);
  }

  readonly #before = (): void => {
    const { store } = this.#context;
    const rules = firedRules(store.engine);
    replace(this.node, this.#judged(), ...rules.map((rule) => ruleBlock(store, rule)));
  };

  // What would say the same in a terminal, where it is not what the program says unasked.
  #judged(): HTMLElement | null {
    const judging = judgingOf(this.#context);
    if (judging === null || lintWords(judging) === '') return null;
    return el('p', {}, 'Judged as by ', el('code', {}, lintCommand(this.#context, judging)));
  }

  readonly #after = (): void => {
    this.node.replaceChildren();
  };

  destroy(): void {
    window.removeEventListener('beforeprint', this.#before);
    window.removeEventListener('afterprint', this.#after);
  }
}
