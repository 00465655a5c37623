// Six steps of heat. Their edges are quantiles of the values above 0, so that one slow layer does
// not wash out the rest. Same rules as src/render/drawing/paint.h; tests/data/number_cases.json
// checks both.

export const kHeatSteps = 6;

export interface HeatScale {
  // Ascending. A value's step is the number of edges that are not above it. Two edges are equal
  // only if no greater value is left, so that a value that most items have is not the hottest.
  readonly bounds: readonly number[];
  readonly least: number;
  readonly greatest: number;
}

// Where `value` would be inserted after its equals.
function upperBound(sorted: Float64Array, value: number, from = 0): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function heatScale(values: Iterable<number>): HeatScale | null {
  const sorted = Float64Array.from([...values].filter(Number.isFinite)).sort();
  const least = sorted[0];
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined) return null;
  const first = upperBound(sorted, 0);
  const count = sorted.length - first;
  const bounds: number[] = [];
  let below = -1;
  for (let i = 0; i < kHeatSteps - 1; i += 1) {
    // All values are zero: nothing is hot.
    if (count === 0) {
      bounds.push(Number.POSITIVE_INFINITY);
      continue;
    }
    let at = first + Math.floor(((i + 1) * count) / kHeatSteps);
    const last = sorted[below];
    if (last !== undefined && (sorted[at] ?? 0) <= last) {
      at = upperBound(sorted, last, at);
      if (at === sorted.length) at = below;
    }
    bounds.push(sorted[at] ?? greatest);
    below = at;
  }
  return { bounds, least, greatest };
}

export function heatStep(scale: HeatScale, value: number): number {
  return scale.bounds.filter((bound) => value >= bound).length;
}
