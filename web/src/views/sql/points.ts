// Positions of a result's numbers in a chart: on a numeric axis, or one place per text; one series
// per column and, with several engines, per engine.

import {
  cellText,
  isNumeric,
  numberOf,
  type QueryCell,
  type QueryRows,
} from '../../public/index.ts';
import type { ChartChoice } from './choice.ts';
import { columnNamed } from './result.ts';

// The number of series that can be told apart.
export const kMaxSeries = 6;
// With more bars than this, the chart is unreadable.
const kMaxBars = 240;

export interface Point {
  readonly x: number;
  readonly y: number;
  // Its row in the result.
  readonly at: number;
}

export interface Series {
  readonly y: number;
  // Null: for all engines.
  readonly engine: string | null;
  readonly points: readonly Point[];
}

export interface Points {
  // Null: x are numbers.
  readonly categories: readonly string[] | null;
  readonly series: readonly Series[];
  readonly rowCount: number;
  // Rows above the number that can be drawn.
  readonly leftOut: number;
  // Engines above the number that can be told apart.
  readonly enginesLeftOut: number;
}

// Texts that recur within a series have places of their own.
class Categories {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  placeOf(series: string, name: string): number {
    const own = JSON.stringify([series, name]);
    const times = this.#seen.get(own) ?? 0;
    this.#seen.set(own, times + 1);
    const key = JSON.stringify([name, times]);
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.names.length;
      this.names.push(name);
      this.#places.set(key, place);
    }
    return place;
  }
}

function enginesIn({ columns, rows }: QueryRows, x: number | null): readonly QueryCell[] | null {
  const at = columnNamed(columns, 'engine');
  if (at < 0 || at === x) return null;
  const names = [...new Set(rows.map((row) => row[at] ?? null))];
  return names.length < 2 ? null : names;
}

// `order`: rows of the result in the table's order.
export function pointsOf(
  result: QueryRows,
  { kind, x, ys }: ChartChoice,
  order: ArrayLike<number>,
): Points {
  const { columns, rows } = result;
  const xColumn = x === null ? undefined : columns[x];
  const isOverNumbers = kind !== 'bar' && (xColumn === undefined || isNumeric(xColumn));
  const engineAt = columnNamed(columns, 'engine');
  const all = enginesIn(result, x);
  const engines = all?.slice(0, Math.max(1, Math.floor(kMaxSeries / ys.length))) ?? null;
  const categories = new Categories();
  const places: { readonly at: number; readonly x: number; readonly engine: number }[] = [];
  let leftOut = 0;
  for (let place = 0; place < order.length; place += 1) {
    const at = order[place] ?? 0;
    const row = rows[at] ?? [];
    const engine = engines === null ? 0 : engines.indexOf(row[engineAt] ?? null);
    if (engine < 0) continue;
    const cell = x === null ? place + 1 : row[x];
    if (isOverNumbers) {
      const value = numberOf(cell);
      if (Number.isFinite(value)) places.push({ at, x: value, engine });
      continue;
    }
    const own = categories.placeOf(String(engine), cellText(cell, 0));
    if (kind === 'bar' && own >= kMaxBars) leftOut += 1;
    else places.push({ at, x: own, engine });
  }
  const series = ys.flatMap((y) =>
    (engines ?? [null]).map((engine, i): Series => {
      const points = places
        .filter((one) => one.engine === i)
        .map(({ at, x: own }) => ({ at, x: own, y: numberOf(rows[at]?.[y]) }))
        .filter((point) => Number.isFinite(point.y));
      return {
        y,
        engine: engine === null ? null : cellText(engine, 0),
        // A line goes from left to right, whatever the order of the table.
        points: kind === 'line' && isOverNumbers ? points.sort((a, b) => a.x - b.x) : points,
      };
    }),
  );
  return {
    categories: isOverNumbers
      ? null
      : categories.names.slice(0, kind === 'bar' ? kMaxBars : undefined),
    series,
    rowCount: places.length,
    leftOut,
    enginesLeftOut: (all?.length ?? 0) - (engines?.length ?? 0),
  };
}
