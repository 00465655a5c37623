// The page's own address as the place of the state. Assigning the fragment, rather than the history
// interface, because browsers refuse pushState with an address on pages opened from disk.

import type { LinkHost } from '../model/store.ts';

// Holding an arrow key makes thirty selections a second, and browsers refuse to navigate that often.
const kReplaceDelayMs = 150;

export class AddressLink implements LinkHost {
  #pending: string | null = null;
  #timer: number | undefined;
  // What this page wrote last, until somebody else goes elsewhere.
  #written: string | null = null;

  read(): string {
    return this.#pending ?? location.hash;
  }

  push(hash: string): void {
    this.#cancel();
    if (hash === location.hash) return;
    this.#written = hash;
    location.hash = hash;
  }

  replace(hash: string): void {
    this.#cancel();
    this.#pending = hash;
    this.#timer = window.setTimeout(() => this.flush(), kReplaceDelayMs);
  }

  // Writes what waits, so that a link copied now is whole.
  flush(): void {
    const hash = this.#pending;
    this.#cancel();
    if (hash === null || hash === location.hash) return;
    this.#written = hash;
    location.replace(hash);
  }

  // The address changed. True where the reader went elsewhere: then what waited must not overwrite
  // where they went. The page's own writing is heard of late, when the next may wait already.
  changed(): boolean {
    if (location.hash === this.#written) return false;
    this.#written = null;
    this.#cancel();
    return true;
  }

  #cancel(): void {
    window.clearTimeout(this.#timer);
    this.#pending = null;
  }
}
