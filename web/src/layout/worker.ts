// The layout, away from the page's own thread.

import type { FromWorker, ToWorker } from './protocol.ts';
import { runLayout } from './wasm.ts';

interface WorkerScope {
  addEventListener(kind: 'message', listener: (event: MessageEvent<ToWorker>) => void): void;
  postMessage(message: FromWorker): void;
}

const scope = globalThis as unknown as WorkerScope;
let compiled: Promise<WebAssembly.Module> | null = null;

async function answer(message: Extract<ToWorker, { kind: 'lay-out' }>): Promise<FromWorker> {
  const { ticket, input } = message;
  try {
    if (compiled === null) throw new Error('the layout module did not arrive');
    return { kind: 'laid-out', ticket, result: await runLayout(await compiled, input) };
  } catch (error) {
    return { kind: 'failed', ticket, message: String(error) };
  }
}

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'module') compiled = WebAssembly.compile(data.bytes);
  else void answer(data).then((message) => scope.postMessage(message));
});
