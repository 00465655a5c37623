// How a result is drawn: kind, x column, numbers; and the default before the reader chooses.

import { isNumeric, numberOf, type QueryRows } from '../../public/index.ts';
import { columnNamed } from './result.ts';

export const kKinds = ['bar', 'line', 'scatter'] as const;
export type Kind = (typeof kKinds)[number];

export const kMaxNumbers = 4;

export interface ChartChoice {
  readonly kind: Kind;
  // Columns by index. Null: over the rows, in the table's order.
  readonly x: number | null;
  readonly ys: readonly number[];
}

// The link's form: columns count from 1, and 0 is no column.
export interface WrittenChoice {
  readonly chart: string | null;
  readonly x: string | null;
  readonly y: string | null;
}

function hasValues({ rows }: QueryRows, column: number): boolean {
  return rows.some((row) => row[column] !== null);
}

// Columns with numbers to draw.
export function numberColumns(result: QueryRows): readonly number[] {
  return result.columns.flatMap((column, i) =>
    isNumeric(column) && hasValues(result, i) ? [i] : [],
  );
}

function isUnlike({ rows }: QueryRows, column: number): boolean {
  return new Set(rows.map((row) => row[column])).size === rows.length;
}

function ascends({ rows }: QueryRows, column: number): boolean {
  let last = Number.NEGATIVE_INFINITY;
  return rows.every((row) => {
    const value = numberOf(row[column]);
    const isNext = value > last;
    last = value;
    return isNext;
  });
}

// With several engines the numbering restarts for each.
function ascendsInEach(result: QueryRows, column: number): boolean {
  const engine = columnNamed(result.columns, 'engine');
  const names = engine < 0 ? [null] : [...new Set(result.rows.map((row) => row[engine]))];
  return names.every((name) => {
    const rows = engine < 0 ? result.rows : result.rows.filter((row) => row[engine] === name);
    return ascends({ columns: result.columns, rows }, column);
  });
}

export function kindOver(result: QueryRows, x: number | null): Kind {
  const column = x === null ? undefined : result.columns[x];
  if (x === null || column === undefined) return 'line';
  if (!isNumeric(column)) return 'bar';
  return ascendsInEach(result, x) ? 'line' : 'scatter';
}

// x is the first text column, preferably one that distinguishes rows; y the first number,
// preferably with a unit. Null: nothing to draw.
export function firstChoice(result: QueryRows): ChartChoice | null {
  const { columns, rows } = result;
  const numbers = numberColumns(result);
  if (rows.length < 2 || numbers.length === 0) return null;
  const isId = (i: number): boolean => columns[i]?.name.endsWith('_id') === true;
  const unitOf = (i: number): string | null => columns[i]?.unit ?? null;
  const engine = columnNamed(columns, 'engine');
  const texts = columns.flatMap((column, i) =>
    !isNumeric(column) && i !== engine && hasValues(result, i) ? [i] : [],
  );
  const yAmong = (places: readonly number[]): number | undefined =>
    places.find((i) => unitOf(i) !== null && unitOf(i) !== 'count') ??
    places.find((i) => unitOf(i) !== null) ??
    places.find((i) => !isId(i)) ??
    places[0];
  const text = texts.find((i) => isUnlike(result, i)) ?? texts[0];
  const lonely = engine >= 0 && isUnlike(result, engine) ? engine : undefined;
  // Without a text: one number against another, or a number over the ids.
  const plain = numbers.filter((i) => !isId(i));
  const over = plain.length > 1 ? plain[0] : plain.length === 1 ? numbers.find(isId) : undefined;
  const x = text ?? lonely ?? over ?? null;
  const y = yAmong(numbers.filter((i) => i !== x));
  return y === undefined ? null : { kind: kindOver(result, x), x, ys: [y] };
}

export function readChoice(result: QueryRows, written: WrittenChoice): ChartChoice | null {
  const first = firstChoice(result);
  if (first === null) return null;
  const numbers = numberColumns(result);
  const place = (text: string): number => Number(text) - 1;
  const wantedX = written.x === null ? Number.NaN : place(written.x);
  const x = wantedX === -1 ? null : result.columns[wantedX] === undefined ? first.x : wantedX;
  const ys = [...new Set((written.y ?? '').split(',').map(place))].filter((y) =>
    numbers.includes(y),
  );
  const kind = kKinds.find((one) => one === written.chart);
  return {
    kind: kind ?? (x === first.x ? first.kind : kindOver(result, x)),
    x,
    ys: ys.length === 0 ? first.ys : ys.slice(0, kMaxNumbers),
  };
}

// Null for the default choice.
export function writeChoice(result: QueryRows, { kind, x, ys }: ChartChoice): WrittenChoice {
  const first = firstChoice(result);
  const usual = x === first?.x ? first.kind : kindOver(result, x);
  return {
    chart: kind === usual ? null : kind,
    x: x === first?.x ? null : String(x === null ? 0 : x + 1),
    y: ys.join() === first?.ys.join() ? null : ys.map((y) => y + 1).join(','),
  };
}
