// Times and names of tactics, as every view writes them.

import { kMissing } from '../base/format.ts';
import { visible } from '../base/text.ts';

// Short times to a hundredth of a microsecond, because tactics differ by less: "41 ns", "2.07 µs".
export function tacticTimeText(ms: number | null): string {
  if (ms === null) return kMissing;
  const sign = ms < 0 ? '−' : '';
  const size = Math.abs(ms);
  if (size < 0.001) return `${sign}${(size * 1e6).toFixed(0)} ns`;
  if (size < 0.01) return `${sign}${(size * 1e3).toFixed(2)} µs`;
  if (size < 1) return `${sign}${(size * 1e3).toPrecision(3)} µs`;
  return `${sign}${size < 1000 ? size.toPrecision(3) : size.toFixed(0)} ms`;
}

// The kernel's name, else the implementation's with its tactic.
export function kernelText(
  name: string | null,
  runner: string | null,
  tactic: string | null,
): string {
  if (name !== null) return visible(name);
  if (runner === null) return kMissing;
  return visible(tactic === null ? runner : `${runner} ${tactic}`);
}
