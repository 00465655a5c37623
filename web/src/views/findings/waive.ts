// Command lines about findings, for a shell.

import { enginePath, shellWord, type Engine } from '../../public/index.ts';

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

export function ruleCommand(engine: Engine, rule: string): string {
  return `planex lint ${shellWord(enginePath(engine))} --rule ${shellWord(rule)} --all`;
}

export function explainCommand(rule: string): string {
  return `planex lint --explain ${shellWord(rule)}`;
}
