// What a group of the graph sums up to, under the time basis on screen.

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
  // Null where no layer has a time.
  readonly ms: number | null;
  readonly share: number | null;
  // The slowest layer's row.
  readonly hottest: number | null;
  // Of the turns of a series.
  readonly turns: Spread | null;
  readonly odd: readonly GraphGroup[];
}

function rowsOf(engine: Engine, view: GraphView, group: number): readonly number[] {
  const layers = nodeLayers(engine, view);
  return view.nodesOf(group).flatMap((node) => {
    const row = engine.rowOf(layers.counted(node));
    return row === null ? [] : [row];
  });
}

function spread(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (place: number): number => sorted[place] ?? Number.NaN;
  if (sorted.length === 0) return null;
  return {
    least: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    most: at(sorted.length - 1),
  };
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
    const time = times[row] ?? Number.NaN;
    if (Number.isNaN(time)) continue;
    if (hottest === null || time > (times[hottest] ?? 0)) hottest = row;
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
    odd: turns.flatMap((turn) => {
      const one = view.groups[turn];
      return one?.isOdd === true ? [one] : [];
    }),
  };
}
