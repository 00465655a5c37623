import { describe, expect, it, test } from 'vitest';

import {
  deltaClass,
  deltaText,
  ratioClass,
  type Json,
  type Pairs,
  type Verdict,
} from '../../public/index.ts';
import { reportOf } from '../../public/test_report.ts';
import { columnWidths, hasPrecision } from './aligned_columns.ts';
import { causeShares } from './causes.ts';
import { nextDeltaSort } from './choice.ts';
import { otherCells } from './other_cells.ts';
import { changeChips } from './pair_facts.ts';
import { keepOf, pairName, sorted, speedUp, staysOf } from './pair_rows.ts';
import { bestOf, totalHead } from './totals.ts';
import { timesText } from './verdict.ts';

type Layer = readonly [name: string, type: string, precision: string, out: string, ms: number];

function engine(name: string, layers: readonly Layer[]): Json {
  const strings = [...new Set(layers.flatMap((layer) => layer.slice(0, 4).map(String)))];
  const text = (at: 0 | 1 | 2 | 3): Json => ({
    type: 'text',
    values: layers.map((layer) => strings.indexOf(layer[at])),
  });
  return {
    label: name,
    summary: { engine: { name } },
    strings,
    tables: {
      layers: {
        row_count: layers.length,
        columns: {
          layer_id: { type: 'int64', values: layers.map((_, i) => i) },
          name: text(0),
          type: text(1),
          precision: text(2),
          output_precision: text(3),
          median_ms: { type: 'double', values: layers.map((layer) => layer[4]) },
        },
      },
    },
  };
}

const kConv: Layer = ['conv', 'Convolution', 'INT8', 'FP16', 0.2];

// A: conv, pool, add; B: conv+pool, add, copy; C: conv, pool+add.
const kReport = reportOf({
  engines: [
    engine('a', [kConv, ['pool', 'Pooling', 'FP16', 'FP16', 0.1], ['add', 'Add', '', '', 0.05]]),
    engine('b', [
      ['conv', 'ConvPool', 'INT8', 'INT8', 0.1],
      ['add', 'Add', '', '', 0.06],
      ['copy', 'Reformat', 'INT8', 'FP16', 0.03],
    ]),
    engine('c', [kConv, ['pool', 'PoolAdd', 'FP16', 'FP16', 0.12]]),
  ],
  comparison: {
    words: {
      match: ['source', 'none'],
      change: ['added', 'removed', 'fused', 'output-precision', 'time', 'type'],
      cause: ['fused', 'time', 'added'],
    },
    engine_pairs: [
      {
        a: 0,
        b: 1,
        pairs: {
          count: 3,
          tick_fs: 1e9,
          a: { count: [2, -1, -1], layers: [0, 1, 1] },
          b: { layers: [0, 1, 1] },
          match: [0, 0, 1],
          cause: [0, 1, 1],
          changes: [0b101100, -0b011100, -0b1111],
          a_time: [300, 50, null],
          b_time: [100, 60, 30],
          exceeds_noise: [1, -1, 1],
        },
      },
      {
        a: 0,
        b: 2,
        pairs: {
          count: 2,
          tick_fs: 1e9,
          a: { count: [1, 1], layers: [0, 1, 1] },
          b: { layers: [0, 1] },
          match: [0, 0],
          cause: [1, 0],
          a_time: [200, 150],
          b_time: [200, 120],
        },
      },
    ],
  },
});

function pairsWith(other: 1 | 2): Pairs {
  const pairs = kReport.comparison?.pairs(0, other) ?? null;
  if (pairs === null) throw new Error('no pairs');
  return pairs;
}

test('a cause is noise where all its pairs are, and names the layer that is most of it', () => {
  const pairs = pairsWith(1);
  const shares = causeShares(pairs);
  expect([0, 1, 2].map((pair) => shares.get(pairs.cause(pair)))).toEqual([
    { exceedsNoise: true, mostly: 0 },
    { exceedsNoise: false, mostly: 1 },
    { exceedsNoise: true, mostly: 2 },
  ]);
  const unknown = pairsWith(2);
  // Both pairs have one cause: −30 of −30, and the noise is unknown.
  expect(causeShares(unknown).get(unknown.cause(1))).toEqual({ exceedsNoise: null, mostly: 1 });
});

describe('rows of the aligned table', () => {
  const pairs = pairsWith(1);
  const all = [0, 1, 2];
  const kept = (only: string) => all.filter(keepOf(only, pairs));

  it('are chosen as planex compare --which chooses them, and by what changed', () => {
    expect(kept('all')).toEqual([0, 1, 2]);
    expect(kept('changed')).toEqual([0, 1, 2]);
    expect(kept('faster')).toEqual([0]);
    // The second is within the noise.
    expect(kept('slower')).toEqual([2]);
    expect(kept('added')).toEqual([2]);
    expect(kept('mismatch-precision')).toEqual([0]);
    expect(kept('type=add')).toEqual([1]);
    expect(kept('type=pooling')).toEqual([0]);
    expect(kept('cause=fused')).toEqual([0]);
    expect(kept('constructor')).toEqual([]);
  });

  it('stay where a layer of either side passes the filter', () => {
    const masks = { a: new Uint8Array([0, 1, 0]), b: new Uint8Array([0, 0, 1]) };
    expect(all.filter(staysOf(pairs, masks))).toEqual([0, 2]);
  });

  it('are sorted, what has no value last', () => {
    const order = (sort: string) => sorted(all, pairs, sort);
    expect(order('-size')).toEqual([0, 2, 1]);
    expect(order('delta')).toEqual([0, 1, 2]);
    expect(order('a')).toEqual([1, 0, 2]);
    expect(order('-ratio')).toEqual([0, 1, 2]);
    expect(order('constructor')).toBeNull();
    expect(speedUp(pairs, 0)).toBeCloseTo(3, 12);
    expect(speedUp(pairs, 2)).toBeNull();
  });

  it('are called by one name where both sides have it', () => {
    const name = (pair: number) => pairName(pairs, pair, (row, engine) => engine.layerName(row));
    expect([0, 1, 2].map(name)).toEqual(['conv + pool → conv', 'add', 'copy']);
  });

  it('say what changed in few words', () => {
    const chips = (pair: number) => changeChips(pairs, pair).map((chip) => chip.text);
    expect(chips(0)).toEqual(['fused 2 → 1', 'out FP16 → INT8', '→ ConvPool']);
    // A changed time has a column of its own.
    expect(chips(1)).toEqual([]);
    expect(chips(2)).toEqual(['added']);
  });

  it('have the layers of a third engine once, whatever they do together there', () => {
    const cells = otherCells(kReport, pairs, 2);
    expect(cells.map((cell) => cell.kind)).toEqual(['here', 'above', 'none']);
    const sum = cells.reduce((ms, cell) => ms + (cell.kind === 'here' ? (cell.ms ?? 0) : 0), 0);
    expect(sum).toBeCloseTo(0.32, 12);
  });
});

describe('columns', () => {
  it('always fit, and A and B stay when others go', () => {
    for (const available of [400, 700, 900, 1100, 1408, 2000]) {
      for (const engines of [2, 3, 5, 12]) {
        const w = columnWidths(available, engines);
        const others = w.others === 'hidden' ? 0 : (engines - 2) * w.other;
        const sum = w.name + 2 * w.engine + others + w.delta + w.bar + w.ratio + w.changes;
        if (available >= 700) expect(sum).toBeLessThanOrEqual(available + 1);
        expect(w.engine).toBeGreaterThanOrEqual(100);
      }
    }
    expect([1408, 1100, 800].map((width) => columnWidths(width, 5).others)).toEqual([
      'full',
      'times',
      'hidden',
    ]);
    expect(hasPrecision(columnWidths(1408, 5))).toBe(true);
    for (const available of [700, 900, 1408]) {
      const w = columnWidths(available, 2, true, true);
      const sum = w.name + 2 * w.engine + w.delta + w.bar + w.ratio + w.changes;
      expect(sum + 2 * w.loss + w.lossDelta).toBeLessThanOrEqual(available + 1);
      expect(w.lossDelta).toBeGreaterThan(0);
    }
    expect(columnWidths(700, 2, true, true).loss).toBe(0);
    expect(columnWidths(1408, 2).lossDelta).toBe(0);
  });
});

describe('words and signs', () => {
  const unit = { unit: 'µs', scale: 1e3, decimals: 1 };

  it('within the noise are gray and approximate', () => {
    expect(deltaText(-0.002, unit, false)).toBe('≈ −2.0');
    expect(deltaText(-0.002, unit, true)).toBe('−2.0');
    expect(deltaText(0.00002, unit, true)).toBe('+0.020');
    expect(deltaText(0, unit, true)).toBe('0.0');
    expect(deltaText(null, unit, true)).toBe('–');
    expect([true, false, null].map((beyond) => deltaClass(-1, beyond))).toEqual([
      'faster',
      'noise',
      '',
    ]);
    expect(ratioClass(1.02, 0.03, true)).toBe('');
    expect(ratioClass(1.04, 0.03, true)).toBe('faster');
    expect(ratioClass(0.5, 0.03, false)).toBe('noise');
  });

  it('of the order come round', () => {
    // By the size of a change, then by its sign.
    expect(['a', null, '-size', 'delta', '-delta'].map(nextDeltaSort)).toEqual([
      '-size',
      '-size',
      'delta',
      '-delta',
      null,
    ]);
  });

  it('of totals have the best of what is known', () => {
    const total = (better: 'lower' | 'higher' | 'none', values: readonly (number | null)[]) => ({
      metric: 'm',
      label: 'reformats, of Σ layers',
      unit: 'share' as const,
      better,
      values,
      is_detail: false,
    });
    expect(bestOf(total('lower', [3, null, 2]))).toBe(2);
    expect(bestOf(total('higher', [3, null, 2]))).toBe(3);
    expect(bestOf(total('none', [3, 2]))).toBeNull();
    expect(bestOf(total('lower', [3, null]))).toBeNull();
    expect(totalHead(total('lower', []))).toBe('reformats, % of Σ');
  });

  it('of the verdict say what the percentage is of', () => {
    const verdict = (
      judgement: Verdict['judgement'],
      ms: readonly (number | null)[],
      changeRatio: number | null = -0.38,
    ) =>
      timesText({
        judgement,
        change_ratio: changeRatio,
        base: { median_ms: ms[0] ?? null },
        candidate: { median_ms: ms[1] ?? null },
      });
    expect(verdict('faster', [0.883, 0.546])).toBe('0.883 → 0.546 ms, 1.62 × as fast');
    expect(verdict('within-noise', [0.883, 0.884])).toBe('0.883 → 0.884 ms');
    expect(verdict('unknown', [0.883, null])).toBeNull();
    // Compute time of one, latency of the other.
    expect(verdict('unknown', [0.883, 79], null)).toBeNull();
  });
});
