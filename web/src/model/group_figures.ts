// The sums of a group of the graph, in the time basis on screen.

import { isNumber } from '../base/format.ts';
import type { Engine, Basis } from './engine.ts';
import type { GraphGroup, GraphView } from './graph.ts';
import { nodeLayers } from './node_layers.ts';
import { knownSum } from './table.ts';

export interface Spread {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export interface GroupFigures {
  readonly layers: number;
  // Rows of its layers, in execution order.
  readonly rows: readonly number[];
  // Null if no layer has a time.
  readonly ms: number | null;
  readonly share: number | null;
  // The slowest layer's row.
  readonly hottest: number | null;
  // Of the instances of a series.
  readonly turns: Spread | null;
  readonly odd: readonly GraphGroup[];
}

function rowsOf(engine: Engine, view: GraphView, group: number): readonly number[] {
  const layers = nodeLayers(engine, view);
  return view.nodesOf(group).flatMap((node) => engine.rowOf(layers.counted(node)) ?? []);
}

function spread(values: readonly number[]): Spread | null {
  const sorted = Float64Array.from(values).sort();
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const last = sorted.length - 1;
  if (last < 0) return null;
  const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  return { least: at(0), median, most: at(last) };
}

export function groupFigures(
  engine: Engine,
  view: GraphView,
  index: number,
  basis: Basis,
): GroupFigures {
  const group = view.groups[index];
  const times = engine.times(basis);
  const rows = rowsOf(engine, view, index);
  const ms = knownSum(times, rows);
  let hottest: number | null = null;
  for (const row of rows) {
    if (isNumber(times[row]) && times[row] > (times[hottest ?? -1] ?? -1)) hottest = row;
  }
  const turns = group?.kind === 'series' ? group.children : [];
  const sums = turns.flatMap((turn) => knownSum(times, rowsOf(engine, view, turn)) ?? []);
  return {
    layers: rows.length,
    rows,
    ms,
    share: engine.shareOf(ms, basis),
    hottest,
    turns: spread(sums),
    odd: turns.flatMap((turn) => view.groups[turn] ?? []).filter(({ isOdd }) => isOdd),
  };
}
