// Names that stay distinguishable when they are cut: if another name of the same list would look
// the same, the cut keeps the parts that differ instead of both ends.

import { middleEllipsis, type Measure } from './text.ts';

// "a/b.c_3" → "a", "/b", ".c", "_3".
function partsOf(name: string): readonly string[] {
  return name.match(/[^/.:_+ ()]+|[/.:_+ ()]+[^/.:_+ ()]*/g) ?? [];
}

const kMaxParts = 60;
const kMaxLength = 600;
// If more names than this begin the same way, the list is not searched.
const kMaxAlike = 2000;

export class Names {
  readonly #given: () => Iterable<string>;
  // Sorted, without duplicates. Built, like the fields below, when a name is first cut.
  #sorted: readonly string[] | null = null;
  #users: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(names: () => Iterable<string>) {
    this.#given = names;
  }

  get #names(): readonly string[] {
    this.#sorted ??= [...new Set(this.#given())].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return this.#sorted;
  }

  // One line of at most `width`.
  fit(name: string, width: number, measure: Measure): string {
    const cut = middleEllipsis(name, width, measure);
    if (cut === name || name.length > kMaxLength || !this.#isAmbiguous(name, cut)) return cut;
    return this.#distinct(name, width, measure) ?? cut;
  }

  #isAmbiguous(name: string, cut: string): boolean {
    const at = cut.indexOf('…');
    if (at < 0) return false;
    const head = cut.slice(0, at);
    const tail = cut.slice(at + 1);
    const first = this.#firstFrom(head);
    for (let i = first; i < Math.min(this.#names.length, first + kMaxAlike); i += 1) {
      const other = this.#names[i] ?? '';
      if (!other.startsWith(head)) return false;
      if (other !== name && other.length > head.length + tail.length && other.endsWith(tail)) {
        return true;
      }
    }
    return false;
  }

  #firstFrom(head: string): number {
    let low = 0;
    let high = this.#names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#names[middle] ?? '') < head) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The parts that distinguish it from the others, then their neighbours, as many as fit.
  #distinct(name: string, width: number, measure: Measure): string | null {
    const parts = partsOf(name).slice(0, kMaxParts);
    const fits = (kept: ReadonlySet<number>): boolean => measure(textOf(parts, kept)) <= width;
    // If a long word takes the room of more distinctive ones, retry without it.
    const choices = [width, width / 3].map((longest) =>
      this.#telling(parts, fits, (part) => measure(part) <= longest),
    );
    const [first, second] = choices;
    if (first === undefined || second === undefined) return null;
    const { kept } = second.alike < first.alike ? second : first;
    if (kept.size === 0) return null;
    const keep = (index: number): boolean => {
      if (index < 0 || index >= parts.length || kept.has(index)) return false;
      kept.add(index);
      if (fits(kept)) return true;
      kept.delete(index);
      return false;
    };
    keep(parts.length - 1);
    for (let grown = true; grown;) {
      grown = false;
      for (const index of [...kept].sort((a, b) => b - a)) {
        for (const beside of [index + 1, index - 1]) grown = keep(beside) || grown;
      }
    }
    return textOf(parts, kept);
  }

  // Parts that fit and leave as few identical-looking names as possible, and the number of those.
  #telling(
    parts: readonly string[],
    fits: (kept: ReadonlySet<number>) => boolean,
    isAllowed: (part: string) => boolean,
  ): { readonly kept: Set<number>; readonly alike: number } {
    const users = (this.#users ??= usersOf(this.#names));
    const kept = new Set<number>();
    const tried = new Set<number>();
    let alike: readonly number[] | null = null;
    while (alike === null || alike.length > 1) {
      // The part that leaves the fewest; of equal ones the later.
      let next = -1;
      let left: readonly number[] = alike ?? [];
      for (const [index, part] of parts.entries()) {
        const having = users.get(part) ?? [];
        if (tried.has(index) || having.length > kMaxAlike || !isAllowed(part)) continue;
        const both = alike === null ? having : common(alike, having);
        // Drop parts that distinguish nothing more, in favour of their neighbours.
        const isBetter = next < 0 ? both.length !== alike?.length : both.length <= left.length;
        if (isBetter) [next, left] = [index, both];
      }
      if (next < 0) break;
      tried.add(next);
      kept.add(next);
      if (fits(kept)) alike = left;
      else kept.delete(next);
    }
    return { kept, alike: alike?.length ?? Number.POSITIVE_INFINITY };
  }
}

// Intersection of two sorted lists.
function common(a: readonly number[], b: readonly number[]): readonly number[] {
  const inB = new Set(b);
  return a.filter((name) => inB.has(name));
}

const kLeadingSeparators = /^[/.:_+ ]+/;

function textOf(parts: readonly string[], kept: ReadonlySet<number>): string {
  let text = '';
  for (const [i, part] of parts.entries()) {
    if (!kept.has(i)) text += text.endsWith('…') ? '' : '…';
    else text += text.endsWith('…') ? part.replace(kLeadingSeparators, '') : part;
  }
  return text;
}

// For each part the indices of the names that contain it; only as many as show that it is too
// common.
function usersOf(names: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const users = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    if (name.length > kMaxLength) continue;
    for (const part of partsOf(name)) {
      const places = users.get(part);
      if (places === undefined) users.set(part, [place]);
      else if (places.length <= kMaxAlike && places.at(-1) !== place) places.push(place);
    }
  }
  return users;
}
