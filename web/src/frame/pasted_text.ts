// Text that is pasted on the page, as a file: a log or a table from a tracker needs no file of its own.

import type { OpenedFile } from '../public/page/opener.ts';

// The class of the box that is there to be pasted into.
export const kPasteBox = 'start-paste';

// Nothing where there is nothing to read. `number` counts the pastes of the page, from 1.
export function pastedFile(text: string, number: number): OpenedFile | null {
  if (text.trim() === '') return null;
  const name = number === 1 ? 'pasted.txt' : `pasted-${String(number)}.txt`;
  return { name, content: new Blob([text], { type: 'text/plain' }) };
}

// Whether what is pasted there is written into a field, and not meant for the page.
export function isField(target: { matches(selectors: string): boolean } | null): boolean {
  if (target === null || target.matches(`.${kPasteBox}`)) return false;
  return target.matches('input, textarea, select, [contenteditable]');
}

// Text may be pasted anywhere on the page but into its fields, and files, too.
export function acceptPastes(take: (files: readonly OpenedFile[]) => void): void {
  let count = 0;
  window.addEventListener('paste', (event) => {
    const data = event.clipboardData;
    const target = event.target instanceof Element ? event.target : null;
    if (data === null || isField(target)) return;
    const files: OpenedFile[] = [...data.files].map((file) => ({
      name: file.name,
      content: file,
    }));
    if (files.length === 0) {
      const text = pastedFile(data.getData('text/plain'), count + 1);
      if (text === null) return;
      ++count;
      files.push(text);
    }
    event.preventDefault();
    take(files);
  });
}
