import { describe, expect, it } from 'vitest';

import { dateText, fullDateText } from './dates.ts';

const kNow = new Date(2026, 9, 20, 12, 0, 0).getTime();

describe('dateText', () => {
  it('says how long ago, then the day', () => {
    expect(dateText(kNow - 59_000, kNow)).toBe('now');
    expect(dateText(kNow - 60_000, kNow)).toBe('1 min ago');
    expect(dateText(kNow - 3_599_000, kNow)).toBe('59 min ago');
    expect(dateText(kNow - 23 * 3_600_000, kNow)).toBe('23 h ago');
    expect(dateText(kNow - 24 * 3_600_000, kNow)).toBe('2026-10-19');
  });
  it('says the day of what lies in the future, and nothing of what is not known', () => {
    expect(dateText(kNow + 1000, kNow)).toBe('2026-10-20');
    expect(dateText(null, kNow)).toBe('–');
    expect(fullDateText(kNow)).toBe('2026-10-20 12:00:00');
    expect(fullDateText(null)).toBe('date not known');
  });
});
