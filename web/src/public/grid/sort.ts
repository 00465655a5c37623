// The order of a table: a column and a direction, written "id" or "-id" in the link.

export interface Sort {
  readonly id: string;
  readonly descending: boolean;
}

export function parseSort(text: string | null): Sort | null {
  if (text === null) return null;
  const descending = text.startsWith('-');
  return { id: descending ? text.slice(1) : text, descending };
}

export function sortText(sort: Sort | null): string | null {
  return sort === null ? null : (sort.descending ? '-' : '') + sort.id;
}

// The first click sorts numbers descending and texts ascending; the third ends the sorting.
export function nextSort(now: Sort | null, id: string, isNumber: boolean): Sort | null {
  if (now?.id !== id) return { id, descending: isNumber };
  return now.descending === isNumber ? { id, descending: !isNumber } : null;
}

// Missing values, NaN or '', come last in either direction; equal ones keep their order. Texts are
// compared by code units, not in the reader's language, so that a file sorts the same everywhere.
export function sortItems<Item>(
  items: ArrayLike<Item>,
  key: (item: Item) => number | string,
  descending: boolean,
  compareTexts = (x: string, y: string): number => (x < y ? -1 : Number(x > y)),
): readonly Item[] {
  const list = Array.from(items);
  // Once per item, not once per comparison.
  const keys = list.map(key);
  const sign = descending ? -1 : 1;
  const isMissing = (k: number | string): boolean => k === '' || Number.isNaN(k);
  const places = Uint32Array.from(list.keys()).sort((a, b) => {
    const x = keys[a] ?? '';
    const y = keys[b] ?? '';
    const missing = Number(isMissing(x)) - Number(isMissing(y));
    if (missing !== 0) return missing;
    if (x === y || isMissing(x)) return a - b;
    const order = typeof x === 'string' ? compareTexts(x, String(y)) : x - Number(y);
    return order === 0 ? a - b : sign * order;
  });
  return Array.from(places, (place) => list[place] as Item);
}
