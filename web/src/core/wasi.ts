// As much of WASI (preview 1) as the core asks its system for, over a Tree: files to read, a folder to
// write to, the time, random numbers, and words on the standard streams.
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

import { FileNode, Written, type Folder, type Node, type Tree } from './tree.ts';

export const kErrno = {
  success: 0,
  badf: 8,
  exist: 20,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  noent: 44,
  notdir: 54,
  notempty: 55,
  rofs: 69,
  notcapable: 76,
} as const;

const kCharacterDevice = 2;
const kDirectory = 3;
const kRegularFile = 4;
const kRootFd = 3;
const kAllRights = 0xffff_ffff_ffff_ffffn;
const kOpen = { create: 1, directory: 2, exclusive: 4, truncate: 8 } as const;
const kAppend = 1;
// Of a request for less, this much is read at once: each read asks the browser.
const kWindowBytes = 1 << 18;
// What crypto gives at most at once.
const kMaxRandomBytes = 65_536;
const kMaxLine = 2000;

// The module ended itself.
export class Ended extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`the core ended with ${String(code)}`);
    this.code = code;
  }
}

class Failed extends Error {
  readonly errno: number;
  constructor(errno: number) {
    super(`errno ${String(errno)}`);
    this.errno = errno;
  }
}

interface OpenFile {
  readonly node: Node;
  position: number;
  readonly isAppending: boolean;
  // Bytes read ahead, and where they begin.
  window: Uint8Array;
  windowAt: number;
}

export interface WasiOptions {
  readonly tree: Tree;
  // A line on the standard error.
  readonly say?: (line: string) => void;
  // Bytes of a file up to `end` were read.
  readonly onRead?: (file: FileNode, end: number) => void;
  readonly now?: () => number;
}

// Null: a standard stream.
function typeOf(node: Node | null): number {
  if (node === null) return kCharacterDevice;
  return node.kind === 'folder' ? kDirectory : kRegularFile;
}

type Call = (...words: never[]) => number;

export class Wasi {
  readonly #tree: Tree;
  readonly #options: WasiOptions;
  readonly #open = new Map<number, OpenFile>();
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  readonly #streams = new TextDecoder();
  #line = '';
  #memory: WebAssembly.Memory | null = null;

  constructor(options: WasiOptions) {
    this.#tree = options.tree;
    this.#options = options;
    this.#open.set(kRootFd, this.#opened(options.tree.root, false));
  }

  bind(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  // --- Memory of the module. Never kept: it moves when it grows. Addresses are unsigned, and come as
  // signed numbers beyond 2 GB.

  get #view(): DataView {
    if (this.#memory === null) throw new Error('the module has no memory yet');
    return new DataView(this.#memory.buffer);
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    if (this.#memory === null) throw new Error('the module has no memory yet');
    return new Uint8Array(this.#memory.buffer, at >>> 0, length >>> 0);
  }

  #set32(at: number, value: number): void {
    this.#view.setUint32(at >>> 0, value, true);
  }

  #set64(at: number, value: bigint): void {
    this.#view.setBigUint64(at >>> 0, value, true);
  }

  // The parts of a list of buffers.
  #buffers(at: number, count: number): readonly Uint8Array<ArrayBuffer>[] {
    const view = this.#view;
    return Array.from({ length: count >>> 0 }, (_, i) => {
      const entry = (at >>> 0) + 8 * i;
      return this.#bytes(view.getUint32(entry, true), view.getUint32(entry + 4, true));
    });
  }

  // --- Files

  #opened(node: Node, isAppending: boolean): OpenFile {
    return { node, position: 0, isAppending, window: new Uint8Array(0), windowAt: 0 };
  }

  #file(fd: number): OpenFile {
    const file = this.#open.get(fd);
    if (file === undefined) throw new Failed(kErrno.badf);
    return file;
  }

  #folder(fd: number): Folder {
    const { node } = this.#file(fd);
    if (node.kind !== 'folder') throw new Failed(kErrno.notdir);
    return node;
  }

  // The folder that a path ends in, and the last name; an empty name is the folder itself.
  #walk(fd: number, at: number, length: number): { folder: Folder; name: string } {
    const start = this.#folder(fd);
    let path: string;
    try {
      path = this.#utf8.decode(this.#bytes(at, length));
    } catch {
      throw new Failed(kErrno.ilseq);
    }
    // Nothing leads out of the folder that a path begins in.
    const above: Folder[] = [];
    let folder = start;
    const steps = path.split('/').filter((step) => step !== '' && step !== '.');
    const last = path.endsWith('/') || steps.at(-1) === '..' ? '' : (steps.pop() ?? '');
    for (const step of steps) {
      if (step === '..') {
        const parent = above.pop();
        if (parent === undefined) throw new Failed(kErrno.notcapable);
        folder = parent;
        continue;
      }
      const next = folder.entries.get(step);
      if (next === undefined) throw new Failed(kErrno.noent);
      if (next.kind !== 'folder') throw new Failed(kErrno.notdir);
      above.push(folder);
      folder = next;
    }
    return { folder, name: last };
  }

  #find(fd: number, at: number, length: number): Node {
    const { folder, name } = this.#walk(fd, at, length);
    const node = name === '' ? folder : folder.entries.get(name);
    if (node === undefined) throw new Failed(kErrno.noent);
    return node;
  }

  #openPath(
    { folder, name }: { folder: Folder; name: string },
    how: number,
    flags: number,
    result: number,
  ): void {
    let node: Node | undefined = name === '' ? folder : folder.entries.get(name);
    if (node === undefined) {
      if ((how & kOpen.create) === 0) throw new Failed(kErrno.noent);
      if (!folder.isWritable) throw new Failed(kErrno.rofs);
      node = new FileNode(this.#tree.nextId(), new Written());
      folder.entries.set(name, node);
    } else if ((how & kOpen.create) !== 0 && (how & kOpen.exclusive) !== 0) {
      throw new Failed(kErrno.exist);
    }
    if ((how & kOpen.directory) !== 0 && node.kind !== 'folder') throw new Failed(kErrno.notdir);
    if ((how & kOpen.truncate) !== 0) this.#written(node).truncate();
    let next = kRootFd + 1;
    while (this.#open.has(next)) next += 1;
    this.#open.set(next, this.#opened(node, (flags & kAppend) !== 0));
    this.#set32(result, next);
  }

  #written(node: Node): Written {
    if (node.kind === 'folder') throw new Failed(kErrno.isdir);
    if (!(node.source instanceof Written)) throw new Failed(kErrno.rofs);
    return node.source;
  }

  #read(fd: number, buffers: number, count: number, result: number): void {
    const file = this.#file(fd);
    const { node } = file;
    if (node.kind === 'folder') throw new Failed(kErrno.isdir);
    let total = 0;
    for (const buffer of this.#buffers(buffers, count)) {
      const read = this.#readInto(file, node, buffer);
      total += read;
      if (read < buffer.length) break;
    }
    this.#set32(result, total);
    if (total > 0) this.#options.onRead?.(node, file.position);
  }

  #readInto(file: OpenFile, node: FileNode, buffer: Uint8Array): number {
    const from = file.position;
    const to = Math.min(node.source.size, from + buffer.length);
    if (to <= from) return 0;
    const isThere = from >= file.windowAt && to <= file.windowAt + file.window.length;
    if (!isThere || node.source instanceof Written) {
      const end = Math.min(node.source.size, Math.max(to, from + kWindowBytes));
      try {
        file.window = node.source.read(from, end);
      } catch {
        throw new Failed(kErrno.io);
      }
      file.windowAt = from;
      // A source that gives less than it has was changed.
      if (file.window.length < to - from) throw new Failed(kErrno.io);
    }
    buffer.set(file.window.subarray(from - file.windowAt, to - file.windowAt));
    file.position = to;
    return to - from;
  }

  #write(fd: number, buffers: number, count: number, result: number): void {
    const parts = this.#buffers(buffers, count);
    const total = parts.reduce((sum, part) => sum + part.length, 0);
    if (fd === 1 || fd === 2) {
      for (const part of parts) this.#say(this.#streams.decode(part, { stream: true }));
    } else {
      const file = this.#file(fd);
      const written = this.#written(file.node);
      if (file.isAppending) file.position = written.size;
      for (const part of parts) {
        written.write(file.position, part);
        file.position += part.length;
      }
    }
    this.#set32(result, total);
  }

  #say(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(-kMaxLine);
    for (const line of lines) this.#options.say?.(line);
  }

  #seek(fd: number, by: bigint, whence: number, result: number): void {
    const file = this.#file(fd);
    if (file.node.kind === 'folder') throw new Failed(kErrno.isdir);
    const base = [0, file.position, file.node.source.size][whence];
    if (base === undefined) throw new Failed(kErrno.inval);
    const wanted = BigInt(base) + by;
    if (wanted < 0n || wanted > BigInt(Number.MAX_SAFE_INTEGER)) throw new Failed(kErrno.inval);
    file.position = Number(wanted);
    this.#set64(result, wanted);
  }

  // Entries that don't fit are cut: the module asks again, from the last that was whole.
  #list(fd: number, at: number, length: number, cookie: bigint, result: number): void {
    const names = this.#tree.namesIn(this.#folder(fd));
    const out = this.#bytes(at, length);
    let used = 0;
    for (let i = Number(cookie); i < names.length && used < out.length; i += 1) {
      const entry = names[i];
      if (entry === undefined) break;
      const [name, node] = entry;
      const text = new TextEncoder().encode(name);
      const record = new Uint8Array(24 + text.length);
      const view = new DataView(record.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setBigUint64(8, BigInt(node.id), true);
      view.setUint32(16, text.length, true);
      view.setUint8(20, typeOf(node));
      record.set(text, 24);
      const part = record.subarray(0, out.length - used);
      out.set(part, used);
      used += part.length;
    }
    this.#set32(result, used);
  }

  #stat(node: Node | null, at: number): void {
    this.#bytes(at, 64).fill(0);
    const view = this.#view;
    const start = at >>> 0;
    view.setBigUint64(start + 8, BigInt(node?.id ?? 0), true);
    view.setUint8(start + 16, typeOf(node));
    view.setBigUint64(start + 24, 1n, true);
    if (node?.kind !== 'file') return;
    view.setBigUint64(start + 32, BigInt(node.source.size), true);
    const time = BigInt(Math.max(0, Math.round(node.source.modified))) * 1_000_000n;
    for (const field of [40, 48, 56]) view.setBigUint64(start + field, time, true);
  }

  #describe(fd: number, at: number): void {
    const node = fd < kRootFd ? null : this.#file(fd).node;
    this.#bytes(at, 24).fill(0);
    const view = this.#view;
    const start = at >>> 0;
    view.setUint8(start, typeOf(node));
    view.setBigUint64(start + 8, kAllRights, true);
    view.setBigUint64(start + 16, kAllRights, true);
  }

  #rename(from: { folder: Folder; name: string }, to: { folder: Folder; name: string }): void {
    const node = from.folder.entries.get(from.name);
    if (node === undefined) throw new Failed(kErrno.noent);
    if (!from.folder.isWritable || !to.folder.isWritable) throw new Failed(kErrno.rofs);
    from.folder.entries.delete(from.name);
    to.folder.entries.set(to.name, node);
  }

  #unlink({ folder, name }: { folder: Folder; name: string }): void {
    const node = folder.entries.get(name);
    if (node === undefined) throw new Failed(kErrno.noent);
    if (node.kind === 'folder') throw new Failed(kErrno.isdir);
    if (!folder.isWritable) throw new Failed(kErrno.rofs);
    folder.entries.delete(name);
  }

  #random(at: number, length: number): void {
    const bytes = this.#bytes(at, length);
    for (let from = 0; from < bytes.length; from += kMaxRandomBytes) {
      crypto.getRandomValues(bytes.subarray(from, from + kMaxRandomBytes));
    }
  }

  #time(clock: number, result: number): void {
    const ms = clock === 0 ? (this.#options.now ?? Date.now)() : performance.now();
    this.#set64(result, BigInt(Math.round(ms * 1e6)));
  }

  // --- What the module imports

  imports(): WebAssembly.ModuleImports {
    // What a call throws becomes its answer.
    const answered =
      (work: (...words: never[]) => void): Call =>
      (...words) => {
        try {
          work(...words);
          return kErrno.success;
        } catch (error) {
          if (error instanceof Failed) return error.errno;
          throw error;
        }
      };
    const noTexts = (count: number, bytes: number): void => {
      this.#set32(count, 0);
      this.#set32(bytes, 0);
    };
    const calls: Readonly<Record<string, (...words: never[]) => void>> = {
      environ_sizes_get: noTexts,
      environ_get: () => undefined,
      args_sizes_get: noTexts,
      args_get: () => undefined,
      clock_time_get: (clock: number, _precision: bigint, result: number) =>
        this.#time(clock, result),
      random_get: (at: number, length: number) => this.#random(at, length),
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== kRootFd) throw new Failed(kErrno.badf);
        this.#set32(at, 0);
        this.#set32(at + 4, 1);
      },
      fd_prestat_dir_name: (fd: number, at: number, length: number) => {
        if (fd !== kRootFd) throw new Failed(kErrno.badf);
        if (length >>> 0 < 1) throw new Failed(kErrno.inval);
        this.#bytes(at, 1).set([0x2f]);
      },
      fd_fdstat_get: (fd: number, at: number) => this.#describe(fd, at),
      fd_fdstat_set_flags: (fd: number) => void this.#file(fd),
      fd_filestat_get: (fd: number, at: number) =>
        this.#stat(fd < kRootFd ? null : this.#file(fd).node, at),
      fd_close: (fd: number) => {
        if (fd > kRootFd) {
          this.#file(fd);
          this.#open.delete(fd);
        }
      },
      fd_read: (fd: number, buffers: number, count: number, result: number) =>
        fd === 0 ? this.#set32(result, 0) : this.#read(fd, buffers, count, result),
      fd_write: (fd: number, buffers: number, count: number, result: number) =>
        this.#write(fd, buffers, count, result),
      fd_seek: (fd: number, by: bigint, whence: number, result: number) =>
        this.#seek(fd, by, whence, result),
      fd_readdir: (fd: number, at: number, length: number, cookie: bigint, result: number) =>
        this.#list(fd, at, length, cookie, result),
      path_filestat_get: (fd: number, _flags: number, at: number, length: number, result: number) =>
        this.#stat(this.#find(fd, at, length), result),
      path_open: (
        fd: number,
        _links: number,
        at: number,
        length: number,
        how: number,
        _rights: bigint,
        _inherited: bigint,
        flags: number,
        result: number,
      ) => this.#openPath(this.#walk(fd, at, length), how, flags, result),
      path_rename: (
        fd: number,
        at: number,
        length: number,
        toFd: number,
        toAt: number,
        toLength: number,
      ) => this.#rename(this.#walk(fd, at, length), this.#walk(toFd, toAt, toLength)),
      path_unlink_file: (fd: number, at: number, length: number) =>
        this.#unlink(this.#walk(fd, at, length)),
      // Nothing makes folders.
      path_remove_directory: (fd: number, at: number, length: number) => {
        const node = this.#find(fd, at, length);
        throw new Failed(node.kind === 'folder' ? kErrno.notempty : kErrno.notdir);
      },
    };
    const imports: Record<string, (...words: never[]) => unknown> = {
      proc_exit: (code: number) => {
        throw new Ended(code);
      },
    };
    for (const [name, work] of Object.entries(calls)) imports[name] = answered(work);
    return imports;
  }
}
