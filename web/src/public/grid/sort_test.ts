import { expect, test } from 'vitest';

import { nextSort, parseSort, sortItems, sortText } from './sort.ts';

test('missing ones last, equals in their order', () => {
  const items = [
    { id: 'a', n: 2 },
    { id: 'b', n: Number.NaN },
    { id: 'c', n: 7 },
    { id: 'd', n: 2 },
  ];
  const order = (descending: boolean): string =>
    sortItems(items, (item) => item.n, descending)
      .map((item) => item.id)
      .join('');
  expect(order(false)).toBe('adcb');
  expect(order(true)).toBe('cadb');
  const texts = ['b', '', 'a'];
  expect(sortItems(texts, (text) => text, false)).toEqual(['a', 'b', '']);
  expect(sortItems(texts, (text) => text, true)).toEqual(['b', 'a', '']);
});

test('goes down, up, off for numbers, and up first for texts', () => {
  const down = nextSort(null, 'time', true);
  const up = nextSort(down, 'time', true);
  expect(down).toEqual({ id: 'time', descending: true });
  expect(up).toEqual({ id: 'time', descending: false });
  expect(nextSort(up, 'time', true)).toBeNull();
  expect(nextSort(down, 'name', false)).toEqual({ id: 'name', descending: false });
});

test('what is written in the link is read again', () => {
  expect(parseSort('-time')).toEqual({ id: 'time', descending: true });
  expect(sortText(parseSort('name'))).toBe('name');
  expect(parseSort(null)).toBeNull();
});
