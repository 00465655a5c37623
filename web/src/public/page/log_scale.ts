// A logarithmic axis in pixels, with the ticks that fit on it.

export interface LogScale {
  // Powers of ten at both ends.
  readonly from: number;
  readonly to: number;
}

const kMinSpan = 0.6;
const kMargin = 0.05;
// A gap of at least this fraction of the axis, with at most this many values past it, is cut off:
// the values past it are drawn at the edge.
const kWidestGap = 0.3;
const kMaxBeyond = 0.04;
const kMinValues = 8;

// From the end of a sorted list: how many values are past a gap that is too wide.
function beyondGap(sorted: Float64Array): number {
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  const most = Math.max(1, Math.floor(sorted.length * kMaxBeyond));
  for (let beyond = most; beyond >= 1; beyond -= 1) {
    const at = sorted.length - beyond;
    const gap = (sorted[at] ?? 0) - (sorted[at - 1] ?? 0);
    if (gap > 1 && gap > kWidestGap * span) return beyond;
  }
  return 0;
}

// Covers all positive values, except a few that are far from all others; with a margin. Null if
// there are none. `include` is on the axis in any case.
export function logScale(
  values: Iterable<number>,
  include: Iterable<number> = [],
): LogScale | null {
  const logs = (of: Iterable<number>): Float64Array =>
    Float64Array.from(
      [...of].filter((value) => value > 0 && Number.isFinite(value)).map(Math.log10),
    ).sort();
  let sorted = logs(values);
  if (sorted.length >= kMinValues) {
    const above = beyondGap(sorted);
    // Mirrored, the small values are at the end.
    const below = beyondGap(sorted.map((log) => -log).reverse());
    sorted = sorted.subarray(below, sorted.length - above);
  }
  const further = logs(include);
  if (sorted.length === 0 && further.length === 0) return null;
  const from = Math.min(
    sorted[0] ?? Number.POSITIVE_INFINITY,
    further[0] ?? Number.POSITIVE_INFINITY,
  );
  const to = Math.max(
    sorted.at(-1) ?? Number.NEGATIVE_INFINITY,
    further.at(-1) ?? Number.NEGATIVE_INFINITY,
  );
  const pad = Math.max((to - from) * kMargin, (kMinSpan - (to - from)) / 2);
  return { from: from - pad, to: to + pad };
}

// From 0 to 1 within the scale.
export function placeOn(scale: LogScale, value: number): number {
  return (Math.log10(value) - scale.from) / (scale.to - scale.from);
}

export function valueAt(scale: LogScale, place: number): number {
  return 10 ** (scale.from + place * (scale.to - scale.from));
}

// At 1, or 1 and 3, or 1, 2 and 5 times the powers of ten: the finest set of at most `most` ticks;
// on very long axes every n-th power.
export function logTicks(scale: LogScale, most: number): readonly number[] {
  const first = Math.floor(scale.from) - 1;
  const last = Math.ceil(scale.to) + 1;
  const within = (mantissas: readonly number[], every: number): readonly number[] => {
    const ticks: number[] = [];
    for (let power = first; power <= last; power += 1) {
      if (power % every !== 0) continue;
      for (const mantissa of mantissas) {
        const value = mantissa * 10 ** power;
        const place = placeOn(scale, value);
        if (place >= 0 && place <= 1) ticks.push(value);
      }
    }
    return ticks;
  };
  // Less than one power of ten has few ticks: only then use the fine ones.
  const fine = scale.to - scale.from < 1 ? [[1, 2, 3, 5, 7]] : [];
  for (const mantissas of [...fine, [1, 2, 5], [1, 3], [1]]) {
    const ticks = within(mantissas, 1);
    if (ticks.length <= most && ticks.length >= 2) return ticks;
  }
  for (let every = 2; every < 20; every += 1) {
    const ticks = within([1], every);
    if (ticks.length <= most) return ticks;
  }
  return [];
}

// "30", "1 k", "2 M", "0.05".
export function tickText(value: number): string {
  const digits = (v: number): string => String(Number(v.toPrecision(3)));
  if (value >= 1e9) return `${digits(value / 1e9)} G`;
  if (value >= 1e6) return `${digits(value / 1e6)} M`;
  if (value >= 1e3) return `${digits(value / 1e3)} k`;
  if (value >= 1e-4) return digits(value);
  return value.toExponential(0).replace('-', '\u2212');
}
