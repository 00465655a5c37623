// Which rules run and their severities: the reader can choose if the page has the core. The core
// carries out every choice; this module has the controls.

import {
  checkBox,
  choiceInLink,
  div,
  el,
  fileText,
  integer,
  isOff,
  joined,
  kAsItWas,
  kFileKinds,
  linkButton,
  plural,
  ruleSeverity,
  selectOf,
  severitySign,
  span,
  visible,
  withFiles,
  type FileKind,
  type Judging,
  type JudgingChoice,
  type RuleStatus,
  type Severity,
  type ViewContext,
} from '../../public/index.ts';
import { kSeverities } from './choice.ts';
import { lintCommand } from './waive.ts';

// How the engine on screen was judged; null if the page can't judge it differently.
export function judgingOf({ core, store }: ViewContext): Judging | null {
  return core !== null && store.state.engine < core.engineCount ? core.judging : null;
}

// The reader's latest choice; the report follows.
function chosen({ store }: ViewContext): JudgingChoice {
  return choiceInLink(store.state.options);
}

function choose(context: ViewContext, change: Partial<JudgingChoice>): void {
  const files = context.core?.judging.files ?? kAsItWas.files;
  context.judge({ choice: { ...chosen(context), ...change }, files });
}

const without = (list: readonly string[], one: string): readonly string[] =>
  list.filter((other) => other !== one);

// --- One rule

function switchRule(context: ViewContext, rule: RuleStatus, isOn: boolean): void {
  const { only, off } = chosen(context);
  if (isOn) {
    const isAmong = only.length === 0 || only.includes(rule.id);
    choose(context, { off: without(off, rule.id), only: isAmong ? only : [...only, rule.id] });
  } else if (only.length > 1 && only.includes(rule.id)) {
    choose(context, { only: without(only, rule.id) });
  } else {
    choose(context, { off: [...without(off, rule.id), rule.id] });
  }
}

function severityChoice(context: ViewContext, rule: RuleStatus): HTMLElement {
  const { severities } = chosen(context);
  const now = severities[rule.id] ?? '';
  const pick = (severity: Severity | ''): void => {
    const next = new Map(Object.entries(severities));
    if (severity === '') next.delete(rule.id);
    else next.set(rule.id, severity);
    choose(context, { severities: Object.fromEntries(next) });
  };
  const select = selectOf(
    `Severity of ${rule.id}`,
    [
      { id: '', name: now === '' ? rule.severity : 'its own' },
      ...kSeverities
        .filter((severity) => now !== '' || severity !== rule.severity)
        .map((severity) => ({ id: severity, name: severity })),
    ],
    now,
    pick,
    'small severity-choice',
  );
  select.title = 'Severity of its findings';
  return select;
}

const isInPack = ({ packs }: JudgingChoice, { pack }: RuleStatus): boolean =>
  packs.length === 0 || packs.includes(pack);

// Next to the title of a rule; null if nothing can be chosen.
export function ruleControls(context: ViewContext, rule: RuleStatus): HTMLElement | null {
  if (judgingOf(context) === null) return null;
  const choice = chosen(context);
  const isOut = isOff(choice, rule);
  const [word, title] = isOut
    ? ['switch on', 'Run the rule again']
    : ['switch off', 'Do not run the rule, here and in every view'];
  return span(
    'actions rule-controls',
    isInPack(choice, rule) && linkButton(word, title, () => switchRule(context, rule, isOut)),
    !isOut && severityChoice(context, rule),
  );
}

// --- All rules

function packHead(
  context: ViewContext,
  pack: string,
  all: readonly string[],
  count: number,
): HTMLElement {
  const { packs } = chosen(context);
  const on = packs.length === 0 ? all : all.filter((one) => packs.includes(one));
  const isOn = on.includes(pack);
  const change = (wanted: boolean): void => {
    const next = wanted ? [...on, pack] : without(on, pack);
    choose(context, { packs: next.length === all.length ? [] : next });
  };
  // The program has no option for "none".
  const isLast = isOn && on.length === 1;
  return el(
    'h3',
    { class: 'rule-pack line' },
    checkBox(visible(pack), isOn, change, { disabled: isLast, 'aria-label': `Pack ${pack}` }),
    span('dim', plural(count, 'rule')),
  );
}

function ruleChoice(
  context: ViewContext,
  rule: RuleStatus,
  isShown: boolean,
  show: (rule: RuleStatus) => void,
): HTMLElement {
  const choice = chosen(context);
  const isOut = isOff(choice, rule);
  const isLast = choice.only.length === 1 && choice.only.includes(rule.id);
  const change = (isOn: boolean): void => switchRule(context, rule, isOn);
  const isFixed = !isInPack(choice, rule) || isLast;
  const found = rule.count > 0 ? plural(rule.count, 'finding') : rule.status;
  return div(
    `rule-choice line${isShown ? ' picked' : ''}${isOut ? ' off' : ''}`,
    checkBox(null, !isOut, change, { disabled: isFixed, 'aria-label': `Rule ${rule.id}` }),
    el(
      'button',
      {
        class: 'grow',
        attrs: { type: 'button', title: visible(rule.summary), 'aria-pressed': String(isShown) },
        on: { click: () => show(rule) },
      },
      el('b', {}, visible(rule.id)),
      div('rule-summary', isOut ? 'off' : found),
    ),
    rule.count > 0 && severitySign(ruleSeverity(context.store.engine, rule)),
    severityChoice(context, rule),
  );
}

// Every rule with its switches, by pack.
export function ruleChoices(
  context: ViewContext,
  rules: readonly RuleStatus[],
  shown: RuleStatus | null,
  show: (rule: RuleStatus) => void,
): readonly HTMLElement[] {
  const packs = [...new Set(rules.map(({ pack }) => pack))];
  return packs.map((pack) => {
    const own = rules.filter((rule) => rule.pack === pack);
    return el(
      'section',
      { attrs: { 'aria-label': `Rules of ${pack}` } },
      packHead(context, pack, packs, own.length),
      ...own.map((rule) => ruleChoice(context, rule, rule.id === shown?.id, show)),
    );
  });
}

// --- What was chosen

const kFileWords: Readonly<Record<FileKind, string>> = {
  rules: 'Rules from',
  waivers: 'Waivers:',
  baseline: 'Baseline:',
  devices: 'Devices from',
};

// "2 of 40 rules off, 1 severity changed"; empty if nothing was changed.
function choiceText(rules: readonly RuleStatus[], { choice }: Judging): string {
  const off = rules.filter((rule) => isOff(choice, rule)).length;
  const changed = Object.keys(choice.severities).length;
  const parts = [
    off > 0 && `${integer(off)} of ${integer(rules.length)} rules off`,
    changed > 0 && `${plural(changed, 'severity', 'severities')} changed`,
  ];
  return joined(parts, ', ');
}

function fileLine(context: ViewContext, judging: Judging, kind: FileKind): HTMLElement | null {
  const { files } = judging;
  const file = files[kind];
  if (file === null) return null;
  const added = kind === 'waivers' ? (files.waivers?.added.length ?? 0) : 0;
  const save = (): void => {
    const text = fileText(files, kind) ?? '';
    context.download(file.name, new Blob([text], { type: 'application/json' }));
  };
  return div(
    'judging-part flow',
    span('', `${kFileWords[kind]} `, el('b', {}, visible(file.name))),
    added > 0 && span('dim', `${integer(added)} added here`),
    span(
      'actions',
      added > 0 && linkButton('save', 'Save the file, as planex lint --waive writes it', save),
      linkButton('remove', 'Judge without this file', () =>
        context.judge(withFiles(judging, { ...files, [kind]: null })),
      ),
    ),
  );
}

// How the engine was judged, if not by the program's defaults.
export function judgingBlock(context: ViewContext): HTMLElement | null {
  const judging = judgingOf(context);
  if (judging === null) return null;
  const text = choiceText(context.store.engine.rules, judging);
  const files = kFileKinds.map((kind) => fileLine(context, judging, kind));
  if (text === '' && files.every((line) => line === null)) return null;
  const { device } = judging.choice;
  const command = lintCommand(context.store.engine, judging);
  return el(
    'div',
    { class: 'judging box', attrs: { role: 'group', 'aria-label': 'How the engine was judged' } },
    div(
      'judging-part flow',
      text === '' ? span('dim', 'Judged with') : el('b', {}, text),
      span(
        'actions',
        linkButton('command', command, () => context.copy(command, 'command')),
        text !== '' &&
          linkButton('reset', 'Run all rules with their own severities', () =>
            choose(context, { ...kAsItWas.choice, device }),
          ),
      ),
    ),
    ...files,
  );
}
