// Command lines about findings, for a shell.

import { enginePath, lintWords, shellWord, type Engine, type Judging } from '../../public/index.ts';

export const kWaiversFile = 'waivers.json';
// Where the reader has given none yet.
export const kAnyReason = 'why it is accepted';

export function waiveCommand(engine: Engine, fingerprint: string, reason: string): string {
  const why = reason.trim() === '' ? kAnyReason : reason.trim();
  return [
    'planex lint',
    shellWord(enginePath(engine)),
    `--waivers ${kWaiversFile} --waive`,
    shellWord(fingerprint),
    '--reason',
    shellWord(why),
  ].join(' ');
}

// `judging`: null where it is the program's usual one.
export function ruleCommand(engine: Engine, rule: string, judging: Judging | null): string {
  const words = ['planex lint', shellWord(enginePath(engine)), '--rule', shellWord(rule), '--all'];
  if (judging === null) return words.join(' ');
  const own = judging.choice.severities[rule];
  const severities = own === undefined ? {} : { [rule]: own };
  const choice = { ...judging.choice, packs: [], only: [], off: [], severities };
  return [...words, lintWords({ ...judging, choice })].join(' ').trim();
}

export function explainCommand(rule: string): string {
  return `planex lint --explain ${shellWord(rule)}`;
}
