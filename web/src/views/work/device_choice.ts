// Another device in place of the one that the engine's files name, where the page has the core: limits
// are then that device's, of every engine.

import {
  choiceInLink,
  div,
  el,
  span,
  visible,
  type Judging,
  type ViewContext,
} from '../../public/index.ts';

const kAsReported = '';

export function deviceChoice(context: ViewContext): HTMLElement | null {
  const { core, store } = context;
  if (core === null || store.state.engine >= core.engineCount) return null;
  const choice = choiceInLink(store.state.options);
  const { device } = choice;
  const judge = (next: string | null): void => {
    const judging: Judging = { choice: { ...choice, device: next }, files: core.judging.files };
    context.judge(judging);
  };
  const { devices: table } = core.judging.files;
  const select = el(
    'select',
    {
      attrs: { 'aria-label': 'Limits of' },
      on: { change: () => judge(select.value === kAsReported ? null : select.value) },
    },
    el(
      'option',
      { attrs: { value: kAsReported, selected: device === null } },
      core.givenDevice === null
        ? 'as the engine says'
        : `as the report was made: ${visible(core.givenDevice)}`,
    ),
    ...core.devices.map((name) =>
      el('option', { attrs: { value: name, selected: name === device } }, visible(name)),
    ),
  );
  return div(
    'device-choice',
    el('label', { class: 'choice' }, span('dim', 'limits of '), select),
    table === null ? null : span('dim', ` of ${visible(table.name)}`),
    device === null
      ? null
      : span('soft', ' Chosen here: times are still those of the device that ran the engine.'),
  );
}
