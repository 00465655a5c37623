// Search over everything with a name: layers, tensors, tactics, sources, types, rules. The index is
// built once per engine, at the first letter typed.

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

export class SearchIndex {
  readonly #entries: readonly Entry[];

  constructor(engine: Engine) {
    const entries: Entry[] = [];
    const push = (kind: HitKind, text: string, row: number | null): void => {
      entries.push({ kind, text, row, lower: text.slice(0, kMaxText).toLowerCase() });
    };
    // Each text of a kind once; layers, which may share a name, all.
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
    }
    for (const rule of engine.rules) if (rule.status === 'fired') add('finding', rule.id, null);
    const children = [
      ['tensor', engine.ports, 'tensor'],
      ['source', engine.sources, 'op_name'],
    ] as const;
    for (const [kind, table, column] of children) {
      for (let i = 0; i < table.rowCount; i += 1) {
        add(kind, table.text(column, i), engine.rowOf(table.number('layer_id', i) ?? -1));
      }
    }
    this.#entries = entries;
  }

  // Every token must occur. Exact first, then prefix, then the start of a word, then anywhere.
  find(query: string, limit = 50): readonly Hit[] {
    const tokens = query
      .toLowerCase()
      .split(/\s+/)
      .filter((t) => t !== '');
    if (tokens.length === 0) return [];
    const whole = tokens.join(' ');
    const first = tokens[0] ?? '';
    const found: { readonly entry: Entry; readonly rank: number; readonly at: number }[] = [];
    for (const [at, entry] of this.#entries.entries()) {
      if (!tokens.every((token) => entry.lower.includes(token))) continue;
      found.push({ entry, rank: rankOf(entry.lower, whole, first), at });
    }
    found.sort((a, b) => a.rank - b.rank || a.at - b.at);
    return found.slice(0, limit).map((f) => f.entry);
  }
}

function rankOf(text: string, whole: string, first: string): number {
  if (text === whole) return 0;
  if (text.startsWith(whole)) return 1;
  const at = text.indexOf(first);
  return at > 0 && /[a-z0-9]/.test(text[at - 1] ?? '') ? 3 : 2;
}
