// The core as the page calls it. Requests go to the worker one at a time, so that a crash can be
// attributed to one of them; every request settles. The files are kept here: when a worker has been
// terminated, its replacement reopens the sessions that are asked about.

import { messageOf } from '../base/text.ts';
import type { QueryRows } from '../model/query_rows.ts';
import {
  CoreError,
  failureOf,
  type Answer,
  type FromWorker,
  type Option,
  type PlacedFile,
  type Progress,
  type SessionSpec,
  type Task,
  type ToWorker,
} from './protocol.ts';

export interface WorkerLike {
  postMessage(message: ToWorker): void;
  addEventListener(kind: 'message', listener: (event: MessageEvent<FromWorker>) => void): void;
  addEventListener(
    kind: 'error' | 'messageerror',
    listener: (event: Event & { readonly message?: string }) => void,
  ): void;
  terminate(): void;
}

export interface ClientOptions {
  readonly module: () => Promise<WebAssembly.Module>;
  readonly newWorker: () => WorkerLike;
}

interface Request {
  readonly ticket: number;
  readonly task: Task;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export interface Asked {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

export class CoreClient {
  readonly #options: ClientOptions;
  readonly #files = new Map<string, PlacedFile[]>();
  readonly #waiting: Request[] = [];
  #module: Promise<WebAssembly.Module> | null = null;
  #worker: WorkerLike | null = null;
  #running: Request | null = null;
  #isStarting = false;
  #ticket = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  // Starts loading the module; otherwise the first request does.
  warmUp(): void {
    this.#compiled().catch(() => undefined);
  }

  // --- Files, by their name in the top folder

  add(files: readonly PlacedFile[]): void {
    for (const file of files) {
      const root = file.path.split('/', 1)[0] ?? '';
      const list = this.#files.get(root);
      if (list === undefined) this.#files.set(root, [file]);
      else list.push(file);
    }
    this.#worker?.postMessage({ kind: 'add', files });
  }

  has(root: string): boolean {
    return this.#files.has(root);
  }

  // Closes the sessions with these keys.
  remove(roots: readonly string[], keys: readonly string[]): void {
    for (const root of roots) this.#files.delete(root);
    this.#worker?.postMessage({ kind: 'remove', roots, keys });
  }

  // --- Requests

  async open(session: SessionSpec, asked: Asked = {}): Promise<readonly string[]> {
    const answer = await this.#ask({ kind: 'open', session }, asked);
    return answer.kind === 'labels' ? answer.labels : [];
  }

  // `roots`: the names that a listing of the top folder returns, for verbs that list it.
  async call(
    sessions: readonly SessionSpec[],
    verb: string,
    options: readonly Option[],
    asked: Asked & { readonly roots?: readonly string[] } = {},
  ): Promise<ArrayBuffer> {
    const { roots = [] } = asked;
    const answer = await this.#ask({ kind: 'call', sessions, roots, verb, options }, asked);
    if (answer.kind !== 'document') throw new Error('unexpected answer of the core');
    return answer.bytes;
  }

  async query(
    sessions: readonly SessionSpec[],
    sql: string,
    options: readonly Option[] = [],
    asked: Asked = {},
  ): Promise<QueryRows> {
    const answer = await this.#ask({ kind: 'query', sessions, sql, options }, asked);
    if (answer.kind !== 'rows') throw new Error('unexpected answer of the core');
    return answer.rows;
  }

  #ask(task: Task, { onProgress, signal }: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      this.#ticket += 1;
      const request: Request = { ticket: this.#ticket, task, onProgress, resolve, reject };
      signal?.addEventListener('abort', () => this.#cancel(request), { once: true });
      this.#waiting.push(request);
      this.#next();
    });
  }

  // The module cannot be interrupted, so its worker is terminated.
  #cancel(request: Request): void {
    const at = this.#waiting.indexOf(request);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
    } else if (this.#running === request) {
      this.#running = null;
      this.#end();
    } else {
      return;
    }
    request.reject(cancelled());
    this.#next();
  }

  #next(): void {
    if (this.#running !== null || this.#isStarting || this.#waiting.length === 0) return;
    if (this.#worker === null) {
      void this.#start();
      return;
    }
    const request = this.#waiting.shift();
    if (request === undefined) return;
    this.#running = request;
    this.#worker.postMessage({ kind: 'task', ticket: request.ticket, task: request.task });
  }

  #compiled(): Promise<WebAssembly.Module> {
    this.#module ??= this.#options.module().catch((error: unknown) => {
      // Retried at the next request: the server may respond then.
      this.#module = null;
      throw error;
    });
    return this.#module;
  }

  async #start(): Promise<void> {
    this.#isStarting = true;
    try {
      const module = await this.#compiled();
      const worker = this.#options.newWorker();
      worker.addEventListener('message', ({ data }) => this.#take(worker, data));
      const failed = (event: Event & { readonly message?: string }): void => {
        event.preventDefault();
        this.#died(worker, event.message ?? '');
      };
      worker.addEventListener('error', failed);
      worker.addEventListener('messageerror', failed);
      worker.postMessage({ kind: 'start', module });
      worker.postMessage({ kind: 'add', files: [...this.#files.values()].flat() });
      this.#worker = worker;
    } catch (error) {
      const reason = messageOf(error);
      const failure = failureOf('ended', `the core could not be started: ${reason}`);
      for (const request of this.#waiting.splice(0)) request.reject(new CoreError(failure));
    } finally {
      this.#isStarting = false;
    }
    this.#next();
  }

  #take(worker: WorkerLike, message: FromWorker): void {
    const running = this.#running;
    // From a worker that was terminated, or for a request that was cancelled.
    if (worker !== this.#worker || running?.ticket !== message.ticket) return;
    if (message.kind === 'progress') {
      running.onProgress?.(message.progress);
      return;
    }
    this.#running = null;
    if (message.kind === 'done') running.resolve(message.answer);
    else running.reject(new CoreError(message.failure));
    this.#next();
  }

  // The worker itself is gone, not only the module in it: the browser reclaimed its memory, or it
  // could not be loaded.
  #died(worker: WorkerLike, reason: string): void {
    if (worker !== this.#worker) return;
    const running = this.#running;
    this.#running = null;
    this.#end();
    const words = `the browser stopped the core${reason === '' ? '' : `: ${reason}`}`;
    const hint = 'It restarts; everything else stays open.';
    const error = new CoreError(failureOf('ended', words, hint));
    if (running !== null) running.reject(error);
    // A worker that dies before its first request would be restarted again and again.
    else for (const request of this.#waiting.splice(0)) request.reject(error);
    this.#next();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  close(): void {
    this.#end();
    const left = [...(this.#running === null ? [] : [this.#running]), ...this.#waiting.splice(0)];
    this.#running = null;
    for (const request of left) request.reject(cancelled());
  }
}

function cancelled(): CoreError {
  return new CoreError(failureOf('cancelled', 'stopped'));
}
