// The core as WebAssembly in Node.js: planex.h over lines of JSON.
//
//   node core.mjs planex.wasm FOLDER...        folders that the core may read
//
// A line in: {"open": [[name, value]...]} | {"verb": name, "options": [[name, value]...]}. A line out:
// {"document": text} or {"error": message}. A line that ends the module is answered with
// {"ended": reason}, and the next is asked of a new one.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { WASI } from 'node:wasi';

const [file, ...folders] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(file));

async function start() {
  const preopens = Object.fromEntries(folders.map((folder) => [folder, folder]));
  const wasi = new WASI({ version: 'preview1', args: [], preopens });
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
  wasi.initialize({ exports: instance.exports });
  const core = instance.exports;
  const bytes = () => new Uint8Array(core.memory.buffer);
  const word = (at) => new DataView(core.memory.buffer).getUint32(at, true);

  const text = (value) => {
    const encoded = new TextEncoder().encode(`${value}\0`);
    const at = core.malloc(encoded.length);
    bytes().set(encoded, at);
    return at;
  };
  const textAt = (at) => new TextDecoder().decode(bytes().subarray(at, bytes().indexOf(0, at)));
  const errorAt = core.malloc(4);
  const failure = () => {
    const error = word(errorAt);
    const told = { error: textAt(core.planex_error_message(error)) };
    core.planex_error_free(error);
    return told;
  };
  // Runs with the options in memory, which are freed after it.
  const withOptions = (options, use) => {
    const texts = options.flat().map(text);
    const at = core.malloc(Math.max(4, 4 * texts.length));
    const view = new DataView(core.memory.buffer);
    texts.forEach((one, i) => view.setUint32(at + 4 * i, one, true));
    const result = use(at, options.length);
    for (const one of [...texts, at]) core.free(one);
    return result;
  };

  let session = 0;
  return (line) => {
    if (line.open !== undefined) {
      core.planex_close(session);
      session = withOptions(line.open, (at, count) => core.planex_open(at, count, errorAt));
      return session === 0 ? failure() : { document: '' };
    }
    const verb = text(line.verb);
    const document = withOptions(line.options, (at, count) =>
      core.planex_call(session, verb, at, count, errorAt),
    );
    core.free(verb);
    if (document === 0) return failure();
    const begin = core.planex_document_data(document);
    const size = core.planex_document_size(document);
    const answer = new TextDecoder().decode(bytes().subarray(begin, begin + size));
    core.planex_document_free(document);
    return { document: answer };
  };
}

let answer = await start();
for await (const line of createInterface({ input: process.stdin })) {
  let told;
  try {
    told = answer(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    told = { ended: error.message };
    answer = await start();
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
