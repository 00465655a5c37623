import { describe, expect, it } from 'vitest';

import { wasi } from '@bjorn3/browser_wasi_shim';

import { Tree, type Source } from './tree.ts';
import { Ended, Wasi } from './wasi.ts';

type Call = (...words: (number | bigint)[]) => number | undefined;

const kPathAt = 1000;
const kOutAt = 2000;
const kDataAt = 4096;
const kBuffersAt = 3000;

function bytesOf(text: string): Source & { reads: number[][] } {
  const bytes = new TextEncoder().encode(text);
  const reads: number[][] = [];
  return {
    size: bytes.length,
    reads,
    read: (from, to) => {
      reads.push([from, to]);
      return bytes.subarray(from, to);
    },
  };
}

class Machine {
  readonly tree = new Tree();
  readonly said: string[] = [];
  readonly #memory: WebAssembly.Memory;
  readonly #calls: Readonly<Record<string, Call>>;

  constructor(pages = 16) {
    this.#memory = new WebAssembly.Memory({ initial: pages });
    const system = new Wasi(this.tree, (line) => this.said.push(line));
    system.bind(this.#memory);
    this.#calls = system.imports() as unknown as Readonly<Record<string, Call>>;
  }

  call(name: string, ...words: (number | bigint)[]): number {
    const call = this.#calls[name];
    if (call === undefined) throw new Error(`no ${name}`);
    // The module treats 0 as nothing.
    return call(...words) ?? 0;
  }

  get view(): DataView {
    return new DataView(this.#memory.buffer);
  }

  path(text: string): readonly [number, number] {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.#memory.buffer).set(bytes, kPathAt);
    return [kPathAt, bytes.length];
  }

  open(path: string, how = 0): { errno: number; fd: number } {
    const errno = this.call('path_open', 3, 0, ...this.path(path), how, 0n, 0n, 0, kOutAt);
    return { errno, fd: this.view.getUint32(kOutAt, true) };
  }

  // Into buffers of the given sizes.
  read(fd: number, ...sizes: number[]): string {
    let at = kDataAt;
    sizes.forEach((size, i) => {
      this.view.setUint32(kBuffersAt + 8 * i, at, true);
      this.view.setUint32(kBuffersAt + 8 * i + 4, size, true);
      at += size;
    });
    expect(this.call('fd_read', fd, kBuffersAt, sizes.length, kOutAt)).toBe(0);
    const count = this.view.getUint32(kOutAt, true);
    return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, kDataAt, count));
  }

  write(fd: number, text: string): number {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.#memory.buffer).set(bytes, kDataAt);
    this.view.setUint32(kBuffersAt, kDataAt, true);
    this.view.setUint32(kBuffersAt + 4, bytes.length, true);
    return this.call('fd_write', fd, kBuffersAt, 1, kOutAt);
  }

  // The names that a listing in pieces of `size` bytes returns.
  list(fd: number, size: number): readonly string[] {
    const names: string[] = [];
    let cookie = 0n;
    for (;;) {
      expect(this.call('fd_readdir', fd, kDataAt, size, cookie, kOutAt)).toBe(0);
      const used = this.view.getUint32(kOutAt, true);
      let at = 0;
      while (at + 24 <= used) {
        const length = this.view.getUint32(kDataAt + at + 16, true);
        if (at + 24 + length > used) break;
        const bytes = new Uint8Array(this.#memory.buffer, kDataAt + at + 24, length);
        names.push(new TextDecoder().decode(bytes));
        cookie = this.view.getBigUint64(kDataAt + at, true);
        at += 24 + length;
      }
      if (used < size) return names;
    }
  }
}

describe('Wasi', () => {
  it('has one folder, the top one', () => {
    const machine = new Machine();
    expect(machine.call('fd_prestat_get', 3, kOutAt)).toBe(0);
    expect(machine.view.getUint32(kOutAt + 4, true)).toBe(1);
    expect(machine.call('fd_prestat_dir_name', 3, kOutAt, 1)).toBe(0);
    expect(machine.view.getUint8(kOutAt)).toBe('/'.charCodeAt(0));
    expect(machine.call('fd_prestat_get', 4, kOutAt)).toBe(wasi.ERRNO_BADF);
  });

  it('reads across buffers and slices, from any place', () => {
    const machine = new Machine();
    const text = Array.from({ length: 60_000 }, (_, i) => String(i)).join(' ');
    const source = bytesOf(text);
    machine.tree.add('run/x.json', source);
    const { errno, fd } = machine.open('run/x.json');
    expect(errno).toBe(0);
    expect(machine.read(fd, 3, 5, 2)).toBe(text.slice(0, 10));
    expect(machine.read(fd, 10)).toBe(text.slice(10, 20));
    // Small reads cost one read of the browser.
    expect(source.reads).toHaveLength(1);
    expect(machine.call('fd_seek', fd, 262_140n, 0, kOutAt)).toBe(0);
    expect(machine.read(fd, 20)).toBe(text.slice(262_140, 262_160));
    expect(machine.call('fd_seek', fd, -4n, 2, kOutAt)).toBe(0);
    expect(machine.view.getBigUint64(kOutAt, true)).toBe(BigInt(text.length - 4));
    expect(machine.read(fd, 100)).toBe(text.slice(-4));
    expect(machine.read(fd, 100)).toBe('');
    expect(machine.call('fd_seek', fd, -1n, 0, kOutAt)).toBe(wasi.ERRNO_INVAL);
    expect(machine.call('fd_close', fd)).toBe(0);
    expect(machine.call('fd_close', fd)).toBe(wasi.ERRNO_BADF);
  });

  it('finds paths, and leads nowhere else', () => {
    const machine = new Machine();
    machine.tree.add('a/b/c', bytesOf('1'));
    expect(machine.open('a/./b/../b//c').errno).toBe(0);
    expect(machine.open('a/x').errno).toBe(wasi.ERRNO_NOENT);
    expect(machine.open('a/b/c/d').errno).toBe(wasi.ERRNO_NOTDIR);
    expect(machine.open('../a').errno).toBe(wasi.ERRNO_NOTCAPABLE);
    expect(machine.open('a/b/c', 2).errno).toBe(wasi.ERRNO_NOTDIR);
    expect(machine.call('path_filestat_get', 3, 0, ...machine.path('a/b/c'), kOutAt)).toBe(0);
    expect(machine.view.getBigUint64(kOutAt + 32, true)).toBe(1n);
  });

  it('lists in pieces, of the top folder only what was asked about', () => {
    const machine = new Machine();
    const names = Array.from({ length: 40 }, (_, i) => `file ${String(i)} ${'ä'.repeat(i)}`);
    for (const name of names) machine.tree.add(`run/${name}`, bytesOf(''));
    machine.tree.add('other.log', bytesOf(''));
    const { fd } = machine.open('run');
    expect(machine.list(fd, 160)).toEqual(names);
    expect(machine.list(fd, 65_536)).toEqual(names);
    expect(machine.list(3, 4096)).toEqual(['run', 'other.log']);
    machine.tree.listed = new Set(['run']);
    expect(machine.list(3, 4096)).toEqual(['run']);
    // It can still be opened by name.
    expect(machine.open('other.log').errno).toBe(0);
  });

  it('reports files that can’t be read any more', () => {
    const machine = new Machine();
    const gone = {
      size: 9,
      read: (): Uint8Array => {
        throw new Error('gone');
      },
    };
    machine.tree.add('gone', gone);
    machine.tree.add('short', { ...gone, read: () => new Uint8Array(2) });
    for (const name of ['gone', 'short']) {
      const { fd } = machine.open(name);
      machine.view.setUint32(kBuffersAt, kDataAt, true);
      machine.view.setUint32(kBuffersAt + 4, 9, true);
      expect(machine.call('fd_read', fd, kBuffersAt, 1, kOutAt)).toBe(wasi.ERRNO_IO);
    }
  });

  it('writes to its own folder alone', () => {
    const machine = new Machine();
    machine.tree.add('x', bytesOf('1'));
    expect(machine.open('y', 1).errno).toBe(wasi.ERRNO_ROFS);
    expect(machine.open('x', 8).errno).toBe(wasi.ERRNO_ROFS);
    const { fd } = machine.open('.planex-scratch/y', 1);
    expect(machine.write(fd, 'hello')).toBe(0);
    expect(machine.call('fd_seek', fd, 1n, 0, kOutAt)).toBe(0);
    expect(machine.write(fd, 'E')).toBe(0);
    const from = machine.path('.planex-scratch/y');
    new Uint8Array(machine.view.buffer).set(new TextEncoder().encode('.planex-scratch/z'), 1500);
    expect(machine.call('path_rename', 3, ...from, 3, 1500, from[1])).toBe(0);
    expect(machine.read(machine.open('.planex-scratch/z').fd, 9)).toBe('hEllo');
    expect(machine.call('path_unlink_file', 3, 1500, from[1])).toBe(0);
  });

  it('says lines, the time, random numbers, and ends', () => {
    const machine = new Machine();
    machine.write(2, 'one\ntw');
    machine.write(2, 'o\n');
    expect(machine.said).toEqual(['one', 'two']);
    expect(machine.call('clock_time_get', 0, 0n, kOutAt)).toBe(0);
    const now = BigInt(Date.now()) * 1_000_000n;
    expect(machine.view.getBigUint64(kOutAt, true)).toBeLessThanOrEqual(now);
    expect(machine.call('random_get', kDataAt, 200_000)).toBe(0);
    expect(new Set(new Uint8Array(machine.view.buffer, kDataAt, 4096)).size).toBeGreaterThan(100);
    expect(() => machine.call('proc_exit', 3)).toThrow(Ended);
  });

  it('takes addresses beyond 2 GB, which come as negative numbers', () => {
    const kPages = 0x9000;
    const machine = new Machine(kPages);
    const at = kPages * 65_536 - 4096;
    expect(at).toBeGreaterThan(2 ** 31);
    expect(machine.call('random_get', at | 0, 4096)).toBe(0);
    expect(new Set(new Uint8Array(machine.view.buffer, at)).size).toBeGreaterThan(100);
  });
});
