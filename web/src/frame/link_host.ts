// The page's own address as the place of the state. It assigns the fragment instead of using the
// history interface, because browsers refuse pushState with an address on pages opened from disk.

import type { LinkHost } from '../model/store.ts';

// Holding an arrow key makes thirty selections per second, and browsers refuse to navigate that
// often.
const kReplaceDelayMs = 150;

export class AddressLink implements LinkHost {
  #pending: string | null = null;
  #timer: number | undefined;
  // What this page wrote last, until something else changes the address.
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

  // Writes the pending state now, so that a link copied now is complete.
  flush(): void {
    const hash = this.#pending;
    this.#cancel();
    if (hash === null || hash === location.hash) return;
    this.#written = hash;
    location.replace(hash);
  }

  // The address changed. True if the reader navigated: then the pending state must not overwrite
  // the new one. The event for the page's own write arrives late, when the next write may already
  // be pending.
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
