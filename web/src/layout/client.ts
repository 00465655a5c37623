// Lays out in a worker; where the browser allows none for a page from disk, on the page's thread.

import layoutModule from 'virtual:planex-layout';

import type { LayoutInput, LayoutResult } from './layout.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import { runLayout } from './wasm.ts';
import LayoutWorker from './worker.ts?worker&inline';

interface Waiting {
  readonly input: LayoutInput;
  readonly resolve: (result: LayoutResult) => void;
  readonly reject: (error: Error) => void;
}

async function moduleBytes(): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(layoutModule), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

export class LayoutClient {
  #worker: Worker | null = null;
  readonly #bytes = moduleBytes();
  // The worker has the module, or there is no worker.
  #started: Promise<void> = Promise.resolve();
  #hereModule: Promise<WebAssembly.Module> | null = null;
  #ticket = 0;
  readonly #waiting = new Map<number, Waiting>();

  constructor() {
    try {
      const worker = new LayoutWorker();
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#take(data));
      // The worker could not start: all that waits is done here.
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        this.#withoutWorker();
      });
      this.#worker = worker;
      this.#started = this.#bytes.then((bytes) => this.#send({ kind: 'module', bytes }));
    } catch {
      this.#worker = null;
    }
  }

  layOut(input: LayoutInput): Promise<LayoutResult> {
    return new Promise((resolve, reject) => {
      const waiting = { input, resolve, reject };
      if (this.#worker === null) {
        this.#here(waiting);
        return;
      }
      this.#ticket += 1;
      const ticket = this.#ticket;
      this.#waiting.set(ticket, waiting);
      this.#started.then(() => this.#send({ kind: 'lay-out', ticket, input }), reject);
    });
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #take(message: FromWorker): void {
    const waiting = this.#waiting.get(message.ticket);
    this.#waiting.delete(message.ticket);
    if (message.kind === 'laid-out') waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.message));
  }

  #here({ input, resolve, reject }: Waiting): void {
    this.#hereModule ??= this.#bytes.then((bytes) => WebAssembly.compile(bytes));
    this.#hereModule
      .then((module) => runLayout(module, input))
      .then(resolve, (error: unknown) => reject(new Error(String(error))));
  }

  #withoutWorker(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) this.#here(one);
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
  }
}
