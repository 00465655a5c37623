// The rules, by what their findings are worth; or those that were silent, skipped or waived.

import {
  column,
  div,
  el,
  fixed,
  integer,
  isNumber,
  kMissing,
  kSeverityOption,
  kShowOption,
  plainTable,
  plural,
  ruleSeverity,
  ruleState,
  sectionTitle,
  severitySign,
  span,
  visible,
  type Child,
  type RuleStatus,
  type Severity,
  type Store,
  type ViewContext,
} from '../../public/index.ts';
import {
  findingsOf,
  kSeverities,
  kShows,
  rulesOf,
  severityCounts,
  type Choice,
  type Show,
} from './choice.ts';
import { pressButton } from './controls.ts';
import { judgingBlock, judgingOf, ruleChoices } from './judging.ts';

const kBarPx = 56;

const kShowWords: Readonly<Record<(typeof kShows)[number], string>> = {
  fired: 'Fired',
  silent: 'Silent',
  skipped: 'Skipped',
  waived: 'Waived',
};

const kGraveWords: Readonly<Record<Severity, string>> = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Notes',
};

function segments(label: string, className: string, ...buttons: readonly Child[]): HTMLElement {
  return el('div', { class: className, attrs: { role: 'group', 'aria-label': label } }, ...buttons);
}

function showButtons(store: Store, choice: Choice, choose: (show: Show) => void): HTMLElement {
  const button = (show: (typeof kShows)[number]): HTMLElement => {
    const count = rulesOf(store.engine, show, choice.severity).length;
    const isOn = show === choice.show;
    const attrs = { disabled: count === 0 && !isOn };
    const text = `${kShowWords[show]} ${integer(count)}`;
    return pressButton(isOn, 'button', attrs, () => choose(show), text);
  };
  return segments('Rules shown', 'segments', ...kShows.map(button));
}

// How grave the findings are that are listed; null where they are all alike.
function severityButtons(store: Store, { show, severity: chosen }: Choice): HTMLElement | null {
  if (show !== 'fired' && show !== 'waived') return null;
  const counts = severityCounts(store.engine, show);
  if (counts.size < 2 && chosen === null) return null;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const button = (severity: Severity | null, count: number, words: string): HTMLElement =>
    pressButton(
      severity === chosen,
      'button',
      { 'aria-label': `${words}: ${integer(count)}`, 'data-severity': severity ?? 'all' },
      () => store.setOption(kSeverityOption, severity),
      severity === null ? 'All' : severitySign(severity),
      ` ${integer(count)}`,
    );
  return segments(
    'Severities shown',
    'segments severities',
    button(null, all, 'Findings of all severities'),
    ...kSeverities
      .filter((severity) => counts.has(severity) || severity === chosen)
      .map((severity) => button(severity, counts.get(severity) ?? 0, kGraveWords[severity])),
  );
}

// What its findings are worth, over a bar of the same. As `planex lint` says it, in the decimals of the
// whole column.
function worthCell({ estimated_ms: ms }: RuleStatus, largest: number): HTMLElement {
  if (!isNumber(ms)) return div('rule-worth', div('dim', 'not known'));
  const text = ms > 0 && ms < 0.0005 ? '<0.001' : fixed(ms, 3);
  const width = Math.max(0.6, largest > 0 ? (ms / largest) * kBarPx : 0);
  const fill = el('div', { class: 'bar', css: { width: `${width.toFixed(1)}px` } });
  return div('rule-worth', el('b', {}, text), fill);
}

function secondLine(rule: RuleStatus, show: Show): string {
  const reason = rule.reason ?? '';
  if (show === 'skipped') return reason || 'no reason given';
  const rest = show !== 'waived' && reason !== '' ? `; ${reason}` : '';
  return rule.summary + rest;
}

// The gravest of the rule's findings that are listed.
function listedSeverity({ engine }: Store, { show, severity }: Choice, rule: RuleStatus): Severity {
  if (severity !== null) return severity;
  if (show === 'fired') return ruleSeverity(engine, rule);
  const found = new Set(findingsOf(engine, rule.id, show).map((finding) => finding.severity));
  return kSeverities.find((one) => found.has(one)) ?? rule.severity;
}

// In the same list.
function showRule(store: Store, rule: RuleStatus): void {
  const state = ruleState(store, rule.id);
  const kept = Object.entries(store.state.options).filter(
    ([key]) => key === kShowOption || key === kSeverityOption,
  );
  store.patch({ ...state, options: { ...state.options, ...Object.fromEntries(kept) } });
}

function ruleRow(store: Store, choice: Choice, rule: RuleStatus, largest: number): HTMLElement {
  const { show } = choice;
  const text = visible(secondLine(rule, show));
  const count = show === 'waived' ? rule.suppressed_count : rule.count;
  const hasCount = show === 'fired' || show === 'waived';
  return pressButton(
    rule.id === choice.rule?.id,
    'rule-row',
    { title: text, 'data-rule': rule.id },
    () => showRule(store, rule),
    hasCount ? severitySign(listedSeverity(store, choice, rule)) : span('rule-dash dim', kMissing),
    div('rule-text', el('b', {}, visible(rule.id)), div('rule-summary', text)),
    hasCount && div('rule-count', integer(count)),
    show === 'fired' && worthCell(rule, largest),
  );
}

const kEmpty: Readonly<Record<Show, string>> = {
  all: 'There are no rules.',
  fired: 'No rule found anything.',
  silent: 'Every rule that ran found something.',
  skipped: 'All rules ran.',
  waived: 'Nothing is waived.',
};

function emptyText({ engine }: Store, { show, severity }: Choice): string {
  if (engine.rules.length === 0) return 'No rules were run.';
  if (severity !== null) return 'None of this severity.';
  const isBlind = engine.rules.every((rule) => rule.status === 'skipped');
  if (show === 'fired' && isBlind) return 'No rule was able to run.';
  if (show === 'fired' && engine.suppressedFindings.length > 0) return 'All findings are waived.';
  return kEmpty[show];
}

export function rulesList(
  context: ViewContext,
  choice: Choice,
  choose: (show: Show) => void,
): readonly Child[] {
  const { store } = context;
  const { show, rules } = choice;
  const all = store.engine.rules;
  const packs = new Set(all.map((rule) => rule.pack));
  // Not Math.max(...): rules may be many, of the user's own.
  const largest = rules.reduce((most, rule) => Math.max(most, rule.estimated_ms ?? 0), 0);
  const canChoose = judgingOf(context) !== null && all.length > 0;
  const isChoosing = canChoose && show === 'all';
  const isOrdered = show === 'fired' && largest > 0 && !canChoose;
  const chooseButton = pressButton(
    isChoosing,
    'button choose-rules',
    { title: 'Switch rules and packs off and on, change severities' },
    () => choose(isChoosing ? 'fired' : 'all'),
    'Choose rules',
  );
  return [
    sectionTitle(
      'Rules',
      `${integer(all.length)} in ${plural(packs.size, 'pack')}${isOrdered ? ', by estimated gain' : ''}`,
      canChoose && chooseButton,
    ),
    judgingBlock(context),
    showButtons(store, choice, choose),
    severityButtons(store, choice),
    show === 'fired' &&
      rules.length > 0 &&
      div(
        'rule-heads dim',
        span('rule-text', 'Rule'),
        span('rule-count', 'n'),
        span('rule-worth', 'saving ms'),
      ),
    div(
      'rule-list',
      ...(isChoosing
        ? ruleChoices(context, rules, choice.rule, (rule) => showRule(store, rule))
        : rules.map((rule) => ruleRow(store, choice, rule, largest))),
      rules.length === 0 && el('p', { class: 'soft' }, emptyText(store, choice)),
    ),
  ];
}

// Where nothing was found: who could not look, and why.
export function blindRules({ engine }: Store): readonly Child[] {
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped');
  if (skipped.length === 0) return [];
  return [
    sectionTitle('Skipped rules', `${integer(skipped.length)} of ${integer(engine.rules.length)}`),
    plainTable('blind-rules', skipped, [
      column('Rule', (rule) => visible(rule.id), { class: 'rule-name' }),
      column('Why', (rule) => visible(rule.reason ?? kMissing), { cellClass: 'soft' }),
    ]),
  ];
}
