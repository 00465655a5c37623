// The rules, by the estimated gain of their findings; or those that were silent, skipped or waived.

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
  pressButton,
  ruleState,
  sectionTitle,
  segments,
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

function showButtons({ engine }: Store, choice: Choice, choose: (show: Show) => void): HTMLElement {
  const options = kShows.map((show) => {
    const count = rulesOf(engine, show, choice.severity).length;
    const name = `${kShowWords[show]} ${integer(count)}`;
    return { id: show, name, disabled: count === 0 && show !== choice.show };
  });
  return segments<Show>('Rules shown', options, choice.show, choose);
}

// The number of listed findings by severity; null if all have the same.
function severityButtons(store: Store, { show, severity: chosen }: Choice): HTMLElement | null {
  if (show !== 'fired' && show !== 'waived') return null;
  const counts = severityCounts(store.engine, show);
  if (counts.size < 2 && chosen === null) return null;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const options = kSeverities
    .filter((severity) => counts.has(severity) || severity === chosen)
    .map((severity) => {
      const count = integer(counts.get(severity) ?? 0);
      const name = span('signs', severitySign(severity), ` ${count}`);
      return { id: severity, name, label: `${kGraveWords[severity]}: ${count}` };
    });
  const label = `Findings of all severities: ${integer(all)}`;
  return segments<Severity | 'all'>(
    'Severities shown',
    [{ id: 'all', name: `All ${integer(all)}`, label }, ...options],
    chosen ?? 'all',
    (id) => store.setOption(kSeverityOption, id === 'all' ? null : id),
    'severities',
  );
}

// The potential saving of its findings, over a bar of the same. Formatted like `planex lint`, with
// the decimals of the whole column.
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

// The most severe of the rule's listed findings.
function listedSeverity({ engine }: Store, { show, severity }: Choice, rule: RuleStatus): Severity {
  if (severity !== null) return severity;
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
  const isOn = rule.id === choice.rule?.id;
  return el(
    'button',
    {
      class: `rule-row line${isOn ? ' picked' : ''}`,
      attrs: { type: 'button', 'aria-pressed': String(isOn), title: text, 'data-rule': rule.id },
      on: { click: () => showRule(store, rule) },
    },
    hasCount ? severitySign(listedSeverity(store, choice, rule)) : span('rule-dash dim', kMissing),
    div('grow', el('b', {}, visible(rule.id)), div('rule-summary', text)),
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
  if (show === 'fired' && isBlind) return 'No rule could run.';
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
  const title = 'Switch rules and packs off and on, change severities';
  return [
    sectionTitle(
      'Rules',
      `${integer(all.length)} in ${plural(packs.size, 'pack')}${isOrdered ? ', by estimated gain' : ''}`,
      canChoose &&
        pressButton({ id: 'all', name: 'Choose rules', title }, isChoosing, () =>
          choose(isChoosing ? 'fired' : 'all'),
        ),
    ),
    judgingBlock(context),
    showButtons(store, choice, choose),
    severityButtons(store, choice),
    show === 'fired' &&
      rules.length > 0 &&
      div(
        'rule-heads line dim',
        span('grow', 'Rule'),
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

// If nothing was found: which rules could not run, and why.
export function blindRules({ engine }: Store): readonly Child[] {
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped');
  if (skipped.length === 0) return [];
  return [
    sectionTitle('Skipped rules', `${integer(skipped.length)} of ${integer(engine.rules.length)}`),
    plainTable('blind-rules wrapped', skipped, [
      column('Rule', (rule) => visible(rule.id), { width: 240 }),
      column('Why', (rule) => visible(rule.reason ?? kMissing), { cellClass: 'soft' }),
    ]),
  ];
}
