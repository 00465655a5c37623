// Names that stay apart when they are cut: where another name of the same list would look the same,
// the parts that tell them apart are kept instead of both ends.

import { middleEllipsis, type Measure } from './text.ts';

// "a/b.c_3" → "a", "/b", ".c", "_3".
function partsOf(name: string): readonly string[] {
  return name.match(/[^/.:_+ ()]+|[/.:_+ ()]+[^/.:_+ ()]*/g) ?? [];
}

const kMaxParts = 60;
const kMaxLength = 600;
// A list with more names than this that begin alike is not looked through.
const kMaxAlike = 2000;

export class Names {
  readonly #given: () => Iterable<string>;
  // Sorted, each once. Made when a name is first cut, like what follows.
  #sorted: readonly string[] | null = null;
  // How many names a part is in.
  #uses: Map<string, number> | null = null;

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

  // The parts that fewest names have, in their order, as many as fit.
  #distinct(name: string, width: number, measure: Measure): string | null {
    const uses = (this.#uses ??= usesOf(this.#names));
    const parts = partsOf(name).slice(0, kMaxParts);
    const order = [...parts.keys()].sort(
      (a, b) => (uses.get(parts[a] ?? '') ?? 0) - (uses.get(parts[b] ?? '') ?? 0) || b - a,
    );
    const kept = new Set<number>();
    let best: string | null = null;
    for (const index of order) {
      kept.add(index);
      const text = textOf(parts, kept);
      if (measure(text) <= width) best = text;
      else kept.delete(index);
    }
    return best;
  }
}

function textOf(parts: readonly string[], kept: ReadonlySet<number>): string {
  let text = '';
  for (const [i, part] of parts.entries()) {
    if (kept.has(i)) text += part;
    else if (!text.endsWith('…')) text += '…';
  }
  return text;
}

function usesOf(names: readonly string[]): Map<string, number> {
  const uses = new Map<string, number>();
  for (const name of names) {
    if (name.length > kMaxLength) continue;
    for (const part of new Set(partsOf(name))) uses.set(part, (uses.get(part) ?? 0) + 1);
  }
  return uses;
}
