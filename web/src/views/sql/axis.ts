// The axis of numbers that a column is drawn on.

import { bytesText, coveringTicks, fixed, niceRange, tickDecimals } from '../../public/index.ts';

// Values nearer to one another than this part of the greatest are seen apart only where 0 is left out.
const kNear = 0.5;

export interface NumberAxis {
  readonly min: number;
  readonly max: number;
  readonly interval: number;
  readonly text: (tick: number) => string;
}

// `hasZero`: bars begin there.
export function numberAxis(
  values: readonly number[],
  unit: string | null,
  hasZero: boolean,
  ticks: number,
): NumberAxis {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const text = (decimals: number) => (tick: number) =>
    unit === 'bytes' ? bytesText(tick) : fixed(tick, decimals);
  const isFarFromZero = !hasZero && low > 0 && high - low < kNear * high;
  if (low >= 0 && high > 0 && !isFarFromZero) {
    const places = coveringTicks(high, ticks);
    const max = places.at(-1) ?? high;
    return { min: 0, max, interval: places[1] ?? max, text: text(tickDecimals(places)) };
  }
  const range = hasZero
    ? niceRange(Math.min(0, low), Math.max(0, high), ticks)
    : niceRange(low, high, ticks);
  return { min: range.min, max: range.max, interval: range.step, text: text(range.decimals) };
}
