import { expect, test } from 'vitest';

import { layerRanges } from './measures.ts';

test('runs of layers are ranges', () => {
  expect(layerRanges([])).toEqual([]);
  expect(layerRanges([7])).toEqual(['7']);
  expect(layerRanges([9, 3, 4, 5, 9, 12, 11])).toEqual(['3-5', '9', '11-12']);
});
