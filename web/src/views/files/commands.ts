// How the engine was made, and the commands that reproduce this report and this view.

import {
  commandBox,
  div,
  el,
  enginePath,
  layersCommand,
  sectionTitle,
  shellWord,
  visible,
  type ViewContext,
  type ReportCommand,
} from '../../public/index.ts';

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function originText({ origin, file }: ReportCommand): string {
  const name = file === null ? 'the files' : fileName(file);
  switch (origin) {
    case 'recorded':
      return `as recorded in ${name}`;
    case 'options':
      return `from its options in ${name}`;
    case 'made':
      return 'derived by planex from the files';
  }
}

function capital(phrase: string): string {
  return phrase.slice(0, 1).toUpperCase() + phrase.slice(1);
}

function commandItem(context: ViewContext, what: string, how: string, line: string): HTMLElement {
  return div(
    'missing-item',
    el('p', {}, el('b', {}, visible(what)), how === '' ? '' : `: ${visible(how)}`),
    commandBox(line, (text) => context.copy(text, 'command')),
  );
}

export function commandsBlock(context: ViewContext): HTMLElement | null {
  const { commands } = context.store.engine;
  if (commands.length === 0) return null;
  return div(
    'block',
    sectionTitle('How it was made', 'and how to build it again'),
    ...commands.map((command) =>
      commandItem(context, capital(command.what), originText(command), command.command),
    ),
  );
}

export function repeatBlock(context: ViewContext): HTMLElement {
  const { store } = context;
  const { report, engine } = store;
  const path = shellWord(enginePath(engine));
  const isFiltered = store.state.chips.length > 0;
  return div(
    'block',
    sectionTitle('This report', `planex.report/2, written by ${visible(report.generator)}`),
    report.command === null
      ? null
      : commandItem(
          context,
          'Write this report again',
          report.engines.length > 1 ? 'all its engines' : '',
          report.command,
        ),
    commandItem(
      context,
      isFiltered ? 'The layers on screen' : 'Its layers',
      'in a terminal',
      layersCommand(store.state.chips, engine, store.basis),
    ),
    commandItem(context, 'Its findings', 'in a terminal', `planex lint ${path} --all`),
    commandItem(context, 'Its files', 'what was found, what is missing', `planex doctor ${path}`),
  );
}
