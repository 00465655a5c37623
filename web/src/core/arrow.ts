// Rows of a table that the module exports through the Arrow C data interface, whose two structs
// have the layout below in 32-bit memory. https://arrow.apache.org/docs/format/CDataInterface.html

import type { QueryCell } from '../model/query_rows.ts';

const kSchema = { bytes: 48, format: 0, children: 32, childCount: 24, release: 40 } as const;
const kArray = {
  bytes: 64,
  length: 0,
  offset: 16,
  childCount: 32,
  buffers: 40,
  children: 44,
  release: 52,
} as const;
export const kSchemaBytes = kSchema.bytes;
export const kArrayBytes = kArray.bytes;

// Values of one column, by row.
type Reader = (row: number) => QueryCell;

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export class ArrowReader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #text = new TextDecoder();

  // `memory` must not grow while the view is in use.
  constructor(memory: ArrayBuffer) {
    this.#view = new DataView(memory);
    this.#bytes = new Uint8Array(memory);
  }

  // Addresses of the functions that release the two structs.
  static releaseOf(memory: ArrayBuffer, kind: 'schema' | 'array', at: number): number {
    const { release } = kind === 'schema' ? kSchema : kArray;
    return new DataView(memory).getUint32(at + release, true);
  }

  rows(schema: number, array: number): readonly (readonly QueryCell[])[] {
    const count = this.#size(array + kArray.length);
    const columns = this.#children(schema, kSchema).map((column, i) => {
      const values = this.#children(array, kArray)[i];
      if (values === undefined) throw new Error('the table lacks a column');
      return this.#reader(column, values);
    });
    return Array.from({ length: count }, (_, row) => columns.map((read) => read(row)));
  }

  #word(at: number): number {
    return this.#view.getUint32(at, true);
  }

  #size(at: number): number {
    return Number(this.#view.getBigInt64(at, true));
  }

  #children(
    at: number,
    struct: { readonly childCount: number; readonly children: number },
  ): readonly number[] {
    const first = this.#word(at + struct.children);
    return Array.from({ length: this.#size(at + struct.childCount) }, (_, i) =>
      this.#word(first + 4 * i),
    );
  }

  #textAt(at: number): string {
    return this.#text.decode(this.#bytes.subarray(at, this.#bytes.indexOf(0, at)));
  }

  #reader(schema: number, array: number): Reader {
    const format = this.#textAt(this.#word(schema + kSchema.format));
    const offset = this.#size(array + kArray.offset);
    const buffers = this.#word(array + kArray.buffers);
    const buffer = (index: number): number => this.#word(buffers + 4 * index);
    const validity = buffer(0);
    const bit = (bits: number, i: number): boolean =>
      (((this.#bytes[bits + (i >> 3)] ?? 0) >> (i & 7)) & 1) === 1;
    const value = this.#valueReader(format, schema, array, buffer, bit);
    return (row) => {
      const i = offset + row;
      return validity !== 0 && !bit(validity, i) ? null : value(i);
    };
  }

  #valueReader(
    format: string,
    schema: number,
    array: number,
    buffer: (index: number) => number,
    bit: (bits: number, i: number) => boolean,
  ): Reader {
    const data = buffer(1);
    const view = this.#view;
    const end = (i: number): number => this.#size(data + 8 * i);
    switch (format) {
      case 'l':
        return (i) => exact(view.getBigInt64(data + 8 * i, true));
      case 'g':
        return (i) => view.getFloat64(data + 8 * i, true);
      case 'b':
        return (i) => bit(data, i);
      case 'U': {
        const text = buffer(2);
        return (i) => this.#text.decode(this.#bytes.subarray(text + end(i), text + end(i + 1)));
      }
      case '+L': {
        const [itemSchema = 0] = this.#children(schema, kSchema);
        const [itemArray = 0] = this.#children(array, kArray);
        const item = this.#reader(itemSchema, itemArray);
        return (i) =>
          Array.from({ length: end(i + 1) - end(i) }, (_, k) => Number(item(end(i) + k)));
      }
      default:
        throw new Error(`a column has the unexpected Arrow format "${format}"`);
    }
  }
}
