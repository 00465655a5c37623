// The files that the core may see: folders and files that were dropped, in memory only as far as they
// are read, and one folder that it may write to.

// Something with bytes that stay where they are until they are asked for.
export interface Source {
  readonly size: number;
  // Milliseconds since 1970.
  readonly modified: number;
  // Errors: throws where the bytes can't be had any more.
  read(from: number, to: number): Uint8Array;
}

export class FileNode {
  readonly kind = 'file';
  readonly id: number;
  readonly source: Source;

  constructor(id: number, source: Source) {
    this.id = id;
    this.source = source;
  }
}

// Holds what was written.
export class Written implements Source {
  #bytes = new Uint8Array(0);
  size = 0;
  readonly modified = 0;

  read(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, Math.min(to, this.size));
  }

  write(at: number, bytes: Uint8Array): void {
    const end = at + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length, 4096));
      larger.set(this.#bytes.subarray(0, this.size));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, at);
    this.size = Math.max(this.size, end);
  }

  truncate(): void {
    this.size = 0;
  }
}

export class Folder {
  readonly kind = 'folder';
  readonly id: number;
  readonly isWritable: boolean;
  readonly entries = new Map<string, Folder | FileNode>();

  constructor(id: number, isWritable: boolean) {
    this.id = id;
    this.isWritable = isWritable;
  }
}

export type Node = Folder | FileNode;

// Where the core may write; no dropped folder is called so.
export const kScratch = '.planex-scratch';

export class Tree {
  #ids = 1;
  readonly root = new Folder(this.#ids, false);
  readonly scratch = new Folder(this.nextId(), true);
  // Of what lies in the root, what a listing of it names. Files that came at another time lie beside
  // these and are none of their engine's, but are found by their names.
  listed: ReadonlySet<string> | null = null;

  constructor() {
    this.root.entries.set(kScratch, this.scratch);
  }

  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  // `path`: "folder/file", of names that are neither empty nor "." nor "..".
  add(path: string, source: Source): void {
    const names = path.split('/');
    const name = names.pop() ?? '';
    let folder = this.root;
    for (const step of names) {
      let next = folder.entries.get(step);
      if (next?.kind !== 'folder') {
        next = new Folder(this.nextId(), false);
        folder.entries.set(step, next);
      }
      folder = next;
    }
    folder.entries.set(name, new FileNode(this.nextId(), source));
  }

  // A name in the root, with all that is below it.
  remove(name: string): void {
    this.root.entries.delete(name);
  }

  namesIn(folder: Folder): readonly (readonly [string, Node])[] {
    const all = [...folder.entries];
    if (folder !== this.root) return all;
    return all.filter(([name]) => name !== kScratch && (this.listed?.has(name) ?? true));
  }
}
