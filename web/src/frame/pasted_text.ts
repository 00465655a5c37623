// Text that is pasted on the page, as a file: a log or a table from an issue tracker can be read
// without saving it.

import type { OpenedFile } from '../public/page/opener.ts';

// The class of the box to paste into.
export const kPasteBox = 'start-paste';

// Null if there is nothing to read. `number` counts the pastes of the page, from 1.
export function pastedFile(text: string, number: number): OpenedFile | null {
  if (text.trim() === '') return null;
  const name = number === 1 ? 'pasted.txt' : `pasted-${String(number)}.txt`;
  return { name, content: new Blob([text], { type: 'text/plain' }) };
}

// Whether a paste there goes into a field and is not meant for the page.
export function isField(target: { matches(selectors: string): boolean } | null): boolean {
  if (target === null || target.matches(`.${kPasteBox}`)) return false;
  return target.matches('input, textarea, select, [contenteditable]');
}

// Text can be pasted anywhere on the page except into its fields; files too.
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
