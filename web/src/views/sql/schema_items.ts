// The lines of the list of tables: tables, open ones with their columns, or the results of a
// search.

import type { QueryTable, TableColumn } from '../../public/index.ts';

export interface SchemaItem {
  readonly table: QueryTable;
  // Null: the table itself.
  readonly column: TableColumn | null;
  readonly isOpen: boolean;
}

// The only SQL keyword among the names of the schema; names that are not plain identifiers are
// quoted as well.
const kWords: readonly string[] = ['index'];

export function sqlName(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/i.test(name) && !kWords.includes(name.toLowerCase());
  return isPlain ? name : `"${name.replace(/"/g, '""')}"`;
}

// A table whose own name matches shows its columns if it is open; one whose columns match shows
// those.
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
