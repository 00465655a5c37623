// What the page and its layout worker say to each other.

import type { LayoutInput, LayoutResult } from './layout.ts';

export type ToWorker =
  // Once, first: the bytes of the module.
  | { readonly kind: 'module'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'lay-out'; readonly ticket: number; readonly input: LayoutInput };

export type FromWorker =
  | { readonly kind: 'laid-out'; readonly ticket: number; readonly result: LayoutResult }
  | { readonly kind: 'failed'; readonly ticket: number; readonly message: string };
