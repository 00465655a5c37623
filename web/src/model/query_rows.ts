// The rows of a SQL statement, as the core returns them and views show them, and what can be
// queried.

// A whole number that a double would round is a bigint.
export type QueryCell = string | number | bigint | boolean | null | readonly number[];

export interface QueryColumn {
  readonly name: string;
  // int64, double, text, list or bool.
  readonly type: string;
  readonly unit: string | null;
}

export interface QueryRows {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly QueryCell[])[];
}

export interface TableColumn extends QueryColumn {
  readonly description: string;
}

// A table or view, by its name.
export interface SizedTable {
  readonly name: string;
  readonly rowCount: number;
}

// A table or column that statements can name.
export interface QueryTable extends SizedTable {
  readonly description: string;
  readonly columns: readonly TableColumn[];
}
