// Finds the items in a rectangle. There are several grids, each with cells twice as wide as the
// previous one's. An item is in the finest grid whose cells are not smaller than it, so in at most
// four cells whatever its size. Items too small to see are left out by not searching their grid.

export interface Bounds {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

const kFinest = 64;
const kLevels = 24;
// Range of cells on either side of 0, and the multiplier of a row: exact in a double.
const kRow = 2 ** 26;

const cellKey = (column: number, row: number): number =>
  (row + kRow / 2) * kRow + column + kRow / 2;

interface Level {
  readonly size: number;
  readonly cells: Map<number, number[]>;
}

export class Grid {
  readonly #levels: readonly Level[] = Array.from({ length: kLevels }, (_, i) => ({
    size: kFinest * 2 ** i,
    cells: new Map<number, number[]>(),
  }));
  readonly #bounds: Float64Array;
  // The last query that saw each item, because it can be in several cells.
  readonly #seen: Uint32Array;
  #query = 0;

  // `bounds`: x0, y0, x1, y1 of each item.
  constructor(bounds: Float64Array) {
    this.#bounds = bounds;
    const count = bounds.length / 4;
    this.#seen = new Uint32Array(count);
    for (let i = 0; i < count; i += 1) this.#add(i);
  }

  #add(index: number): void {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = this.#bounds.subarray(4 * index, 4 * index + 4);
    const extent = Math.max(x1 - x0, y1 - y0, 1);
    const fine = Math.max(0, Math.ceil(Math.log2(extent / kFinest)));
    const level = this.#levels[Math.min(kLevels - 1, fine)];
    if (level === undefined) return;
    const { size, cells } = level;
    for (let row = Math.floor(y0 / size); row <= Math.floor(y1 / size); row += 1) {
      for (let column = Math.floor(x0 / size); column <= Math.floor(x1 / size); column += 1) {
        const key = cellKey(column, row);
        const cell = cells.get(key);
        if (cell === undefined) cells.set(key, [index]);
        else cell.push(index);
      }
    }
  }

  // Indices, ascending, of all items that touch the rectangle and whose larger side is at least
  // `least`.
  query({ x0, y0, x1, y1 }: Bounds, least = 0): readonly number[] {
    this.#query += 1;
    const found: number[] = [];
    const take = (cell: readonly number[]): void => {
      for (const index of cell) {
        if (this.#seen[index] === this.#query) continue;
        this.#seen[index] = this.#query;
        const [bx0 = 0, by0 = 0, bx1 = 0, by1 = 0] = this.#bounds.subarray(
          4 * index,
          4 * index + 4,
        );
        if (bx0 > x1 || bx1 < x0 || by0 > y1 || by1 < y0) continue;
        if (Math.max(bx1 - bx0, by1 - by0) >= least) found.push(index);
      }
    };
    for (const { size, cells } of this.#levels) {
      if (cells.size === 0 || size < least) continue;
      const columns = Math.floor(x1 / size) - Math.floor(x0 / size) + 1;
      const rows = Math.floor(y1 / size) - Math.floor(y0 / size) + 1;
      if (columns * rows >= cells.size) {
        for (const cell of cells.values()) take(cell);
        continue;
      }
      for (let row = Math.floor(y0 / size); row <= Math.floor(y1 / size); row += 1) {
        for (let column = Math.floor(x0 / size); column <= Math.floor(x1 / size); column += 1) {
          const cell = cells.get(cellKey(column, row));
          if (cell !== undefined) take(cell);
        }
      }
    }
    return found.sort((a, b) => a - b);
  }
}
