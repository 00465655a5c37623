// What the engines beside A and B have in the rows of their table: through the pairs of each with A,
// and where A has nothing, with B.

import type { Pairs, Report, Side } from '../../public/index.ts';

export type OtherCell =
  | { readonly kind: 'none' }
  // Pairs of `pairs`, whose b is the other engine; `ms` is null where none of them has a time.
  | {
      readonly kind: 'here';
      readonly pairs: Pairs;
      readonly list: readonly number[];
      readonly ms: number | null;
    }
  // Its layers do what other rows do, too, and stand in an earlier one: or sums would not be right.
  | { readonly kind: 'above'; readonly pair: number };

const kNone: OtherCell = { kind: 'none' };

export function otherCells(report: Report, pairs: Pairs, other: number): readonly OtherCell[] {
  const comparison = report.comparison;
  const through: Readonly<Record<Side, Pairs | null>> = {
    a: comparison?.pairs(pairs.a, other) ?? null,
    b: comparison?.pairs(pairs.b, other) ?? null,
  };
  // The row in which each layer of the other engine stands.
  const rowOf = new Map<number, number>();
  return Array.from({ length: pairs.count }, (_, row): OtherCell => {
    const side: Side = pairs.layers('a', row).length > 0 ? 'a' : 'b';
    const own = through[side];
    if (own === null) return kNone;
    const found = new Set<number>();
    for (const id of pairs.layers(side, row)) {
      const pair = own.pairOf('a', id);
      if (pair !== null && own.layers('b', pair).length > 0) found.add(pair);
    }
    const here: number[] = [];
    let above: number | null = null;
    let ms: number | null = null;
    for (const pair of found) {
      const layers = own.layers('b', pair);
      const placed = layers.map((id) => rowOf.get(id) ?? -1).find((at) => at >= 0);
      if (placed !== undefined) {
        above ??= placed;
        continue;
      }
      for (const id of layers) rowOf.set(id, row);
      here.push(pair);
      const time = own.timeMs('b', pair);
      if (time !== null) ms = (ms ?? 0) + time;
    }
    if (here.length > 0) return { kind: 'here', pairs: own, list: here, ms };
    return above === null ? kNone : { kind: 'above', pair: above };
  });
}
