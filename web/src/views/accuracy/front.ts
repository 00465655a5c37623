// The points of a search as drawn: the cost of a layer in float, and which points no other one
// beats at that cost.

import {
  bytesText,
  fixed,
  integer,
  isNumber,
  joined,
  percent,
  plural,
  visible,
  type EngineAccuracy,
  type FrontPoint,
} from '../../public/index.ts';

export type Cost = 'layers' | 'macs' | 'bytes' | 'ms' | 'median';

interface CostAxis {
  // In the choice next to the title, and under the axis.
  readonly name: string;
  readonly title: string;
  readonly value: (point: FrontPoint) => number | null;
  readonly text: (value: number) => string;
}

const kMaxNames = 3;

export const kCosts: Readonly<Record<Cost, CostAxis>> = {
  layers: {
    name: 'layers',
    title: 'layers in float',
    value: (point) => point.float_layers,
    text: integer,
  },
  macs: {
    name: 'MACs',
    title: 'their share of the MACs, %',
    value: (point) => point.macs_ratio,
    text: percent,
  },
  bytes: {
    name: 'bytes',
    title: 'their weights in float, kB',
    value: (point) => point.weight_bytes,
    text: (value) => fixed(value / 1000, value >= 1e5 ? 0 : 1),
  },
  ms: {
    name: 'their ms',
    title: 'their time in the float engine, ms',
    value: (point) => point.ms,
    text: (value) => fixed(value, 3),
  },
  median: {
    name: 'measured ms',
    title: 'measured time of the whole model, ms',
    value: (point) => point.median_ms,
    text: (value) => fixed(value, 3),
  },
};

const isCost = (text: string | null): text is Cost => text !== null && Object.hasOwn(kCosts, text);

// The costs that some point has.
export function knownCosts({ front }: EngineAccuracy): readonly Cost[] {
  return (Object.keys(kCosts) as Cost[]).filter((cost) =>
    front.some((point) => isNumber(kCosts[cost].value(point))),
  );
}

// The cost in the link, else the measured one, else the one that the search used.
export function costOf(accuracy: EngineAccuracy, wanted: string | null): Cost {
  const known = knownCosts(accuracy);
  for (const cost of [wanted, 'median', accuracy.cost]) {
    if (isCost(cost) && known.includes(cost)) return cost;
  }
  return known[0] ?? 'layers';
}

// On all samples that were held back; in older records, on those of the search.
export const dbOf = (point: FrontPoint): number | null => point.judged_sqnr_db ?? point.sqnr_db;
export const topOf = (point: FrontPoint): number | null =>
  point.judged_top1_ratio ?? point.top1_ratio;

export interface PlacedPoint {
  readonly point: FrontPoint;
  readonly cost: number;
  readonly db: number;
  // Another point is as close for less, or closer for the same: the search used another cost.
  readonly isBeaten: boolean;
}

// By cost; without those that lack a value.
export function placedPoints(accuracy: EngineAccuracy, cost: Cost): readonly PlacedPoint[] {
  const placed = accuracy.front.flatMap((point) => {
    const [x, db] = [kCosts[cost].value(point), dbOf(point)];
    return isNumber(x) && isNumber(db) ? [{ point, cost: x, db }] : [];
  });
  type Place = Pick<PlacedPoint, 'cost' | 'db'>;
  const beats = (one: Place, two: Place): boolean =>
    one.cost <= two.cost && one.db >= two.db && (one.cost < two.cost || one.db > two.db);
  return placed
    .map((one) => ({ ...one, isBeaten: placed.some((other) => beats(other, one)) }))
    .sort((one, two) => one.cost - two.cost || one.db - two.db);
}

export function intervalText(point: FrontPoint): string | null {
  const { median_ms: ms, median_low_ms: low, median_high_ms: high } = point;
  if (!isNumber(ms)) return null;
  const interval =
    isNumber(low) && isNumber(high) ? ` (95 %: ${fixed(low, 3)} to ${fixed(high, 3)})` : '';
  return `${fixed(ms, 3)} ms${interval}`;
}

// At most six lines.
export function pointLines(point: FrontPoint): readonly string[] {
  const { macs_ratio: macs, weight_bytes: bytes, kept } = point;
  const [db, top1] = [dbOf(point), topOf(point)];
  const names = kept.slice(0, kMaxNames).map(visible);
  const rest = kept.length - kMaxNames;
  if (rest > 0) names[kMaxNames - 1] = `and ${plural(rest + 1, 'more layer')}`;
  return [
    joined(
      [
        `${plural(point.float_layers ?? 0, 'layer')} in float`,
        isNumber(db) && `${fixed(db, 1)} dB`,
        isNumber(top1) && `top-1 ${percent(top1)} %`,
      ],
      ' · ',
    ),
    joined(
      [
        isNumber(macs) && `${percent(macs)} % of MACs`,
        isNumber(bytes) && `${bytesText(bytes)} of weights`,
      ],
      ' · ',
    ),
    intervalText(point) ?? '',
    ...names,
  ].filter((line) => line !== '');
}
