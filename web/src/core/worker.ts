// The core, away from the page's own thread.

import { Host } from './host.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import type { Source } from './tree.ts';

interface WorkerScope {
  addEventListener(kind: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

// Not among TypeScript's types of a page.
declare class FileReaderSync {
  readAsArrayBuffer(content: Blob): ArrayBuffer;
}

const scope = globalThis as unknown as WorkerScope;
const reader = new FileReaderSync();

// Only workers may wait for bytes, and the module can't but wait.
function sourceOf(content: Blob): Source {
  return {
    size: content.size,
    read: (from, to) => new Uint8Array(reader.readAsArrayBuffer(content.slice(from, to))),
  };
}

const host = new Host({
  post: (message, transfer) => scope.postMessage(message, transfer),
  sourceOf,
});
// One after the other, in the order in which they came.
let last = Promise.resolve();
scope.addEventListener('message', ({ data }) => {
  last = last
    .then(() => host.take(data))
    // Told to the page as an error of the worker, which it replaces.
    .catch((error: unknown) => {
      setTimeout(() => {
        throw error;
      });
    });
});
