import { expect, test } from 'vitest';

import { barGroups, barSlots } from './bars.ts';

const times = Float64Array.of(1, 5, 2, Number.NaN, 4);

test('groups by time, layers in their order', () => {
  const names = ['3×3', '1×1', '3×3', null, '3×3'];
  const groups = barGroups([0, 1, 2, 3, 4], times, (row) => names[row] ?? null);
  expect(groups.map((g) => g.name)).toEqual(['3×3', '1×1', null]);
  expect(groups[0]?.rows).toEqual([0, 2, 4]);
  expect(groups[0]?.ms).toBe(7);
  expect(groups[2]?.ms).toBe(0);
  expect(barGroups([0, 1], times, () => null)).toEqual([{ name: null, rows: [0, 1], ms: 6 }]);
  expect(barGroups([], times, () => null)).toEqual([]);
});

test('bars hold every layer once and stay within their width', () => {
  for (const [count, width] of [
    [3, 400],
    [200, 400],
    [10_000, 700],
  ] as const) {
    const rows = Array.from({ length: count }, (_, i) => i);
    const groups = barGroups(rows, new Float64Array(count).fill(1), (row) => String(row % 3));
    const slots = barSlots(groups, width);
    expect(slots.flatMap((slot) => slot.rows).sort((a, b) => a - b)).toEqual(rows);
    const last = slots.at(-1);
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(width + 1);
  }
});
