// What the page and the worker with the core say to each other, and the values that both know.

import type { QueryRows } from '../model/query_rows.ts';

// A name of the command line without its dashes, and its value.
export type Option = readonly [name: string, value: string];

// A file where the core finds it: "folder/file", below the folder that everything lies in.
export interface PlacedFile {
  readonly path: string;
  readonly content: Blob;
}

// One or several engines, as planex_open takes them. Sessions are opened when first needed, again
// after the core was started anew, and kept until told otherwise: `key` is what they are kept under.
export interface SessionSpec {
  readonly key: string;
  readonly options: readonly Option[];
  // What a listing of the top folder names while they are read.
  readonly roots: readonly string[];
}

export type Task =
  // The labels of the engines.
  | { readonly kind: 'open'; readonly session: SessionSpec }
  // A document; of several sessions together, or of none.
  | {
      readonly kind: 'call';
      readonly sessions: readonly SessionSpec[];
      readonly roots: readonly string[];
      readonly verb: string;
      readonly options: readonly Option[];
    }
  | {
      readonly kind: 'query';
      readonly sessions: readonly SessionSpec[];
      readonly sql: string;
      readonly options: readonly Option[];
    };

export type Answer =
  | { readonly kind: 'labels'; readonly labels: readonly string[] }
  | { readonly kind: 'document'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'rows'; readonly rows: QueryRows };

// In the order of planex.h.
export const kCodes = [
  'usage',
  'not-found',
  'bad-input',
  'unsupported',
  'external-tool',
  'io',
  'cancelled',
  'internal',
] as const;

// What planex_error tells. Empty texts where there is nothing to tell.
export interface Failure {
  // `ended`: the core did not survive the request.
  readonly code: (typeof kCodes)[number] | 'ended';
  readonly message: string;
  readonly file: string;
  readonly pointer: string;
  readonly byteOffset: number | null;
  readonly context: string;
  readonly hint: string;
}

export interface Progress {
  readonly filesRead: number;
  readonly bytesRead: number;
  // Of the files below the roots of what is read.
  readonly bytesTotal: number;
}

export type ToWorker =
  // Once, first.
  | { readonly kind: 'start'; readonly module: WebAssembly.Module }
  | { readonly kind: 'add'; readonly files: readonly PlacedFile[] }
  // Names in the top folder, and sessions that were opened from them.
  | { readonly kind: 'remove'; readonly roots: readonly string[]; readonly keys: readonly string[] }
  | { readonly kind: 'task'; readonly ticket: number; readonly task: Task };

export type FromWorker =
  | { readonly kind: 'progress'; readonly ticket: number; readonly progress: Progress }
  | { readonly kind: 'done'; readonly ticket: number; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly ticket: number; readonly failure: Failure };

export class CoreError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function failureOf(code: Failure['code'], message: string, hint = ''): Failure {
  return { code, message, file: '', pointer: '', byteOffset: null, context: '', hint };
}
