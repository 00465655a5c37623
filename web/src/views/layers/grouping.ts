// Rows of the layers table under heads with their sums.

import { visible, type Engine } from '../../public/index.ts';

export const kGroupings = ['type', 'block', 'precision', 'output', 'tactic'] as const;
export type Grouping = (typeof kGroupings)[number];

export const kGroupingTitles: Readonly<Record<Grouping, string>> = {
  type: 'type',
  block: 'block',
  precision: 'input precision',
  output: 'output precision',
  tactic: 'tactic',
};

export interface RowGroup {
  // As drawn; null if the engine does not record it.
  readonly label: string | null;
  // In the order of the table.
  readonly rows: Int32Array;
}

// A generated kernel's name ends in its address or hash: names that differ only there are equal.
export function tacticStem(tactic: string): string {
  return tactic.replace(/_0x[0-9a-f]+$/i, '');
}

const columnOf = (by: Grouping): string => (by === 'output' ? 'output_precision' : by);

function labeller(engine: Engine, by: Grouping): (row: number) => string | null {
  if (by !== 'block') {
    const stem = (text: string): string => (by === 'tactic' ? tacticStem(text) : text);
    return (row) => {
      const text = engine.layers.text(columnOf(by), row);
      return text === null ? null : stem(text);
    };
  }
  const blockOf = new Map<number, string>();
  for (const block of engine.blocks) {
    for (let place = block.first; place <= block.last; place += 1) {
      const row = engine.workRows[place];
      if (row !== undefined) blockOf.set(row, block.label);
    }
  }
  return (row) => blockOf.get(row) ?? null;
}

export function canGroup(engine: Engine, by: Grouping): boolean {
  if (by === 'block') return engine.blocks.length > 0;
  return engine.layers.has(columnOf(by));
}

// Blocks in execution order; all others by their sum, the largest first, then by label.
export function groupRows(
  engine: Engine,
  rows: Int32Array,
  by: Grouping,
  values: Float64Array,
): readonly RowGroup[] {
  const labelOf = labeller(engine, by);
  const lists = new Map<string | null, number[]>();
  for (const row of rows) {
    const label = labelOf(row);
    const list = lists.get(label);
    if (list === undefined) lists.set(label, [row]);
    else list.push(row);
  }
  const groups = [...lists].map(([label, list]) => {
    const group = { label: label === null ? null : visible(label), rows: Int32Array.from(list) };
    const first = list.reduce((least, row) => Math.min(least, engine.layerId(row)), Infinity);
    return { group, sum: engine.sum(values, group.rows), first };
  });
  groups.sort((a, b) =>
    by === 'block' ? a.first - b.first : b.sum - a.sum || compareText(a.group.label, b.group.label),
  );
  return groups.map(({ group }) => group);
}

function compareText(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a === b ? 0 : a < b ? -1 : 1;
}

// The rows that the table draws: a layer's row, or -1 - g for the head of group g.
export function entriesOf(
  groups: readonly RowGroup[],
  isOpen: (group: RowGroup) => boolean,
): Int32Array {
  const entries: number[] = [];
  for (const [g, group] of groups.entries()) {
    entries.push(-1 - g);
    if (isOpen(group)) for (const row of group.rows) entries.push(row);
  }
  return Int32Array.from(entries);
}
