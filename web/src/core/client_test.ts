import { describe, expect, it } from 'vitest';

import { CoreClient, type WorkerLike } from './client.ts';
import type { FromWorker, SessionSpec, ToWorker } from './protocol.ts';

type Listener = (event: never) => void;

// Responds when the test tells it to.
class FakeWorker implements WorkerLike {
  readonly told: ToWorker[] = [];
  isEnded = false;
  readonly #listeners = new Map<string, Listener>();

  postMessage(message: ToWorker): void {
    this.told.push(message);
  }
  addEventListener(kind: string, listener: Listener): void {
    this.#listeners.set(kind, listener);
  }
  terminate(): void {
    this.isEnded = true;
  }
  get tickets(): readonly number[] {
    return this.told.flatMap((message) => (message.kind === 'task' ? [message.ticket] : []));
  }
  say(message: FromWorker): void {
    this.#listeners.get('message')?.({ data: message } as never);
  }
  done(): void {
    const ticket = this.tickets.at(-1) ?? 0;
    this.say({
      kind: 'done',
      ticket,
      answer: { kind: 'labels', labels: [`label ${String(ticket)}`] },
    });
  }
  die(): void {
    this.#listeners.get('error')?.({
      preventDefault: () => undefined,
      message: 'out of memory',
    } as never);
  }
}

const kModule = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
const session = (key: string): SessionSpec => ({ key, options: [['path', key]], roots: [key] });

function setUp(module = (): Promise<WebAssembly.Module> => Promise.resolve(kModule)) {
  const workers: FakeWorker[] = [];
  const client = new CoreClient({
    module,
    newWorker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
  });
  const settled = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve);
    });
  return { client, workers, settled };
}

describe('CoreClient', () => {
  it('asks one at a time, in order', async () => {
    const { client, workers, settled } = setUp();
    const first = client.open(session('a'));
    const second = client.open(session('b'));
    await settled();
    expect(workers[0]?.tickets).toEqual([1]);
    workers[0]?.done();
    expect(await first).toEqual(['label 1']);
    expect(workers[0]?.tickets).toEqual([1, 2]);
    workers[0]?.done();
    expect(await second).toEqual(['label 2']);
  });

  it('replaces a worker that was cancelled, with its files', async () => {
    const { client, workers, settled } = setUp();
    client.add([{ path: 'a/x', content: new Blob(['x']) }]);
    const abort = new AbortController();
    const first = client.open(session('a'), { signal: abort.signal });
    const second = client.open(session('b'));
    await settled();
    abort.abort();
    await expect(first).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    await settled();
    expect(workers[0]?.isEnded).toBe(true);
    // Late messages from the old worker are ignored.
    workers[0]?.done();
    expect(workers[1]?.told[1]).toMatchObject({ kind: 'add', files: [{ path: 'a/x' }] });
    workers[1]?.done();
    expect(await second).toEqual(['label 2']);
  });

  it('takes back a request that waits without ending the worker', async () => {
    const { client, workers, settled } = setUp();
    const first = client.open(session('a'));
    const abort = new AbortController();
    const second = client.open(session('b'), { signal: abort.signal });
    await settled();
    abort.abort();
    await expect(second).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    workers[0]?.done();
    expect(await first).toHaveLength(1);
    const late = client.open(session('c'), { signal: AbortSignal.abort() });
    await expect(late).rejects.toThrow('stopped');
  });

  it('rejects what a worker died of, and asks the next one the rest', async () => {
    const { client, workers, settled } = setUp();
    const first = client.open(session('a'));
    const second = client.open(session('b'));
    await settled();
    workers[0]?.die();
    await expect(first).rejects.toMatchObject({ failure: { code: 'ended' } });
    await settled();
    workers[1]?.done();
    expect(await second).toEqual(['label 2']);
  });

  it('rejects all where there is no module, and asks for it again', async () => {
    let isThere = false;
    const { client, workers, settled } = setUp(() =>
      isThere ? Promise.resolve(kModule) : Promise.reject(new Error('planex.wasm: 404')),
    );
    const both = [client.open(session('a')), client.open(session('b'))];
    for (const one of both) await expect(one).rejects.toThrow('404');
    isThere = true;
    const again = client.open(session('a'));
    await settled();
    workers[0]?.done();
    expect(await again).toHaveLength(1);
  });

  it('settles everything when it is closed', async () => {
    const { client, settled } = setUp();
    const both = [client.open(session('a')), client.query([session('a')], 'SELECT 1')];
    await settled();
    client.close();
    for (const one of both) await expect(one).rejects.toThrow('stopped');
  });

  it('reports progress, only for the running request', async () => {
    const { client, workers, settled } = setUp();
    const read: number[] = [];
    const opened = client.open(session('a'), {
      onProgress: ({ bytesRead }) => read.push(bytesRead),
    });
    await settled();
    const progress = { filesRead: 1, bytesRead: 5, bytesTotal: 10 };
    workers[0]?.say({ kind: 'progress', ticket: 1, progress });
    workers[0]?.say({ kind: 'progress', ticket: 7, progress });
    workers[0]?.done();
    await opened;
    expect(read).toEqual([5]);
  });
});
