// include/planex/planex.h as functions: one instance of the module, its sessions and their answers.

import type { QueryColumn, QueryRows } from '../model/query_rows.ts';
import { ArrowReader, kArrayBytes, kSchemaBytes } from './arrow.ts';
import { CoreError, kCodes, type Failure, type Option } from './protocol.ts';
import type { Tree } from './tree.ts';
import { Wasi } from './wasi.ts';

// Addresses and sizes; unsigned once `>>> 0` was applied.
type Word = number;

type ErrorText = 'message' | 'file' | 'json_pointer' | 'context' | 'hint';

interface Exports extends Readonly<Record<`planex_error_${ErrorText}`, (error: Word) => Word>> {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  readonly _initialize: () => void;
  readonly malloc: (bytes: number) => Word;
  readonly free: (at: Word) => void;
  readonly planex_error_get_code: (error: Word) => number;
  readonly planex_error_byte_offset: (error: Word) => bigint;
  readonly planex_error_free: (error: Word) => void;
  readonly planex_open: (options: Word, count: number, error: Word) => Word;
  readonly planex_join: (sessions: Word, count: number, error: Word) => Word;
  readonly planex_close: (session: Word) => void;
  readonly planex_engine_count: (session: Word) => number;
  readonly planex_engine_label: (session: Word, engine: number) => Word;
  readonly planex_call: (
    session: Word,
    verb: Word,
    options: Word,
    count: number,
    error: Word,
  ) => Word;
  readonly planex_document_data: (document: Word) => Word;
  readonly planex_document_size: (document: Word) => number;
  readonly planex_document_free: (document: Word) => void;
  readonly planex_query: (
    session: Word,
    sql: Word,
    options: Word,
    count: number,
    cancelled: Word,
    context: Word,
    error: Word,
  ) => Word;
  readonly planex_table_column_count: (table: Word) => number;
  // The struct is written to the address in the first parameter.
  readonly planex_table_column: (result: Word, table: Word, column: number) => void;
  readonly planex_table_schema: (table: Word, out: Word, error: Word) => number;
  readonly planex_table_array: (table: Word, out: Word, error: Word) => number;
  readonly planex_table_free: (table: Word) => void;
}

// A planex_session.
export interface Session {
  readonly at: Word;
}

export class Core {
  readonly #exports: Exports;
  readonly #errorAt: Word;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();

  private constructor(exports: Exports) {
    this.#exports = exports;
    this.#errorAt = exports.malloc(4) >>> 0;
  }

  // `say` receives lines of the standard streams.
  static async start(
    module: WebAssembly.Module,
    tree: Tree,
    say?: (line: string) => void,
  ): Promise<Core> {
    const wasi = new Wasi(tree, say);
    const instance = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: wasi.imports(),
    });
    const exports = instance.exports as unknown as Exports;
    wasi.bind(exports.memory);
    exports._initialize();
    return new Core(exports);
  }

  open(options: readonly Option[]): Session {
    const at = this.#withOptions(options, (first, count) =>
      this.#exports.planex_open(first, count, this.#errorAt),
    );
    return { at: this.#given(at) };
  }

  join(sessions: readonly Session[]): Session {
    const list = this.#allocate(4 * sessions.length);
    sessions.forEach(({ at }, i) => this.#view.setUint32(list + 4 * i, at, true));
    const at = this.#exports.planex_join(list, sessions.length, this.#errorAt);
    this.#exports.free(list);
    return { at: this.#given(at) };
  }

  close(session: Session): void {
    this.#exports.planex_close(session.at);
  }

  labels(session: Session): readonly string[] {
    const count = this.#exports.planex_engine_count(session.at);
    return Array.from({ length: count }, (_, engine) =>
      this.#textAt(this.#exports.planex_engine_label(session.at, engine)),
    );
  }

  // The bytes are a copy.
  call(session: Session | null, verb: string, options: readonly Option[]): ArrayBuffer {
    const name = this.#text(verb);
    const document = this.#given(
      this.#withOptions(options, (first, count) =>
        this.#exports.planex_call(session?.at ?? 0, name, first, count, this.#errorAt),
      ),
      name,
    );
    const begin = this.#exports.planex_document_data(document) >>> 0;
    const size = this.#exports.planex_document_size(document) >>> 0;
    const bytes = this.#memory.slice(begin, begin + size);
    this.#exports.planex_document_free(document);
    return bytes;
  }

  query(session: Session, sql: string, options: readonly Option[]): QueryRows {
    const text = this.#text(sql);
    const table = this.#given(
      this.#withOptions(options, (first, count) =>
        this.#exports.planex_query(session.at, text, first, count, 0, 0, this.#errorAt),
      ),
      text,
    );
    try {
      return { columns: this.#columns(table), rows: this.#rows(table) };
    } finally {
      this.#exports.planex_table_free(table);
    }
  }

  #columns(table: Word): readonly QueryColumn[] {
    const at = this.#allocate(16);
    const count = this.#exports.planex_table_column_count(table);
    const columns = Array.from({ length: count }, (_, i): QueryColumn => {
      this.#exports.planex_table_column(at, table, i);
      const text = (field: number): string =>
        this.#textAt(this.#view.getUint32(at + 4 * field, true));
      const unit = text(2);
      return { name: text(0), type: text(1), unit: unit === '' ? null : unit };
    });
    this.#exports.free(at);
    return columns;
  }

  #rows(table: Word): QueryRows['rows'] {
    const schema = this.#allocate(kSchemaBytes);
    const array = this.#allocate(kArrayBytes);
    if (this.#exports.planex_table_schema(table, schema, this.#errorAt) !== 0) this.#fail();
    if (this.#exports.planex_table_array(table, array, this.#errorAt) !== 0) this.#fail();
    try {
      return new ArrowReader(this.#memory).rows(schema, array);
    } finally {
      this.#release('array', array);
      this.#release('schema', schema);
    }
  }

  #release(kind: 'schema' | 'array', at: Word): void {
    const release: unknown = this.#exports.__indirect_function_table.get(
      ArrowReader.releaseOf(this.#memory, kind, at),
    );
    if (typeof release === 'function') (release as (at: Word) => void)(at);
    this.#exports.free(at);
  }

  // --- Memory

  get #memory(): ArrayBuffer {
    return this.#exports.memory.buffer;
  }

  get #view(): DataView {
    return new DataView(this.#memory);
  }

  #allocate(bytes: number): Word {
    const at = this.#exports.malloc(Math.max(4, bytes)) >>> 0;
    if (at === 0) throw new RangeError('the core has no memory left');
    return at;
  }

  #text(value: string): Word {
    // A NUL would end the text early, and cannot be part of a name.
    const bytes = this.#encoder.encode(`${value.replaceAll('\0', '\ufffd')}\0`);
    const at = this.#allocate(bytes.length);
    new Uint8Array(this.#memory).set(bytes, at);
    return at;
  }

  #textAt(address: Word): string {
    const at = address >>> 0;
    if (at === 0) return '';
    const bytes = new Uint8Array(this.#memory);
    return this.#decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)));
  }

  #withOptions<T>(options: readonly Option[], use: (first: Word, count: number) => T): T {
    const texts = options.flat().map((text) => this.#text(text));
    const list = this.#allocate(4 * texts.length);
    texts.forEach((text, i) => this.#view.setUint32(list + 4 * i, text, true));
    const result = use(list, options.length);
    for (const at of [...texts, list]) this.#exports.free(at);
    return result;
  }

  // The result of a call; throws the module's error if there is none. Frees `text`.
  #given(at: Word, text = 0): Word {
    this.#exports.free(text);
    if (at === 0) this.#fail();
    return at >>> 0;
  }

  #fail(): never {
    const error = this.#view.getUint32(this.#errorAt, true);
    const core = this.#exports;
    const offset = core.planex_error_byte_offset(error);
    const text = (of: ErrorText): string => this.#textAt(core[`planex_error_${of}`](error));
    const failure: Failure = {
      code: kCodes[core.planex_error_get_code(error)] ?? 'internal',
      message: text('message'),
      file: text('file'),
      pointer: text('json_pointer'),
      byteOffset: offset < 0n ? null : Number(offset),
      context: text('context'),
      hint: text('hint'),
    };
    core.planex_error_free(error);
    throw new CoreError(failure);
  }
}
