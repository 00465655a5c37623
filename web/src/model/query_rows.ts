// The rows of a SQL statement, as the core gives them and views show them.

export type QueryCell = string | number | boolean | null | readonly number[];

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
