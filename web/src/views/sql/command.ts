// The command line that prints the rows of a statement in a terminal.

import { enginePath, shellWord, type Engine } from '../../public/index.ts';

export function queryCommand(sql: string, engines: readonly Engine[]): string {
  return ['planex', 'query', ...engines.map(enginePath), sql].map(shellWord).join(' ');
}
