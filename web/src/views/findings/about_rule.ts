// Above its findings: what the chosen rule looks for, its result, and the actions for it.

import {
  commandBox,
  csvOf,
  el,
  equals,
  factsList,
  figureTable,
  fixed,
  integer,
  isNumber,
  joined,
  linkButton,
  missingPieces,
  plural,
  ruleSeverity,
  sentence,
  severitySign,
  span,
  visible,
  type Child,
  type DataColumn,
  type EngineFinding,
  type RuleStatus,
  type ViewContext,
} from '../../public/index.ts';
import type { Choice } from './choice.ts';
import { judgingOf, ruleControls } from './judging.ts';
import { blindRules } from './rules_list.ts';
import { explainCommand, ruleCommand } from './waive.ts';

// Columns of the CSV, with the program's names.
const kSaved = [
  'rule',
  'severity',
  'layer_id',
  'layer',
  'message',
  'evidence',
  'estimated_ms',
  'estimate_method',
  'fix',
  'fingerprint',
] as const;

// Its findings count, instead of all being waived.
const isCounted = ({ show }: Choice): boolean => show === 'fired' || show === 'all';

export function aboutRule(context: ViewContext, choice: Choice): readonly Child[] {
  const { rule } = choice;
  const { store } = context;
  if (rule === null) {
    if (choice.show !== 'fired' || choice.severity !== null) return [];
    return [missingPieces(context), ...blindRules(store)];
  }
  const isShown = choice.show === 'fired' || (choice.show === 'all' && choice.count > 0);
  return [
    el(
      'h2',
      { class: 'section-title' },
      isShown && severitySign(ruleSeverity(store.engine, rule)),
      span('about-rule', visible(rule.id)),
      span('explain', countText(choice, rule)),
      choice.count > 0 && actions(context, choice, rule),
      ruleControls(context, rule),
    ),
    el('p', {}, visible(sentence(rule.summary))),
    rule.status === 'skipped' &&
      el('p', {}, el('b', {}, 'Skipped: '), visible(sentence(rule.reason ?? 'no reason given'))),
    rule.status === 'silent' && el('p', { class: 'soft' }, 'This rule ran and found nothing.'),
    documentation(context, rule, choice.count === 0),
  ];
}

function countText(choice: Choice, rule: RuleStatus): string {
  const { findings, count } = choice;
  if (count === 0) return '';
  const shown = findings.length === count ? '' : `${integer(findings.length)} of `;
  const isOrdered = findings.length > 1 && isNumber(findings[0]?.estimated_ms);
  const { estimated_ms: ms, suppressed_count: others } = rule;
  const parts = [
    shown + plural(count, 'finding'),
    isOrdered && 'by estimated gain',
    isCounted(choice) && ms !== null && `potential saving ≈ ${fixed(ms, 3)} ms`,
    isCounted(choice) && others > 0 && `${plural(others, 'other')} waived`,
  ];
  return joined(parts, ', ');
}

function actions(context: ViewContext, choice: Choice, rule: RuleStatus): HTMLElement {
  const { store } = context;
  const toLayers = (): void =>
    store.patch({ view: 'layers', chips: [...store.state.chips, equals('finding', rule.id)] });
  const copy = (): void =>
    context.copy(ruleCommand(store.engine, rule.id, judgingOf(context)), 'command');
  return span(
    'actions',
    isCounted(choice) && linkButton('layers', 'These layers in the table', toLayers),
    linkButton('CSV', 'Save the findings shown', () => save(context, choice, rule)),
    isCounted(choice) && linkButton('command', 'Copy the command that prints these findings', copy),
  );
}

function save(context: ViewContext, { findings }: Choice, { id }: RuleStatus): void {
  const table = figureTable(findings, [
    ...kSaved.map((key): DataColumn<EngineFinding> => [key, null, (finding) => finding[key]]),
    ['suppressed', null, ({ suppressed }) => suppressed?.reason ?? suppressed?.by],
  ]);
  context.download(`${context.store.engineTitle}.${id.slice(0, 80)}.csv`, csvOf(table));
}

// Why it exists, the general fix, and its source.
function documentation(context: ViewContext, rule: RuleStatus, isOpen: boolean): Child {
  const facts = [
    ['Why it matters', rule.rationale],
    ['What to do', rule.fix],
    ['Evidence', rule.evidence],
    ['Estimate', rule.estimate],
    ['Source', rule.source],
  ] as const;
  if (facts.every(([, text]) => text === null) && rule.command === null) return null;
  return el(
    'details',
    { class: 'rule-doc', attrs: { open: isOpen } },
    el('summary', { class: 'link' }, 'About this rule'),
    factsList(facts.map(([key, text]) => [key, text === null ? null : visible(sentence(text))])),
    ...[rule.command ?? '', explainCommand(rule.id)].map(
      (command) => command !== '' && commandBox(command, (text) => context.copy(text, 'command')),
    ),
  );
}
