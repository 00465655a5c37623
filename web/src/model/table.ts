// Columnar tables as they are drawn: numbers in typed arrays with NaN for missing, texts as indices
// into the engine's string table. An absent column reads as all missing.

import { asArray, asNumber, asObject, asText, entriesOf, type Json } from './json_value.ts';

export type Strings = readonly string[];

interface NumberColumn {
  readonly kind: 'number';
  readonly values: Float64Array;
}
interface TextColumn {
  readonly kind: 'text';
  readonly indices: Int32Array;
}
interface ListColumn {
  readonly kind: 'list';
  readonly values: readonly (readonly number[] | null)[];
}
type Column = NumberColumn | TextColumn | ListColumn;

const kTypes: ReadonlySet<string> = new Set(['text', 'int64', 'double', 'bool', 'list']);

function decodeColumn(json: Json | undefined, rows: number, strings: Strings): Column | null {
  const object = asObject(json);
  const values = asArray(object.values);
  switch (asText(object.type)) {
    case 'text': {
      const indices = new Int32Array(rows).fill(-1);
      for (let i = 0; i < rows; i += 1) {
        const index = asNumber(values[i]);
        if (index !== null && index >= 0 && index < strings.length) indices[i] = index;
      }
      return { kind: 'text', indices };
    }
    case 'int64':
    case 'double':
    case 'bool': {
      const numbers = new Float64Array(rows).fill(Number.NaN);
      for (let i = 0; i < rows; i += 1) {
        const value = values[i];
        if (typeof value === 'number') numbers[i] = value;
        else if (typeof value === 'boolean') numbers[i] = value ? 1 : 0;
      }
      return { kind: 'number', values: numbers };
    }
    case 'list': {
      const lists = Array.from({ length: rows }, (_, i) => {
        const value = values[i];
        return Array.isArray(value)
          ? (value as readonly Json[]).map((v) => asNumber(v) ?? -1)
          : null;
      });
      return { kind: 'list', values: lists };
    }
    default:
      return null;
  }
}

// Far more than any engine has, so that a made-up number cannot decide how much is allocated.
const kMaxIds = 1 << 26;

export class Table {
  readonly rowCount: number;
  readonly names: readonly string[];
  // Decoded on first use: most views need few of them.
  readonly #columns = new Map<string, Column>();
  readonly #undecoded = new Map<string, Json>();
  readonly #strings: Strings;
  readonly #present = new Map<string, boolean>();

  constructor(json: Json | undefined, strings: Strings) {
    const object = asObject(json);
    const rows = asNumber(object.row_count) ?? 0;
    // A count larger than the columns' length would only waste memory.
    const columns = asObject(object.columns);
    const longest = Math.max(
      0,
      ...entriesOf(columns).map(([, c]) => asArray(asObject(c).values).length),
    );
    this.rowCount = Math.max(0, Math.min(Math.floor(rows), longest));
    this.#strings = strings;
    for (const [name, column] of entriesOf(columns)) {
      if (kTypes.has(asText(asObject(column).type) ?? '')) this.#undecoded.set(name, column);
    }
    this.names = [...this.#undecoded.keys()];
  }

  #column(name: string): Column | undefined {
    const json = this.#undecoded.get(name);
    if (json !== undefined) {
      this.#undecoded.delete(name);
      const decoded = decodeColumn(json, this.rowCount, this.#strings);
      if (decoded !== null) this.#columns.set(name, decoded);
    }
    return this.#columns.get(name);
  }

  get rows(): readonly number[] {
    return [...Array(this.rowCount).keys()];
  }

  // Numbers of a column, NaN where missing. The array is the table's own: do not write to it.
  numbers(name: string): Float64Array {
    const column = this.#column(name);
    if (column?.kind === 'number') return column.values;
    const empty = new Float64Array(this.rowCount).fill(Number.NaN);
    this.#columns.set(name, { kind: 'number', values: empty });
    return empty;
  }

  number(name: string, row: number): number | null {
    const column = this.#column(name);
    if (column?.kind !== 'number') return null;
    const value = column.values[row];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  // A text; numbers read as their digits, because an id may be either.
  text(name: string, row: number): string | null {
    const column = this.#column(name);
    if (column?.kind === 'text') return this.#strings[column.indices[row] ?? -1] ?? null;
    if (column?.kind === 'number') {
      const value = this.number(name, row);
      return value === null ? null : String(value);
    }
    return null;
  }

  list(name: string, row: number): readonly number[] | null {
    const column = this.#column(name);
    return column?.kind === 'list' ? (column.values[row] ?? null) : null;
  }

  // Whether any row has a value: a column of nulls counts as absent.
  has(name: string): boolean {
    let present = this.#present.get(name);
    if (present === undefined) {
      const column = this.#column(name);
      if (column === undefined) present = false;
      else if (column.kind === 'text') present = column.indices.some((i) => i >= 0);
      else if (column.kind === 'number') present = column.values.some((v) => !Number.isNaN(v));
      else present = column.values.some((v) => v !== null);
      this.#present.set(name, present);
    }
    return present;
  }

  // A value of any kind, for copying.
  value(name: string, row: number): string | number | readonly number[] | null {
    switch (this.#column(name)?.kind) {
      case 'text':
        return this.text(name, row);
      case 'list':
        return this.list(name, row);
      default:
        return this.number(name, row);
    }
  }
}

// The sum of the known values of some rows; null: none is known.
export function knownSum(values: Float64Array, rows: Iterable<number>): number | null {
  let sum: number | null = null;
  for (const row of rows) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) sum = (sum ?? 0) + value;
  }
  return sum;
}

// Rows by the id of their owner, a layer or a node, in any order on the wire. Two arrays instead of
// one list per layer.
export class RowsById {
  // Rows sorted by id, and where those of each begin.
  readonly #rows: Int32Array;
  readonly #starts: Int32Array;

  constructor(ids: Float64Array | Int32Array) {
    const isId = (id: number): boolean => Number.isInteger(id) && id >= 0 && id < kMaxIds;
    let greatest = -1;
    for (const id of ids) if (isId(id) && id > greatest) greatest = id;
    this.#starts = new Int32Array(greatest + 2);
    for (const id of ids) {
      if (isId(id)) this.#starts[id + 1] = (this.#starts[id + 1] ?? 0) + 1;
    }
    for (let id = 0; id <= greatest; id += 1) {
      this.#starts[id + 1] = (this.#starts[id + 1] ?? 0) + (this.#starts[id] ?? 0);
    }
    const next = this.#starts.slice();
    this.#rows = new Int32Array(this.#starts[greatest + 1] ?? 0);
    for (const [row, id] of ids.entries()) {
      if (!isId(id)) continue;
      const place = next[id] ?? 0;
      this.#rows[place] = row;
      next[id] = place + 1;
    }
  }

  of(id: number): readonly number[] {
    const from = this.#starts[id] ?? 0;
    return [...this.#rows.subarray(from, Math.max(from, this.#starts[id + 1] ?? 0))];
  }
}
