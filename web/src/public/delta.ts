// Differences as text: within noise they are grey with ≈ in front, else teal with a minus or rust
// with a plus.

import { span } from '../base/dom.ts';
import { fixed, kMissing, signed, timeUnit, type Unit } from '../base/format.ts';

// The maximum of a table's bars, and its unit: filtering its rows changes neither.
export interface DeltaScale {
  readonly unit: Unit;
  readonly maxMs: number;
  readonly maxDeltaMs: number;
}

export function scaleOf(
  rows: readonly number[],
  times: (row: number) => readonly (number | null)[],
  delta: (row: number) => number | null,
): DeltaScale {
  let [maxMs, maxDeltaMs] = [0, 0];
  for (const row of rows) {
    maxMs = Math.max(maxMs, ...times(row).map((ms) => ms ?? 0));
    maxDeltaMs = Math.max(maxDeltaMs, Math.abs(delta(row) ?? 0));
  }
  return { unit: timeUnit(maxMs), maxMs, maxDeltaMs };
}

export function deltaText(ms: number | null, unit: Unit, exceedsNoise: boolean | null): string {
  if (ms === null) return kMissing;
  const value = ms * unit.scale;
  // A nonzero difference does not read as zero.
  const isLost = exceedsNoise === true && ms !== 0 && Math.abs(value) < 0.5 * 10 ** -unit.decimals;
  const text = signed(value, unit.decimals + (isLost ? 2 : 0));
  return exceedsNoise === false ? `≈ ${text}` : text;
}

// The colour class of a difference; none unless it is known to exceed noise.
export function deltaClass(ms: number | null, exceedsNoise: boolean | null): string {
  if (ms === null) return 'dim';
  if (exceedsNoise === false) return 'noise';
  if (exceedsNoise === null || ms === 0) return '';
  return ms < 0 ? 'faster' : 'slower';
}

export function deltaMark(
  ms: number | null,
  unit: Unit,
  exceedsNoise: boolean | null,
): HTMLElement {
  return span(`delta ${deltaClass(ms, exceedsNoise)}`, deltaText(ms, unit, exceedsNoise));
}

// A bar from the middle of its cell, to the left if B is faster.
export function divergingBar(
  ms: number | null,
  maxMs: number,
  halfPx: number,
  exceedsNoise: boolean | null,
): HTMLElement {
  const track = span('diverging');
  track.style.width = `${String(2 * halfPx)}px`;
  if (ms === null || ms === 0 || !(maxMs > 0)) return track;
  const ratio = Math.min(1, Math.abs(ms) / maxMs);
  const width = Math.max(1, ratio * halfPx);
  const fill = span(`diverging-bar ${deltaClass(ms, exceedsNoise)}`);
  fill.style.width = `${width.toFixed(1)}px`;
  fill.style.left = `${(ms < 0 ? halfPx - width : halfPx).toFixed(1)}px`;
  track.append(fill);
  return track;
}

// "1.62": A ÷ B.
export function ratioText(ratio: number | null): string {
  return ratio === null ? kMissing : fixed(ratio, ratio < 0.1 ? 3 : 2);
}

// Whether a speed-up gets a colour: past the threshold, and more than noise.
export function ratioClass(
  ratio: number | null,
  threshold: number,
  exceedsNoise: boolean | null,
): string {
  if (ratio === null) return 'dim';
  if (exceedsNoise === false) return 'noise';
  if (ratio > 1 + threshold) return 'faster';
  return ratio < 1 - threshold ? 'slower' : '';
}

// The difference in dB that gets a colour: the engine's loss then counts as a fault of its own.
const kWideGapDb = 3;

export function lossDeltaMark(db: number | null): HTMLElement {
  if (db === null) return span('dim', kMissing);
  const tone = db <= -kWideGapDb ? 'slower' : db >= kWideGapDb ? 'faster' : '';
  return span(tone, signed(db, 1));
}
