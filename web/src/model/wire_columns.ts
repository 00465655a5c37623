// Columns of integers as the program packs them.

import { asArray, asNumber, type Json } from './json_value.ts';

// Written as differences, each to the previous one; an absent column has `usual` in every row.
export function differences(json: Json | undefined, count: number, usual: number): Int32Array {
  const values = new Int32Array(count);
  if (json === undefined || json === null) return values.fill(usual);
  const steps = asArray(json);
  let sum = 0;
  for (let i = 0; i < count; i += 1) {
    sum += asNumber(steps[i]) ?? 0;
    values[i] = sum;
  }
  return values;
}

// Written as they are.
export function measures(
  json: Json | undefined,
  count: number,
  missing = Number.NaN,
): Float64Array {
  const given = asArray(json);
  return Float64Array.from({ length: count }, (_, i) => asNumber(given[i]) ?? missing);
}
