// As many chips as a cell has room for; how many more there are is the last.

import { bodyFont, textWidth } from '../../public/index.ts';
import type { ChangeChip } from './pair_facts.ts';

// Of a chip, what is not its text.
const kPadding = 12;
const kGap = 5;

type Measure = (text: string) => number;

const measured: Measure = (text) => textWidth(text, bodyFont(11));

export function fittingChips(
  chips: readonly ChangeChip[],
  room: number,
  width: Measure = measured,
): readonly ChangeChip[] {
  const widths = chips.map((chip) => width(chip.text) + kPadding + kGap);
  const sums = widths.map((_, i) => widths.slice(0, i + 1).reduce((sum, w) => sum + w, 0));
  if ((sums.at(-1) ?? 0) <= room) return chips;
  const last = width(`+${String(chips.length)}`) + kPadding;
  // At least one: that it is cut says more than a number alone.
  const fit = Math.max(1, sums.filter((sum) => sum + last <= room).length);
  const rest = chips.slice(fit);
  if (rest.length === 0) return chips;
  const more: ChangeChip = {
    change: 'more',
    text: `+${String(rest.length)}`,
    title: rest.map((chip) => chip.text).join('\n'),
  };
  return [...chips.slice(0, fit), more];
}
