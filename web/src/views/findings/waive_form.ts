// Accepts a finding, and takes that back, where the page has the core: it judges anew with the file of
// waivers that the page writes.

import {
  commandBox,
  div,
  el,
  linkButton,
  span,
  visible,
  withFiles,
  withoutWaiver,
  withWaiver,
  type EngineFinding,
  type Judging,
  type ViewContext,
} from '../../public/index.ts';
import { section } from './section.ts';
import { kAnyReason, kWaiversFile, waiveCommand } from './waive.ts';

export function waiveForm(
  context: ViewContext,
  judging: Judging,
  { rule, fingerprint }: EngineFinding,
): HTMLElement {
  const { waivers } = judging.files;
  const reason = el('input', {
    attrs: {
      type: 'text',
      required: true,
      placeholder: `reason: ${kAnyReason}`,
      'aria-label': 'Why the finding is accepted',
      maxlength: 500,
    },
  });
  const until = el('input', {
    attrs: { type: 'date', title: 'The last day on which it holds; empty: for good' },
  });
  const command = div('waive-command');
  const drawCommand = (): void => {
    const text = waiveCommand(context.store.engine, fingerprint, reason.value);
    command.replaceChildren(commandBox(text, (copied) => context.copy(copied, 'command')));
  };
  reason.addEventListener('input', () => {
    reason.setCustomValidity('');
    drawCommand();
  });
  drawCommand();
  const waive = (event: Event): void => {
    event.preventDefault();
    const why = reason.value.trim();
    if (why === '') {
      reason.setCustomValidity('A waiver needs a reason.');
      reason.reportValidity();
      return;
    }
    const expires = until.value === '' ? null : until.value;
    const next = withWaiver(waivers, { rule, fingerprint, reason: why, expires });
    context.judge(withFiles(judging, { ...judging.files, waivers: next }));
  };
  return section(
    'Waive',
    span('', `adds it to ${visible(waivers?.name ?? kWaiversFile)}`),
    el(
      'form',
      { class: 'waive-form', on: { submit: waive } },
      reason,
      div(
        'waive-line',
        el('label', { class: 'dim' }, 'until ', until),
        span('grow'),
        el('button', { class: 'button', attrs: { type: 'submit' } }, 'Waive'),
      ),
    ),
    el(
      'p',
      { class: 'soft' },
      'It is then listed separately and not counted. The file is saved from the list of rules. In a terminal:',
    ),
    command,
  );
}

// Null where it is not the page's to take back.
export function takeBack(
  context: ViewContext,
  judging: Judging,
  { rule, fingerprint }: { readonly rule: string | null; readonly fingerprint: string | null },
): HTMLElement | null {
  const { waivers } = judging.files;
  const own = waivers?.added.find(
    (waiver) => waiver.rule === rule && waiver.fingerprint === fingerprint,
  );
  if (waivers === null || own === undefined) return null;
  return linkButton('take back', 'Count the finding again', () =>
    context.judge(withFiles(judging, { ...judging.files, waivers: withoutWaiver(waivers, own) })),
  );
}
