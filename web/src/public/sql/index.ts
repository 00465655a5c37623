// SQL: the box that statements are written in, examples, and cells of results.

import './sql.css';

export * from './cells.ts';
export { kSqlExamples, type SqlExample } from './examples.ts';
export { SqlBox, tallyText, type SqlBoxSpec } from './sql_box.ts';
