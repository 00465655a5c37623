import { expect, test } from 'vitest';

import { isField, kPasteBox, pastedFile } from './pasted_text.ts';

test('pasted text is a file, each with a name of its own', async () => {
  const first = pastedFile('[I] a\n', 1);
  expect(first?.name).toBe('pasted.txt');
  expect(await first?.content.text()).toBe('[I] a\n');
  expect(pastedFile('x', 2)?.name).toBe('pasted-2.txt');
});

test('blank text is no file', () => {
  expect(pastedFile('', 1)).toBeNull();
  expect(pastedFile(' \n\t\n', 1)).toBeNull();
});

const matching = (...kinds: readonly string[]) => ({
  matches: (selectors: string) => selectors.split(', ').some((kind) => kinds.includes(kind)),
});

test('fields keep what is pasted into them, but for the box for it', () => {
  expect(isField(null)).toBe(false);
  expect(isField(matching('div'))).toBe(false);
  expect(isField(matching('input'))).toBe(true);
  expect(isField(matching('textarea'))).toBe(true);
  expect(isField(matching('textarea', `.${kPasteBox}`))).toBe(false);
});
