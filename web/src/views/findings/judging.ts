// Which rules look and how grave their findings are: the reader's to choose where the page has the core.
// Every choice is the core's to carry out; here are the controls.

import {
  choiceInLink,
  div,
  el,
  enginePath,
  fileText,
  integer,
  isOff,
  kAsItWas,
  kFileKinds,
  lintWords,
  linkButton,
  plural,
  ruleSeverity,
  severitySign,
  shellWord,
  span,
  visible,
  withFiles,
  type Child,
  type FileKind,
  type Judging,
  type JudgingChoice,
  type RuleStatus,
  type Severity,
  type ViewContext,
} from '../../public/index.ts';
import { kSeverities } from './choice.ts';

// How the engine on screen was judged; null where the page can't have it judged otherwise.
export function judgingOf({ core, store }: ViewContext): Judging | null {
  return core !== null && store.state.engine < core.engineCount ? core.judging : null;
}

// What the reader chose last; the report follows.
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
  const select = el(
    'select',
    {
      class: 'severity-choice',
      attrs: { 'aria-label': `Severity of ${rule.id}`, title: 'How grave its findings are' },
      on: {
        change: () => {
          const severity = kSeverities.find((one) => one === select.value);
          const others = Object.entries(severities).filter(([id]) => id !== rule.id);
          const own: readonly (readonly [string, Severity])[] =
            severity === undefined ? [] : [[rule.id, severity]];
          choose(context, { severities: Object.fromEntries([...others, ...own]) });
        },
      },
    },
    el(
      'option',
      { attrs: { value: '', selected: now === '' } },
      now === '' ? rule.severity : 'its own',
    ),
    ...kSeverities
      .filter((severity) => now !== '' || severity !== rule.severity)
      .map((severity) =>
        el('option', { attrs: { value: severity, selected: severity === now } }, severity),
      ),
  );
  return select;
}

// Beside the title of a rule; null where nothing can be chosen.
export function ruleControls(context: ViewContext, rule: RuleStatus): HTMLElement | null {
  if (judgingOf(context) === null) return null;
  const choice = chosen(context);
  const isOut = isOff(choice, rule);
  const inPack = choice.packs.length === 0 || choice.packs.includes(rule.pack);
  return span(
    'actions rule-controls',
    inPack
      ? linkButton(
          isOut ? 'switch on' : 'switch off',
          isOut ? 'Let the rule look again' : 'The rule looks no more, here and in every view',
          () => switchRule(context, rule, isOut),
        )
      : null,
    isOut ? null : severityChoice(context, rule),
  );
}

// --- All rules

function packHead(
  context: ViewContext,
  pack: string,
  all: readonly string[],
  rules: readonly RuleStatus[],
): HTMLElement {
  const { packs } = chosen(context);
  const on = packs.length === 0 ? all : all.filter((one) => packs.includes(one));
  const isOn = on.includes(pack);
  const box = el('input', {
    attrs: {
      type: 'checkbox',
      // The program has no way to say "none".
      disabled: isOn && on.length === 1,
      'aria-label': `Pack ${pack}`,
    },
    on: {
      change: () => {
        const next = box.checked ? [...on, pack] : without(on, pack);
        choose(context, { packs: next.length === all.length ? [] : next });
      },
    },
  });
  box.checked = isOn;
  return el(
    'h3',
    { class: 'rule-pack' },
    el('label', {}, box, visible(pack)),
    span('dim', plural(rules.length, 'rule')),
  );
}

function ruleChoice(
  context: ViewContext,
  rule: RuleStatus,
  isShown: boolean,
  show: (rule: RuleStatus) => void,
): HTMLElement {
  const choice = chosen(context);
  const inPack = choice.packs.length === 0 || choice.packs.includes(rule.pack);
  const isOut = isOff(choice, rule);
  const isLast = choice.only.length === 1 && choice.only.includes(rule.id);
  const box = el('input', {
    attrs: { type: 'checkbox', disabled: !inPack || isLast, 'aria-label': `Rule ${rule.id}` },
    on: { change: () => switchRule(context, rule, box.checked) },
  });
  box.checked = !isOut;
  const found = isOut ? '' : rule.count > 0 ? plural(rule.count, 'finding') : rule.status;
  return div(
    `rule-choice${isShown ? ' on' : ''}${isOut ? ' off' : ''}`,
    box,
    el(
      'button',
      {
        class: 'rule-text',
        attrs: { type: 'button', title: visible(rule.summary), 'aria-pressed': String(isShown) },
        on: { click: () => show(rule) },
      },
      el('b', {}, visible(rule.id)),
      div('rule-summary', found === '' ? 'off' : found),
    ),
    rule.count > 0 ? severitySign(ruleSeverity(context.store.engine, rule)) : null,
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
      packHead(context, pack, packs, own),
      ...own.map((rule) => ruleChoice(context, rule, rule.id === shown?.id, show)),
    );
  });
}

// --- What was chosen

const kFileWords: Readonly<Record<FileKind, string>> = {
  rules: 'Rules of',
  waivers: 'Waivers:',
  baseline: 'Baseline:',
  devices: 'Devices of',
};

export function lintCommand(context: ViewContext, judging: Judging): string {
  return `planex lint ${shellWord(enginePath(context.store.engine))} ${lintWords(judging)}`.trim();
}

// "2 of 40 rules off, 1 severity changed"; null where all look as they are.
export function choiceText(rules: readonly RuleStatus[], { choice }: Judging): string | null {
  const off = rules.filter((rule) => isOff(choice, rule)).length;
  const changed = Object.keys(choice.severities).length;
  const parts = [
    off > 0 ? `${integer(off)} of ${integer(rules.length)} rules off` : null,
    changed > 0 ? `${integer(changed)} ${changed === 1 ? 'severity' : 'severities'} changed` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

function removeFile(context: ViewContext, judging: Judging, kind: FileKind): void {
  context.judge(withFiles(judging, { ...judging.files, [kind]: null }));
}

export function saveFile(context: ViewContext, judging: Judging, kind: FileKind): void {
  const text = fileText(judging.files, kind);
  const file = judging.files[kind];
  if (text === null || file === null) return;
  context.download(file.name, new Blob([text], { type: 'application/json' }));
}

function fileLine(context: ViewContext, judging: Judging, kind: FileKind): HTMLElement | null {
  const file = judging.files[kind];
  if (file === null) return null;
  const added = kind === 'waivers' ? (judging.files.waivers?.added.length ?? 0) : 0;
  return div(
    'judging-part',
    span('', `${kFileWords[kind]} `, el('b', {}, visible(file.name))),
    added > 0 ? span('dim', `${integer(added)} written here`) : null,
    span(
      'actions',
      added > 0
        ? linkButton('save', 'Save the file, as planex lint --waive writes it', () =>
            saveFile(context, judging, kind),
          )
        : null,
      linkButton('remove', 'Judge without this file', () => removeFile(context, judging, kind)),
    ),
  );
}

// How the engine was judged, where not as the program does unasked.
export function judgingBlock(context: ViewContext): HTMLElement | null {
  const judging = judgingOf(context);
  if (judging === null) return null;
  const { rules } = context.store.engine;
  const text = choiceText(rules, judging);
  const files = kFileKinds.map((kind) => fileLine(context, judging, kind));
  if (text === null && files.every((line) => line === null)) return null;
  const { device } = judging.choice;
  const plain = { ...kAsItWas.choice, device };
  const actions: readonly Child[] = [
    linkButton('command', lintCommand(context, judging), () =>
      context.copy(lintCommand(context, judging), 'command'),
    ),
    text === null
      ? null
      : linkButton('as it was', 'All rules, as grave as they are', () => choose(context, plain)),
  ];
  return el(
    'div',
    { class: 'judging', attrs: { role: 'group', 'aria-label': 'How the engine was judged' } },
    div(
      'judging-part',
      text === null ? span('dim', 'Judged with') : el('b', {}, text),
      span('actions', ...actions),
    ),
    ...files,
  );
}
