// Positions of labels next to their marks, so that none covers another.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

// Heights of labels next to the ends of lines: as near as possible to their ends, `gap` apart, in
// the order of their ends, between `low` and `high` while they fit.
export function spreadApart(
  wanted: readonly number[],
  gap: number,
  low: number,
  high: number,
): readonly number[] {
  const order = wanted.map((at, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  // Groups of labels that touch; each is centred on its members' ideal positions.
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

// The distance from a point to its label.
const kAway = 8;

const isInside = (box: Box, within: Box): boolean =>
  box.left >= within.left &&
  box.left + box.width <= within.left + within.width &&
  box.top >= within.top &&
  box.top + box.height <= within.top + within.height;

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

// The left middle of a point's label, at the first of six places around it where it touches no
// other label, none of `taken`, and if possible none of `faint`; null: there is none.
export function placeNames(
  points: readonly Named[],
  height: number,
  within: Box,
  taken: readonly Box[],
  faint: readonly Box[] = [],
): readonly ({ readonly x: number; readonly y: number } | null)[] {
  const used = [...taken];
  return points.map(({ x, y, width }) => {
    const spots = [
      [x + kAway, y],
      [x + kAway, y - height],
      [x + kAway, y + height],
      [x - kAway - width, y],
      [x - kAway - width, y - height],
      [x - kAway - width, y + height],
    ] as const;
    const boxes = spots
      .map(([left, middle]) => ({ left, top: middle - height / 2, width, height }))
      .filter((box) => isInside(box, within) && !used.some((other) => overlap(box, other)));
    const box = boxes.find((one) => !faint.some((other) => overlap(one, other))) ?? boxes[0];
    if (box === undefined) return null;
    used.push(box);
    return { x: box.left, y: box.top + height / 2 };
  });
}
