// What the page was delivered with: its core, and engines to try; embedded as text, or next to it
// on its server.

import core from 'virtual:planex-core';
import examples from 'virtual:planex-examples';

import { inflated } from '../base/inflate.ts';
import type { OpenedFile } from '../public/page/opener.ts';

export interface Example {
  readonly name: string;
  readonly words: string;
  readonly files: readonly string[];
}

export const kExamples: readonly Example[] = examples.examples;

// Whether there is a server that it can ask.
export const kIsServed = core.packed === null;

export async function fetched(address: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new Error(`${address} can't be reached`);
  }
  if (!response.ok) throw new Error(`${address}: the server answers ${String(response.status)}`);
  return response;
}

export async function coreModule(): Promise<WebAssembly.Module> {
  if (core.packed !== null) return WebAssembly.compile(await inflated(core.packed).arrayBuffer());
  // Not compileStreaming: plain servers send the file without a MIME type, which that function
  // requires.
  return WebAssembly.compile(await (await fetched(core.file)).arrayBuffer());
}

export function filesOf(example: Example): Promise<readonly OpenedFile[]> {
  return Promise.all(
    example.files.map(async (path): Promise<OpenedFile> => {
      const packed = examples.packed?.[path];
      const content =
        packed === undefined
          ? await (await fetched(`${examples.folder}/${path}`)).blob()
          : new Blob([await inflated(packed).arrayBuffer()]);
      return { name: path, content };
    }),
  );
}
