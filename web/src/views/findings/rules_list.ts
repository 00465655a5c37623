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
  severitySign,
  span,
  visible,
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

function showButtons(store: Store, choice: Choice, choose: (show: Show) => void): HTMLElement {
  return el(
    'div',
    { class: 'segments', attrs: { role: 'group', 'aria-label': 'Rules shown' } },
    ...kShows.map((show) => {
      const count = rulesOf(store.engine, show, choice.severity).length;
      const isOn = show === choice.show;
      return el(
        'button',
        {
          class: `button${isOn ? ' on' : ''}`,
          attrs: { type: 'button', 'aria-pressed': String(isOn), disabled: count === 0 && !isOn },
          on: { click: () => choose(show) },
        },
        `${kShowWords[show]} ${integer(count)}`,
      );
    }),
  );
}

// How grave the findings are that are listed; null where they are all alike.
function severityButtons(store: Store, choice: Choice): HTMLElement | null {
  const { engine } = store;
  const { show, severity: chosen } = choice;
  if (show === 'silent' || show === 'skipped' || show === 'all') return null;
  const counts = severityCounts(engine, show);
  if (counts.size < 2 && chosen === null) return null;
  let all = 0;
  for (const count of counts.values()) all += count;
  const button = (severity: Severity | null, count: number, words: string): HTMLElement => {
    const isOn = severity === chosen;
    return el(
      'button',
      {
        class: `button${isOn ? ' on' : ''}`,
        attrs: {
          type: 'button',
          'aria-pressed': String(isOn),
          'aria-label': `${words}: ${integer(count)}`,
          'data-severity': severity ?? 'all',
        },
        on: { click: () => store.setOption(kSeverityOption, severity) },
      },
      severity === null ? 'All' : severitySign(severity),
      ` ${integer(count)}`,
    );
  };
  const listed = kSeverities.filter((severity) => counts.has(severity) || severity === chosen);
  return el(
    'div',
    { class: 'segments severities', attrs: { role: 'group', 'aria-label': 'Severities shown' } },
    button(null, all, 'Findings of all severities'),
    ...listed.map((severity) => button(severity, counts.get(severity) ?? 0, kGraveWords[severity])),
  );
}

// What its findings are worth, over a bar of the same.
function worthCell(rule: RuleStatus, largest: number): HTMLElement {
  if (!isNumber(rule.estimated_ms)) return div('rule-worth', div('dim', 'not known'));
  const fill = div('bar');
  const ratio = largest > 0 ? rule.estimated_ms / largest : 0;
  fill.style.width = `${Math.max(0.6, ratio * kBarPx).toFixed(1)}px`;
  return div('rule-worth', el('b', {}, least(rule.estimated_ms)), fill);
}

// As `planex lint` says it, in the decimals of the whole column.
function least(ms: number): string {
  return ms > 0 && ms < 0.0005 ? '<0.001' : fixed(ms, 3);
}

function secondLine(rule: RuleStatus, show: Show): string {
  const reason = rule.reason ?? '';
  if (show === 'skipped') return reason === '' ? 'no reason given' : reason;
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
  const kept = [kShowOption, kSeverityOption].flatMap((key) => {
    const value = store.state.options[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  store.patch({ ...state, options: { ...state.options, ...Object.fromEntries(kept) } });
}

function ruleRow(store: Store, choice: Choice, rule: RuleStatus, largest: number): HTMLElement {
  const isOn = rule.id === choice.rule?.id;
  const { show } = choice;
  const text = secondLine(rule, show);
  const count = show === 'waived' ? rule.suppressed_count : rule.count;
  const hasCount = show === 'fired' || show === 'waived';
  return el(
    'button',
    {
      class: `rule-row${isOn ? ' on' : ''}`,
      attrs: {
        type: 'button',
        'aria-pressed': String(isOn),
        title: visible(text),
        'data-rule': rule.id,
      },
      on: {
        click: () => showRule(store, rule),
      },
    },
    hasCount ? severitySign(listedSeverity(store, choice, rule)) : span('rule-dash dim', kMissing),
    div('rule-text', el('b', {}, visible(rule.id)), div('rule-summary', visible(text))),
    hasCount ? div('rule-count', integer(count)) : null,
    show === 'fired' ? worthCell(rule, largest) : null,
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

function chooseButton(choice: Choice, choose: (show: Show) => void): HTMLElement {
  const isOn = choice.show === 'all';
  return el(
    'button',
    {
      class: `button choose-rules${isOn ? ' on' : ''}`,
      attrs: {
        type: 'button',
        'aria-pressed': String(isOn),
        title: 'Switch rules and packs off and on, change severities',
      },
      on: { click: () => choose(isOn ? 'fired' : 'all') },
    },
    'Choose rules',
  );
}

export function rulesList(
  context: ViewContext,
  choice: Choice,
  choose: (show: Show) => void,
): readonly HTMLElement[] {
  const { store } = context;
  const packs = new Set(store.engine.rules.map((rule) => rule.pack));
  // Not Math.max(...): rules may be many, of the user's own.
  let largest = 0;
  for (const rule of choice.rules) largest = Math.max(largest, rule.estimated_ms ?? 0);
  const severities = severityButtons(store, choice);
  const canChoose = judgingOf(context) !== null && store.engine.rules.length > 0;
  const isChoosing = canChoose && choice.show === 'all';
  const judged = judgingBlock(context);
  const heads =
    choice.show === 'fired' && choice.rules.length > 0
      ? div(
          'rule-heads dim',
          span('rule-text', 'Rule'),
          span('rule-count', 'n'),
          span('rule-worth', 'saving ms'),
        )
      : null;
  return [
    el(
      'h2',
      { class: 'section-title' },
      'Rules',
      span(
        'explain',
        `${integer(store.engine.rules.length)} in ${plural(packs.size, 'pack')}${choice.show === 'fired' && largest > 0 && !canChoose ? ', by estimated gain' : ''}`,
      ),
      canChoose ? chooseButton(choice, choose) : null,
    ),
    ...(judged === null ? [] : [judged]),
    showButtons(store, choice, choose),
    ...(severities === null ? [] : [severities]),
    ...(heads === null ? [] : [heads]),
    div(
      'rule-list',
      ...(isChoosing
        ? ruleChoices(context, choice.rules, choice.rule, (rule) => showRule(store, rule))
        : choice.rules.map((rule) => ruleRow(store, choice, rule, largest))),
      choice.rules.length === 0 ? el('p', { class: 'soft' }, emptyText(store, choice)) : null,
    ),
  ];
}

// Where nothing was found: who could not look, and why.
export function blindRules({ engine }: Store): readonly HTMLElement[] {
  const skipped = engine.rules.filter((rule) => rule.status === 'skipped');
  if (skipped.length === 0) return [];
  return [
    el(
      'h2',
      { class: 'section-title' },
      'Skipped rules',
      span('explain', `${integer(skipped.length)} of ${integer(engine.rules.length)}`),
    ),
    plainTable('blind-rules', skipped, [
      column('Rule', (rule) => visible(rule.id), { class: 'rule-name' }),
      column('Why', (rule) => visible(rule.reason ?? kMissing), { cellClass: 'soft' }),
    ]),
  ];
}
