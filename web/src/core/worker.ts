// The core, off the page's main thread.

import { Host } from './host.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import type { Source } from './tree.ts';

interface WorkerScope {
  addEventListener(kind: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

// Missing from TypeScript's types for a page.
declare class FileReaderSync {
  readAsArrayBuffer(content: Blob): ArrayBuffer;
}

const scope = globalThis as unknown as WorkerScope;
const reader = new FileReaderSync();

// Only workers may block on reads, and the module's reads block.
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
// One after the other, in the order of arrival.
let last = Promise.resolve();
scope.addEventListener('message', ({ data }) => {
  last = last
    .then(() => host.take(data))
    // Reported to the page as an error of the worker, which the page then replaces.
    .catch((error: unknown) => {
      setTimeout(() => {
        throw error;
      });
    });
});
