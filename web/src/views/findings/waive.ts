// Command lines about findings, for a shell.

import { enginePath, lintWords, shellWord, type Engine, type Judging } from '../../public/index.ts';

export const kWaiversFile = 'waivers.json';
// Placeholder until the reader gives a reason.
export const kAnyReason = 'why it is accepted';

const lint = (engine: Engine): string => `planex lint ${shellWord(enginePath(engine))}`;

// With the settings the engine was judged with.
export function lintCommand(engine: Engine, judging: Judging): string {
  return `${lint(engine)} ${lintWords(judging)}`.trim();
}

export function waiveCommand(engine: Engine, fingerprint: string, reason: string): string {
  const why = shellWord(reason.trim() || kAnyReason);
  const waive = `--waivers ${kWaiversFile} --waive ${shellWord(fingerprint)}`;
  return `${lint(engine)} ${waive} --reason ${why}`;
}

// `judging`: null for the program's defaults.
export function ruleCommand(engine: Engine, rule: string, judging: Judging | null): string {
  const command = `${lint(engine)} --rule ${shellWord(rule)} --all`;
  if (judging === null) return command;
  const own = judging.choice.severities[rule];
  const severities = own === undefined ? {} : { [rule]: own };
  const choice = { ...judging.choice, packs: [], only: [], off: [], severities };
  return `${command} ${lintWords({ ...judging, choice })}`.trim();
}

export function explainCommand(rule: string): string {
  return `planex lint --explain ${shellWord(rule)}`;
}
