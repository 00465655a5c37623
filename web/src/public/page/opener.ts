// What opens engines for the page: a core that reads their files, or, in a report that has none, what
// reads other reports. The page knows no more of it than this.

import { messageOf } from '../../base/text.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Report } from '../../model/decode.ts';
import type { NamedOption } from '../../model/exports.ts';
import type { Judging } from '../../model/judging.ts';
import type { QueryRows, QueryTable, SizedTable } from '../../model/query_rows.ts';

export interface OpenedFile {
  // With the folders it came in, parted by "/".
  readonly name: string;
  readonly content: Blob;
}

// Why a file was not opened. Texts are empty where there is nothing to tell.
export interface Problem {
  readonly what: string;
  readonly message: string;
  // What it is about, more exactly: a file, a place in it.
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

// What a core or a server says is wrong, of whatever kind its error is.
export function problemIn(error: unknown): Problem {
  const told = error instanceof Error && 'failure' in error ? (error.failure as object) : {};
  return { ...kNoProblem, message: messageOf(error), ...told };
}

// One of more engines than are opened unasked.
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
  // From 0 to 1; null: nobody knows.
  readonly done: number | null;
}

export interface Asked {
  readonly signal: AbortSignal;
  step(step: Step): void;
  // What can be shown while the rest is made.
  early(opened: Opened): void;
  // Which ones to open.
  choose(found: readonly FoundEngine[], most: number): Promise<readonly FoundEngine[]>;
}

// A report in place of the one on screen.
export interface Opened {
  // Null: nothing is open.
  readonly report: Report | null;
  // For each engine of it, which engine of the report before it that is; null: a new one.
  readonly before: readonly (number | null)[];
  readonly problems: readonly Problem[];
}

// What only a core can do.
export interface CoreOpener {
  // Of two engines of the report, with their layers in pairs.
  compare(a: number, b: number): Promise<Comparison>;
  // How many engines it has: the first ones of the report. Others came in reports, without their files.
  readonly engineCount: number;
  // One statement over all that it has, which can only read. Rows after `maxRows` are left out.
  query(sql: string, maxRows: number, signal: AbortSignal): Promise<QueryRows>;
  // What statements may name.
  tables(signal: AbortSignal): Promise<readonly QueryTable[]>;
  // What `planex export` writes of engines that it has, with the options of that.
  export(engines: readonly number[], options: readonly NamedOption[]): Promise<Blob>;
  // Of one, those that can be exported.
  exportTables(engine: number): Promise<readonly SizedTable[]>;
  // How the engines of the report were judged.
  readonly judging: Judging;
  // The same engines, judged anew. Errors: then all is as it was.
  judge(wanted: Judging, asked: Asked): Promise<Opened>;
  // Those whose limits it knows, by their names.
  readonly devices: readonly string[];
  // The one that the report was made with, where that was asked for.
  readonly givenDevice: string | null;
}

export interface Opener {
  // Null: it reads reports alone.
  readonly core: CoreOpener | null;
  // Whatever can be opened of these is, beside what is open.
  open(files: readonly OpenedFile[], asked: Asked): Promise<Opened>;
  // All but one engine.
  remove(engine: number, asked: Asked): Promise<Opened>;
}
