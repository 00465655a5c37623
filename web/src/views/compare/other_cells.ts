// Cells of engines other than A and B: found through the pairs of each with A, and for rows without
// A, with B.

import type { Pairs, Report, Side } from '../../public/index.ts';

export type OtherCell =
  | { readonly kind: 'none' }
  // Pairs of `pairs`, whose b is the other engine; `ms` is null if none of them has a time.
  | {
      readonly kind: 'here';
      readonly pairs: Pairs;
      readonly list: readonly number[];
      readonly ms: number | null;
    }
  // Its layers also match other rows, and are shown in an earlier one: otherwise sums would be
  // wrong.
  | { readonly kind: 'above'; readonly pair: number };

export function otherCells(report: Report, pairs: Pairs, other: number): readonly OtherCell[] {
  // The row that shows each layer of the other engine.
  const rowOf = new Map<number, number>();
  return Array.from({ length: pairs.count }, (_, row): OtherCell => {
    const side: Side = pairs.rows('a', row).length > 0 ? 'a' : 'b';
    const own = report.comparison?.pairs(pairs[side], other) ?? null;
    if (own === null) return { kind: 'none' };
    const found = new Set(pairs.rows(side, row).map((layer) => own.pairOf('a', layer) ?? -1));
    const here: number[] = [];
    let above: number | null = null;
    let ms: number | null = null;
    for (const pair of found) {
      const layers = own.rows('b', pair);
      if (layers.length === 0) continue;
      const placed = layers.map((layer) => rowOf.get(layer)).find((at) => at !== undefined);
      if (placed !== undefined) {
        above ??= placed;
        continue;
      }
      for (const layer of layers) rowOf.set(layer, row);
      here.push(pair);
      const time = own.timeMs('b', pair);
      if (time !== null) ms = (ms ?? 0) + time;
    }
    if (here.length > 0) return { kind: 'here', pairs: own, list: here, ms };
    return above === null ? { kind: 'none' } : { kind: 'above', pair: above };
  });
}
