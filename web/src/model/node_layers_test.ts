import { describe, expect, it } from 'vitest';

import { decodeReport } from './decode.ts';
import { GraphView, kNone } from './graph.ts';
import { groupFigures } from './group_figures.ts';
import type { Json } from './json_value.ts';
import { nodeLayers } from './node_layers.ts';
import { kTestKinds } from './test_graph.ts';

const text = (values: readonly (number | null)[]): Json => ({ type: 'text', unit: '', values });
const double = (values: readonly (number | null)[]): Json => ({ type: 'double', unit: '', values });

// Layer 10 runs Conv and Relu, 11 runs Pool, 12 is a copy without a source operation.
const kStrings = ['Conv', 'Relu', 'Pool', 'Constant', 'work', 'stem'];
const [engine] = decodeReport({
  schema: 'planex.report/2',
  engines: [
    {
      summary: { engine: { name: 'e' }, layer_count: 3 },
      strings: kStrings,
      tables: {
        layers: {
          row_count: 3,
          columns: {
            layer_id: { type: 'int64', unit: '', values: [10, 11, 12] },
            role: text([4, 4, 4]),
            median_ms: double([0.4, 0.1, 0.2]),
          },
        },
        sources: {
          row_count: 3,
          columns: { layer_id: double([10, 10, 11]), op_name: text([0, 1, 2]) },
        },
      },
    },
  ],
}).engines;
const deltas = (values: readonly number[]): Json =>
  values.map((value, i) => value - (values[i - 1] ?? 0));
// Conv, Relu, the copy, Pool, and an operation that became nothing; Conv to Pool are one block.
const view = new GraphView(
  'source',
  {
    nodes: {
      kind: deltas([4, 4, 0, 4, 4]),
      layer_id: deltas([kNone, kNone, 12, kNone, kNone]),
      name: deltas([0, 1, kNone, 2, 3]),
      group: deltas([0, 0, 0, 0, kNone]),
    },
    edges: { kind: [], from: [], to: [] },
    groups: {
      kind: [0],
      parent: [kNone],
      name: [5],
      path: [5],
      first: [0],
      last: [3],
      node_count: [4],
    },
  },
  kTestKinds,
  kStrings,
);

describe('layers of the nodes of a graph', () => {
  if (engine === undefined) throw new Error('no engine');
  const layers = nodeLayers(engine, view);
  it('counts the work of a layer at the first of its operations', () => {
    expect([0, 1, 2, 3, 4].map((node) => layers.counted(node))).toEqual([10, kNone, 12, 11, kNone]);
  });
  it('gives a layer’s time to an operation that is all of it', () => {
    expect([0, 1, 2, 3, 4].map((node) => layers.alone(node))).toEqual([
      kNone,
      kNone,
      12,
      11,
      kNone,
    ]);
  });
  it('makes the time of a block that of all its layers, each once', () => {
    const figures = groupFigures(engine, view, 0, 'median');
    expect(figures.layers).toBe(3);
    expect(figures.ms).toBeCloseTo(0.7, 12);
    expect(figures.share).toBeCloseTo(1, 12);
  });
});
