// Messages between the page and the worker with the core, and the types both use.

import type { QueryRows } from '../model/query_rows.ts';

// An option of the command line without its dashes, and its value.
export type Option = readonly [name: string, value: string];

// A file's path for the core: "folder/file", below the top folder.
export interface PlacedFile {
  readonly path: string;
  readonly content: Blob;
}

// One or several engines, as planex_open takes them. Sessions are opened when first needed,
// reopened after a restart of the core, and kept under `key` until they are closed.
export interface SessionSpec {
  readonly key: string;
  readonly options: readonly Option[];
  // The names that a listing of the top folder returns while they are read.
  readonly roots: readonly string[];
}

export type Task =
  // The labels of the engines.
  | { readonly kind: 'open'; readonly session: SessionSpec }
  // A document: of one session, of several together, or of none.
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

// What planex_error reports. Texts are empty if unknown.
export interface Failure {
  // `ended`: the core crashed during the request.
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
  // Of the files below the roots being read.
  readonly bytesTotal: number;
}

export type ToWorker =
  // Sent once, first.
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
