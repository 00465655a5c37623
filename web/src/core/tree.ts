// The files that the core can see, as a WASI file system: dropped files and folders, in memory only
// as far as they have been read, and one folder that it can write to.

import { Directory, Fd, Inode, OpenDirectory, wasi } from '@bjorn3/browser_wasi_shim';

// A source of bytes that are not loaded until they are read.
export interface Source {
  readonly size: number;
  // Throws if the bytes are no longer available.
  read(from: number, to: number): Uint8Array;
}

// The folder the core can write to; no dropped folder has this name.
export const kScratch = '.planex-scratch';
// Smaller requests read this much at once, because each read asks the browser.
const kWindowBytes = 1 << 18;

export class SourceFile extends Inode {
  readonly source: Source;
  readonly #tree: Tree;

  constructor(source: Source, tree: Tree) {
    super();
    this.source = source;
    this.#tree = tree;
  }

  override path_open(how: number): { ret: number; fd_obj: Fd | null } {
    const isCut = (how & wasi.OFLAGS_TRUNC) !== 0;
    if (isCut) return { ret: wasi.ERRNO_ROFS, fd_obj: null };
    return { ret: 0, fd_obj: new OpenSource(this, (end) => this.#tree.onRead(this, end)) };
  }

  override stat(): wasi.Filestat {
    return new wasi.Filestat(this.ino, wasi.FILETYPE_REGULAR_FILE, BigInt(this.source.size));
  }
}

class OpenSource extends Fd {
  readonly #file: SourceFile;
  readonly #onRead: (end: number) => void;
  #position = 0;
  // The read-ahead buffer and its offset.
  #window: Uint8Array = new Uint8Array(0);
  #windowAt = 0;

  constructor(file: SourceFile, onRead: (end: number) => void) {
    super();
    this.#file = file;
    this.#onRead = onRead;
  }

  override fd_fdstat_get(): { ret: number; fdstat: wasi.Fdstat } {
    return { ret: 0, fdstat: new wasi.Fdstat(wasi.FILETYPE_REGULAR_FILE, 0) };
  }

  override fd_filestat_get(): { ret: number; filestat: wasi.Filestat } {
    return { ret: 0, filestat: this.#file.stat() };
  }

  override fd_seek(by: bigint, whence: number): { ret: number; offset: bigint } {
    const base = [0, this.#position, this.#file.source.size][whence] ?? 0;
    const offset = BigInt(base) + by;
    if (offset < 0n || offset > BigInt(Number.MAX_SAFE_INTEGER)) {
      return { ret: wasi.ERRNO_INVAL, offset: 0n };
    }
    this.#position = Number(offset);
    return { ret: 0, offset };
  }

  override fd_read(count: number): { ret: number; data: Uint8Array } {
    const { source } = this.#file;
    const from = this.#position;
    const to = Math.max(from, Math.min(source.size, from + count));
    if (from < this.#windowAt || to > this.#windowAt + this.#window.length) {
      const end = Math.min(source.size, Math.max(to, from + kWindowBytes));
      let read: Uint8Array = new Uint8Array(0);
      try {
        read = source.read(from, end);
      } catch {
        // Reported as a changed file.
      }
      // A source that returns fewer bytes than its size has changed.
      if (read.length < to - from) return { ret: wasi.ERRNO_IO, data: read };
      this.#window = read;
      this.#windowAt = from;
    }
    this.#position = to;
    if (to > from) this.#onRead(to);
    return { ret: 0, data: this.#window.subarray(from - this.#windowAt, to - this.#windowAt) };
  }
}

export class Folder extends Directory {
  readonly #isListed: (name: string) => boolean;

  constructor(isListed: (name: string) => boolean = () => true) {
    super(new Map());
    this.#isListed = isListed;
  }

  override path_open(): { ret: number; fd_obj: OpenDirectory } {
    return { ret: 0, fd_obj: new OpenFolder(this) };
  }

  get names(): readonly string[] {
    return [...this.contents.keys()].filter((name) => this.#isListed(name));
  }

  // Paths begin at the root.
  override create_entry_for_path(
    path: string,
    isFolder: boolean,
  ): { ret: number; entry: Inode | null } {
    if (path.startsWith(`${kScratch}/`)) return super.create_entry_for_path(path, isFolder);
    return { ret: wasi.ERRNO_ROFS, entry: null };
  }
}

// The library's own implementation rebuilds the list of entries for each one.
export class OpenFolder extends OpenDirectory {
  readonly #folder: Folder;
  #names: readonly string[] = [];

  constructor(folder: Folder) {
    super(folder);
    this.#folder = folder;
  }

  override fd_readdir_single(cookie: bigint): { ret: number; dirent: wasi.Dirent | null } {
    if (cookie === 0n) this.#names = this.#folder.names;
    const name = this.#names[Number(cookie)];
    const entry = this.#folder.contents.get(name ?? '');
    if (name === undefined || entry === undefined) return { ret: 0, dirent: null };
    const { filetype } = entry.stat();
    return { ret: 0, dirent: new wasi.Dirent(cookie + 1n, entry.ino, name, filetype) };
  }

  override fd_prestat_get(): { ret: number; prestat: wasi.Prestat } {
    return { ret: 0, prestat: wasi.Prestat.dir('/') };
  }
}

export class Tree {
  // The names in the root that a listing returns. Files from other drops are in the same root and
  // do not belong to this engine, but can be opened by name.
  listed: ReadonlySet<string> | null = null;
  // The bytes of a file before `end` have been read.
  onRead: (file: SourceFile, end: number) => void = () => undefined;
  readonly root = new Folder((name) => name !== kScratch && (this.listed?.has(name) ?? true));

  constructor() {
    this.root.contents.set(kScratch, new Directory(new Map()));
  }

  // `path`: "folder/file"; no name is empty, "." or "..".
  add(path: string, source: Source): void {
    const names = path.split('/');
    const name = names.pop() ?? '';
    let folder: Directory = this.root;
    for (const step of names) {
      const known = folder.contents.get(step);
      const next = known instanceof Directory ? known : new Folder();
      folder.contents.set(step, next);
      folder = next;
    }
    folder.contents.set(name, new SourceFile(source, this));
  }

  // A name in the root, with everything below it.
  remove(name: string): void {
    this.root.contents.delete(name);
  }
}
