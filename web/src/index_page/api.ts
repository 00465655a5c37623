// Talks to the server that the page came from.

import type { OpenedFile } from '../public/page/opener.ts';
import type { Json } from '../model/json_value.ts';
import {
  decodeEngines,
  decodeError,
  decodeOpened,
  decodeQuery,
  type EngineList,
  type QueryResult,
  type Refusal,
} from './wire.ts';

// A response that describes an error.
export class ServerError extends Error {
  readonly failure: Refusal;
  constructor(failure: Refusal) {
    super(failure.message === '' ? 'planex serve failed to answer' : failure.message);
    this.failure = failure;
  }
}

async function errorOf(response: Response): Promise<ServerError> {
  const text = await response.text();
  try {
    return new ServerError(decodeError(JSON.parse(text) as Json));
  } catch {
    return new ServerError({ message: text.trim(), file: '', context: '', hint: '' });
  }
}

export class Api {
  #etag = '';

  // Null: nothing changed since the last time.
  async engines(): Promise<EngineList | null> {
    const response = await fetch('/api/engines', {
      headers: this.#etag === '' ? {} : { 'If-None-Match': this.#etag },
      cache: 'no-store',
    });
    if (response.status === 304) return null;
    if (!response.ok) throw await errorOf(response);
    const list = decodeEngines((await response.json()) as Json);
    this.#etag = response.headers.get('ETag') ?? '';
    return list;
  }

  async query(ids: readonly string[], sql: string, signal: AbortSignal): Promise<QueryResult> {
    const response = await post('/api/query', ids, sql, signal);
    return decodeQuery((await response.json()) as Json);
  }

  async queryCsv(ids: readonly string[], sql: string, signal: AbortSignal): Promise<Blob> {
    return (await post('/api/query.csv', ids, sql, signal)).blob();
  }

  // The ids of the engines among the files.
  async open(files: readonly OpenedFile[]): Promise<readonly string[]> {
    const response = await fetch('/api/open', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-planex-files' },
      body: packed(files),
    });
    if (!response.ok) throw await errorOf(response);
    return decodeOpened((await response.json()) as Json);
  }
}

async function post(
  path: string,
  ids: readonly string[],
  sql: string,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(`${path}?${ids.map((id) => `e=${id}`).join('&')}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sql' },
    body: sql,
    signal,
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

// The files in one body, as src/serve/dropped_files.h specifies. The contents are not read until
// the browser sends them.
export function packed(files: readonly OpenedFile[]): Blob {
  const parts: BlobPart[] = [];
  for (const { name, content } of files) {
    const bytes = new TextEncoder().encode(name);
    const lengths = new DataView(new ArrayBuffer(12));
    lengths.setUint32(0, bytes.length, true);
    lengths.setBigUint64(4, BigInt(content.size), true);
    parts.push(lengths.buffer, bytes, content);
  }
  return new Blob(parts);
}
