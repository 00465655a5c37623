// The layout, off the page's main thread.

import { run, type Call, type Flat } from './wasm.ts';

export interface Asked {
  readonly ticket: number;
  readonly call: Call;
}

export interface Answer {
  readonly ticket: number;
  readonly output?: Flat;
  readonly error?: string;
}

interface WorkerScope {
  addEventListener(kind: 'message', listener: (event: MessageEvent<Asked>) => void): void;
  addEventListener(kind: 'messageerror', listener: () => void): void;
  postMessage(message: Answer): void;
}

const scope = globalThis as unknown as WorkerScope;

scope.addEventListener('message', ({ data: { ticket, call } }) => {
  run(call).then(
    (output) => scope.postMessage({ ticket, output }),
    (error: unknown) => scope.postMessage({ ticket, error: String(error) }),
  );
});

// The page receives this error and continues without a worker.
scope.addEventListener('messageerror', () => {
  throw new Error('the layout module could not be loaded');
});
