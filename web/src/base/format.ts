// Numbers as text, by the rules in section 4 of the design page: one unit and one number of
// decimals per column, three significant digits in text, thin spaces between groups, a real minus
// sign. The program formats sentences by the same rules (src/base/quantities.h);
// tests/data/number_cases.json checks both.

export const kMissing = '–';
const kThinSpace = '\u2009';
const kMinus = '\u2212';

// Exact times are whole femtoseconds.
export const kFsPerMs = 1e12;

export function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function group(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, kThinSpace);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export function fixed(value: number | null | undefined, decimals: number): string {
  if (!isNumber(value)) return kMissing;
  const digits = Math.abs(value).toFixed(decimals);
  const negative = value < 0 && Number(digits) !== 0;
  return (negative ? kMinus : '') + group(digits);
}

export function integer(value: number | null | undefined): string {
  return fixed(value, 0);
}

// Three significant digits, never in exponent form.
export function significant(value: number | null | undefined, digits = 3): string {
  if (!isNumber(value)) return kMissing;
  if (value === 0) return '0';
  // Rounded first: 0.9996 has the digits of 1.00.
  const rounded = Number(Math.abs(value).toPrecision(digits));
  const magnitude = Math.floor(Math.log10(rounded));
  return fixed(value, Math.min(9, Math.max(0, digits - 1 - magnitude)));
}

export function signed(value: number | null | undefined, decimals: number): string {
  if (!isNumber(value)) return kMissing;
  const text = fixed(value, decimals);
  return value > 0 && Number(value.toFixed(decimals)) !== 0 ? `+${text}` : text;
}

export interface Unit {
  readonly unit: string;
  // Multiply the stored value by this to get the shown one.
  readonly scale: number;
  readonly decimals: number;
}

// The largest value of a table decides the unit of its whole column.
export function timeUnit(maxMs: number): Unit {
  return maxMs >= 1
    ? { unit: 'ms', scale: 1, decimals: 3 }
    : { unit: 'µs', scale: 1e3, decimals: 1 };
}

export function inUnit(value: number | null | undefined, unit: Unit): string {
  if (!isNumber(value)) return kMissing;
  return fixed(value * unit.scale, unit.decimals);
}

// Percent of a ratio, one decimal; a nonzero value that rounds to 0 is shown as such ("<0.1").
export function percent(ratio: number | null | undefined): string {
  if (!isNumber(ratio)) return kMissing;
  const value = ratio * 100;
  return value > 0 && value < 0.05 ? '<0.1' : fixed(value, 1);
}

// A value in a unit with one decimal; a nonzero value that rounds to 0 is shown as such.
export function oneDecimal(value: number | null | undefined): string {
  if (!isNumber(value)) return kMissing;
  return value > 0 && value < 0.05 ? '<0.1' : fixed(value, 1);
}

export interface Quantity {
  readonly value: string;
  readonly unit: string;
}

const kPrefixes = ['', 'k', 'M', 'G', 'T', 'P'] as const;

function quantity(value: number | null | undefined, base: string, isFraction = false): Quantity {
  if (!isNumber(value)) return { value: kMissing, unit: '' };
  let scaled = value;
  let step = 0;
  // 999.5 rounds to 1 000 with three digits: take the next prefix instead.
  while (Math.abs(scaled) >= 999.5 && step < kPrefixes.length - 1) {
    scaled /= 1000;
    step += 1;
  }
  const unit = (kPrefixes[step] ?? '') + base;
  return { value: step === 0 && !isFraction ? integer(scaled) : significant(scaled), unit };
}

export const bytesQuantity = (value: number | null | undefined): Quantity => quantity(value, 'B');
// How many bytes one unit has: "kB" is a thousand.
export function bytesPer(unit: string): number {
  return (
    1000 **
    Math.max(
      0,
      kPrefixes.findIndex((prefix) => `${prefix}B` === unit),
    )
  );
}

export const flopsQuantity = (value: number | null | undefined): Quantity =>
  quantity(value, 'FLOP');
export const macsQuantity = (value: number | null | undefined): Quantity => quantity(value, 'MAC');

export function quantityText(q: Quantity): string {
  return q.unit === '' ? q.value : `${q.value} ${q.unit}`;
}

export const bytesText = (value: number | null | undefined): string =>
  quantityText(bytesQuantity(value));
export const flopsText = (value: number | null | undefined): string =>
  quantityText(flopsQuantity(value));

// "312 TFLOP/s", "500 GFLOP/s"; for integer types "624 TOP/s".
export function rateText(perS: number, isInteger = false): string {
  const { value, unit } = quantity(perS, isInteger ? 'OP' : 'FLOP', true);
  return `${value} ${unit}/s`;
}

// "1 935 GB/s", "49.6 GB/s".
export function bandwidthText(bytesPerS: number): string {
  return `${fixed(bytesPerS / 1e9, bytesPerS < 99.95e9 ? 1 : 0)} GB/s`;
}

// Times in sentences: three decimals from 0.1 ms on, then three significant digits.
export function msText(ms: number | null | undefined): string {
  if (!isNumber(ms)) return kMissing;
  return Math.abs(ms) >= 0.1 || ms === 0 ? fixed(ms, 3) : significant(ms);
}

export function dimsText(dims: readonly number[] | null): string {
  if (dims === null) return kMissing;
  if (dims.length === 0) return 'scalar';
  return dims.map((d) => (d < 0 ? '?' : String(d))).join('×');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${integer(count)} ${count === 1 ? one : many}`;
}

// Ticks at 1, 2 or 5 times a power of ten: three to five of them from 0 to the maximum.
export function niceTicks(max: number, target = 5): readonly number[] {
  if (!(max > 0)) return [0];
  const raw = max / target;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const ticks: number[] = [];
  for (let i = 0; i * step <= max * (1 + 1e-9); i += 1) ticks.push(i * step);
  return ticks;
}

// The same, with one more tick if the last one is below the maximum: for an axis at which bars end.
export function coveringTicks(max: number, target = 5): readonly number[] {
  const ticks = niceTicks(max, target);
  const last = ticks.at(-1) ?? 0;
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return step > 0 && last < max * (1 - 1e-9) ? [...ticks, last + step] : ticks;
}

export function tickDecimals(ticks: readonly number[]): number {
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return step > 0 ? Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
}

export interface NiceRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly decimals: number;
}

// An axis that need not begin at 0: its ends are ticks, about `target` steps apart.
export function niceRange(low: number, high: number, target = 4): NiceRange {
  const span = high > low ? high - low : Math.max(Math.abs(high), 1) * 1e-3;
  const raw = span / target;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * (1 - 1e-9)) ?? raw;
  const min = Math.floor(low / step + 1e-9) * step;
  const max = Math.max(Math.ceil(high / step - 1e-9) * step, min + step);
  return { min, max, step, decimals: Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) };
}
