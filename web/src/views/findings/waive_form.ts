// Accepts a finding, and takes that back. If the page has the core, it judges again with the page's
// file of waivers; else a command does it.

import {
  commandBox,
  div,
  el,
  linkButton,
  panelSection,
  replace,
  sentence,
  span,
  visible,
  withFiles,
  withoutWaiver,
  withWaiver,
  type EngineFinding,
  type Judging,
  type ViewContext,
} from '../../public/index.ts';
import { suppressedText } from './findings_table.ts';
import { judgingOf } from './judging.ts';
import { kAnyReason, kWaiversFile, waiveCommand } from './waive.ts';

function waiveForm(
  context: ViewContext,
  judging: Judging,
  { rule, fingerprint }: EngineFinding,
  reason: HTMLInputElement,
): HTMLElement {
  const until = el('input', {
    attrs: { type: 'date', title: 'The last day on which it applies; empty: permanently' },
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    const why = reason.value.trim();
    if (why === '') {
      reason.setCustomValidity('A waiver needs a reason.');
      reason.reportValidity();
      return;
    }
    const waiver = { rule, fingerprint, reason: why, expires: until.value || null };
    const waivers = withWaiver(judging.files.waivers, waiver);
    context.judge(withFiles(judging, { ...judging.files, waivers }));
  };
  return el(
    'form',
    { class: 'waive-form', on: { submit } },
    reason,
    div(
      'waive-line line',
      el('label', { class: 'dim' }, 'until ', until),
      span('grow'),
      el('button', { class: 'button', attrs: { type: 'submit' } }, 'Waive'),
    ),
  );
}

// Null if the page cannot take it back.
export function takeBack(
  context: ViewContext,
  { rule, fingerprint }: { readonly rule: string | null; readonly fingerprint: string | null },
): HTMLElement | null {
  const judging = judgingOf(context);
  const waivers = judging?.files.waivers ?? null;
  const own = waivers?.added.find(
    (waiver) => waiver.rule === rule && waiver.fingerprint === fingerprint,
  );
  if (judging === null || waivers === null || own === undefined) return null;
  return linkButton('take back', 'Count the finding again', () =>
    context.judge(withFiles(judging, { ...judging.files, waivers: withoutWaiver(waivers, own) })),
  );
}

export function waiveSection(context: ViewContext, finding: EngineFinding): HTMLElement | null {
  if (finding.suppressed !== null) {
    const text = sentence(suppressedText(finding));
    return panelSection('Not counted', takeBack(context, finding), el('p', {}, text));
  }
  if (finding.fingerprint === '') return null;
  const judging = judgingOf(context);
  const command = div('waive-command');
  const reason = el('input', {
    attrs: {
      type: 'text',
      required: judging !== null,
      placeholder: `reason: ${kAnyReason}`,
      'aria-label': 'Why the finding is accepted',
      maxlength: 500,
    },
  });
  const draw = (): void => {
    reason.setCustomValidity('');
    const text = waiveCommand(context.store.engine, finding.fingerprint, reason.value);
    replace(
      command,
      commandBox(text, (copied) => context.copy(copied, 'command')),
    );
  };
  reason.addEventListener('input', draw);
  draw();
  const note = (text: string): HTMLElement => el('p', { class: 'soft' }, text);
  const file = judging?.files.waivers?.name ?? kWaiversFile;
  const parts =
    judging === null
      ? [
          reason,
          command,
          note(
            `A report made with --waivers ${kWaiversFile} lists it separately and does not count it.`,
          ),
        ]
      : [
          waiveForm(context, judging, finding, reason),
          note(
            'It is then listed separately and not counted. Save the file from the list of rules. In a terminal:',
          ),
          command,
        ];
  return panelSection('Waive', span('', `adds it to ${visible(file)}`), ...parts);
}
