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
  return readText(node.textContent, node.getAttribute('data-encoding') ?? '');
}

// A file somebody brought: another report, or its data alone (planex report --format json).
export async function readDropped(text: string): Promise<Json> {
  if (/^\s*\{/.test(text)) return JSON.parse(text) as Json;
  // As report-data.md says it is written; anything else is no report. Not parsed as a page: nothing
  // of it should be loaded or run.
  const open = / id="planex-data" data-encoding="([a-z0-9-]+)">/;
  const found = open.exec(text);
  const end = found === null ? -1 : text.indexOf('<', found.index + found[0].length);
  if (found === null || end < 0) throw new Error('this file is not a planex report');
  return readText(text.slice(found.index + found[0].length, end), found[1] ?? '');
}

async function readText(text: string, encoding: string): Promise<Json> {
  if (encoding === 'json') return JSON.parse(text) as Json;
  if (encoding !== 'deflate-base64') throw new Error(`unknown data encoding "${encoding}"`);
  const stream = new Blob([bytesOf(text.trim())])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as Json;
}
