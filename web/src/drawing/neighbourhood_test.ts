import { describe, expect, it } from 'vitest';

import { testGraph } from '../public/test_graph.ts';
import { engineOf } from '../public/test_engine.ts';
import { kNone } from '../public/index.ts';
import { neighbourhood, type Neighbourhood } from './neighbourhood.ts';

const kCount = 12;
const layers = Array.from({ length: kCount }, (_, i) => [`l${String(i)}`, 'Conv', 1] as const);
const engine = engineOf(layers);

function nodes(around: Neighbourhood | null): readonly number[] {
  return around?.graph.boxes.map((box) => box.node) ?? [];
}

function drawn(around: Neighbourhood | null): readonly string[] {
  return (around?.graph.edges ?? [])
    .filter((edge) => edge.edge !== kNone)
    .map((edge) => {
      const node = (box: number): string => String(around?.graph.boxes[box]?.node);
      return `${node(edge.from)}>${node(edge.to)}`;
    });
}

describe('neighbourhood', () => {
  it('is who writes and who reads, in execution order', () => {
    // 1 and 2 write what 3 reads; 4 and 6 read it.
    const view = testGraph(kCount, [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [3, 4],
      [4, 5],
      [3, 6],
    ]);
    const around = neighbourhood(engine, view, 3, []);
    expect(nodes(around)).toEqual([1, 2, 3, 4, 6]);
    expect(drawn(around)).toEqual(['1>3', '2>3', '3>4', '3>6']);
    expect(around?.centre).toBe(2);
    expect(around).toMatchObject({ moreBefore: 0, moreAfter: 0 });
    // One below the other: 1 and 2, 4 and 6 are linked without an edge.
    const ties = around?.graph.edges.filter((edge) => edge.edge === kNone);
    expect(ties?.map((edge) => [edge.from, edge.to])).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  it('follows what belongs to the finding', () => {
    const view = testGraph(kCount, [
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(nodes(neighbourhood(engine, view, 3, []))).toEqual([3, 4]);
    expect(nodes(neighbourhood(engine, view, 3, [4, 5]))).toEqual([3, 4, 5]);
    // With the nodes in between, in both directions.
    expect(nodes(neighbourhood(engine, view, 3, [6]))).toEqual([3, 4, 5, 6]);
    expect(nodes(neighbourhood(engine, view, 6, [3]))).toEqual([3, 4, 5, 6]);
    // Nodes that are not nearby are not drawn.
    expect(nodes(neighbourhood(engine, view, 3, [9]))).toEqual([3, 4]);
  });

  it('does not draw half of a way that is too long', () => {
    const chain = Array.from({ length: kCount - 1 }, (_, i) => [i, i + 1] as const);
    const view = testGraph(kCount, chain);
    expect(nodes(neighbourhood(engine, view, 2, [8]))).toEqual([1, 2, 3]);
    expect(nodes(neighbourhood(engine, view, 2, [7]))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('shows a few of many, the nearest first, and says how many more there are', () => {
    const view = testGraph(
      kCount,
      Array.from({ length: kCount - 1 }, (_, i) =>
        i < 5 ? ([i, 5] as const) : ([5, i + 1] as const),
      ),
    );
    const around = neighbourhood(engine, view, 5, []);
    expect(nodes(around)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(around).toMatchObject({ moreBefore: 2, moreAfter: 3 });
  });

  it('is nothing of a layer that is not in the graph', () => {
    expect(
      neighbourhood(engineOf([...layers, ['extra', null, 1]]), testGraph(kCount, []), kCount, []),
    ).toBeNull();
  });

  it('counts a tensor that is read twice once', () => {
    const view = testGraph(3, [
      [0, 1],
      [0, 1],
    ]);
    const around = neighbourhood(engine, view, 1, []);
    expect(around?.graph.edges).toHaveLength(1);
    expect(around?.graph.edges[0]?.count).toBe(2);
  });
});
