// How the reader wants engines judged: which rules run, their severities, which of the reader's
// files count, which device sets the limits. The core does the judging; this module has the
// program's options that request it. The choices are in the link, files are not.

import type { Severity } from './engine.ts';
import { asArray, asObject, asText, type Json } from './json_value.ts';
import { shellWord } from './layers_command.ts';
import type { ViewOptions } from './url_state.ts';
import { waiversText, type Waivers } from './waivers.ts';

export interface JudgingChoice {
  // Packs and rules that run; empty: all.
  readonly packs: readonly string[];
  readonly only: readonly string[];
  readonly off: readonly string[];
  // By rule, if it is not the rule's default.
  readonly severities: Readonly<Record<string, Severity>>;
  // Null: the device named in the engine's files.
  readonly device: string | null;
}

export interface JudgingFile {
  readonly name: string;
  readonly text: string;
}

export interface JudgingFiles {
  readonly rules: JudgingFile | null;
  readonly waivers: Waivers | null;
  readonly baseline: JudgingFile | null;
  // Replaces the core's own table of devices.
  readonly devices: JudgingFile | null;
}

export interface Judging {
  readonly choice: JudgingChoice;
  readonly files: JudgingFiles;
}

export type FileKind = keyof JudgingFiles;

const kFileOptions: Readonly<Record<FileKind, string>> = {
  rules: 'rules-file',
  waivers: 'waivers',
  baseline: 'baseline',
  devices: 'devices',
};

export const kFileKinds = Object.keys(kFileOptions) as readonly FileKind[];

export function fileKindOf(option: string): FileKind | null {
  return kFileKinds.find((kind) => kFileOptions[kind] === option) ?? null;
}

export const kNoFiles: JudgingFiles = { rules: null, waivers: null, baseline: null, devices: null };
export const kNoChoice: JudgingChoice = {
  packs: [],
  only: [],
  off: [],
  severities: {},
  device: null,
};
export const kAsItWas: Judging = { choice: kNoChoice, files: kNoFiles };

// --- In the link

const kOptions: Readonly<Record<keyof JudgingChoice, string>> = {
  packs: 'rules.packs',
  only: 'rules.only',
  off: 'rules.off',
  severities: 'rules.severity',
  device: 'work.device',
};

const kSeverities: readonly Severity[] = ['error', 'warning', 'info'];

function listOf(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(',').filter((word) => word !== ''))].sort();
}

export function choiceInLink(options: ViewOptions): JudgingChoice {
  const severities = listOf(options[kOptions.severities]).flatMap((pair) => {
    const [rule = '', word] = pair.split('=');
    const severity = kSeverities.find((one) => one === word);
    return severity === undefined ? [] : [[rule, severity] as const];
  });
  const device = options[kOptions.device] ?? '';
  return {
    packs: listOf(options[kOptions.packs]),
    only: listOf(options[kOptions.only]),
    off: listOf(options[kOptions.off]),
    severities: Object.fromEntries(severities),
    device: device === '' ? null : device,
  };
}

// The link's options with this choice instead of theirs.
export function withChoice(options: ViewOptions, choice: JudgingChoice): ViewOptions {
  const written = {
    ...options,
    [kOptions.packs]: [...choice.packs].sort().join(),
    [kOptions.only]: [...choice.only].sort().join(),
    [kOptions.off]: [...choice.off].sort().join(),
    [kOptions.severities]: severityPairs(choice).join(),
    [kOptions.device]: choice.device ?? '',
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== ''));
}

function severityPairs({ severities }: JudgingChoice): readonly string[] {
  return Object.entries(severities)
    .map(([rule, severity]) => `${rule}=${severity}`)
    .sort();
}

export function isSameChoice(a: JudgingChoice, b: JudgingChoice): boolean {
  return JSON.stringify(withChoice({}, a)) === JSON.stringify(withChoice({}, b));
}

export function hasSameFiles(a: Judging, b: Judging): boolean {
  return kFileKinds.every((kind) => a.files[kind] === b.files[kind]);
}

export function isSameJudging(a: Judging, b: Judging): boolean {
  return hasSameFiles(a, b) && isSameChoice(a.choice, b.choice);
}

function idsOf(rules: JudgingFile | null): ReadonlySet<string> {
  if (rules === null) return new Set();
  try {
    const list = asArray(asObject(JSON.parse(rules.text) as Json).rules);
    return new Set(list.flatMap((rule) => asText(asObject(rule).id) ?? []));
  } catch {
    return new Set();
  }
}

// With other files. Drops choices for rules that are gone and for a device of another table.
export function withFiles({ choice, files }: Judging, next: JudgingFiles): Judging {
  const device = next.devices === files.devices ? choice.device : null;
  if (next.rules === files.rules) return { choice: { ...choice, device }, files: next };
  const now = idsOf(next.rules);
  const gone = new Set([...idsOf(files.rules)].filter((id) => !now.has(id)));
  const stays = (rule: string): boolean => !gone.has(rule);
  const severities = Object.entries(choice.severities).filter(([rule]) => stays(rule));
  return {
    choice: {
      packs: choice.packs,
      only: choice.only.filter(stays),
      off: choice.off.filter(stays),
      severities: Object.fromEntries(severities),
      device,
    },
    files: next,
  };
}

export function isOff(choice: JudgingChoice, rule: { id: string; pack: string }): boolean {
  const { packs, only, off } = choice;
  return (
    off.includes(rule.id) ||
    (only.length > 0 && !only.includes(rule.id)) ||
    (packs.length > 0 && !packs.includes(rule.pack))
  );
}

// --- As options of the program

export type ProgramOption = readonly [name: string, value: string];

function lintOptions({ choice }: Judging): readonly ProgramOption[] {
  return [
    ...choice.packs.map((pack) => ['pack', pack] as const),
    ...choice.only.map((rule) => ['rule', rule] as const),
    ...choice.off.map((rule) => ['no-rule', rule] as const),
    ...severityPairs(choice).map((pair) => ['severity', pair] as const),
  ];
}

export function fileText(files: JudgingFiles, kind: FileKind): string | null {
  if (kind === 'waivers') return files.waivers === null ? null : waiversText(files.waivers);
  return files[kind]?.text ?? null;
}

// `placeOf`: the path of the file for the core; `today`: the date at which waivers are judged.
export function reportOptions(
  judging: Judging,
  placeOf: (kind: FileKind, name: string) => string,
  today: string,
): readonly ProgramOption[] {
  const { choice, files } = judging;
  const named = kFileKinds.flatMap((kind) => {
    const file = files[kind];
    return file === null ? [] : [[kFileOptions[kind], placeOf(kind, file.name)] as const];
  });
  return [
    ...lintOptions(judging),
    ...named,
    ...(files.waivers === null ? [] : [['today', today] as const]),
    ...(choice.device === null ? [] : [['device', choice.device] as const]),
  ];
}

// "--no-rule x --waivers w.json", for a shell; files by the names that they were dropped with.
export function lintWords(judging: Judging): string {
  const files = kFileKinds.flatMap((kind) => {
    const file = judging.files[kind];
    return file === null || kind === 'devices' ? [] : [[kFileOptions[kind], file.name] as const];
  });
  return [...lintOptions(judging), ...files]
    .map(([name, value]) => `--${name} ${shellWord(value)}`)
    .join(' ');
}
