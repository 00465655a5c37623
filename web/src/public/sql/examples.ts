// Example statements, for every place where SQL can be written.

export interface SqlExample {
  readonly title: string;
  // `engine`: the column that identifies the engine, with its comma; empty for one engine.
  sql(engine: string): string;
}

export const kSqlExamples: readonly SqlExample[] = [
  {
    title: 'slowest layers',
    sql: (engine) =>
      `SELECT ${engine}layer_id, name, type, precision, coalesce(median_ms, mean_ms) AS time_ms\n` +
      'FROM work_layers\nORDER BY time_ms DESC LIMIT 20',
  },
  {
    title: 'time by precision',
    sql: (engine) =>
      `SELECT ${engine}precision, count(*) AS layers, sum(coalesce(median_ms, mean_ms)) AS total_ms\n` +
      `FROM work_layers\nGROUP BY ${engine}precision ORDER BY ${engine}total_ms DESC`,
  },
  {
    title: 'time against bytes',
    sql: (engine) =>
      `SELECT ${engine}layer_id, footprint_bytes, coalesce(median_ms, mean_ms) AS time_ms\n` +
      'FROM work_layers\nWHERE footprint_bytes IS NOT NULL',
  },
  {
    title: 'inference after inference',
    sql: (engine) =>
      `SELECT ${engine}"index", coalesce(compute_ms, latency_ms) AS time_ms\nFROM iterations`,
  },
  {
    title: 'findings',
    sql: (engine) =>
      `SELECT ${engine}severity, rule, message, layer_id, estimated_ms\nFROM findings\nORDER BY estimated_ms DESC`,
  },
  {
    title: 'reformats',
    sql: (engine) =>
      `SELECT ${engine}layer_id, name, coalesce(median_ms, mean_ms) AS time_ms, io_bytes\n` +
      "FROM work_layers\nWHERE family = 'reformat' ORDER BY time_ms DESC",
  },
  {
    title: 'metadata',
    sql: (engine) => `SELECT ${engine}section, key, value FROM metadata`,
  },
  {
    title: 'columns of layers',
    sql: () => "SELECT name, type FROM pragma_table_info('layers')",
  },
];
