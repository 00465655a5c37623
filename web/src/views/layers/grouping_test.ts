import { describe, expect, it } from 'vitest';

import { entriesOf, groupRows, tacticStem } from './grouping.ts';
import { engineOf } from '../../public/test_engine.ts';

describe('groups of layers', () => {
  const engine = engineOf([
    ['a', 'Conv', 1],
    ['b', 'Reformat', 5],
    ['c', 'Conv', 2],
    ['d', null, 9],
    ['e', 'Pool', null],
  ]);
  const groups = groupRows(engine, engine.workRows, 'type', engine.times('median'));

  it('hold every layer once, the largest sum first, the unknown with its own head', () => {
    expect(groups.map((g) => [g.label, [...g.rows]])).toEqual([
      [null, [3]],
      ['Reformat', [1]],
      ['Conv', [0, 2]],
      ['Pool', [4]],
    ]);
  });

  it('show their rows where they are open', () => {
    const entries = entriesOf(groups, (group) => group.label === 'Conv');
    expect([...entries]).toEqual([-1, -2, -3, 0, 2, -4]);
  });
});

describe('tacticStem', () => {
  it('drops the address a generated kernel ends in, nothing else', () => {
    expect(tacticStem('__myl_Conv_0x0123abcdef')).toBe('__myl_Conv');
    expect(tacticStem('sm80_xmma_0x_tail')).toBe('sm80_xmma_0x_tail');
    expect(tacticStem('sm80_kernel_t1r3s3')).toBe('sm80_kernel_t1r3s3');
  });
});
