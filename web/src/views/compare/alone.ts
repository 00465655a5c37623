// With one engine there is nothing to compare: what is missing, the command that gives it, and what
// the page can do by itself, with another report.

import { bytesText, div, el, missingNotice, type ViewContext } from '../../public/index.ts';

// Larger files are no reports.
const kMaxBytes = 400e6;

export function readDropped(context: ViewContext, file: File): void {
  if (file.size > kMaxBytes) {
    context.note(`${file.name} has ${bytesText(file.size)}: too large for a report`);
    return;
  }
  file
    .text()
    .then((text) => context.addReport(text))
    .then(() => context.note(`engines of ${file.name} added`))
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      context.note(`${file.name}: ${reason}`);
    });
}

// Lets a file be dropped anywhere on a node.
export function acceptDrops(node: HTMLElement, context: ViewContext): () => void {
  const over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    node.classList.add('dropping');
  };
  const leave = (): void => node.classList.remove('dropping');
  const drop = (event: DragEvent): void => {
    leave();
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    readDropped(context, file);
  };
  node.addEventListener('dragover', over);
  node.addEventListener('dragleave', leave);
  node.addEventListener('drop', drop);
  return () => {
    node.removeEventListener('dragover', over);
    node.removeEventListener('dragleave', leave);
    node.removeEventListener('drop', drop);
  };
}

export function chooseFile(context: ViewContext): HTMLElement {
  const input = el('input', {
    attrs: { type: 'file', accept: '.html,.json', 'aria-label': 'Another report' },
  });
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) readDropped(context, file);
  });
  return input;
}

export function needsAnother(context: ViewContext, plan: string): HTMLElement {
  return div(
    'compare-alone',
    el('h2', { class: 'section-title' }, 'One engine in this report'),
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
        el('b', {}, 'Or drop another report here'),
        ', the page or its data. The page can’t read engines itself, so it shows the figures of both side by side: ribbons on one time scale, time by type, totals. Matching layers needs the program.',
      ),
      chooseFile(context),
    ),
  );
}
