// Takes the data out of the page: base64 of a zlib stream, or plain JSON.

import type { Json } from './json_value.ts';

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function readBlob(node: HTMLElement | null): Promise<Json> {
  if (node === null) throw new Error('the page holds no data');
  const text = node.textContent;
  const encoding = node.getAttribute('data-encoding') ?? '';
  if (encoding === 'json') return JSON.parse(text) as Json;
  if (encoding !== 'deflate-base64') throw new Error(`unknown data encoding "${encoding}"`);
  const stream = new Blob([bytesOf(text.trim())])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as Json;
}
