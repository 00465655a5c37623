// Search over everything with a name: layers, tensors, tactics, sources, types, rules. The index is
// built once per engine, in small steps while the reader is idle.

import type { Engine } from './engine.ts';

export type HitKind = 'layer' | 'tensor' | 'tactic' | 'source' | 'type' | 'finding';

export interface Hit {
  readonly kind: HitKind;
  readonly text: string;
  // The layer to select; null for a type, tactic or rule, which become filters.
  readonly row: number | null;
}

interface Entry extends Hit {
  readonly lower: string;
}

const kMaxText = 2000;
// Entries built between two checks of the clock.
const kStep = 200;
const kRanks = 4;

export class SearchIndex {
  readonly #entries: Entry[] = [];
  readonly #building: Generator<undefined, undefined>;
  // The hits of the last search: a query that extends it can match nothing else.
  #last: { readonly query: string; readonly found: readonly Entry[] } | null = null;

  constructor(engine: Engine) {
    this.#building = this.#build(engine);
  }

  // Continues building while `goesOn`; returns whether all is built.
  advance(goesOn: () => boolean): boolean {
    while (goesOn()) if (this.#building.next().done === true) return true;
    return false;
  }

  *#build(engine: Engine): Generator<undefined, undefined> {
    let made = 0;
    const push = (kind: HitKind, text: string, row: number | null): void => {
      this.#entries.push({ kind, text, row, lower: text.slice(0, kMaxText).toLowerCase() });
    };
    // Each text of a kind once; layers can share a name, so all of them.
    const seen = new Map<HitKind, Set<string>>();
    const add = (kind: HitKind, text: string | null, row: number | null): void => {
      if (text === null || text === '') return;
      let known = seen.get(kind);
      if (known === undefined) seen.set(kind, (known = new Set()));
      if (known.has(text)) return;
      known.add(text);
      push(kind, text, row);
    };
    const layers = engine.layers;
    for (const row of engine.workRows) {
      const name = engine.rawName(row);
      if (name !== '') push('layer', name, row);
      add('type', layers.text('type', row), null);
      add('tactic', layers.text('tactic', row), null);
      if ((made += 1) % kStep === 0) yield;
    }
    for (const rule of engine.rules) if (rule.status === 'fired') add('finding', rule.id, null);
    const children = [
      ['tensor', engine.ports, 'tensor'],
      ['source', engine.sources, 'op_name'],
    ] as const;
    for (const [kind, table, column] of children) {
      for (let i = 0; i < table.rowCount; i += 1) {
        add(kind, table.text(column, i), engine.rowOf(table.number('layer_id', i) ?? -1));
        if ((made += 1) % kStep === 0) yield;
      }
    }
    return undefined;
  }

  // Every token must occur. Exact first, then prefix, then the start of a word, then anywhere.
  find(query: string, limit = 50): readonly Hit[] {
    this.advance(() => true);
    const whole = query.toLowerCase().trimStart().replace(/\s+/g, ' ');
    const tokens = whole.split(' ').filter((token) => token !== '');
    const [first] = tokens;
    if (first === undefined) return [];
    const continued = this.#last !== null && whole.startsWith(this.#last.query);
    const found = (continued ? (this.#last?.found ?? []) : this.#entries).filter((entry) =>
      tokens.every((token) => entry.lower.includes(token)),
    );
    this.#last = { query: whole, found };
    const ranks: Entry[][] = Array.from({ length: kRanks }, () => []);
    const text = tokens.join(' ');
    for (const entry of found) {
      const rank = ranks[rankOf(entry.lower, text, first)];
      if (rank !== undefined && rank.length < limit) rank.push(entry);
    }
    return ranks.flat().slice(0, limit);
  }
}

function rankOf(text: string, whole: string, first: string): number {
  if (text === whole) return 0;
  if (text.startsWith(whole)) return 1;
  const at = text.indexOf(first);
  return at > 0 && /[a-z0-9]/.test(text[at - 1] ?? '') ? 3 : 2;
}
