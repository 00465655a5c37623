// Another device instead of the one that the engine's files name, if the page has the core: the
// limits of every engine are then that device's.

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
    givenDevice === null ? 'device of the engine' : `device of the report: ${visible(givenDevice)}`;
  const options = [
    { id: kAsReported, name: usual },
    ...core.devices.map((id) => ({ id, name: visible(id) })),
  ];
  return div(
    'device-choice',
    choiceList('limits of', options, device ?? kAsReported, (id) =>
      context.judge({ choice: { ...choice, device: id === kAsReported ? null : id }, files }),
    ),
    files.devices === null ? null : span('dim', ` from ${visible(files.devices.name)}`),
    device === null
      ? null
      : span('soft', ' Chosen here: times are still those of the device that ran the engine.'),
  );
}
