// What is shown of a sweep: the slice, the figure, and the chosen cell. The link keeps all of it.

import type { SweepCell, ViewContext } from '../../public/index.ts';
import { lies, type Slice, type SweepGrid } from './grid.ts';
import { kMeasures, type Measure } from './measures.ts';

export class Shown {
  readonly context: ViewContext;
  readonly grid: SweepGrid;

  constructor(context: ViewContext, grid: SweepGrid) {
    this.context = context;
    this.grid = grid;
  }

  get slice(): Slice {
    return this.grid.slice((key) => this.context.store.option(`sweep.${key}`));
  }

  // `cell`: the id of the one to choose.
  setSlice(slice: Slice, cell?: string): void {
    const { context, grid } = this;
    const at = grid.varied.map((axis) => {
      const { values } = grid.axis(axis);
      const held = lies(slice, axis) ? null : (values[slice.at[axis] ?? 0] ?? null);
      return [`sweep.at${String(axis)}`, held] as const;
    });
    context.store.setOptions({
      'sweep.x': grid.axis(slice.x).name,
      'sweep.y': slice.y === null ? null : grid.axis(slice.y).name,
      ...Object.fromEntries(at),
      ...(cell === undefined ? {} : { 'sweep.cell': cell }),
    });
  }

  get measure(): Measure {
    const { measures } = this.grid;
    const wanted = this.context.store.option('sweep.value');
    return measures.find(({ id }) => id === wanted) ?? measures[0] ?? kMeasures[0];
  }

  get chosen(): SweepCell | null {
    return this.grid.byId(this.context.store.option('sweep.cell'));
  }

  // A second click deselects it.
  choose(cell: SweepCell | null): void {
    const id = cell === null || this.chosen === cell ? null : cell.id;
    this.context.store.setOptions({ 'sweep.cell': id }, { selected: null });
  }
}
