// With one engine there is nothing to compare: shows what is missing, the command for it, and what
// the page can do itself with another report or engine.

import { div, el, missingNotice, type ViewContext } from '../../public/index.ts';

const kWhatItHas = 'aligned layers, a verdict with its noise, what changed and what it cost.';

// What can be dropped, in words, with a button to choose it.
function dropPlace(context: ViewContext, what: string, text: string): HTMLElement {
  const readsEngines = context.core !== null;
  const input = el('input', {
    attrs: {
      type: 'file',
      multiple: true,
      accept: readsEngines ? null : '.html,.json',
      'aria-label': readsEngines ? 'Files of another engine' : 'Another report',
    },
  });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])].map((file) => ({ name: file.name, content: file }));
    if (files.length > 0) context.open(files);
  });
  return div('drop-place no-print', el('p', {}, el('b', {}, what), text), input);
}

export function needsAnother(context: ViewContext, plan: string): HTMLElement {
  const title = el('h2', { class: 'section-title' }, 'One engine in this report');
  if (context.core !== null) {
    const text = `, its folder or its files: ${kWhatItHas}`;
    return div(
      'compare-alone',
      title,
      dropPlace(context, 'Drop another engine anywhere on this page', text),
    );
  }
  return div(
    'compare-alone',
    title,
    missingNotice(context, {
      what: 'To compare it with another,',
      why: `write a report of both: ${kWhatItHas}`,
      command: `planex report ${plan} OTHER -o compare.html`,
    }),
    missingNotice(context, {
      what: 'In a terminal',
      why: 'the same comparison is',
      command: `planex compare ${plan} OTHER`,
    }),
    dropPlace(
      context,
      'Or drop another report on this page',
      ', the page or its data. The page can’t read engines itself, so it shows the figures of both side by side: ribbons on one time scale, time by type, totals. Matching layers needs the program.',
    ),
  );
}
