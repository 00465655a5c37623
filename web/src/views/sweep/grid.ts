// The grid of a sweep: its cells by their values, and the part of it that two axes show.

import type { Sweep, SweepAxis, SweepCell, SweepCliff } from '../../public/index.ts';
import { measuresOf, type Measure } from './measures.ts';

// The axes on x and y, and the values of the others, by axis.
export interface Slice {
  readonly x: number;
  // Null if only one axis has several values.
  readonly y: number | null;
  readonly at: readonly number[];
}

// The link's settings x, y, at0, at1, …: names of axes, and values as in the sweep; null: the
// default.
export type SliceOption = (key: 'x' | 'y' | `at${number}`) => string | null;

// Whether an axis is one of the two.
export function lies({ x, y }: Slice, axis: number): boolean {
  return axis === x || axis === y;
}

export class SweepGrid {
  readonly sweep: Sweep;
  // Axes with several values.
  readonly varied: readonly number[];
  // Of these, those with several values among measured cells.
  readonly told: readonly number[];
  // Figures that any cell has.
  readonly measures: readonly Measure[];
  // For each axis, the index of the value with the most measured cells.
  readonly #usual: readonly number[];
  readonly #byId: ReadonlyMap<string | null, SweepCell>;
  readonly #byPlace: ReadonlyMap<string, SweepCell>;

  constructor(sweep: Sweep) {
    this.sweep = sweep;
    const { axes, cells } = sweep;
    this.varied = [...axes.keys()].filter((axis) => this.axis(axis).values.length > 1);
    const done = cells.filter(({ state }) => state === 'done');
    this.told = this.varied.filter(
      (axis) => new Set(done.map(({ values }) => values[axis])).size > 1,
    );
    this.measures = measuresOf(cells);
    this.#usual = axes.map((axis, i) => {
      const counts = axis.values.map(() => 0);
      for (const cell of done) {
        const place = this.placeOn(i, cell);
        if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
      }
      return counts.indexOf(Math.max(0, ...counts));
    });
    this.#byId = new Map(cells.map((cell) => [cell.id, cell]));
    const place = (cell: SweepCell): string => axes.map((_, i) => this.placeOn(i, cell)).join();
    this.#byPlace = new Map(cells.map((cell) => [place(cell), cell]));
  }

  axis(index: number): SweepAxis {
    const axis = this.sweep.axes[index];
    if (axis === undefined) throw new Error(`no axis ${String(index)}`);
    return axis;
  }

  cell(index: number | undefined): SweepCell | null {
    return this.sweep.cells[index ?? -1] ?? null;
  }

  byId(id: string | null): SweepCell | null {
    return this.#byId.get(id) ?? null;
  }

  // The index of a cell's value on an axis.
  placeOn(axis: number, cell: SweepCell | null): number {
    return this.axis(axis).values.indexOf(cell?.values[axis] ?? '');
  }

  // Steps that end in the cell and cost more than their work explains.
  cliffsInto(cell: SweepCell): readonly SweepCliff[] {
    return this.sweep.cliffs.filter(({ b }) => this.cell(b) === cell);
  }

  slice(option: SliceOption): Slice {
    const { axes } = this.sweep;
    const named = (name: string | null): number | null => {
      const index = axes.findIndex((axis) => axis.name === name);
      return this.varied.includes(index) ? index : null;
    };
    const ordered = this.varied.filter((axis) => this.axis(axis).is_ordered);
    const x = named(option('x')) ?? ordered[0] ?? this.varied[0] ?? 0;
    const isOther = (axis: number): boolean => axis !== x;
    const wanted = named(option('y'));
    const y =
      wanted !== null && isOther(wanted)
        ? wanted
        : (ordered.find(isOther) ?? this.varied.find(isOther) ?? null);
    const at = axes.map((axis, i) => {
      const chosen = axis.values.indexOf(option(`at${i}`) ?? '');
      return chosen < 0 ? (this.#usual[i] ?? 0) : chosen;
    });
    return { x, y, at };
  }

  // The cell in a column and a row of a slice.
  cellIn({ x, y, at }: Slice, column: number, row: number): SweepCell | null {
    const place = at.map((held, axis) => (axis === x ? column : axis === y ? row : held));
    return this.#byPlace.get(place.join()) ?? null;
  }

  columns(slice: Slice): readonly string[] {
    return this.axis(slice.x).values;
  }

  // An element without a name if there is only one axis.
  rows({ y }: Slice): readonly string[] {
    return y === null ? [''] : this.axis(y).values;
  }

  holds(slice: Slice, cell: SweepCell | null): boolean {
    return slice.at.every((at, axis) => lies(slice, axis) || at === this.placeOn(axis, cell));
  }

  // The slice that shows a step along an axis: on x, unless the axis is already on y.
  sliceOf(cliff: SweepCliff, now: Slice): Slice {
    const at = now.at.map((_, axis) => this.placeOn(axis, this.cell(cliff.b)));
    return lies(now, cliff.axis) ? { ...now, at } : { x: cliff.axis, y: now.y, at };
  }
}

export type Side = 'left' | 'right' | 'top' | 'bottom';

// The border of the second cell at which a step is marked; null if the slice does not contain both.
export function sideOf(grid: SweepGrid, slice: Slice, cliff: SweepCliff): Side | null {
  const [a, b] = [grid.cell(cliff.a), grid.cell(cliff.b)];
  if (!grid.holds(slice, a) || !grid.holds(slice, b)) return null;
  // Values may be in any order.
  const isAfter = grid.placeOn(cliff.axis, a) < grid.placeOn(cliff.axis, b);
  if (cliff.axis === slice.x) return isAfter ? 'left' : 'right';
  return isAfter ? 'top' : 'bottom';
}
