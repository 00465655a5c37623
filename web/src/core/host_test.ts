import { describe, expect, it } from 'vitest';

import { Host } from './host.ts';
import type { FromWorker, SessionSpec } from './protocol.ts';

// A module whose `planex_open` has the given instructions, and the rest is minimal.
function moduleWith(open: readonly number[]): WebAssembly.Module {
  const text = (value: string): number[] => [value.length, ...new TextEncoder().encode(value)];
  const section = (id: number, bytes: readonly number[]): number[] => [id, bytes.length, ...bytes];
  const types = [
    [0x60, 0, 0],
    [0x60, 1, 0x7f, 1, 0x7f],
    [0x60, 1, 0x7f, 0],
    [0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f],
  ];
  const functions = ['_initialize', 'malloc', 'free', 'planex_open'];
  const bodies = [[], [0x41, 0x10], [], open].map((code) => [code.length + 2, 0, ...code, 0x0b]);
  const exported = functions.flatMap((name, i) => [...text(name), 0, i]);
  return new WebAssembly.Module(
    new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [types.length, ...types.flat()]),
      ...section(3, [4, 0, 1, 2, 3]),
      ...section(5, [1, 0, 1]),
      ...section(7, [5, ...text('memory'), 2, 0, ...exported]),
      ...section(10, [4, ...bodies.flat()]),
    ]),
  );
}

const kSession: SessionSpec = { key: 'a', options: [['path', 'a']], roots: ['a'] };

async function answersOf(module: WebAssembly.Module | null): Promise<readonly FromWorker[]> {
  const told: FromWorker[] = [];
  const host = new Host({
    post: (message) => told.push(message),
    sourceOf: () => ({ size: 0, read: () => new Uint8Array(0) }),
  });
  if (module !== null) await host.take({ kind: 'start', module });
  for (const ticket of [1, 2]) {
    await host.take({ kind: 'task', ticket, task: { kind: 'open', session: kSession } });
  }
  return told;
}

describe('Host', () => {
  it('answers a request that ended the module, and the next', async () => {
    const kUnreachable = 0x00;
    const told = await answersOf(moduleWith([kUnreachable]));
    expect(told).toMatchObject([
      { kind: 'failed', ticket: 1, failure: { code: 'ended' } },
      { kind: 'failed', ticket: 2, failure: { code: 'ended' } },
    ]);
    expect(told[0]).toMatchObject({
      failure: { message: expect.stringContaining('crashed') as string },
    });
  });

  it('answers without a module', async () => {
    const told = await answersOf(null);
    expect(told).toHaveLength(2);
    expect(told[1]).toMatchObject({ kind: 'failed', ticket: 2 });
  });
});
