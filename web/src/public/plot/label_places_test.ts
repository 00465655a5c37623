import { describe, expect, it } from 'vitest';

import { placeNames, spreadApart } from './label_places.ts';

describe('labels beside lines', () => {
  it('stay where they belong while they do not touch', () => {
    expect(spreadApart([10, 40, 90], 12, 0, 100)).toEqual([10, 40, 90]);
  });

  it('move apart around their middle, and keep their order', () => {
    expect(spreadApart([50, 50, 50], 12, 0, 100)).toEqual([38, 50, 62]);
    expect(spreadApart([60, 50], 12, 0, 100)).toEqual([61, 49]);
  });

  it('stay between both ends', () => {
    expect(spreadApart([98, 99], 12, 0, 100)).toEqual([88, 100]);
    expect(spreadApart([0, 1, 2], 12, 0, 100)).toEqual([0, 12, 24]);
  });

  it('touch none of a group that was moved', () => {
    expect(spreadApart([0, 1, 20], 12, 0, 100)).toEqual([0, 12, 24]);
  });
});

describe('names of points', () => {
  const within = { left: 0, top: 0, width: 100, height: 100 };

  it('stand at the right, unless something else does', () => {
    const point = { x: 20, y: 50, width: 40 };
    expect(placeNames([point], 14, within, [])).toEqual([{ x: 28, y: 50 }]);
    const line = { left: 20, top: 49, width: 80, height: 2 };
    expect(placeNames([point], 14, within, [line])).toEqual([{ x: 28, y: 36 }]);
  });

  it('stand at the left where there is no room, or not at all', () => {
    expect(placeNames([{ x: 80, y: 50, width: 40 }], 14, within, [])).toEqual([{ x: 32, y: 50 }]);
    expect(placeNames([{ x: 50, y: 50, width: 90 }], 14, within, [])).toEqual([null]);
  });

  it('cover faint marks only where there is no other spot', () => {
    const point = { x: 20, y: 50, width: 40 };
    const mark = { left: 40, top: 46, width: 8, height: 8 };
    expect(placeNames([point], 14, within, [], [mark])).toEqual([{ x: 28, y: 36 }]);
    const everywhere = { left: 0, top: 0, width: 100, height: 100 };
    expect(placeNames([point], 14, within, [], [everywhere])).toEqual([{ x: 28, y: 50 }]);
    expect(placeNames([point], 14, within, [everywhere])).toEqual([null]);
  });

  it('do not cover one another', () => {
    const both = [
      { x: 20, y: 50, width: 40 },
      { x: 24, y: 50, width: 40 },
    ];
    expect(placeNames(both, 14, within, [])).toEqual([
      { x: 28, y: 50 },
      { x: 32, y: 36 },
    ]);
  });
});
