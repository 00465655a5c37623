// The grid of a sweep: its cells by their values, and the part of it that two axes show.

import type { Sweep, SweepAxis, SweepCell, SweepCliff } from '../../public/index.ts';

// Which axes lie where, and the values of the others, by axis.
export interface Slice {
  readonly x: number;
  // Null where only one axis has several values.
  readonly y: number | null;
  readonly at: readonly number[];
}

// What the link says of it; null: what is usual. Axes by name, values as they were asked for.
export interface SliceChoice {
  readonly x: string | null;
  readonly y: string | null;
  at(axis: number): string | null;
}

export class SweepGrid {
  readonly sweep: Sweep;
  // Axes that have something to choose.
  readonly varied: readonly number[];
  // Of these, those whose measured cells have several values.
  readonly told: readonly number[];
  readonly #places: readonly (readonly number[])[];
  readonly #byPlace = new Map<string, number>();
  readonly #cliffsInto = new Map<number, SweepCliff[]>();

  constructor(sweep: Sweep) {
    this.sweep = sweep;
    this.varied = sweep.axes.flatMap((axis, i) => (axis.values.length > 1 ? [i] : []));
    this.told = this.varied.filter((axis) => {
      const done = sweep.cells.filter(({ state }) => state === 'done');
      return new Set(done.map(({ values }) => values[axis])).size > 1;
    });
    this.#places = sweep.cells.map((cell) =>
      sweep.axes.map((axis, i) => axis.values.indexOf(cell.values[i] ?? '')),
    );
    for (const [i, place] of this.#places.entries()) this.#byPlace.set(place.join(), i);
    for (const cliff of sweep.cliffs) {
      const list = this.#cliffsInto.get(cliff.b);
      if (list === undefined) this.#cliffsInto.set(cliff.b, [cliff]);
      else list.push(cliff);
    }
  }

  axis(index: number): SweepAxis {
    const axis = this.sweep.axes[index];
    if (axis === undefined) throw new Error(`no axis ${String(index)}`);
    return axis;
  }

  cell(index: number | undefined): SweepCell | null {
    return this.sweep.cells[index ?? -1] ?? null;
  }

  indexOf(id: string | null): number | null {
    const index = this.sweep.cells.findIndex((cell) => cell.id === id);
    return index < 0 ? null : index;
  }

  // The place of a cell's value on an axis.
  placeOn(axis: number, cell: number): number {
    return this.#places[cell]?.[axis] ?? -1;
  }

  // Steps that end in the cell and cost more than their work.
  cliffsInto(cell: number): readonly SweepCliff[] {
    return this.#cliffsInto.get(cell) ?? [];
  }

  slice(choice: SliceChoice): Slice {
    const { axes } = this.sweep;
    const named = (name: string | null): number | null => {
      const index = axes.findIndex((axis) => axis.name === name);
      return this.varied.includes(index) ? index : null;
    };
    const ordered = this.varied.filter((axis) => axes[axis]?.is_ordered === true);
    const x = named(choice.x) ?? ordered[0] ?? this.varied[0] ?? 0;
    const others = this.varied.filter((axis) => axis !== x);
    const wanted = named(choice.y);
    const y =
      wanted !== null && wanted !== x
        ? wanted
        : (others.find((axis) => ordered.includes(axis)) ?? others[0] ?? null);
    const at = axes.map((axis, i) => {
      const chosen = axis.values.indexOf(choice.at(i) ?? '');
      return chosen < 0 ? this.#usual(i) : chosen;
    });
    return { x, y, at };
  }

  // The value that most cells are measured at.
  #usual(axis: number): number {
    const counts = this.axis(axis).values.map(() => 0);
    for (const [i, cell] of this.sweep.cells.entries()) {
      const place = this.placeOn(axis, i);
      if (cell.state === 'done' && place >= 0) counts[place] = (counts[place] ?? 0) + 1;
    }
    return counts.indexOf(Math.max(0, ...counts));
  }

  // The cell in a column and a row of a slice.
  cellIn(slice: Slice, column: number, row: number): number | null {
    const place = slice.at.map((value, axis) =>
      axis === slice.x ? column : axis === slice.y ? row : value,
    );
    return this.#byPlace.get(place.join()) ?? null;
  }

  columns(slice: Slice): readonly string[] {
    return this.axis(slice.x).values;
  }

  // One without a name where there is one axis alone.
  rows(slice: Slice): readonly string[] {
    return slice.y === null ? [''] : this.axis(slice.y).values;
  }

  holds(slice: Slice, cell: number): boolean {
    return slice.at.every(
      (value, axis) => axis === slice.x || axis === slice.y || value === this.placeOn(axis, cell),
    );
  }

  // The slice that shows a step along an axis: on x, unless it lies on y already.
  sliceOf(cliff: SweepCliff, now: Slice): Slice {
    const at = now.at.map((_, axis) => this.placeOn(axis, cliff.b));
    if (cliff.axis === now.x || cliff.axis === now.y) return { ...now, at };
    return { x: cliff.axis, y: now.y, at };
  }
}

export type Side = 'left' | 'right' | 'top' | 'bottom';

// The border of the second cell at which a step lies; null where the slice does not hold both.
export function sideOf(grid: SweepGrid, slice: Slice, cliff: SweepCliff): Side | null {
  if (!grid.holds(slice, cliff.a) || !grid.holds(slice, cliff.b)) return null;
  // Values may have been asked for in any order.
  const isAfter = grid.placeOn(cliff.axis, cliff.a) < grid.placeOn(cliff.axis, cliff.b);
  if (cliff.axis === slice.x) return isAfter ? 'left' : 'right';
  return isAfter ? 'top' : 'bottom';
}
