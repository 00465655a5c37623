// Where words stand beside the marks they name, so that none covers another.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

// Heights of labels beside the ends of lines: as near as can be to where they belong, `gap` apart, in
// the order of their ends, between `low` and `high` while they fit.
export function spreadApart(
  wanted: readonly number[],
  gap: number,
  low: number,
  high: number,
): readonly number[] {
  const order = wanted.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  // Groups of labels that touch; each is centred on what its members want.
  const groups: { sum: number; members: number[] }[] = [];
  const topOf = ({ sum, members }: { sum: number; members: number[] }): number => {
    const room = gap * (members.length - 1);
    const top = sum / members.length - room / 2;
    return Math.max(low, Math.min(top, high - room));
  };
  for (const { at, i } of order) {
    groups.push({ sum: at, members: [i] });
    for (;;) {
      const last = groups.at(-1);
      const before = groups.at(-2);
      if (last === undefined || before === undefined) break;
      if (topOf(before) + gap * before.members.length <= topOf(last)) break;
      groups.splice(-2, 2, {
        sum: before.sum + last.sum,
        members: [...before.members, ...last.members],
      });
    }
  }
  const places = new Array<number>(wanted.length).fill(0);
  for (const group of groups) {
    for (const [k, i] of group.members.entries()) places[i] = topOf(group) + k * gap;
  }
  return places;
}

export interface Named {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

// The left middle of the words that name a point, in the first of six spots around it where they
// touch no other words and none of `taken`; null: there is none.
export function placeNames(
  points: readonly Named[],
  height: number,
  within: Box,
  taken: readonly Box[],
  away = 8,
): readonly ({ readonly x: number; readonly y: number } | null)[] {
  const used = [...taken];
  return points.map(({ x, y, width }) => {
    const spots = [
      [x + away, y],
      [x + away, y - height],
      [x + away, y + height],
      [x - away - width, y],
      [x - away - width, y - height],
      [x - away - width, y + height],
    ] as const;
    for (const [left, middle] of spots) {
      const box = { left, top: middle - height / 2, width, height };
      const isInside =
        box.left >= within.left &&
        box.left + width <= within.left + within.width &&
        box.top >= within.top &&
        box.top + height <= within.top + within.height;
      if (!isInside || used.some((other) => overlap(box, other))) continue;
      used.push(box);
      return { x: left, y: middle };
    }
    return null;
  });
}
