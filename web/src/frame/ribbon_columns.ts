// Layers thinner than a pixel, added up by pixel column: each column is divided in proportion to
// its contents, so that neither a rare kind of layer nor a filter disappears under the most
// frequent one.

export interface Thin<K> {
  // Its left edge and its width, in px.
  readonly x: number;
  readonly width: number;
  readonly key: K;
  // It passes the filter.
  readonly isShown: boolean;
}

export interface ColumnPart<K> {
  readonly key: K;
  readonly isShown: boolean;
  // Its top and bottom, measured from the top of the column, 0 to 1.
  readonly from: number;
  readonly to: number;
}

export interface Column<K> {
  readonly x: number;
  readonly parts: readonly ColumnPart<K>[];
}

// From left to right. In a column, filtered-out layers are above the shown ones; within each part
// keys follow `order`, so that a colour keeps its height from column to column.
export function columnsOf<K>(
  layers: Iterable<Thin<K>>,
  order: (key: K) => number,
): readonly Column<K>[] {
  interface Sums {
    readonly shown: Map<K, number>;
    readonly hidden: Map<K, number>;
    width: number;
  }
  const columns = new Map<number, Sums>();
  for (const { x, width, key, isShown } of layers) {
    const at = Math.floor(x);
    let sums = columns.get(at);
    if (sums === undefined)
      columns.set(at, (sums = { shown: new Map(), hidden: new Map(), width: 0 }));
    const own = isShown ? sums.shown : sums.hidden;
    own.set(key, (own.get(key) ?? 0) + width);
    sums.width += width;
  }
  return [...columns]
    .sort(([a], [b]) => a - b)
    .map(([x, sums]) => {
      let from = 0;
      const parts = [sums.hidden, sums.shown].flatMap((own) =>
        [...own]
          .sort(([a], [b]) => order(a) - order(b))
          .map(([key, width]): ColumnPart<K> => {
            const to = from + width / sums.width;
            const part = { key, isShown: own === sums.shown, from, to };
            from = to;
            return part;
          }),
      );
      return { x, parts };
    });
}
