// Cells of a result as text: with as many digits as are readable in a table, and with all of them
// when copied or saved.

import { fixed, integer, isNumber, kMissing, significant } from '../../base/format.ts';
import { visible } from '../../base/text.ts';
import type { QueryCell, QueryColumn, QueryRows } from '../../model/query_rows.ts';

// For the greatest number of a column, and for its least.
const kDigits = 4;
const kMinDigits = 2;
const kMaxDecimals = 9;
const kThinSpace = '\u2009';

export function isNumeric({ type }: QueryColumn): boolean {
  return type === 'int64' || type === 'double';
}

// Whether a column's name contains its unit, or it has none.
function says(name: string, unit: string | null): boolean {
  return unit === null || unit === 'count' || name.endsWith(`_${unit}`);
}

export function headText({ name, unit }: QueryColumn): string {
  return visible(name) + (says(name, unit) ? '' : ` ${visible(unit ?? '')}`);
}

// As a double: for drawing and sorting. NaN: not a number.
export function numberOf(cell: QueryCell | undefined): number {
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'number' ? cell : Number.NaN;
}

function magnitude(value: number): number {
  return Math.floor(Math.log10(value));
}

// One number of decimals for a column; null: its numbers differ too much for that.
export function decimalsOf(values: Iterable<number>): number | null {
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  let isWhole = true;
  for (const value of values) {
    if (!isNumber(value) || value === 0) continue;
    const size = Math.abs(value);
    most = Math.max(most, size);
    least = Math.min(least, size);
    isWhole &&= Number.isInteger(value);
  }
  if (most === 0 || isWhole) return 0;
  const wanted = Math.max(kDigits - 1 - magnitude(most), kMinDigits - 1 - magnitude(least), 0);
  return wanted > kMaxDecimals ? null : wanted;
}

function grouped(value: bigint): string {
  const digits = String(value).replace('-', '\u2212');
  return digits.replace(/\B(?=(\d{3})+$)/g, kThinSpace);
}

function numberText(value: number, decimals: number | null): string {
  if (decimals !== null) return fixed(value, decimals);
  const size = Math.abs(value);
  const isReadable = size === 0 || (size >= 1e-4 && size < 1e15);
  return isReadable ? significant(value, kDigits) : value.toPrecision(kDigits);
}

export function cellText(cell: QueryCell | undefined, decimals: number | null): string {
  if (cell === null || cell === undefined) return kMissing;
  if (typeof cell === 'bigint') return grouped(cell);
  if (typeof cell !== 'number') return visible(exactText(cell));
  // The core's names for values without a unit.
  if (!Number.isFinite(cell)) return exactText(cell);
  return Number.isInteger(cell) && decimals === 0 ? integer(cell) : numberText(cell, decimals);
}

// The shortest digits that read back as the same number, in the form of C++, so that files match
// the program's: of equal length without an exponent, which has at least two digits.
export function shortestText(value: number): string {
  if (Number.isNaN(value)) return '';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const scientific = value
    .toExponential()
    .replace(/e([+-])(\d)$/, (_, sign: string, digit: string) => `e${sign}0${digit}`);
  const plain = plainText(value);
  return plain.length <= scientific.length ? plain : scientific;
}

function plainText(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value));
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const sign = digits.startsWith('-') ? '-' : '';
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, '')}`;
}

// Nothing is rounded or grouped; empty: null.
export function exactText(cell: QueryCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return shortestText(cell);
  if (typeof cell === 'object') return JSON.stringify(cell);
  return String(cell);
}

// The decimals of each column.
export function columnDecimals({ columns, rows }: QueryRows): readonly (number | null)[] {
  return columns.map((column, i) =>
    column.type === 'double' ? decimalsOf(rows.map((row) => numberOf(row[i]))) : 0,
  );
}
