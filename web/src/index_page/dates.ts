// Dates in relative words, with the full date in the tooltip.

import { kMissing } from '../base/format.ts';

const kMinute = 60_000;
const kHour = 60 * kMinute;
const kDay = 24 * kHour;

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dayText(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function fullDateText(ms: number | null): string {
  if (ms === null) return 'date not known';
  const date = new Date(ms);
  return `${dayText(date)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// "now", "12 min ago", "5 h ago", then the day.
export function dateText(ms: number | null, nowMs: number): string {
  if (ms === null) return kMissing;
  const age = nowMs - ms;
  if (age >= 0 && age < kMinute) return 'now';
  if (age >= 0 && age < kHour) return `${Math.floor(age / kMinute)} min ago`;
  if (age >= 0 && age < kDay) return `${Math.floor(age / kHour)} h ago`;
  return dayText(new Date(ms));
}
