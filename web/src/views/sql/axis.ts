// The numeric axis for a column.

import { bytesText, coveringTicks, fixed, niceRange, tickDecimals } from '../../public/index.ts';
import { rangeTicks, type Ticks } from '../../public/plot/index.ts';

// If values differ by less than this fraction of the greatest, differences are only visible without
// 0.
const kNear = 0.5;

export interface NumberAxis extends Ticks {
  readonly min: number;
  readonly max: number;
}

// `hasZero`: bars begin there.
export function numberAxis(
  numbers: readonly number[],
  unit: string | null,
  hasZero: boolean,
  ticks: number,
): NumberAxis {
  const low = numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const high = numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  const text = (decimals: number) => (tick: number) =>
    unit === 'bytes' ? bytesText(tick) : fixed(tick, decimals);
  const isFarFromZero = !hasZero && low > 0 && high - low < kNear * high;
  if (low >= 0 && high > 0 && !isFarFromZero) {
    const values = coveringTicks(high, ticks);
    return { min: 0, max: values.at(-1) ?? high, values, text: text(tickDecimals(values)) };
  }
  const ends = hasZero ? ([Math.min(0, low), Math.max(0, high)] as const) : ([low, high] as const);
  const range = niceRange(...ends, ticks);
  return { ...range, ...rangeTicks(range), text: text(range.decimals) };
}
