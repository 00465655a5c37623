// The lines of the list of tables: those that are open with their columns, or what a search finds.

import type { QueryTable, TableColumn } from '../../public/index.ts';

export interface SchemaItem {
  readonly table: QueryTable;
  // Null: the table itself.
  readonly column: TableColumn | null;
  readonly isOpen: boolean;
}

// The only word of SQL among the names of the schema; whatever is no plain word is quoted as well.
const kWords: readonly string[] = ['index'];

export function sqlName(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/i.test(name) && !kWords.includes(name.toLowerCase());
  return isPlain ? name : `"${name.replace(/"/g, '""')}"`;
}

// A table whose own name is found shows its columns where it is open; one of which columns are found
// shows these.
export function itemsOf(
  tables: readonly QueryTable[],
  search: string,
  open: ReadonlySet<string>,
): readonly SchemaItem[] {
  const wanted = search.trim().toLowerCase();
  const isFound = (name: string): boolean => name.toLowerCase().includes(wanted);
  return tables.flatMap((table): readonly SchemaItem[] => {
    const found = wanted === '' ? [] : table.columns.filter(({ name }) => isFound(name));
    if (wanted !== '' && found.length === 0 && !isFound(table.name)) return [];
    const shown = open.has(table.name) ? table.columns : found;
    const isOpen = shown.length > 0;
    return [
      { table, column: null, isOpen },
      ...shown.map((column) => ({ table, column, isOpen: false })),
    ];
  });
}
