import { describe, expect, it } from 'vitest';

import { actionsOf, sumOf } from './plan.ts';

const rule = (id: string, ...savings: readonly (readonly [number, number])[]) => ({
  rule: id,
  isSymptom: id === 'symptom',
  isNote: id === 'note',
  savings: new Map(savings),
});

describe('what to do first', () => {
  it('puts a warning before a note that saves as much', () => {
    const [first, ...rest] = actionsOf([
      rule('note', [1, 1], [2, 1]),
      rule('warning', [1, 1], [2, 1]),
    ]);
    expect(first?.rule).toBe('warning');
    expect(rest).toEqual([]);
  });

  it('saves the time of a layer once', () => {
    expect(
      sumOf([
        new Map([[1, 2]]),
        new Map([
          [1, 3],
          [2, 1],
        ]),
      ]),
    ).toBe(4);
  });
  it('folds rules that ask for the same under the one that saves most', () => {
    const actions = actionsOf([
      rule('symptom', [1, 0.1], [2, 0.1]),
      rule('cause', [1, 0.1], [2, 0.1], [3, 0.2]),
      rule('other', [9, 0.15]),
    ]);
    expect(actions.map((action) => action.rule)).toEqual(['cause', 'other']);
    expect(actions[0]?.symptoms).toEqual(['symptom']);
    expect(actions[1]?.symptoms).toEqual([]);
  });
  it('begin with a cause, where it saves nearly as much as its symptom', () => {
    const [first] = actionsOf([rule('symptom', [1, 4], [2, 1]), rule('cause', [1, 4])]);
    expect([first?.rule, first?.symptoms]).toEqual(['cause', ['symptom']]);
  });
  it('counts of each what it adds to those before', () => {
    const [first, second] = actionsOf([rule('a', [1, 4], [2, 4]), rule('b', [2, 4], [3, 2])]);
    expect([first?.addsMs, second?.addsMs]).toEqual([8, 2]);
  });
  it('are three at most, and none that adds next to nothing', () => {
    const many = [5, 4, 3, 2].map((ms, i) => rule(String(i), [i, ms]));
    expect(actionsOf(many)).toHaveLength(3);
    expect(actionsOf([rule('a', [1, 100]), rule('b', [2, 1])])).toHaveLength(1);
    expect(actionsOf([])).toEqual([]);
  });
});
