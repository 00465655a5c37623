// What opens engines for the page: a core that reads their files, or, in a report without one, a
// reader of other reports. This interface is all that the page knows of it.

import { messageOf } from '../../base/text.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Report } from '../../model/decode.ts';
import type { NamedOption } from '../../model/exports.ts';
import type { Judging } from '../../model/judging.ts';
import type { QueryRows, QueryTable, SizedTable } from '../../model/query_rows.ts';

export interface OpenedFile {
  // With the folders it came in, separated by "/".
  readonly name: string;
  readonly content: Blob;
}

// Why a file was not opened. Texts are empty if unknown.
export interface Problem {
  readonly what: string;
  readonly message: string;
  // The exact subject: a file, a place in it.
  readonly file: string;
  readonly pointer: string;
  readonly context: string;
  readonly hint: string;
}

export const kNoProblem: Problem = {
  what: '',
  message: '',
  file: '',
  pointer: '',
  context: '',
  hint: '',
};

// Converts an error of the core or the server to a failure, whatever its kind.
export function problemIn(error: unknown): Problem {
  const told = error instanceof Error && 'failure' in error ? (error.failure as object) : {};
  return { ...kNoProblem, message: messageOf(error), ...told };
}

// One of the engines to choose from, if there are more than are opened without asking.
export interface FoundEngine {
  readonly path: string;
  readonly producer: string;
  readonly device: string | null;
  readonly latencyMs: number | null;
  readonly layerCount: number | null;
  readonly findingCount: number | null;
}

export interface Step {
  readonly words: string;
  // From 0 to 1; null: unknown.
  readonly done: number | null;
}

export interface Asked {
  readonly signal: AbortSignal;
  step(step: Step): void;
  // The part that can be shown while the rest is made.
  early(opened: Opened): void;
  // Which ones to open.
  choose(found: readonly FoundEngine[], most: number): Promise<readonly FoundEngine[]>;
}

// A report that replaces the one on screen.
export interface Opened {
  // Null: nothing is open.
  readonly report: Report | null;
  // For each engine of it, its index in the previous report; null: a new one.
  readonly before: readonly (number | null)[];
  readonly problems: readonly Problem[];
}

// What only a core can do.
export interface CoreOpener {
  // Layer pairs of two engines of the report.
  compare(a: number, b: number): Promise<Comparison>;
  // How many engines it has: the first ones of the report. The others came from reports, without
  // their files.
  readonly engineCount: number;
  // Runs one read-only statement over all its engines. Rows after `maxRows` are left out.
  query(sql: string, maxRows: number, signal: AbortSignal): Promise<QueryRows>;
  // What statements can name.
  tables(signal: AbortSignal): Promise<readonly QueryTable[]>;
  // What `planex export` writes of its engines, with the same options.
  export(engines: readonly number[], options: readonly NamedOption[]): Promise<Blob>;
  // The tables of an engine that can be exported.
  exportTables(engine: number): Promise<readonly SizedTable[]>;
  // How the engines of the report were judged.
  readonly judging: Judging;
  // Judges the same engines again. On errors nothing changes.
  judge(wanted: Judging, asked: Asked): Promise<Opened>;
  // The names of the devices whose limits it knows.
  readonly devices: readonly string[];
  // The device that the report was made with, if one was given.
  readonly givenDevice: string | null;
}

export interface Opener {
  // Null: it only reads reports.
  readonly core: CoreOpener | null;
  // Opens whatever it can of these, in addition to the open engines.
  open(files: readonly OpenedFile[], asked: Asked): Promise<Opened>;
  // Closes all engines but one.
  remove(engine: number, asked: Asked): Promise<Opened>;
}
