import { describe, expect, it } from 'vitest';

import type { Comparison, Pairs } from './comparison.ts';
import { decodeReport, kSchema } from './decode.ts';
import type { Json } from './json_value.ts';

const kWords: Json = {
  match: ['source', 'name', 'shape', 'order', 'none'],
  change: ['added', 'removed', 'fused', 'split', 'precision', 'time'],
  cause: ['fused', 'reformats-removed', 'removed', 'none'],
  noise: ['spread', 'profiler-step', 'none'],
  spread: ['flops', 'bytes', 'even', 'sole'],
};

// Three pairs: layers 0 and 1 of the first became 0 of the second, layer 2 was removed, layer 1 was
// added.
const kEnginePair: Json = {
  a: 0,
  b: 2,
  directions: [
    {
      verdict_sentence: 'c is faster than a',
      verdict: { judgement: 'faster', change_ratio: -0.5, base: { median_ms: 2 } },
      delta_ms: -0.75,
      are_unrelated: true,
      causes: [{ cause: 'fused', text: 'fused', clause: 'one fused', pairs: 1, delta_ms: -0.5 }],
      counts: { matched: 1, changed: 3, only_a: 1, only_b: 1 },
    },
    { verdict_sentence: 'a is slower than c', verdict: { judgement: 'slower' }, delta_ms: 0.75 },
  ],
  pairs: {
    count: 3,
    tick_fs: 1e9,
    a: { count: [2, -1, -1], layers: [0, 1, 1], principal: [1, -1, 0] },
    b: { count: [1, -1, 1], layers: [0, 1], input: [-1, 1, 0] },
    match: [0, 4, 0],
    certainty: [95, 5, 0],
    cause: [0, 2, 1],
    changes: [0b100100, -0b100010, -0b1],
    a_time: [900, 400, null],
    b_time: [400, null, 150],
    exceeds_noise: [1, 0, -1],
    a_simulated_mdb: [44000, 30500, null],
    b_simulated_mdb: [44250, null, 12000],
    a_engine_mdb: [40125, null, null],
    low_ns: [-600000, null, null],
    high_ns: [-400000, null, null],
  },
};

// Three engines of three layers, whose ids differ from their rows.
const kEngines: Json = [0, 1, 2].map(() => ({
  tables: {
    layers: {
      row_count: 3,
      columns: { layer_id: { type: 'int64', values: [2, 1, 0] } },
    },
  },
}));

function comparisonOf(comparison: Json): Comparison | null {
  return decodeReport({ schema: kSchema, engines: kEngines, comparison }).comparison;
}

function pairsOf(enginePair: Json, a: number, b: number): Pairs {
  const pairs = comparisonOf({ words: kWords, engine_pairs: [enginePair] })?.pairs(a, b);
  if (pairs === null || pairs === undefined) throw new Error('no such enginePair');
  return pairs;
}

describe('pairs of two engines', () => {
  const there = pairsOf(kEnginePair, 0, 2);
  const back = pairsOf(kEnginePair, 2, 0);

  it('have the layers of each side, whichever is A', () => {
    expect([0, 1, 2].map((pair) => there.rows('a', pair))).toEqual([[2, 1], [0], []]);
    expect([0, 1, 2].map((pair) => there.rows('b', pair))).toEqual([[2], [], [1]]);
    expect(back.rows('b', 0)).toEqual([2, 1]);
    expect([there.a, there.b, back.a]).toEqual([0, 2, 2]);
    expect(there.layers(0).map(({ side, row }) => [side, row])).toEqual([
      ['a', 2],
      ['a', 1],
      ['b', 2],
    ]);
    expect([there.pairOf('a', 1), there.pairOf('b', 1), there.pairOf('a', 7)]).toEqual([
      0,
      2,
      null,
    ]);
    expect([there.row('a', 0), there.row('b', 0), there.row('b', 1)]).toEqual([1, 2, null]);
    expect(there.row('a', 0, 'first')).toBe(2);
    expect(there.port('b', 0, 'input')).toBe(-1);
  });

  it('have times, and differences in which a missing side is nothing', () => {
    expect(there.timeMs('a', 0)).toBeCloseTo(0.9, 12);
    expect(there.timeMs('b', 1)).toBeNull();
    expect([0, 1, 2].map((pair) => there.deltaMs(pair))).toEqual([-0.5, -0.4, 0.15]);
    expect([0, 1, 2].map((pair) => back.deltaMs(pair))).toEqual([0.5, 0.4, -0.15]);
    expect(there.intervalMs(0)).toEqual([-0.6, -0.4]);
    expect(back.intervalMs(0)).toEqual([0.4, 0.6]);
    expect(back.intervalMs(1)).toBeNull();
    expect([0, 1, 2].map((pair) => there.exceedsNoise(pair))).toEqual([true, true, false]);
  });

  it('have what quantizing left of each side', () => {
    expect([0, 1, 2].map((pair) => there.lossDb('a', 'simulated', pair))).toEqual([44, 30.5, null]);
    expect([0, 1, 2].map((pair) => back.lossDb('a', 'simulated', pair))).toEqual([44.25, null, 12]);
    expect(there.lossDb('a', 'engine', 0)).toBe(40.125);
    expect(there.lossDb('b', 'engine', 0)).toBeNull();
    // Only one has figures of the engine.
    expect([there.loss, back.loss]).toEqual(['simulated', 'simulated']);
  });

  it('say what changed, mirrored from the other side', () => {
    expect(there.changes(0)).toEqual(['fused', 'time']);
    expect(back.changes(0)).toEqual(['split', 'time']);
    expect([there.changes(1), back.changes(1)]).toEqual([['removed'], ['added']]);
    expect([there.cause(1), back.cause(1)]).toEqual(['removed', 'added']);
    expect(there.match(1)).toBe('none');
    expect(there.certainty(0)).toBe(0.95);
    expect([there.way.verdict.judgement, back.way.verdict.judgement]).toEqual(['faster', 'slower']);
    expect([there.way.delta_ms, back.way.delta_ms]).toEqual([-0.75, 0.75]);
    expect([there.way.are_unrelated, back.way.are_unrelated]).toEqual([true, false]);
  });

  it('are the same object at every question, and null for a enginePair that is not there', () => {
    const comparison = comparisonOf({ words: kWords, engine_pairs: [kEnginePair] });
    expect(comparison?.pairs(0, 2)).toBe(comparison?.pairs(0, 2));
    expect(comparison?.pairs(0, 1)).toBeNull();
    expect(comparison?.pairs(0, 0)).toBeNull();
  });

  it('stay whole where layers have no times', () => {
    const pairs = pairsOf({ a: 0, b: 1, pairs: { count: 1, match: [0], incomplete: [1] } }, 0, 1);
    expect([pairs.count, pairs.deltaMs(0), pairs.timeMs('a', 0)]).toEqual([1, null, null]);
    expect(pairs.exceedsNoise(0)).toBeNull();
  });

  it('are no more than the columns hold, whatever is claimed', () => {
    const claims = [4e9, -1, 'many', Number.NaN];
    for (const count of claims) {
      const json: Json = { a: 0, b: 1, pairs: { count, match: [0], a: { count: [9e9] } } };
      const pairs = pairsOf(json, 0, 1);
      expect(pairs.count).toBeLessThanOrEqual(1);
      expect(pairs.rows('a', 0)).toHaveLength(0);
      expect(pairs.row('a', 0)).toBeNull();
    }
    expect(comparisonOf(null)).toBeNull();
    expect(comparisonOf({ engine_pairs: 'no' })?.pairs(0, 1)).toBeNull();
  });
});

describe('the ledger', () => {
  const json: Json = {
    strings: ['Conv_1', 'Conv', 'Conv_9', 'w1', 'Reformat'],
    words: kWords,
    ledger: {
      count: 2,
      total_fs: [1_500_000_500, null],
      kind: [0, 1],
      name: [0, -1],
      type: [1, 3],
      parameter: [3, -4],
      engines: [
        { time_ns: [1000, 500], time_fs: [500, null], reformats_ns: [200, null] },
        { layers: [2, -2], name: [2, -3], spread: [1, 2] },
      ],
    },
  };
  const ledger = comparisonOf(json)?.ledger;

  it('has whole femtoseconds, and rows that are the total', () => {
    const cells = [0, 1].map((row) => ledger?.cell(row, 0));
    expect(cells.map((cell) => cell?.fs)).toEqual([1_000_000_500, 500_000_000]);
    expect(cells.reduce((sum, cell) => sum + (cell?.fs ?? 0), 0)).toBe(ledger?.totalFs[0]);
    expect(cells[0]?.reformatFs).toBe(200_000_000);
    expect(cells[0]?.spread).toBe('sole');
  });

  it('knows who has an operation, and what it is called there', () => {
    expect([ledger?.kind(0), ledger?.kind(1)]).toEqual(['operation', 'remainder']);
    expect([ledger?.name(0), ledger?.type(0), ledger?.parameter(0)]).toEqual([
      'Conv_1',
      'Conv',
      'w1',
    ]);
    const other = ledger?.cell(0, 1);
    expect([other?.name, other?.layers, other?.fs, other?.spread]).toEqual([
      'Conv_9',
      2,
      null,
      'bytes',
    ]);
    expect(ledger?.cell(1, 1)).toBeNull();
    expect(ledger?.cell(0, 7)).toBeNull();
  });

  it('is no longer than its columns', () => {
    const huge = comparisonOf({ ledger: { count: 4e9, name: [0] }, strings: ['x'] })?.ledger;
    expect(huge?.count).toBe(1);
  });
});
