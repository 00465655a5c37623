// What is shown of the grid: two axes, a figure, and a value of each other axis.

import { choiceList, div, visible, type Option, type ViewContext } from '../../public/index.ts';
import type { SweepGrid } from './grid.ts';
import { measureTitle, measuresOf } from './measures.ts';
import { measureNow, optionsAt, setOptions, setSlice, sliceNow } from './state.ts';

export function sweepControls(context: ViewContext, grid: SweepGrid): HTMLElement {
  const { store } = context;
  const slice = sliceNow(store, grid);
  const axes: readonly Option<string>[] = grid.varied.map((axis) => ({
    id: String(axis),
    name: visible(grid.axis(axis).name),
  }));
  const others = grid.varied.filter((axis) => axis !== slice.x && axis !== slice.y);
  return div(
    'sweep-controls',
    choiceList(
      'show',
      measuresOf(grid.sweep.cells).map((measure) => ({
        id: measure.id,
        name: measureTitle(measure),
      })),
      measureNow(store, grid).id,
      (id) => setOptions(store, { value: id }),
    ),
    // The axis that goes takes the place of the one that comes.
    axes.length < 2
      ? null
      : choiceList('across', axes, String(slice.x), (id) => {
          const x = Number(id);
          setSlice(store, grid, { ...slice, x, y: x === slice.y ? slice.x : slice.y });
        }),
    axes.length < 2 || slice.y === null
      ? null
      : choiceList('down', axes, String(slice.y), (id) => {
          const y = Number(id);
          setSlice(store, grid, { ...slice, y, x: y === slice.x ? (slice.y ?? slice.x) : slice.x });
        }),
    ...others.map((axis) => {
      const { name, values } = grid.axis(axis);
      return choiceList(
        visible(name),
        values.map((value, i) => ({ id: String(i), name: visible(value) })),
        String(slice.at[axis] ?? 0),
        (id) => setOptions(store, optionsAt(axis, values[Number(id)] ?? null)),
      );
    }),
  );
}
