// What the worker does with its requests: it keeps the files, the module and its sessions, and
// restarts the module after a request crashed it. Everything it keeps can be rebuilt.

import { messageOf } from '../base/text.ts';
import { Core, type Session } from './module.ts';
import {
  CoreError,
  failureOf,
  type Answer,
  type Failure,
  type FromWorker,
  type PlacedFile,
  type SessionSpec,
  type Task,
  type ToWorker,
} from './protocol.ts';
import { Folder, SourceFile, Tree, type Source } from './tree.ts';
import { Ended } from './wasi.ts';

const kProgressEveryMs = 80;
const kSaidLines = 3;

export interface HostOptions {
  readonly post: (message: FromWorker, transfer: Transferable[]) => void;
  readonly sourceOf: (content: Blob) => Source;
}

// The bytes of the files below some roots that have been read; a file read twice counts once.
class Reading {
  readonly #ends = new Map<SourceFile, number>();
  readonly total: number;
  #bytes = 0;

  constructor(tree: Tree, roots: readonly string[]) {
    const sizeOf = (node: unknown): number => {
      if (node instanceof SourceFile) return node.source.size;
      if (!(node instanceof Folder)) return 0;
      return [...node.contents.values()].reduce((sum, entry) => sum + sizeOf(entry), 0);
    };
    this.total = roots.reduce((sum, root) => sum + sizeOf(tree.root.contents.get(root)), 0);
  }

  add(file: SourceFile, end: number): void {
    const before = this.#ends.get(file) ?? 0;
    if (end <= before) return;
    this.#ends.set(file, end);
    this.#bytes += end - before;
  }

  get progress(): { filesRead: number; bytesRead: number; bytesTotal: number } {
    return { filesRead: this.#ends.size, bytesRead: this.#bytes, bytesTotal: this.total };
  }
}

export class Host {
  readonly #options: HostOptions;
  readonly #tree = new Tree();
  readonly #sessions = new Map<string, Session>();
  // The combined session of the keys that were last asked about together.
  #joined: { readonly keys: string; readonly session: Session } | null = null;
  #module: WebAssembly.Module | null = null;
  #core: Core | null = null;
  #said: string[] = [];

  constructor(options: HostOptions) {
    this.#options = options;
  }

  async take(message: ToWorker): Promise<void> {
    switch (message.kind) {
      case 'start':
        this.#module = message.module;
        return;
      case 'add':
        this.#add(message.files);
        return;
      case 'remove':
        for (const key of message.keys) this.#close(key);
        for (const root of message.roots) this.#tree.remove(root);
        return;
      case 'task':
        await this.#answer(message.ticket, message.task);
    }
  }

  #add(files: readonly PlacedFile[]): void {
    for (const { path, content } of files) this.#tree.add(path, this.#options.sourceOf(content));
  }

  async #answer(ticket: number, task: Task): Promise<void> {
    const { post } = this.#options;
    this.#said = [];
    try {
      this.#follow(ticket, task);
      const answer = this.#run(await this.#running(), task);
      post({ kind: 'done', ticket, answer }, answer.kind === 'document' ? [answer.bytes] : []);
    } catch (error) {
      post({ kind: 'failed', ticket, failure: this.#failure(error) }, []);
    }
  }

  async #running(): Promise<Core> {
    if (this.#module === null) throw new Error('the core could not be loaded');
    this.#core ??= await Core.start(this.#module, this.#tree, (line) => {
      this.#said.push(line);
      console.warn(line);
    });
    return this.#core;
  }

  #run(core: Core, task: Task): Answer {
    switch (task.kind) {
      case 'open':
        return { kind: 'labels', labels: core.labels(this.#session(core, task.session)) };
      case 'call': {
        const session = task.sessions.length === 0 ? null : this.#together(core, task.sessions);
        this.#tree.listed = new Set(task.roots);
        return { kind: 'document', bytes: core.call(session, task.verb, task.options) };
      }
      case 'query': {
        const session = this.#together(core, task.sessions);
        return { kind: 'rows', rows: core.query(session, task.sql, task.options) };
      }
    }
  }

  #session(core: Core, { key, roots, options }: SessionSpec): Session {
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    this.#tree.listed = new Set(roots);
    const session = core.open(options);
    this.#sessions.set(key, session);
    return session;
  }

  #together(core: Core, specs: readonly SessionSpec[]): Session {
    const sessions = specs.map((spec) => this.#session(core, spec));
    const [only] = sessions;
    if (only !== undefined && sessions.length === 1) return only;
    const keys = JSON.stringify(specs.map(({ key }) => key));
    if (this.#joined?.keys === keys) return this.#joined.session;
    this.#part(core);
    const session = core.join(sessions);
    this.#joined = { keys, session };
    return session;
  }

  #part(core: Core | null): void {
    if (this.#joined !== null) core?.close(this.#joined.session);
    this.#joined = null;
  }

  #close(key: string): void {
    this.#part(this.#core);
    const session = this.#sessions.get(key);
    if (session !== undefined) this.#core?.close(session);
    this.#sessions.delete(key);
  }

  #follow(ticket: number, task: Task): void {
    const roots =
      task.kind === 'open'
        ? task.session.roots
        : [
            ...task.sessions.flatMap((spec) => (this.#sessions.has(spec.key) ? [] : spec.roots)),
            ...(task.kind === 'call' ? task.roots : []),
          ];
    const reading = new Reading(this.#tree, roots);
    let told = performance.now();
    this.#tree.onRead = (file, end) => {
      reading.add(file, end);
      const now = performance.now();
      if (now - told < kProgressEveryMs) return;
      told = now;
      this.#options.post({ kind: 'progress', ticket, progress: reading.progress }, []);
    };
  }

  #failure(error: unknown): Failure {
    if (error instanceof CoreError) return error.failure;
    // Any other error leaves the module in an unknown state.
    this.#core = null;
    this.#sessions.clear();
    this.#joined = null;
    const said = this.#said.slice(-kSaidLines).join('\n');
    const isMemory = error instanceof RangeError || /bad_alloc|length_error/.test(said);
    const reason = messageOf(error);
    return {
      ...failureOf(
        'ended',
        isMemory
          ? 'the core ran out of memory'
          : `the core crashed (${error instanceof Ended ? 'abort' : reason})`,
        isMemory
          ? 'A page can use at most 4 GB. Open fewer engines at once, leave out the model, or use planex in a terminal.'
          : 'It was restarted; everything else stays open. This is a bug in planex: please report it and attach the file.',
      ),
      context: said,
    };
  }
}
