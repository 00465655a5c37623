// Another device in place of the one that the engine's files name, where the page has the core: limits
// are then that device's, of every engine.

import {
  choiceInLink,
  choiceList,
  div,
  span,
  visible,
  type ViewContext,
} from '../../public/index.ts';

const kAsReported = '';

export function deviceChoice(context: ViewContext): HTMLElement | null {
  const { core, store } = context;
  if (core === null || store.state.engine >= core.engineCount) return null;
  const choice = choiceInLink(store.state.options);
  const { device } = choice;
  const { givenDevice } = core;
  const { files } = core.judging;
  const usual =
    givenDevice === null ? 'as the engine says' : `as the report was made: ${visible(givenDevice)}`;
  const options = [
    { id: kAsReported, name: usual },
    ...core.devices.map((id) => ({ id, name: visible(id) })),
  ];
  return div(
    'device-choice',
    choiceList('limits of', options, device ?? kAsReported, (id) =>
      context.judge({ choice: { ...choice, device: id === kAsReported ? null : id }, files }),
    ),
    files.devices === null ? null : span('dim', ` of ${visible(files.devices.name)}`),
    device === null
      ? null
      : span('soft', ' Chosen here: times are still those of the device that ran the engine.'),
  );
}
