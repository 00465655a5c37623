// Folds and lays out in a worker; if the browser allows none for a page from disk, on the page's
// thread.

import layoutModule from 'virtual:planex-layout';

import { inflated } from '../base/inflate.ts';
import { run, type Call, type Flat, type Function } from './wasm.ts';
import type { Answer, Asked } from './worker.ts';
import LayoutWorker from './worker.ts?worker&inline';

interface Waiting {
  readonly call: Call;
  readonly resolve: (result: Flat | Promise<Flat>) => void;
  readonly reject: (error: Error) => void;
}

const compiled = async (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(await inflated(layoutModule).arrayBuffer());

export class LayoutClient {
  #worker: Worker | null = null;
  readonly #module = compiled();
  #ticket = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor() {
    try {
      const worker = new LayoutWorker();
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.#take(data));
      // The worker could not start: all pending requests are done here.
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.#withoutWorker();
      });
      this.#worker = worker;
    } catch {
      this.#worker = null;
    }
  }

  readonly run = async (name: Function, input: Flat): Promise<Flat> => {
    const call: Call = { module: await this.#module, name, input };
    const worker = this.#worker;
    if (worker === null) return run(call);
    this.#ticket += 1;
    const asked: Asked = { ticket: this.#ticket, call };
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked.ticket, { call, resolve, reject });
      worker.postMessage(asked);
    });
  };

  #take({ ticket, output, error }: Answer): void {
    const waiting = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    if (output === undefined) waiting?.reject(new Error(error));
    else waiting?.resolve(output);
  }

  #withoutWorker(): void {
    const waiting = [...this.#waiting.values()];
    this.close();
    for (const { call, resolve } of waiting) resolve(run(call));
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
  }
}

export type RunLayout = LayoutClient['run'];
