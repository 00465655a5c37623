import { describe, expect, it } from 'vitest';

import type { SampleSeries } from '../../public/index.ts';
import { columnsOf, mergeLabels, partEdges, placeOf, stepLabelTop } from './samples_layout.ts';

type Times = readonly (number | null)[];

function course(min: Times, max = min): SampleSeries {
  return {
    first: min.map((_, i) => i * 10),
    min_ms: min,
    running_ms: min,
    ...(max === min ? {} : { max_ms: max }),
  };
}

describe('edges of parts', () => {
  it('are samples, or times where the file has starts', () => {
    expect(partEdges([0, 10, 20], 28)).toEqual([0, 10, 20, 28]);
    expect(partEdges([0, 5, 9], 15)).toEqual([0, 5, 9, 15]);
    // An unknown duration ends with the last start.
    expect(partEdges([0, 5], null)).toEqual([0, 5, 5]);
  });
});

describe('columns of pixels', () => {
  it('keep the least and the greatest of what falls into them', () => {
    const parts = course([5, 4, 6, 3], [7, 4, 9, 3]);
    const columns = columnsOf(parts, 40, partEdges(parts.first, 40), 2);
    expect(columns).toEqual([
      { from: 0, to: 20, first: 0, last: 19, min: 4, max: 7 },
      { from: 20, to: 40, first: 20, last: 39, min: 3, max: 9 },
    ]);
  });

  it('are the parts where there is room for them', () => {
    const parts = course([1, 2, 3]);
    const columns = columnsOf(parts, 30, partEdges(parts.first, 30), 500);
    // Maximum equals minimum if parts are single samples.
    expect(columns.map(({ first, last, min, max }) => [first, last, min, max])).toEqual([
      [0, 9, 1, 1],
      [10, 19, 2, 2],
      [20, 29, 3, 3],
    ]);
  });

  it('leave out parts without a usable sample', () => {
    const parts = course([1, null, 3]);
    expect(columnsOf(parts, 30, partEdges(parts.first, 30), 500).map((c) => c.first)).toEqual([
      0, 20,
    ]);
    const [one] = columnsOf(parts, 30, partEdges(parts.first, 30), 1);
    expect([one?.min, one?.max]).toEqual([1, 3]);
  });

  it('lose no spike of many parts', () => {
    const values = Array.from({ length: 2000 }, (_, i) => (i === 1234 ? 9 : 1));
    const parts = course(values);
    const columns = columnsOf(parts, 20000, partEdges(parts.first, 20000), 301);
    expect(columns.length).toBeLessThanOrEqual(301);
    expect(columns.filter(({ max }) => max === 9)).toHaveLength(1);
    expect(columns.at(-1)?.last).toBe(19999);
  });
});

describe('the place of a sample', () => {
  it('is within its part by proportion', () => {
    const parts = course([1, 2, 3]);
    const edges = partEdges([0, 100, 110], 150);
    expect(placeOf(parts, 30, edges, 0)).toBe(0);
    expect(placeOf(parts, 30, edges, 5)).toBe(50);
    expect(placeOf(parts, 30, edges, 10)).toBe(100);
    expect(placeOf(parts, 30, edges, 30)).toBe(150);
    expect(placeOf(parts, 30, edges, 99)).toBe(150);
  });
});

describe('labels on an axis', () => {
  const join = (texts: readonly string[]): string => texts.join(', ');
  it('are joined where they would touch', () => {
    const labels = [
      { text: 'p99', at: 10 },
      { text: 'median', at: 50 },
      { text: 'p95', at: 15 },
    ];
    expect(mergeLabels(labels, 12, join)).toEqual([
      { text: 'p99, p95', at: 12.5 },
      { text: 'median', at: 50 },
    ]);
    expect(mergeLabels(labels, 3, join)).toHaveLength(3);
  });
});

describe('labels beside a step', () => {
  it('lie under the top while the samples after it run below them', () => {
    expect(stepLabelTop(150, 20, 200, 2, 12)).toBe(27);
  });

  it('lie above the bottom where the samples run at the top', () => {
    expect(stepLabelTop(30, 20, 200, 2, 12)).toBe(174);
    // The last of three is where the last of one is.
    expect(stepLabelTop(30, 20, 200, 3, 12)).toBe(162);
    expect(stepLabelTop(30, 20, 200, 1, 12)).toBe(186);
  });

  it('lie under the top where the scale ends below the samples', () => {
    expect(stepLabelTop(-40, 20, 200, 2, 12)).toBe(27);
  });
});
