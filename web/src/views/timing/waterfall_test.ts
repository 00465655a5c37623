import { describe, expect, it } from 'vitest';

import type { Timing, WaterfallStep } from '../../public/index.ts';
import { readAs, readTiming } from '../../public/test_engine.ts';
import { drawnBins } from './data.ts';
import { rowsOf } from './label_rows.ts';
import { waterfallRows } from './waterfall_chart.ts';

function type(name: string, from_ms: number, to_ms: number): WaterfallStep {
  return { kind: 'type', is_sum: false, type: name, family: 'other', count: 2, from_ms, to_ms };
}
function step(
  kind: WaterfallStep['kind'],
  from_ms: number,
  to_ms: number,
  count: number | null = null,
): WaterfallStep {
  return { kind, is_sum: from_ms === 0, type: null, family: null, count, from_ms, to_ms };
}

describe('steps of the waterfall', () => {
  it('say what profiling cost a layer', () => {
    const rows = waterfallRows([
      type('Conv', 0, 1),
      step('layers', 0, 1, 35),
      step('overhead', 1, 0.787, 35),
      step('end-to-end', 0, 0.787),
    ]);
    expect(rows.map(({ name }) => name)).toEqual([
      'Conv',
      'Σ layers',
      'profiling, 35 × 6.1 µs',
      'end to end',
    ]);
  });

  it('join the types that are many, and still add up', () => {
    const types = Array.from({ length: 12 }, (_, i) => type(`T${String(i)}`, i, i + 1));
    const rows = waterfallRows([...types, step('layers', 0, 12, 24)]);
    expect(rows).toHaveLength(10);
    expect(rows[8]).toMatchObject({
      name: '4 other types',
      from_ms: 8,
      to_ms: 12,
      words: '8 layers',
    });
  });

  it('call what is negative by another name', () => {
    const named = (kind: WaterfallStep['kind'], from: number, to: number): string | undefined =>
      waterfallRows([step(kind, from, to)])[0]?.name;
    expect(named('between', 5, 6)).toBe('between layers');
    expect(named('between', 6, 5)).toBe('beyond end to end');
  });
});

describe('rows of labels', () => {
  it('are as few as touch nothing', () => {
    expect(
      rowsOf([
        { from: 0, to: 10 },
        { from: 5, to: 15 },
        { from: 10, to: 20 },
        { from: 12, to: 13 },
      ]),
    ).toEqual([0, 1, 0, 2]);
  });
});

describe('the document', () => {
  const read = (json: unknown): Timing => readAs(readTiming, json);

  it('reads as nothing where it has nothing', () => {
    const timing = read({});
    expect(timing).toMatchObject({
      remarks: [],
      end_to_end: null,
      steady_state: null,
      samples: { count: 0, fields: [] },
      waterfall: [],
    });
    const odd = read({
      steady_state: { phases: 'none', trusted: null, warm_up: 3 },
      samples: { count: '9', fields: [{ bins: { start_ms: 1, step_ms: 0, counts: [1] } }, 7] },
    });
    expect(odd.steady_state?.phases).toEqual([]);
    expect(drawnBins(odd.samples.fields[0]?.bins ?? null)).toBeNull();
    expect(odd.samples.count).toBe(0);
  });
});
