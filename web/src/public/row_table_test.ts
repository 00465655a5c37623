import { expect, test } from 'vitest';

import { sortItems } from './row_table.ts';

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
