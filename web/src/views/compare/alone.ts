// With one engine there is nothing to compare: what is missing, the command that gives it, and what
// the page can do by itself, with another report or another engine.

import { div, el, missingNotice, type ViewContext } from '../../public/index.ts';

function chooseFile(context: ViewContext): HTMLElement {
  const input = el('input', {
    attrs: {
      type: 'file',
      multiple: true,
      accept: context.core !== null ? null : '.html,.json',
      'aria-label': context.core !== null ? 'Files of another engine' : 'Another report',
    },
  });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])].map((file) => ({ name: file.name, content: file }));
    if (files.length > 0) context.open(files);
  });
  return input;
}

export function needsAnother(context: ViewContext, plan: string): HTMLElement {
  const title = el('h2', { class: 'section-title' }, 'One engine in this report');
  if (context.core !== null) {
    const drop = el(
      'p',
      {},
      el('b', {}, 'Drop another engine anywhere on this page'),
      ', its folder or its files: aligned layers, a verdict with its noise, what changed and what it cost.',
    );
    return div('compare-alone', title, div('drop-place', drop, chooseFile(context)));
  }
  return div(
    'compare-alone',
    title,
    missingNotice(context, {
      what: 'To compare it with another,',
      why: 'write a report of both: aligned layers, a verdict with its noise, what changed and what it cost.',
      command: `planex report ${plan} OTHER -o compare.html`,
    }),
    missingNotice(context, {
      what: 'In a terminal',
      why: 'the same comparison is',
      command: `planex compare ${plan} OTHER`,
    }),
    div(
      'drop-place',
      el(
        'p',
        {},
        el('b', {}, 'Or drop another report on this page'),
        ', the page or its data. The page can’t read engines itself, so it shows the figures of both side by side: ribbons on one time scale, time by type, totals. Matching layers needs the program.',
      ),
      chooseFile(context),
    ),
  );
}
